%% Nobody monitors himself.
-module(self_monitor).
-export([main/0]).
main() ->
    Ref = monitor(process, self()),
    register(me, self()),
    Named = monitor(process, me),
    {monitors, Monitors} = process_info(self(), monitors),
    {monitored_by, By} = process_info(self(), monitored_by),
    {is_reference(Ref), is_reference(Named), Monitors, lists:member(self(), By), demonitor(Ref), demonitor(Named, [info])}.
