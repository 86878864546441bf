%% Funs stored in maps, records, lists and messages.
%% inputs: dispatch(one(add; mul; neg), int), pipeline(int), object(int, int)
-module(closures_in_data).
-export([dispatch/2, pipeline/1, object/2]).

-record(obj, {get, set, log = []}).

dispatch(Op, X) ->
    Base = 10,
    Table = #{
        add => fun(Y) -> Base + Y end,
        mul => fun(Y) -> Base * Y end,
        neg => fun(Y) -> -Y end
    },
    #{Op := F} = Table,
    R = F(X),
    Extra = maps:size(Table),
    {R, Extra}.

pipeline(X) ->
    Steps = [fun(V) -> V + 1 end, fun(V) -> {V, V * 2} end, fun({A, B}) -> A + B end],
    Result = lists:foldl(fun(F, Acc) -> F(Acc) end, X, Steps),
    [First | _] = Steps,
    {Result, First(0)}.

object(A, B) ->
    O = make(A),
    G1 = (O#obj.get)(),
    O2 = (O#obj.set)(B),
    G2 = (O2#obj.get)(),
    Log = O2#obj.log,
    {G1, G2, length(Log)}.

make(V) ->
    #obj{
        get = fun() -> V end,
        set = fun(New) ->
            Made = make(New),
            Made#obj{log = [V | Made#obj.log]}
        end
    }.
