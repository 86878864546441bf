%% A server that answers later, and whose client gives up.
-module(late_answers).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2, format_status/1]).
-record(s, {q = queue:new(), subs = [], timer, f}).
main() ->
    {ok, P} = gen_server:start(?MODULE, fun(X) -> {mapped, X} end, []),
    ok = gen_server:call(P, {subscribe, self()}),
    gen_server:cast(P, {publish, 1}),
    receive {event, {mapped, 1}} -> ok end,
    spawn(fun() -> timer:sleep(2), gen_server:call(P, {push, late}) end),
    late = gen_server:call(P, pop),
    {'EXIT', {timeout, _}} = (catch gen_server:call(P, never, 5)),
    P ! {tick, fun() -> ticked end},
    receive {event, ticked} -> ok end,
    Reqs = [gen_server:send_request(P, {mul, X}) || X <- [1, 2]],
    Rs = [begin {reply, V} = gen_server:receive_response(R, 100), V end || R <- Reqs],
    {[], _} = gen_server:multi_call([node()], none_such, x),
    abcast = gen_server:abcast([node()], none_such, hi),
    Ref = monitor(process, P),
    gen_server:cast(P, {crash, fun() -> lists:nth(5, [1]) end}),
    receive {'DOWN', Ref, _, _, R2} -> {Rs, element(1, R2)} end,
    {ok, P2} = gen_server:start_link({local, st6}, ?MODULE, none, [{timeout, 100}]),
    gen_server:stop(P2), ok.
init(F) -> {ok, #s{f = F}, {continue, init}}.
handle_continue(init, S) -> {noreply, S#s{timer = erlang:send_after(1, self(), first)}}.
handle_call({subscribe, P}, _, #s{subs = L} = S) -> {reply, ok, S#s{subs = [P | L]}};
handle_call(pop, From, S) -> {noreply, S#s{q = queue:in(From, S#s.q)}};
handle_call({push, X}, _, #s{q = Q} = S) ->
    case queue:out(Q) of
        {{value, From}, Q2} -> gen_server:reply(From, X), {reply, ok, S#s{q = Q2}};
        {empty, _} -> {reply, empty, S}
    end;
handle_call({mul, X}, _, S) -> {reply, X * 2, S, 10};
handle_call(never, _, S) -> {noreply, S, hibernate}.
handle_cast({publish, X}, #s{f = F, subs = L} = S) -> lists:foreach(fun(P) -> P ! {event, F(X)} end, L), {noreply, S};
handle_cast({crash, F}, S) -> F(), {noreply, S}.
handle_info({tick, F}, #s{subs = L} = S) -> [P ! {event, F()} || P <- L], {noreply, S};
handle_info(first, S) -> {noreply, S};
handle_info(timeout, S) -> {noreply, S};
handle_info(_, S) -> {noreply, S}.
terminate(_, #s{subs = L}) -> [P ! closing || P <- L], ok.
format_status(S) -> S.
