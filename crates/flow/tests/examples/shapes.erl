%% Values through all structures: records, maps, binaries, comprehensions, maybe.
-module(shapes).
-feature(maybe_expr, enable).
-export([main/0]).
-record(job, {id = 0, run, next = fun later/1}).

main() ->
    J = #job{run = fun first/1},
    (J#job.run)(1),
    K = J#job{id = 1},
    (K#job.run)(2),
    (K#job.next)(3),
    #job{run = R} = K,
    R(4),
    [G(X) || {G, X} <- [{fun first/1, 1}, {fun later/1, 2}], X > 0],
    << <<(first(B))>> || <<B>> <= <<1, 2>> >>,
    #{V := F} = #{a => fun later/1},
    F(V),
    maybe
        {ok, H} ?= choose(1),
        H(6)
    else
        {error, E} -> E(7)
    end,
    case choose(2) of
        {ok, I} when is_function(I) -> I(8);
        {error, I} -> I(9)
    end,
    if J =:= K -> first(0); true -> later(0) end,
    (J =:= K) andalso first(1),
    begin later(2), ok end.

choose(1) -> {ok, fun first/1};
choose(_) -> {error, fun later/1}.

first(X) -> X.
later(X) -> X.
