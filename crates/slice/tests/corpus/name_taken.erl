%% A name that is given to a second process.
%% inputs: register_twice(int)
-module(name_taken).
-export([register_twice/1]).

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.

register_twice(N) ->
    P = spawn(fun() -> check(N), receive stop -> ok end end),
    register(the_twice, P),
    timer:sleep(3),
    Q = spawn(fun() -> receive stop -> ok end end),
    R = try register(the_twice, Q) catch error:badarg -> taken end,
    catch unregister(the_twice),
    R.

