-module(registry_tests).
-include_lib("eunit/include/eunit.hrl").

%% Two want the same name: one gets it.
rivals_test() ->
    {ok, _} = registry:start_link(),
    Me = self(),
    Rivals = [spawn(fun() -> Me ! {self(), registry:claim(king)}, receive stop -> ok end end)
              || _ <- [1, 2]],
    Answers = [receive {Pid, Answer} -> Answer end || Pid <- Rivals],
    ?assertEqual([false, true], lists:sort(Answers)),
    [Pid ! stop || Pid <- Rivals],
    registry:stop().

%% Wrong: who hears of the owner's end may find the name taken still, because the registry hears of it a moment later.
free_at_once_test() ->
    {ok, _} = registry:start_link(),
    {Pid, Ref} = spawn_monitor(fun() -> true = registry:claim(king) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    ?assertEqual(nobody, registry:whois(king)),
    registry:stop().
