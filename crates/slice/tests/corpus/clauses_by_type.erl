%% Clauses that no value can choose: by type tests, by operators, by what functions give.
%% inputs: shown(int), measured(list(int)), started(int), reported(one(1; -1; 0)), nested(int, list(int))
-module(clauses_by_type).
-export([shown/1, measured/1, started/1, reported/1, nested/2]).

shown(N) ->
    A = show(N * 2),
    B = show(length([N])),
    {A, B}.

show(X) when is_atom(X) -> {atom, atom_to_list(X)};
show(X) when is_list(X); is_binary(X) -> {text, X};
show({pair, A, B}) -> {pair, show(A), show(B)};
show(X) when is_number(X), X > 10 -> {large, X};
show(X) -> {other, X}.

measured(L) ->
    Length = length(L),
    case Length of
        none -> nothing;
        0 -> empty;
        N when is_float(N) -> {half, N};
        N when is_integer(N), N rem 2 =:= 0 -> {even, N div 2};
        N -> {odd, N}
    end.

started(N) ->
    Me = self(),
    Pid = spawn(fun() -> Me ! {done, N + 1} end),
    case Pid of
        undefined -> none;
        P when is_pid(P) -> receive {done, M} -> M end
    end.

reported(N) ->
    case sign(N) of
        {error, Why} -> Why;
        unknown -> 0;
        {ok, Sign} -> Sign
    end.

sign(N) when N > 0 -> {ok, plus};
sign(N) when N < 0 -> {ok, minus};
sign(_) -> unknown.

nested(A, L) ->
    Sums = [A + X || X <- L],
    R = count(Sums, 0),
    case {R > 2, fun(X) -> X + A end} of
        {maybe_true, _} -> 1;
        {_, none} -> 2;
        {true, F} -> F(R);
        {false, F} -> F(0)
    end.

count(none, N) -> N;
count([X | Xs], N) when is_integer(N) -> count(Xs, N + X);
count([_ | Xs], N) when is_tuple(N) -> count(Xs, N);
count([], N) -> N.
