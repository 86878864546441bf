%% maybe, named funs, comprehensions, try with all its parts.
-module(clauses_and_maybe).
-feature(maybe_expr, enable).
-export([main/0, go/1, worker/1]).
main() ->
    A = [catch may(X) || X <- [{ok, 1}, {ok, b}, {error, x}, other, 5]],
    B = (fun Fact(0) -> 1; Fact(N) -> N * Fact(N - 1) end)(5),
    C = [{X, Y} || X <- [1, 2, 3], is_odd(X), Y <- lists:map(fun(Z) -> Z * X end, [1, 2]), Y > 1],
    D = << <<(f(X))>> || <<X>> <= <<1, 2, 3>> >>,
    E = maps:from_list([{K, (catch tryit(K))} || K <- [ok, throw, error, exit, badmatch, after_fails, of_fails]]),
    F = maps:map(fun(_, V) -> go(V) end, #{a => 1, b => two}),
    G = apply_all([fun erlang:abs/1, fun ?MODULE:go/1, fun is_odd/1, fun(X) -> {X} end], -3),
    H = [M:Fn(Arg) || {M, Fn, Arg} <- [{?MODULE, go, 1}, {lists, sum, [1, 2]}, {clauses_and_maybe, worker, self()}]],
    I = receive {from_worker, W} -> W after 0 -> none end,
    {A, B, C, D, E, F, G, H, I}.
may(V) ->
    maybe
        {ok, X} ?= V,
        true ?= is_integer(X),
        Y = helper(X),
        {fine, Y}
    else
        {error, R} -> handle(R);
        false -> not_int;
        _ when V =:= 5 -> throw({five, V})
    end.
helper(X) -> X + 1.
handle(R) -> {handled, R}.
is_odd(X) when is_integer(X) -> X rem 2 =/= 0.
f(X) -> X * 2.
tryit(K) ->
    try act(K) of
        fine -> fine;
        other -> error(of_fails)
    catch
        throw:T -> {t, T};
        error:{badmatch, V}:_ -> {bm, V};
        error:E when E =/= of_fails -> again(E);
        exit:R -> {x, R}
    after
        cleanup(K)
    end.
act(ok) -> fine;
act(throw) -> throw(thrown);
act(error) -> error(bad);
act(exit) -> exit(gone);
act(badmatch) -> {a, _} = id({b, 1}), fine;
act(after_fails) -> fine;
act(of_fails) -> other.
id(X) -> X.
again(E) -> try throw(E) catch throw:bad -> {again, bad} end.
cleanup(after_fails) -> catch error(in_after), ok;
cleanup(of_fails) -> catch exit(x), ok;
cleanup(_) -> ok.
go(N) when is_integer(N) -> N + 1;
go(A) -> A.
worker(P) -> P ! {from_worker, self()}, ok.
apply_all(Fs, X) -> [F(X) || F <- Fs].
