%% Messages taken out of order.
%% inputs: priority(int, int), ordered(list(int)), tagged(atom)
-module(selective_receive).
-export([priority/2, ordered/1, tagged/1]).

priority(Low, High) ->
    self() ! {low, Low},
    self() ! {high, High},
    First = receive {high, H} -> H end,
    Second = receive {low, L} -> L end,
    {First, Second}.

ordered(L) ->
    N = length(L),
    send_all(L, N),
    collect(1, N).

send_all([], 0) -> ok;
send_all([X | Xs], I) ->
    self() ! {I, X},
    send_all(Xs, I - 1).

collect(I, N) when I > N -> [];
collect(I, N) ->
    receive
        {I, X} -> [X | collect(I + 1, N)]
    end.

tagged(Tag) ->
    Ref = make_ref(),
    self() ! {other, 1},
    self() ! {Ref, Tag},
    receive
        {Ref, T} ->
            receive
                {other, O} -> {T, O}
            end
    end.
