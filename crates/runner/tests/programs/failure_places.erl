%% Where failures are said to be, and through which frames.
-module(failure_places).
-export([main/0]).
-compile(nowarn_unused_vars).
-record(r, {a, b}).
id(X) -> X.
show(F) ->
    try F() of V -> io:format("~p~n", [V])
    catch C:R:S ->
        io:format("~w ~p ~w~n", [C, R, [proplists:get_value(line, L) || {?MODULE, _, _, L} <- S]])
    end.
main() ->
    show(fun() -> (id(true)
                   andalso
                   id(false))#r.a end),
    show(fun() -> (id(1)
                   +
                   id(2))#r.a end),
    show(fun() -> [x || (id(
                    #r{}))
                   #r{a = id(1)}] end),
    show(fun() -> [x || (id(
                    #r{a = 1}))#r.a] end),
    show(fun() -> [x || _ <- (id(
                    #r{}))
                   #r{
                      a = id(1)}] end),
    show(fun() -> [x || _ <-
                   (V =
                    id(1))] end),
    show(fun() -> X =
                   {Y} =
                   id(1), {X, Y} end),
    show(fun() -> try id(1)
                  after
                      {Z} = id(2)
                  end end),
    show(fun() -> <<
                   (id(1))
                   || X <- [1], Y <-
                   [2] >> end),
    show(fun() -> << <<(id(Y))>>
                   || X <- [1], Y <-
                   [a] >> end),
    show(fun() -> guard(true, #r{a = 2}) end),
    show(fun() -> guard(true, #r{a = true}) end),
    show(fun() -> order() end).

%% Of a record's field beside `andalso` a guard wants a boolean.
guard(B, R) when (B andalso R#r.a) =/= none -> yes;
guard(_, _) -> no.

t(X) -> put(order, [X | get(order)]), X.

%% A value, then its size, segment by segment; the size of a string once.
order() ->
    put(order, []),
    B = <<(t(1)):(t(8)), "ab":(t(16)), (t(2)):(t(4))>>,
    {B, lists:reverse(get(order))}.
