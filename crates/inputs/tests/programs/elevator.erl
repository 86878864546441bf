-module(elevator).
%% Where an elevator gets to.
-export([main/1]).
-type button() :: up | down | {floor, 0..20} | open | alarm.
-spec main([button()]) -> term().
main(Buttons) -> ride(Buttons, 0, closed, 0).

ride([up | T], F, closed, N) when F < 20 -> ride(T, F + 1, closed, N + 1);
ride([up | _], 20, closed, _) -> roof;
ride([down | T], F, closed, N) when F > 0 -> ride(T, F - 1, closed, N + 1);
ride([down | _], 0, closed, N) when N > 2 -> cellar;
ride([{floor, F} | T], F, closed, N) -> ride(T, F, closed, N);
ride([{floor, 13} | _], _, closed, _) -> superstition;
ride([{floor, G} | T], F, closed, N) -> ride(T, G, closed, N + abs(G - F));
ride([open | T], F, closed, N) -> ride(T, F, opened, N);
ride([open | T], F, opened, N) -> ride(T, F, closed, N);
ride([alarm | _], F, closed, N) when N > 30 -> {stuck_after_long_ride, F};
ride([alarm | _], _, opened, _) -> false_alarm;
ride([alarm | _], F, _, _) -> {stuck, F};
ride([_ | T], F, opened, N) -> ride(T, F, opened, N);
ride([_ | T], F, S, N) -> ride(T, F, S, N);
ride([], 0, closed, N) when N > 10 -> round_trip;
ride([], F, _, _) -> {at, F}.
