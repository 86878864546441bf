-module(utf8).
%% Bytes to characters.
-export([main/1]).
-spec main([byte()]) -> term().
main(Bytes) -> go(Bytes, []).

go([B | T], Acc) when B < 128 -> go(T, [B | Acc]);
go([A, B | T], Acc) when A >= 16#C2, A =< 16#DF, B bsr 6 =:= 2 ->
    go(T, [(A band 31) bsl 6 bor (B band 63) | Acc]);
go([16#E0, B | _], _) when B < 16#A0 -> overlong;
go([A, B, C | T], Acc) when A bsr 4 =:= 14, B bsr 6 =:= 2, C bsr 6 =:= 2 ->
    case (A band 15) bsl 12 bor (B band 63) bsl 6 bor (C band 63) of
        16#FEFF when Acc =:= [] -> bom;
        S when S >= 16#D800, S =< 16#DFFF -> surrogate;
        U -> go(T, [U | Acc])
    end;
go([A, B, C, D | T], Acc) when A bsr 3 =:= 30, B bsr 6 =:= 2, C bsr 6 =:= 2, D bsr 6 =:= 2 ->
    go(T, [astral | Acc]);
go([16#C0 | _], _) -> overlong;
go([B | _], _) when B bsr 6 =:= 2 -> continuation;
go([_ | _], _) -> truncated;
go([], [astral | _]) -> emoji;
go([], []) -> empty;
go([], _) -> ok.
