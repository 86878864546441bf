%% Servers whose callbacks do more than answer at once: who asked is kept, handed on, answered by others.
-module(callback_instances).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, A} = gen_server:start_link(?MODULE, {plain, none}, []),
    {ok, B} = gen_server:start_link({local, second}, ?MODULE, {asks, A}, []),
    io:format("~p~n", [gen_server:call(A, {sum, [1, 2, 3]})]),
    io:format("~p~n", [gen_server:call(B, {through, {sum, [4]}})]),
    Parked = [gen_server:send_request(A, {park, N}) || N <- [1, 2]],
    gen_server:cast(A, release),
    io:format("~p~n", [[gen_server:receive_response(R, 1000) || R <- Parked]]),
    io:format("~p~n", [gen_server:call(A, looks)]),
    io:format("~p~n", [gen_server:call(second, {generic, make})]),
    io:format("~p~n", [ask(B, {generic, {throws, now}})]),
    Pid = spawn(fun() -> io:format("~p~n", [gen_server:call(B, later)]), B ! {tick, self()} end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    B ! {tick, self()},
    receive {tock, N} -> io:format("~p~n", [N]) end,
    gen_server:cast(B, {work, fun(X) -> X * 2 end, self()}),
    receive {worked, W} -> io:format("~p~n", [W]) end,
    io:format("~p~n", [[gen_server:call(B, Q) || Q <- [one, two, {three, 3}, "four"]]]),
    gen_server:cast(B, {stop, finished}),
    gen_server:stop(A).

ask(Server, Question) -> gen_server:call(Server, Question).

init({plain, none}) -> {ok, #{parked => []}};
init({asks, Other}) -> {ok, #{other => Other, ticks => 0}, {continue, begun}}.

handle_continue(begun, S) -> {noreply, S#{begun => true}};
handle_continue({answer, From, What}, S) -> gen_server:reply(From, {continued, What}), {noreply, S}.

handle_call({sum, L}, _From, S) -> {reply, add(L, fun(X, Y) -> X + Y end), S};
handle_call({park, N}, From, #{parked := P} = S) -> {noreply, S#{parked := [{N, From} | P]}};
handle_call({through, Request}, _, #{other := O} = S) -> {reply, {through, gen_server:call(O, Request)}, S};
handle_call(later, From, S) -> {noreply, S, {continue, {answer, From, later}}};
handle_call({generic, What}, From, S) -> generic(What, From, S);
handle_call(looks, _, S) -> {reply, try maps:get(other, S) of O -> {other, O} catch error:{badkey, K} -> K end, S};
handle_call(Other, From, S) ->
    case Other of
        one -> {reply, 1, S};
        two -> gen_server:reply(From, 2), {noreply, S};
        {three, N} when N > 2 -> {reply, N, S};
        _ -> {reply, unknown, S}
    end.

generic(make, _, S) -> {reply, made, S};
generic({throws, When}, _, S) ->
    try throws(When) catch throw:{thrown, T} -> {reply, {caught, T}, S} end.

throws(now) -> throw({thrown, now}).

add([X | L], F) -> F(X, add(L, F));
add([], _) -> 0.

handle_cast(release, #{parked := P} = S) ->
    [gen_server:reply(From, {released, N}) || {N, From} <- lists:sort(P)],
    {noreply, S#{parked := []}};
handle_cast({work, F, To}, S) -> work(F, To), {noreply, S};
handle_cast({stop, Why}, S) -> {stop, {shutdown, Why}, S}.

work(F, To) -> spawn_link(fun() -> To ! {worked, F(21)} end).

handle_info({tick, From}, #{ticks := N} = S) -> From ! {tock, N + 1}, {noreply, S#{ticks := N + 1}, 10};
handle_info(timeout, S) -> {noreply, S};
handle_info(_, S) -> {noreply, S}.

terminate(Reason, S) -> io:format("~p ends with ~p~n", [Reason, lists:sort(maps:keys(S))]).
