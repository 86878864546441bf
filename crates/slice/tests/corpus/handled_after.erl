%% after clauses: what they do is done, and the exception goes on.
%% inputs: main(int), nested(int), value(int), only(int)
-module(handled_after).
-export([main/1, nested/1, value/1, only/1]).

main(X) ->
    put(log, []),
    try
        try
            note(open),
            X > 3 andalso throw({no, X}),
            note(work)
        after
            note(close)
        end,
        note(finished)
    catch throw:{no, _} -> ok
    end,
    Log = get(log),
    Log.

note(What) -> put(log, [What | get(log)]).

nested(X) ->
    put(depth, 0),
    put(most, 0),
    try deeper(X rem 5) catch error:{bottom, _} -> ok end,
    Depth = get(depth),
    Most = get(most),
    {Depth, Most}.

deeper(0) -> error({bottom, get(depth)});
deeper(N) when N < 0 -> ok;
deeper(N) ->
    put(depth, get(depth) + 1),
    put(most, max(get(most), get(depth))),
    try deeper(N - 1) after put(depth, get(depth) - 1) end.

value(X) ->
    put(released, 0),
    V = try
        10 div X
    catch
        error:badarith -> infinite
    after
        put(released, get(released) + 1)
    end,
    Released = get(released),
    {V, Released}.

only(X) ->
    put(state, [a]),
    R = (catch try
        X > 2 andalso exit(out),
        put(state, [b | get(state)])
    after
        put(state, [c | get(state)])
    end),
    State = get(state),
    {State, is_list(R)}.
