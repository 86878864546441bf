%% try with of, catch, after; classes and reasons.
%% inputs: safe_div(int, int), classes(one(throw; error; exit; none)), cleanup(int)
-module(try_forms).
-export([safe_div/2, classes/1, cleanup/1]).

safe_div(A, B) ->
    try A div B of
        0 -> zero;
        Q -> {ok, Q}
    catch
        error:badarith -> {error, A}
    end.

classes(How) ->
    Tag = {tag, How},
    Result = try
        raise(How),
        Done = {done, Tag},
        Done
    catch
        throw:T -> {thrown, T};
        error:E -> {failed, E};
        exit:X -> {exited, X}
    end,
    {Kind, Value} = Result,
    [Kind, Value].

raise(throw) -> throw(ball);
raise(error) -> error(wrong);
raise(exit) -> exit(leave);
raise(none) -> ok.

cleanup(N) ->
    put(log, []),
    R = try
        note(start),
        10 div N
    catch
        _:Reason -> {caught, Reason}
    after
        note(stop)
    end,
    Log = get(log),
    {R, Log}.

note(What) ->
    Old = get(log),
    put(log, [What | Old]).
