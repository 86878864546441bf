%% Links, monitors, exits, names, timers and time-outs that race.
-module(deaths).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Victims = [spawn_link(fun() -> victim(N) end) || N <- lists:seq(1, 5)],
    Refs = [monitor(process, Victim) || Victim <- Victims],
    [exit(Victim, {killed_by, self()}) || Victim <- lists:nthtail(3, Victims)],
    erlang:send_after(2, self(), timer),
    Seen = gather(2 * length(Victims) + 1, []),
    io:format("~w~n~w~n", [Refs, Seen]),
    io:format("~w~n", [catch deaths_name ! message]),
    #{first => hd(Seen), processes => length(processes())}.

victim(1) -> register(deaths_name, self()), timer:sleep(1), exit(early);
victim(2) -> error(broken);
victim(3) -> receive never -> ok after 3 -> throw(late) end;
victim(_) -> receive stop -> ok end.

gather(0, Seen) -> lists:reverse(Seen);
gather(Left, Seen) ->
    receive Message -> gather(Left - 1, [short(Message) | Seen])
    after 1000 -> lists:reverse([timeout | Seen])
    end.

short({'EXIT', Pid, Reason}) -> {exit, Pid, tag(Reason)};
short({'DOWN', Ref, process, Pid, Reason}) -> {down, Ref, Pid, tag(Reason)};
short(Other) -> Other.

tag(Reason) when is_tuple(Reason) -> element(1, Reason);
tag(Reason) -> Reason.
