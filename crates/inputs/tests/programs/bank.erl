-module(bank).
%% An account and what happens to it.
-export([main/1]).
-type op() :: {deposit, pos_integer()} | {withdraw, pos_integer()} | {limit, non_neg_integer()}
            | freeze | thaw | close.
-spec main([op()]) -> term().
main(Ops) -> go(Ops, 0, 0, open).

go([{deposit, N} | T], B, L, open) when N =< 10000 -> go(T, B + N, L, open);
go([{deposit, _} | _], _, _, open) -> reported;
go([{withdraw, N} | T], B, L, open) when N =< B -> go(T, B - N, L, open);
go([{withdraw, N} | T], B, L, open) when N =< B + L -> go(T, B - N, L, overdrawn);
go([{withdraw, _} | _], B, _, open) when B > 5000 -> rich_but_greedy;
go([{withdraw, _} | _], _, _, open) -> refused;
go([{deposit, N} | T], B, L, overdrawn) when B + N >= 0 -> go(T, B + N, L, open);
go([{deposit, N} | T], B, L, overdrawn) -> go(T, B + N, L, overdrawn);
go([{limit, N} | T], B, _, S) when N =< 500 -> go(T, B, N, S);
go([freeze | T], B, L, open) -> go(T, B, L, frozen);
go([thaw | T], B, L, frozen) -> go(T, B, L, open);
go([close | _], 0, _, open) -> closed;
go([close | _], _, _, frozen) -> cannot_close_frozen;
go([close | _], B, _, overdrawn) -> {owes, -B};
go([_ | T], B, L, S) -> go(T, B, L, S);
go([], B, _, S) -> {S, B}.
