%% Exceptions, funs, recursion, the process dictionary, conversions, no specs.
-module(control).
-export([slow/1]).
-export([bug_try_of/1, bug_catch/1, bug_throw/1, bug_after/1, bug_badmatch/1, bug_case_clause/1,
         bug_class/1, bug_reraise/1, bug_exit/1, bug_nested_try/1, bug_closure/2, bug_compose/1,
         bug_fun_in_tuple/1, bug_recursive_fun/1, bug_apply/1, bug_named/1, bug_dictionary/1,
         bug_dictionary_update/2, bug_sum_to/1, bug_fib/1, bug_collatz/1, bug_binary_search/1,
         bug_even_odd/1, bug_ackermann/1, bug_integer_to_list/1, bug_list_to_integer/1,
         bug_atom_to_list/1, bug_list_to_atom/1, bug_guard_fails/1, bug_andalso/2, bug_orelse/2,
         bug_if/1, bug_no_spec/1, bug_no_spec_list/1, bug_helper/2, bug_ets/2, bug_ets_counter/1,
         bug_maybe_tag/1, bug_case_tuple/2, bug_shadow/1, bug_generator/1, bug_begin/1,
         safe_try/1, fine_total/1]).

f(X) when X > 0 -> X * 3;
f(X) -> throw({negative, X}).

-spec bug_try_of(integer()) -> ok.
bug_try_of(X) ->
    try f(X) of
        Y -> case Y of 42 -> erlang:error(bug); _ -> ok end
    catch
        throw:_ -> ok
    end.

-spec bug_catch(integer()) -> ok.
bug_catch(X) ->
    case catch f(X) of
        {negative, -7} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_throw(integer()) -> ok.
bug_throw(X) ->
    try f(X) of
        _ -> ok
    catch
        throw:{negative, N} when N < -99, N > -101 -> erlang:error(bug)
    end.

-spec bug_after(integer()) -> ok.
bug_after(X) ->
    put(seen, no),
    try
        1 = X - 10
    catch
        error:{badmatch, 6} -> put(seen, yes)
    after
        ok
    end,
    case get(seen) of yes -> erlang:error(bug); no -> ok end.

-spec bug_badmatch(integer()) -> ok.
bug_badmatch(X) ->
    try
        {ok, _} = classify(X),
        ok
    catch
        error:{badmatch, {error, 5}} -> erlang:error(bug);
        error:_ -> ok
    end.

classify(X) when X > 10 -> {ok, X};
classify(X) -> {error, X}.

-spec bug_case_clause(integer()) -> ok.
bug_case_clause(X) ->
    try
        case X of 1 -> ok; 2 -> ok end
    catch
        error:{case_clause, 17} -> erlang:error(bug);
        error:_ -> ok
    end.

-spec bug_class(integer()) -> ok.
bug_class(X) ->
    try
        if X < 0 -> throw(a); X =:= 0 -> exit(b); X < 10 -> erlang:error(c); true -> ok end
    catch
        exit:b -> erlang:error(bug);
        _:_ -> ok
    end.

-spec bug_reraise(integer()) -> ok.
bug_reraise(X) ->
    try
        try erlang:error({bad, X})
        catch error:{bad, Y} when Y > 3 -> erlang:error({worse, Y + 1})
        end
    catch
        error:{worse, 9} -> erlang:error(bug);
        error:_ -> ok
    end.

-spec bug_exit(integer()) -> ok.
bug_exit(X) ->
    case catch exit({code, X}) of
        {'EXIT', {code, 3}} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_nested_try(integer()) -> ok.
bug_nested_try(X) ->
    V = try g(X) catch throw:T -> T + 1 end,
    if V =:= 8 -> erlang:error(bug); true -> ok end.

g(X) when X rem 2 =:= 0 -> throw(X div 2);
g(_) -> 0.

-spec bug_closure(integer(), integer()) -> ok.
bug_closure(X, Y) ->
    F = fun(Z) -> X + Z end,
    case F(Y) of
        50 when X =:= 20 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_compose(integer()) -> ok.
bug_compose(X) ->
    Double = fun(A) -> A + A end,
    Next = fun(A) -> A + 1 end,
    case Next(Double(Next(X))) of
        23 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_fun_in_tuple(integer()) -> ok.
bug_fun_in_tuple(X) ->
    {F, _} = {fun() -> X end, x},
    case F() of 64 -> erlang:error(bug); _ -> ok end.

-spec bug_recursive_fun(0..9) -> ok.
bug_recursive_fun(X) ->
    F = fun Loop(0, A) -> A; Loop(N, A) -> Loop(N - 1, A + N) end,
    case F(X, 0) of 10 -> erlang:error(bug); _ -> ok end.

-spec bug_apply(integer()) -> ok.
bug_apply(X) ->
    case apply(fun(A, B) -> A - B end, [X, 3]) of
        4 -> case apply(erlang, abs, [X]) of 7 -> erlang:error(bug); _ -> ok end;
        _ -> ok
    end.

-spec bug_named(add | sub) -> ok.
bug_named(Op) ->
    F = case Op of add -> fun erlang:'+'/2; sub -> fun erlang:'-'/2 end,
    case F(5, 2) of 3 -> erlang:error(bug); _ -> ok end.

-spec bug_dictionary(integer()) -> ok.
bug_dictionary(X) ->
    put(key, {value, X}),
    case get(key) of {value, 15} -> erlang:error(bug); _ -> ok end.

-spec bug_dictionary_update(integer(), integer()) -> ok.
bug_dictionary_update(X, Y) ->
    put(sum, X),
    put(sum, get(sum) + Y),
    case erase(sum) of 40 when X > Y -> erlang:error(bug); _ -> ok end.

-spec bug_sum_to(0..8) -> ok.
bug_sum_to(N) ->
    case sum_to(N) of 21 -> erlang:error(bug); _ -> ok end.

sum_to(0) -> 0;
sum_to(N) -> N + sum_to(N - 1).

-spec bug_fib(0..9) -> ok.
bug_fib(N) ->
    case fib(N, 0, 1) of 13 -> erlang:error(bug); _ -> ok end.

fib(0, A, _) -> A;
fib(N, A, B) -> fib(N - 1, B, A + B).

-spec bug_collatz(1..20) -> ok.
bug_collatz(N) ->
    case collatz(N, 0) of 7 when N =/= 3 -> erlang:error(bug); _ -> ok end.

collatz(1, S) -> S;
collatz(_, 8) -> many;
collatz(N, S) when N rem 2 =:= 0 -> collatz(N div 2, S + 1);
collatz(N, S) -> collatz(3 * N + 1, S + 1).

-spec bug_binary_search(integer()) -> ok.
bug_binary_search(X) ->
    case find(X, {2, 3, 5, 7, 11, 13, 17}, 1, 7) of
        6 -> erlang:error(bug);
        _ -> ok
    end.

find(_, _, Low, High) when Low > High -> none;
find(X, T, Low, High) ->
    Mid = (Low + High) div 2,
    case element(Mid, T) of
        X -> Mid;
        Y when Y < X -> find(X, T, Mid + 1, High);
        _ -> find(X, T, Low, Mid - 1)
    end.

-spec bug_even_odd(0..7) -> ok.
bug_even_odd(N) ->
    case is_even(N) of false when N > 6 -> erlang:error(bug); _ -> ok end.

is_even(0) -> true;
is_even(N) -> is_odd(N - 1).

is_odd(0) -> false;
is_odd(N) -> is_even(N - 1).

-spec bug_ackermann(0..2) -> ok.
bug_ackermann(M) ->
    case ack(M, 1) of 5 -> erlang:error(bug); _ -> ok end.

ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).

-spec bug_integer_to_list(integer()) -> ok.
bug_integer_to_list(X) ->
    case integer_to_list(X) of "42" -> erlang:error(bug); _ -> ok end.

-spec bug_list_to_integer(string()) -> ok.
bug_list_to_integer(S) ->
    try list_to_integer(S) of
        7 -> erlang:error(bug);
        _ -> ok
    catch
        error:badarg -> ok
    end.

-spec bug_atom_to_list(atom()) -> ok.
bug_atom_to_list(A) ->
    case atom_to_list(A) of "needle" -> erlang:error(bug); _ -> ok end.

-spec bug_list_to_atom(string()) -> ok.
bug_list_to_atom([_, _] = S) ->
    case list_to_atom(S) of ab -> erlang:error(bug); _ -> ok end;
bug_list_to_atom(_) -> ok.

-spec bug_guard_fails(term()) -> ok.
bug_guard_fails(X) when hd(X) =:= 1 -> ok;
bug_guard_fails(X) when X + 1 =:= 3 -> erlang:error(bug);
bug_guard_fails(_) -> ok.

-spec bug_andalso(integer(), integer()) -> ok.
bug_andalso(X, Y) when X =/= 0 andalso Y div X =:= 6 andalso X > 2 -> erlang:error(bug);
bug_andalso(_, _) -> ok.

-spec bug_orelse(integer(), atom()) -> ok.
bug_orelse(X, A) ->
    case X > 3 orelse A =:= b of
        false when X > 1, A =:= c -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_if(integer()) -> ok.
bug_if(X) ->
    try
        if X > 10 -> ok; X < 9 -> ok end
    catch
        error:if_clause when X =/= 10 -> erlang:error(bug);
        error:if_clause -> ok
    end.

bug_no_spec(X) when is_integer(X), X * 2 =:= 84 -> erlang:error(bug);
bug_no_spec(_) -> ok.

bug_no_spec_list([{a, N} | _]) when N > 7, N < 9 -> erlang:error(bug);
bug_no_spec_list(_) -> ok.

-spec bug_helper(integer(), integer()) -> ok.
bug_helper(X, Y) -> check(normalise(X), normalise(Y)).

normalise(X) when X < 0 -> -X;
normalise(X) -> X.

check(3, 4) -> erlang:error(bug);
check(_, _) -> ok.

-spec bug_ets(atom(), integer()) -> ok.
bug_ets(K, V) ->
    T = ets:new(t, [set]),
    true = ets:insert(T, {key, K, V}),
    [{key, K2, V2}] = ets:lookup(T, key),
    case {K2, V2} of {x, 8} -> erlang:error(bug); _ -> ok end.

-spec bug_ets_counter(integer()) -> ok.
bug_ets_counter(N) ->
    T = ets:new(t, [set]),
    ets:insert(T, [{a, N}, {b, 1}]),
    Sum = ets:lookup_element(T, a, 2) + ets:lookup_element(T, b, 2),
    if Sum =:= 30 -> erlang:error(bug); true -> ok end.

-spec bug_maybe_tag(integer() | {tag, integer()}) -> ok.
bug_maybe_tag({tag, X}) -> bug_maybe_tag(X + 1);
bug_maybe_tag(X) when X > 4, X < 6 -> erlang:error(bug);
bug_maybe_tag(_) -> ok.

-spec bug_case_tuple(integer(), atom()) -> ok.
bug_case_tuple(X, Y) ->
    case {X, Y} of
        {1, a} -> ok;
        {2, b} -> ok;
        {3, c} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_shadow(integer()) -> ok.
bug_shadow(X) ->
    Y = case X of 1 -> a; 2 -> b; _ -> c end,
    Z = case Y of a -> 10; b -> 20; c -> 30 end,
    if Z =:= 20 -> erlang:error(bug); true -> ok end.

-spec bug_generator([integer()]) -> ok.
bug_generator([_, _] = L) ->
    case [{X, Y} || X <- L, Y <- L, X < Y] of
        [{1, 4}] -> erlang:error(bug);
        _ -> ok
    end;
bug_generator(_) -> ok.

-spec bug_begin(integer()) -> ok.
bug_begin(X) ->
    Y = begin A = X + 1, A * A end,
    if Y =:= 25, X > 0 -> erlang:error(bug); true -> ok end.

-spec safe_try(integer()) -> ok.
safe_try(X) ->
    try
        1 div X,
        ok
    catch
        error:badarith when X =:= 0 -> ok
    end.

-spec fine_total(integer()) -> ok.
fine_total(X) ->
    A = X rem 3,
    case A of
        0 -> ok;
        1 -> ok;
        2 -> ok;
        -1 -> ok;
        -2 -> ok
    end.

%% Each path takes many calls.
-spec slow([integer()]) -> integer().
slow([H | T]) when H > 3 -> counted(3000) + slow(T);
slow([_ | T]) -> counted(2000) + slow(T);
slow([]) -> 0.

counted(0) -> 0;
counted(N) -> counted(N - 1).
