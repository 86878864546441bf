%% A loop that is left by a throw; what it did before is seen.
%% inputs: main(list(int)), nested(list(list(int))), count(nat)
-module(handled_loop).
-export([main/1, nested/1, count/1]).

main(L) ->
    try loop(L)
    catch throw:{big, _} -> ok
    end,
    Seen = get(seen),
    Seen.

loop([]) -> ok;
loop([X | Xs]) ->
    put(seen, X),
    case X > 5 of true -> throw({big, X}); false -> ok end,
    loop(Xs).

nested(Ls) ->
    put(rows, 0),
    put(sum, 0),
    rows(Ls),
    {get(rows), get(sum)},
    Sum = get(sum),
    Rows = get(rows),
    {Sum, Rows}.

rows([]) -> ok;
rows([L | Ls]) ->
    try
        each(L),
        put(rows, get(rows) + 1)
    catch
        throw:{negative, X} when X > -3 -> ok
    end,
    rows(Ls).

each([]) -> ok;
each([X | _]) when X < 0 -> throw({negative, X});
each([X | Xs]) -> put(sum, get(sum) + X), each(Xs).

count(N) ->
    put(steps, 0),
    (catch forever(N)),
    Steps = get(steps),
    Steps.

forever(N) ->
    put(steps, get(steps) + 1),
    get(steps) > N rem 7 andalso exit(enough),
    forever(N).
