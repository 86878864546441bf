%% Funs: their environments, names, arities and what they say of themselves.
-module(fun_values).
-export([main/0]).
main() ->
    Add = fun(X) -> fun(Y) -> X + Y end end,
    Add3 = Add(3),
    Fact = fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    Compose = fun(F, G) -> fun(X) -> F(G(X)) end end,
    Local = fun double/1,
    External = fun lists:reverse/1,
    M = lists, N = sum, Computed = fun M:N/1,
    [Add3(4), Fact(20), (Compose(Add3, Local))(5), External([1, 2]), Computed([1, 2, 3]),
     erlang:fun_info(External, name), erlang:fun_info(Local, arity), is_function(Add, 1), is_function(Add, 2),
     apply(Local, [21]), apply(lists, max, [[1, 5, 2]]), lists:map(fun({A, B}) -> A * B; (X) -> X end, [{2, 3}, 4]),
     External =:= fun lists:reverse/1, fun double/1 =:= Local].

double(X) -> X * 2.

