%% State kept in the process dictionary by several functions, keys computed.
%% inputs: stack(list(one(push; pop))), settings(one(colour; size), int), memo(nat)
-module(state_in_dictionary).
-export([stack/1, settings/2, memo/1]).

stack(Ops) ->
    put(stack, []),
    put(high, 0),
    Results = [op(O) || O <- Ops],
    {Results, get(high)}.

op(push) ->
    S = get(stack),
    N = length(S) + 1,
    put(stack, [N | S]),
    case N > get(high) of
        true -> put(high, N);
        false -> ok
    end,
    {pushed, N};
op(pop) ->
    case get(stack) of
        [] -> empty;
        [Top | Rest] ->
            put(stack, Rest),
            {popped, Top}
    end.

settings(Key, Value) ->
    put({setting, colour}, red),
    put({setting, size}, 1),
    Old = put({setting, Key}, Value),
    Colour = get({setting, colour}),
    Size = get({setting, size}),
    {Old, Colour, Size}.

memo(N) -> fib(N rem 15).

fib(N) when N < 2 -> N;
fib(N) ->
    case get({fib, N}) of
        undefined ->
            V = fib(N - 1) + fib(N - 2),
            put({fib, N}, V),
            V;
        V -> V
    end.
