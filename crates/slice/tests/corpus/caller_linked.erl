%% Who enters the program fails, and takes those with it that are linked to it and do not trap exits.
%% inputs: run(int, int)
-module(caller_linked).
-export([run/2]).

run(N, M) ->
    Log = spawn(fun() -> log([]) end),
    Trap = spawn_link(fun() -> process_flag(trap_exit, true), Log ! trapping, receive {'EXIT', _, R} -> Log ! {seen, strip(R)} end end),
    Kid = spawn_link(fun() -> timer:sleep(4), Log ! {kid, M} end),
    timer:sleep(1),
    Trap ! ignored,
    check(N),
    timer:sleep(10),
    Kid ! done,
    exit(M).

log(Acc) ->
    receive
        X -> log([X | Acc])
    after 30 ->
        All = lists:reverse(Acc),
        All
    end.

strip({R, S}) when is_list(S) -> R;
strip(R) -> R.

check(N) when N > 2 -> error({large, N});
check(N) when N < -2 -> exit(N);
check(N) -> N * 2.
