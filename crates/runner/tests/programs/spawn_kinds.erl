%% All ways to start a process.
-module(spawn_kinds).
-export([main/0]).
-export([run/1]).

main() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(?MODULE, run, [{Me, b}]),
    spawn_link(fun() -> Me ! c end),
    spawn_link(?MODULE, run, [{Me, d}]),
    {_, R1} = spawn_monitor(fun() -> Me ! e end),
    {_, R2} = spawn_opt(fun() -> Me ! f end, [monitor, {priority, low}]),
    P = spawn_opt(?MODULE, run, [{Me, g}], [link]),
    true = is_pid(P),
    Request = spawn_request(?MODULE, run, [{Me, h}], []),
    receive {spawn_reply, Request, ok, Q} when is_pid(Q) -> ok end,
    Got = [receive X -> X end || X <- [a, b, c, d, e, f, g, h]],
    [receive {'DOWN', R, process, _, normal} -> ok end || R <- [R1, R2]],
    Got.

run({To, What}) -> To ! What.
