-module(sup2).
-behaviour(supervisor).
-export([main/0, init/1, start_store/0, store/1, start_client/1]).
main() ->
    process_flag(trap_exit, true),
    {ok, _} = supervisor:start_link({local, top2}, ?MODULE, []),
    {ok, C1} = supervisor:start_child(top2, #{id => c1, start => {?MODULE, start_client, [a]}, restart => temporary}),
    ok = put_v(a, 1), ok = put_v(b, 2),
    A = [get_v(K) || K <- [a, b, c]],
    exit(whereis(store2), kill),
    timer:sleep(10),
    B = get_v(a),
    C1 ! {ask, self()},
    C = receive {client, V} -> V after 50 -> none end,
    N = proplists:get_value(active, supervisor:count_children(top2)),
    {A, B, C, N}.
init([]) -> {ok, {#{strategy => «rest_for_one¦one_for_one», intensity => 5}, [#{id => store, start => {?MODULE, start_store, []}}]}}.
start_store() ->
    P = spawn_link(?MODULE, store, [#{}]),
    register(store2, P),
    {ok, P}.
store(M) ->
    receive
        {put, F, K, V} -> F ! ok, store(M#{K => «V¦K»});
        {get, F, K} -> F ! {val, maps:get(K, M, «undefined¦0»)}, store(M)
    end.
start_client(K) -> {ok, spawn_link(fun() -> client(K) end)}.
client(K) -> receive {ask, F} -> F ! {client, {K, get_v(K)}}, client(K) end.
put_v(K, V) -> store2 ! {put, self(), K, V}, receive ok -> ok end.
get_v(K) -> store2 ! {get, self(), K}, receive {val, V} -> V after 20 -> timeout end.
