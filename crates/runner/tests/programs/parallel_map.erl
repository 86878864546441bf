%% A map whose elements are computed by processes of their own.
-module(parallel_map).
-export([main/0]).
main() ->
    Squares = pmap(fun(X) -> X * X end, lists:seq(1, 10)),
    Failed = (catch pmap(fun(X) -> 10 div X end, [1, 2, 0, 5])),
    {Squares, Failed}.

pmap(F, List) ->
    Refs = [spawn_monitor(fun() -> exit({result, F(X)}) end) || X <- List],
    [receive
         {'DOWN', Ref, process, Pid, {result, R}} -> R;
         {'DOWN', Ref, process, Pid, {Reason, _}} -> exit({failed, Reason})
     end || {Pid, Ref} <- Refs].
