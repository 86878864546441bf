%% Runs calls of two processes at the same time (`proper_statem:parallel_commands/1,2`), and looks for
%% an order in which a model says the same of their results.
%%
%% The order is searched depth first; a state that was reached by the same calls once is not looked at
%% again. Which of the orders happens is the scheduler's business: one in `erlscope test`, every one
%% that makes a difference with `--explore`.
-module(erlscope_proper_parallel).

-export([run/3]).

%% {History of the calls before, [[{Command, Result}]] of the processes, Result}: `ok`,
%% `no_possible_interleaving`, or why something ended.
run(Module, {Before, Sides}, Variables) ->
    {History, State, Result, Known} = proper_statem:run_from(Module, Before, Variables),
    case Result of
        ok ->
            Done = [await(Started) || Started <- [start(Side, Known) || Side <- Sides]],
            Pairs = [Calls || {_, Calls} <- Done],
            {History, Pairs, judged(Module, State, Known, Done)};
        _ ->
            {History, [], Result}
    end.

judged(Module, State, Known, Done) ->
    case [Why || {Why, _} <- Done, Why =/= ok] of
        [Why | _] ->
            Why;
        [] ->
            Sides = [Calls || {_, Calls} <- Done],
            case fits(Module, State, Known, Sides, #{}) of
                {true, _} -> ok;
                {false, _} -> no_possible_interleaving
            end
    end.

%%% --------------------------------------------------------------- the processes

start(Calls, Known) ->
    Parent = self(),
    Ref = make_ref(),
    {Pid, Monitor} = spawn_monitor(fun() -> Parent ! {Ref, calls(Calls, Known, [])} end),
    {Ref, Pid, Monitor}.

await({Ref, Pid, Monitor}) ->
    receive
        {Ref, Result} ->
            demonitor(Monitor, [flush]),
            Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            {{exception, exit, Reason, []}, []}
    end.

%% {ok | {exception, …}, [{Command, Result}]}
calls([], _, Done) ->
    {ok, lists:reverse(Done)};
calls([{set, {var, N}, {call, M, F, Symbolic}} = Command | Rest], Known, Done) ->
    try apply(M, F, proper_symb:eval(Known, Symbolic)) of
        Result -> calls(Rest, [{N, Result} | Known], [{Command, Result} | Done])
    catch
        Class:Reason:Stack -> {{exception, Class, Reason, Stack}, lists:reverse(Done)}
    end.

%%% -------------------------------------------------------------------- the order

%% {Whether there is an order, what was looked at in vain}
fits(_, _, _, [[], []], Seen) ->
    {true, Seen};
fits(Module, State, Known, Sides, Seen) ->
    Key = {State, [length(Side) || Side <- Sides]},
    case Seen of
        #{Key := _} -> {false, Seen};
        _ -> either(Module, State, Known, [], Sides, Seen#{Key => true})
    end.

either(_, _, _, _, [], Seen) ->
    {false, Seen};
either(Module, State, Known, Before, [[] | After], Seen) ->
    either(Module, State, Known, Before ++ [[]], After, Seen);
either(Module, State, Known, Before, [[{Command, Result} | Rest] = Side | After], Seen) ->
    {set, {var, N}, {call, M, F, Symbolic}} = Command,
    Call = {call, M, F, proper_symb:eval(Known, Symbolic)},
    Fits = Module:precondition(State, Call) =:= true
        andalso Module:postcondition(State, Call, Result) =:= true,
    Found = case Fits of
                true ->
                    Next = proper_symb:eval(Known, Module:next_state(State, Result, Call)),
                    fits(Module, Next, [{N, Result} | Known], Before ++ [Rest | After], Seen);
                false ->
                    {false, Seen}
            end,
    case Found of
        {true, _} -> Found;
        {false, Now} -> either(Module, State, Known, Before ++ [Side], After, Now)
    end.
