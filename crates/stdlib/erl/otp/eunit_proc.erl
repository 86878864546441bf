%% The group leader of a running EUnit test: collects output, has no input.
-module(eunit_proc).

-export([get_output/0]).

-export([start_link/0, group_leader_process/2, output/1, stop/1]).

%% What the test has written up to now.
get_output() ->
    group_leader() ! {get_output, self()},
    receive {output, Output} -> Output after 100 -> throw({eunit_abort, get_output}) end.

%%% For the runner.

start_link() ->
    Device = erlscope_native:io_capture(),
    Pid = spawn_link(?MODULE, group_leader_process, [self(), Device]),
    receive {Pid, ready} -> {Pid, Device} end.

output({_, Device}) -> iolist_to_binary(erlscope_native:io_captured(Device)).

stop({Pid, _}) ->
    unlink(Pid),
    Pid ! stop,
    ok.

%% The name and module of the loop are how a test finds out that it runs under EUnit.
group_leader_process(Starter, Device) ->
    erlscope_native:io_attach(self(), Device),
    Starter ! {self(), ready},
    loop(Device).

loop(Device) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, erlscope_io:serve(Device, Request)},
            loop(Device);
        {get_output, From} ->
            From ! {output, unicode:characters_to_list(erlscope_native:io_captured(Device))},
            loop(Device);
        stop ->
            ok;
        _ ->
            loop(Device)
    end.
