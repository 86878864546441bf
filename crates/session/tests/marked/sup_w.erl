-module(sup_w).
-behaviour(supervisor).
-export([main/0, init/1, start_worker/1, work/2]).
main() ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link(?MODULE, []),
    [P1, P2] = pids(S),
    X1 = ask(P1, 5),
    X2 = ask(P2, 5),
    P1 ! die,
    timer:sleep(50),
    [P3, P4] = pids(S),
    R = {X1, X2, P1 =:= P3, P2 =:= P4, ask(P3, 1)},
    exit(S, shutdown),
    receive {'EXIT', S, W} -> {R, W} end.
pids(S) -> [P || {_, P, _, _} <- lists:keysort(1, supervisor:which_children(S))].
init([]) ->
    {ok, {#{strategy => «one_for_one¦one_for_all», intensity => «3¦0», period => 5},
          [child(a, 10), child(b, «20¦10»)]}}.
child(Id, N) -> #{id => Id, start => {?MODULE, start_worker, [N]}, restart => «permanent¦temporary»}.
start_worker(N) ->
    S = self(),
    Pid = spawn_link(fun() -> work(S, N) end),
    {ok, Pid}.
work(S, N) ->
    receive
        {ask, From, X} -> From ! {answer, X «* N¦+ N»}, work(S, N);
        die -> exit(boom)
    end.
ask(P, X) ->
    P ! {ask, self(), X},
    receive {answer, Y} -> Y «+ 0¦+ 1»
    after 1000 -> timeout end.
