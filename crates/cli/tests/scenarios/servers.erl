%% Servers, supervisors, pools, registries and caches, as programs have them.
-module(servers).
-compile([export_all, nowarn_export_all]).

%= 10 abnormal_exit 10
two_clients() -> {ok, _} = scn_sup:start_link(), S = self(),
  [spawn(fun() -> S ! {done, catch gen_server:call(scn_server, M)} end) || M <- [inc, crash]],
  [receive {done, X} -> X end || _ <- [1,2]].

%= 11
casts() -> {ok, P} = gen_server:start(scn_server, [], []), [spawn(fun() -> gen_server:cast(P, inc) end) || _ <- [1,2]],
  V = gen_server:call(P, inc), gen_server:cast(P, stop), V.

%= 6
slow() -> {ok, P} = gen_server:start(scn_server, [], []), S = self(), [spawn(fun() -> S ! gen_server:call(P, M) end) || M <- [slow, inc]],
  [receive X -> X end || _ <- [1,2]], gen_server:stop(P).

%= 3 abnormal_exit 1 abnormal_exit 1
stop_race() -> {ok, P} = gen_server:start(scn_server, [], []), spawn(fun() -> gen_server:stop(P) end), gen_server:call(P, inc).

%= 7
statem() -> {ok, D} = scn_door:start_link(), S = self(), spawn(fun() -> gen_statem:cast(D, knock), S ! knocked end),
  ok = gen_statem:call(D, open), receive knocked -> ok end, R = gen_statem:call(D, state), gen_statem:stop(D), R.

%= 7
registry() -> {ok, _} = scn_registry:start_link(), P = spawn(fun() -> receive stop -> ok end end), ok = scn_registry:register(a, P), P ! stop,
  spawn(fun() -> scn_registry:register(a, self()) end), scn_registry:whereis(a).

%= 6
registry2() -> {ok, _} = scn_registry:start_link(), S = self(), [spawn(fun() -> S ! scn_registry:register(a, self()) end) || _ <- [1,2]],
  L = [receive X -> X end || _ <- [1,2]], true = lists:member(ok, L).

%= 6 abnormal_exit 2
cache_twice() -> scn_cache:new(), S = self(), A = counters:new(1, []), F = fun() -> counters:add(A, 1, 1), v end,
  [spawn(fun() -> S ! scn_cache:get(k, F) end) || _ <- [1,2]], [receive v -> ok end || _ <- [1,2]], 1 = counters:get(A, 1).

%= 8
cache_once() -> scn_cache:new(), S = self(), [spawn(fun() -> S ! scn_cache:get_once(k, fun() -> N end) end) || N <- [1,2]],
  [A, B] = [receive X -> X end || _ <- [1,2]], A = B.

%= 6
cache_expire() -> scn_cache:new(), ets:insert(cache, [{a, 1, 1}, {b, 2, 5}]), S = self(),
  spawn(fun() -> S ! scn_cache:expire(3) end), spawn(fun() -> ets:insert(cache, {c, 3, 9}), S ! ok end), spawn(fun() -> S ! {got, ets:lookup(cache, b)} end),
  [receive _ -> ok end || _ <- [1,2,3]].

%= 18 abnormal_exit 16 deadlock 2
pool_like() -> S = self(), Pool = spawn(fun() -> pool([w1], []) end),
  [spawn(fun() -> Pool ! {out, self()}, receive {ok, W} -> case N of 1 -> exit(crash); _ -> Pool ! {in, W} end end, S ! done end) || N <- [1,2]],
  receive done -> ok end, Pool ! stop.

pool(Free, Waiting) -> receive
  {out, P} -> case Free of [W | R] -> monitor(process, P), P ! {ok, W}, pool(R, Waiting); [] -> pool(Free, Waiting ++ [P]) end;
  {in, W} -> give(W, Free, Waiting);
  {'DOWN', _, _, _, normal} -> pool(Free, Waiting);
  {'DOWN', _, _, _, _} -> give(w1, Free, Waiting);
  stop -> ok end.

give(W, Free, []) -> pool([W | Free], []);

give(W, Free, [P | R]) -> monitor(process, P), P ! {ok, W}, pool(Free, R).

%= 1
app() -> ok = application:start(crypto_like()).

%= 1
crypto_like() -> application:load({application, mine, [{vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel, stdlib]}]}), mine.

%= 1
task() -> S = self(), {P, R} = spawn_monitor(fun() -> S ! {self(), 42} end),
  receive {P, V} -> demonitor(R, [flush]), V; {'DOWN', R, _, _, E} -> exit(E) end.

%= 3
call_timeout() -> P = spawn(fun() -> receive {'$gen_call', F, q} -> gen_server:reply(F, a) end end), catch gen_server:call(P, q, 10).

%= 1 abnormal_exit 1 abnormal_exit 1 abnormal_exit 1
rpc_like() -> K = [spawn_monitor(fun() -> exit({r, N * N}) end) || N <- [1,2,3]], [receive {'DOWN', R, _, P, {r, V}} -> V end || {P, R} <- K].

%= 5
pg_like() -> {ok, _} = pg:start_link(), ok = pg:join(g, self()), P = spawn(fun() -> pg:join(g, self()), receive stop -> ok end end), L = length(pg:get_members(g)), P ! stop, L.

%= 1
ev() -> {ok, E} = gen_event:start(), gen_event:notify(E, x), gen_event:stop(E).

%= 1
glob() -> yes = global:register_name(a, self()), global:whereis_name(a) =:= self().

%= 1
pmap() -> S = self(), Rs = [begin R = make_ref(), spawn_link(fun() -> S ! {R, X * 2} end), R end || X <- [1,2,3]], [receive {R, V} -> V end || R <- Rs].

%= 72
rwlock() -> L = spawn(fun() -> lock(free) end), S = self(),
  [spawn(fun() -> L ! {acquire, self()}, receive granted -> ok end, L ! {release, self()}, S ! ok end) || _ <- [1,2,3]],
  [receive ok -> ok end || _ <- [1,2,3]], exit(L, shutdown).

lock(free) -> receive {acquire, P} -> P ! granted, lock(P) end;

lock(P) -> receive {release, P} -> lock(free) end.
