%% A server with many clients; maps, hashes, random numbers and funs on the way.
-module(servers).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Clients = [spawn_monitor(fun() -> client(Server, N, 4) end) || N <- lists:seq(1, 5)],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Clients],
    State = gen_server:call(Server, state),
    io:format("~p~n", [State]),
    io:format("~w ~w~n", [erlang:phash2(State), maps:keys(maps:from_list([{X, x} || X <- lists:seq(50, 1, -1)]))]),
    rand:seed(exsss, 42),
    io:format("~w ~w~n", [rand:uniform(1000), fun main/0]),
    gen_server:stop(Server).

client(_, _, 0) -> ok;
client(Server, N, Left) ->
    gen_server:cast(Server, {add, N}),
    _ = gen_server:call(Server, {ask, N, Left}),
    client(Server, N, Left - 1).

init([]) -> {ok, #{log => [], sums => #{}}}.

handle_call({ask, N, Left}, {Pid, _}, #{log := Log} = State) ->
    {reply, ok, State#{log := [{N, Left, Pid} | Log]}};
handle_call(state, _, State) -> {reply, State, State}.

handle_cast({add, N}, #{sums := Sums} = State) ->
    {noreply, State#{sums := maps:update_with(N, fun(Sum) -> Sum + N end, N, Sums)}}.

handle_info(_, State) -> {noreply, State}.
