%% A suspended process does nothing, but signals reach it; who suspended it must resume it as often.
-module(suspending).
-export([main/0]).
main() ->
    Me = self(),
    Pid = spawn(fun() -> echo(Me) end),
    true = erlang:suspend_process(Pid),
    true = erlang:suspend_process(Pid),
    false = erlang:suspend_process(Pid, [unless_suspending]),
    Pid ! one,
    nothing = within(50),
    {status, Status} = process_info(Pid, status),
    {messages, Messages} = process_info(Pid, messages),
    {suspending, [{Pid, 2, 0}]} = process_info(self(), suspending),
    io:format("~p ~p~n", [Status, Messages]),
    true = erlang:resume_process(Pid),
    nothing = within(50),
    true = erlang:resume_process(Pid),
    {echo, one} = within(1000),
    Errors = [catch_error(fun() -> erlang:resume_process(Pid) end),
              catch_error(fun() -> erlang:suspend_process(self()) end),
              catch_error(fun() -> erlang:suspend_process(Pid, [no_option]) end),
              catch_error(fun() -> erlang:suspend_process(atom) end)],
    %% Whoever suspended it is gone.
    {Other, Ref} = spawn_monitor(fun() -> true = erlang:suspend_process(Pid), Me ! done, receive stop -> ok end end),
    receive done -> ok end,
    Pid ! two,
    nothing = within(50),
    Other ! stop,
    receive {'DOWN', Ref, process, Other, normal} -> ok end,
    {echo, two} = within(1000),
    %% It can be killed all the same.
    true = erlang:suspend_process(Pid),
    Mon = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Mon, process, Pid, Reason} -> ok end,
    true = erlang:suspend_process(Pid, [{asynchronous, tag}]),
    {Errors, Reason, within(1000)}.

catch_error(Fun) ->
    try Fun() catch error:Reason -> Reason end.

within(Time) ->
    receive Any -> Any after Time -> nothing end.

echo(To) ->
    receive What -> To ! {echo, What} end,
    echo(To).
