%% A generic function with a handler; what it is given decides what fails.
%% inputs: main(int), defaults(any), tries(list(int))
-module(handled_generic).
-export([main/1, defaults/1, tries/1]).

main(X) ->
    put(n, 0),
    guard_against(low, fun() -> X < 2 andalso throw(low), add(1) end),
    guard_against({high, X}, fun() -> X > 5 andalso throw({high, X}), add(2) end),
    guard_against(other, fun() -> X =:= 4 andalso throw(four), add(4) end),
    N = get(n),
    N.

guard_against(Reason, F) ->
    try F() catch throw:Reason -> ok; throw:four -> add(100) end,
    add(1000).

add(N) -> put(n, get(n) + N).

defaults(T) ->
    A = default(fun() -> element(1, T) end, none),
    B = default(fun() -> [X | _] = T, X end, empty),
    C = default(fun() -> #{key := V} = T, V end, A),
    {A, B, C}.

default(F, D) -> try F() catch error:_ -> D end.

tries(L) ->
    put(n, 0),
    Fs = [fun() -> add(12 div X) end || X <- L],
    all(Fs),
    N = get(n),
    N.

all([]) -> ok;
all([F | Fs]) ->
    try F() of
        _ -> all(Fs)
    catch error:badarith -> add(-1)
    end.
