-module(brackets).
%% Whether brackets match, and how deep they are.
-export([main/1]).
-spec main(string()) -> term().
main(Text) -> go(Text, [], 0).

go([$( | T], Open, D) -> go(T, [$) | Open], max(D, length(Open) + 1));
go([$[ | T], Open, D) -> go(T, [$] | Open], max(D, length(Open) + 1));
go([${ | T], Open, D) -> go(T, [$} | Open], max(D, length(Open) + 1));
go([C | T], [C | Open], D) when C =:= $); C =:= $]; C =:= $} -> go(T, Open, D);
go([C | _], _, _) when C =:= $); C =:= $]; C =:= $} -> wrong;
go([_ | T], Open, D) -> go(T, Open, D);
go([], [], D) when D >= 3 -> deep;
go([], [], 0) -> none;
go([], [], _) -> fine;
go([], _, _) -> open.
