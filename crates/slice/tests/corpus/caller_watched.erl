%% Who enters the program fails; another process is told by its monitor.
%% inputs: run(int)
-module(caller_watched).
-export([run/1]).

run(N) ->
    Me = self(),
    P = spawn(fun() -> watch(Me) end),
    receive ready -> ok end,
    V = check(N),
    P ! {value, V},
    exit({bye, V}).

watch(Main) ->
    Ref = erlang:monitor(process, Main),
    Main ! ready,
    Got = receive {value, X} -> X; {'DOWN', Ref, process, _, R} -> R end,
    Then = receive {'DOWN', Ref, _, _, Why} -> strip(Why) after 5 -> nothing end,
    Both = {Got, Then},
    Both.

strip({R, S}) when is_list(S) -> R;
strip(R) -> R.

check(N) when N > 2 -> error({large, N});
check(N) when N < -2 -> exit(N);
check(N) -> N * 2.
