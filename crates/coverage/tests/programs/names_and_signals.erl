%% Registered names, links, monitors, aliases, timers.
-module(names_and_signals).
-export([init/1, handle_call/3, handle_cast/2, main/0, regd/0, echo/1, via/0, whereis_name/1, register_name/2, unregister_name/1, send/2]).
main() ->
    process_flag(trap_exit, true),
    register(st5_a, spawn(?MODULE, regd, [])),
    st5_a ! {self(), one}, receive {st5_a, one} -> ok end,
    {st5_a, node()} ! {self(), two}, receive {st5_a, two} -> ok end,
    erlang:send(whereis(st5_a), {self(), three}), receive {_, three} -> ok end,
    Al = alias([reply]),
    st5_a ! {alias, Al, four}, receive {al, four} -> ok end,
    {P, Ref} = spawn_monitor(fun() -> receive die -> exit({reason, self()}) end end),
    P ! die, receive {'DOWN', Ref, process, P, {reason, P}} -> ok end,
    L = spawn_link(fun() -> link_inner() end),
    receive {'EXIT', L, inner_died} -> ok end,
    Req = spawn_request(?MODULE, echo, [self()], [{reply_tag, started}, monitor]),
    receive {started, Req, ok, Q} -> Q ! hello end,
    receive {echoed, hello} -> ok end,
    receive {'DOWN', Req, process, _, normal} -> ok end,
    T = erlang:start_timer(5, self(), {tick, 1}),
    receive {timeout, T, {tick, N}} -> N end,
    erlang:send_after(1, st5_a, {self(), timed}), receive {st5_a, timed} -> ok end,
    {ok, TRef} = timer:send_interval(2, interval), receive interval -> ok end, receive interval -> ok end, timer:cancel(TRef),
    {ok, _} = timer:apply_after(1, ?MODULE, via, []),
    yes = global:register_name(st5_g, self()), global:send(st5_g, globally), receive globally -> ok end,
    {ok, G} = gen_server:start_link({via, ?MODULE, name}, names_and_signals, self(), []),
    is_pid(G) andalso (pong = gen_server:call({via, ?MODULE, name}, ping)),
    exit(whereis(st5_a), shutdown),
    MRef = monitor(process, st5_a), receive {'DOWN', MRef, process, {st5_a, _}, _} -> ok end,
    error = try st5_a ! x, ok catch error:badarg -> error end,
    Funs = [fun() -> {self(), spawned} end, fun() -> exit(other) end],
    Pids = [spawn_opt(F, [link, monitor]) || F <- Funs],
    [receive {'EXIT', Pd, Rs} -> Rs end || {Pd, _} <- Pids],
    [receive {'DOWN', R2, process, Pd2, _} -> ok end || {Pd2, R2} <- Pids],
    done.
link_inner() -> I = spawn_link(fun() -> receive after 1 -> exit(inner_died) end end), receive {never, I} -> ok end.
regd() ->
    receive
        {alias, Al, X} -> Al ! {al, X}, regd();
        {From, X} -> From ! {st5_a, X}, regd()
    end.
echo(To) -> receive X -> To ! {echoed, X} end.
via() -> ok.
whereis_name(N) -> persistent_term:get({?MODULE, N}, undefined).
register_name(N, P) -> persistent_term:put({?MODULE, N}, P), yes.
unregister_name(_) -> ok.
send(N, M) -> whereis_name(N) ! M.
init(Client) -> {ok, Client}.
handle_call(ping, _, S) -> {reply, pong, S}.
handle_cast(_, S) -> {noreply, S}.
