%% Funs by name, local and remote; tables of funs; apply.
%% inputs: table(one(inc; dec; sq), int), passed(list(int)), remote(list(int))
-module(fun_references).
-export([table/2, passed/1, remote/1, inc/1]).

table(Op, N) ->
    Table = [{inc, fun inc/1}, {dec, fun dec/1}, {sq, fun(X) -> X * X end}],
    {Op, F} = lists:keyfind(Op, 1, Table),
    R = F(N),
    Name = Op,
    {Name, R}.

inc(X) -> X + 1.

dec(X) -> X - 1.

passed(L) ->
    Up = lists:map(fun inc/1, L),
    Down = lists:map(fun dec/1, L),
    Diffs = lists:zipwith(fun(A, B) -> A - B end, Up, Down),
    lists:sum(Diffs).

remote(L) ->
    Len = fun erlang:length/1,
    Rev = fun lists:reverse/1,
    Own = fun ?MODULE:inc/1,
    N = Len(L),
    case Rev(L) of
        [Last | _] -> {N, Own(Last)};
        [] -> {N, none}
    end.
