%% The reason of a failure is handed on through a link, and told to who watches.
%% inputs: chain(int)
-module(reason_through_link).
-export([chain/1]).

chain(N) ->
    Me = self(),
    {P, Ref} = spawn_monitor(fun() ->
        Q = spawn_link(fun() -> receive {go, X} -> check(X), Me ! {done, X} end end),
        Q ! {go, N},
        receive never -> ok after 20 -> Me ! survived end
    end),
    Why = receive {'DOWN', Ref, process, P, R} -> shape(R) end,
    Left = receive {done, V} -> {done, V}; survived -> survived after 0 -> nothing end,
    {Why, Left}.

shape({R, S}) when is_list(S) -> R;
shape(R) -> R.

check(N) when N > 4 -> error({large, N});
check(N) when N < 0 -> exit({low, N});
check(_) -> ok.

