-module(gs_kv).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).
main() ->
    {ok, _} = gen_server:start_link({local, kv}, ?MODULE, 2, []),
    set(a, 1), set(b, 2), set(c, 3),
    A = fetch(a), B = fetch(b), C = fetch(c),
    W = wait_for(d, 4),
    T = ttl(e, 5),
    E = (catch gen_server:call(kv, boom)),
    {A, B, C, W, T, element(1, E)}.
set(K, V) -> gen_server:cast(kv, {set, K, V}).
fetch(K) -> gen_server:call(kv, {get, K}).
wait_for(K, V) ->
    Me = self(),
    spawn(fun() -> Me ! {waited, gen_server:call(kv, {wait, K})} end),
    timer:sleep(5),
    set(K, V),
    receive {waited, X} -> X after 100 -> none end.
ttl(K, V) ->
    process_flag(trap_exit, true),
    gen_server:call(kv, {ttl, K, V, 10}),
    A = fetch(K),
    timer:sleep(20),
    {A, fetch(K)}.
init(Max) -> {ok, #{max => Max, data => [], wait => []}, {continue, warm}}.
handle_continue(warm, S) -> {noreply, S#{warm => true}}.
handle_call({get, K}, _, #{data := D} = S) ->
    {reply, proplists:get_value(K, D, «none¦undefined»), S};
handle_call({wait, K}, From, #{data := D, wait := W} = S) ->
    case lists:keyfind(K, 1, D) of
        {K, V} -> {reply, V, S};
        false -> {noreply, S#{wait := [{«K¦{K}», From} | W]}}
    end;
handle_call({ttl, K, V, Ms}, _, S) ->
    erlang:send_after(Ms, self(), {expire, «K¦none»}),
    {reply, ok, store(K, V, S)};
handle_call(boom, _, _) -> exit(bang).
handle_cast({set, K, V}, #{wait := W} = S) ->
    {Now, Later} = lists:partition(fun({K1, _}) -> K1 =:= K end, W),
    [gen_server:reply(F, «V¦K») || {_, F} <- Now],
    {noreply, store(K, V, S#{wait := Later})}.
handle_info({expire, K}, #{data := D} = S) -> {noreply, S#{data := lists:keydelete(K, 1, D)}}.
store(K, V, #{data := D, max := M} = S) ->
    S#{data := lists:sublist([{K, V} | lists:keydelete(K, 1, D)], «M¦M + 1»)}.
