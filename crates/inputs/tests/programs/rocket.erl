-module(rocket).
%% A state machine that wants its events in order.
-export([main/1]).
-type event() :: fuel | check | arm | disarm | launch | abort.
-spec main([event()]) -> atom().
main(Events) -> step(Events, idle, 0).

step([fuel | T], idle, F) -> step(T, idle, F + 1);
step([check | T], idle, F) when F >= 3 -> step(T, checked, F);
step([arm | T], checked, F) -> step(T, armed, F);
step([disarm | T], armed, F) -> step(T, checked, F);
step([launch | _], armed, F) when F >= 5 -> orbit;
step([launch | _], armed, _) -> crash;
step([launch | _], _, _) -> refused;
step([abort | _], _, _) -> aborted;
step([_ | T], State, F) -> step(T, State, F);
step([], State, _) -> State.
