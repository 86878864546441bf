-module(padding).
%% Text in base 64, with its padding.
-export([main/1]).
-spec main(string()) -> term().
main(Text) when length(Text) rem 4 =/= 0 -> {error, length};
main(Text) -> groups(Text, 0).

groups([], 0) -> empty;
groups([], N) when N >= 3 -> long;
groups([], _) -> ok;
groups([A, B, $=, $=], N) -> last(A, B, N);
groups([_, _, _, $=], _) -> one_pad;
groups([A, B, C, D | T], N) ->
    case lists:all(fun is_digit/1, [A, B, C, D]) of
        true -> groups(T, N + 1);
        false -> {error, digit}
    end.

last($=, $=, _) -> {error, only_padding};
last(_, _, 0) -> two_pads;
last(_, _, _) -> two_pads_later.

is_digit(C) when C >= $A, C =< $Z -> true;
is_digit(C) when C >= $a, C =< $z -> true;
is_digit(C) when C >= $0, C =< $9 -> true;
is_digit($+) -> true;
is_digit($/) -> true;
is_digit(_) -> false.
