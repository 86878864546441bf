%% Stages that pass a value on; a failure of one leaves the state of those before.
%% inputs: main(int), pipeline(list(one(add; double; divide; stop; bad)), int)
-module(handled_stages).
-export([main/1, pipeline/2]).

main(X) ->
    put(stage, 0),
    V = try
        A = stage(1, X + 1),
        B = stage(2, 12 div A),
        stage(3, B * 2)
    catch
        error:badarith -> zero;
        throw:{stage, 2, _} -> second;
        throw:{stage, N, W} when W > 10 -> {N, W}
    end,
    Stage = get(stage),
    {V, Stage}.

stage(N, V) when V > 5 -> throw({stage, N, V});
stage(N, V) -> put(stage, N), V.

pipeline(Steps, X) ->
    put(value, X),
    try lists:foreach(fun step/1, Steps)
    catch
        throw:stop -> ok;
        error:{case_clause, bad} -> put(value, bad)
    end,
    Value = get(value),
    Value.

step(Name) ->
    V = get(value),
    New = case Name of
        add -> V + 1;
        double -> V * 2;
        divide -> try 10 div V catch error:badarith -> throw(stop) end;
        stop -> throw(stop)
    end,
    put(value, New).
