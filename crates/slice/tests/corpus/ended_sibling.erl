%% A process that ends because another one that has the same parent fails.
%% inputs: sibling(int)
-module(ended_sibling).
-export([sibling/1]).

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.

sibling(N) ->
    Me = self(),
    spawn(fun() ->
        spawn_link(fun() -> check(N) end),
        spawn_link(fun() -> timer:sleep(3), Me ! {late, N} end),
        receive never -> ok end
    end),
    timer:sleep(8),
    Me ! {late, none},
    R = receive {late, X} -> X end,
    R.

