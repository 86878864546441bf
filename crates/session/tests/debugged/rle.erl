-module(rle).
-export([main/0]).
main() -> {encode("aaabccdddd"), decode([{$x, 3}, {$y, 1}]), decode(encode("hello  world"))}.
encode([]) -> [];
encode([C | Rest]) -> count(Rest, C, 1).
count([C | Rest], C, N) -> count(Rest, C, N + 1);
count(Rest, C, N) -> [{C, N} | encode(Rest)].
decode([]) -> [];
decode([{C, N} | Rest]) -> times(C, N) ++ decode(Rest).
times(_, 0) -> [];
times(C, N) when N > 0 -> [C | times(C, N - 1)].
