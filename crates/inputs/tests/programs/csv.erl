-module(csv).
%% Fields of a line, some in quotes.
-export([main/1]).
-spec main(string()) -> term().
main(Line) -> field(Line, [], []).

field([$" | T], [], Fs) -> quoted(T, [], Fs);
field([$, | T], F, Fs) -> field(T, [], [lists:reverse(F) | Fs]);
field([$\n | _], _, Fs) when length(Fs) >= 2 -> end_of_line;
field([$\n | _], _, _) -> short_line;
field([$" | _], _, _) -> {error, quote_inside};
field([C | T], F, Fs) -> field(T, [C | F], Fs);
field([], [], []) -> empty;
field([], F, Fs) -> done([lists:reverse(F) | Fs]).

quoted([$", $" | T], F, Fs) -> quoted(T, [$" | F], Fs);
quoted([$", $, | T], F, Fs) -> field(T, [], [lists:reverse(F) | Fs]);
quoted([$"], F, Fs) -> done([lists:reverse(F) | Fs]);
quoted([$" | _], _, _) -> {error, behind_quote};
quoted([C | T], F, Fs) -> quoted(T, [C | F], Fs);
quoted([], _, _) -> {error, open}.

done(Fs) when length(Fs) > 3 -> {many, length(Fs)};
done(["total" | _]) -> total;
done(Fs) -> {ok, Fs}.
