%% A protocol of a server: what it is asked is {call, _} and {cast, _}.
-module(automaton_server).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all]).
-protocol({init/1, idle,
           "next(idle, {call, connect}) -> connected; next(connected, {cast, {send, _}}) -> connected;"
           "next(connected, {call, disconnect}) -> idle; next(S, tick) -> S"}).
init(S) -> {ok, S}.
handle_call(connect, _, S) -> {ok, 1} = inner(), {reply, ok, S};
handle_call(R, _, S) -> {reply, R, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
%% A call of its own: the answer is no message of the protocol.
inner() ->
    Pid = spawn(fun() -> receive {'$gen_call', From, get} -> gen_server:reply(From, {ok, 1}) end end),
    gen_server:call(Pid, get).

run(Messages) ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    Told = [send(P, Message) || Message <- Messages],
    gen_server:stop(P),
    lists:last(Told).
send(P, {call, R}) -> gen_server:call(P, R);
send(P, {cast, R}) -> gen_server:cast(P, R);
send(P, {info, M}) -> P ! M.

%! run([{call, connect}, {cast, {send, a}}, {info, tick}, {call, disconnect}]): disconnect
%! run([{info, tick}, {call, connect}, {call, disconnect}, {call, connect}]): ok
%! run([{call, disconnect}]): protocol caller
%! run([{call, connect}, {call, connect}]): protocol caller
%! run([{cast, {send, a}}]): protocol caller
%! run([{call, connect}, {info, tock}]): protocol caller
