%% The supervisors kernel_sup and kernel_safe_sup, under which library services start when they are first
%% used: timer under the first; disk_log, dets under the second, which is a child of the first. And the
%% server of global names.
%%
%% Few programs use one. So each begins as a plain process that waits for its first message
%% and only then becomes a supervisor, or the server: booting a node does not load the module.
-module(kernel).
-behaviour(supervisor).

-export([wait/2, global_names/1, adopt/1, init/1]).

wait(Parent, Name) ->
    receive
        First ->
            put('$ancestors', [Parent]),
            %% Whatever has arrived meanwhile is behind the first message, and stays in order.
            self() ! First,
            rotate(First, process_info(self(), message_queue_len)),
            become(Name)
    end.

%% The names are in a table, which is there from the beginning.
global_names(Parent) ->
    global:new_table(),
    Parent ! {self(), ready},
    wait(Parent, global_name_server).

become(global_name_server = Name) ->
    put('$initial_call', {global, init, 1}),
    {ok, State} = global:init([]),
    gen_server:enter_loop(global, [], State, {local, Name});
become(Name) ->
    put('$initial_call', {supervisor, ?MODULE, 1}),
    {ok, State} = supervisor:init({{local, Name}, ?MODULE, Name}),
    gen_server:enter_loop(supervisor, [], State, {local, Name}).

%% Puts the messages that were before the one just sent behind it.
rotate(_First, {message_queue_len, Length}) ->
    _ = [receive Message -> self() ! Message end || _ <- lists:seq(1, Length - 1)],
    ok.

%% A child that was there before its supervisor.
adopt(Name) ->
    Pid = whereis(Name),
    link(Pid),
    {ok, Pid}.

init(kernel_sup) ->
    Safe = #{id => kernel_safe_sup, start => {?MODULE, adopt, [kernel_safe_sup]},
             shutdown => infinity, type => supervisor, modules => [?MODULE]},
    {ok, {#{strategy => one_for_all, intensity => 0, period => 1}, [Safe]}};
init(kernel_safe_sup) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, []}}.
