%% Sockets: clients and servers in one program, each case by itself and all at the same time. What is printed has no ports,
%% numbers of ports or times in it.
-module(sockets).
-compile([export_all, nowarn_export_all]).

main() ->
    Cases = [F || {F, 0} <- lists:sort(?MODULE:module_info(exports)), lists:prefix("c_", atom_to_list(F))],
    Running = [{F, begun(F)} || F <- Cases],
    [io:format("~p: ~p~n", [F, ended(Pid, Ref)]) || {F, {Pid, Ref}} <- Running],
    ok.

begun(F) ->
    Me = self(),
    spawn_monitor(fun() -> Me ! {self(), clean(catch ?MODULE:F())} end).

ended(Pid, Ref) ->
    receive
        {Pid, Value} ->
            erlang:demonitor(Ref, [flush]),
            Value;
        {'DOWN', Ref, _, _, Why} -> {died, clean(Why)}
    after 20000 -> hung
    end.

clean(T) when is_port(T) -> port;
clean(T) when is_pid(T) -> pid;
clean(T) when is_reference(T) -> ref;
clean({'EXIT', {R, [_ | _]}}) -> {'EXIT', clean(R)};
clean(T) when is_tuple(T) -> list_to_tuple(clean(tuple_to_list(T)));
clean([H | T]) -> [clean(H) | clean(T)];
clean(T) -> T.

pair(LO, CO) ->
    {ok, L} = gen_tcp:listen(0, LO),
    {ok, P} = inet:port(L),
    {ok, C} = gen_tcp:connect("localhost", P, CO),
    {ok, S} = gen_tcp:accept(L),
    {L, S, C}.

flush() -> receive M -> [M | flush()] after 200 -> [] end.

c_echo_passive() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, false}]),
    A = gen_tcp:send(C, ["he", <<"llo">>, $!]),
    B = gen_tcp:recv(S, 0, 1000),
    D = gen_tcp:send(S, "back"),
    E = gen_tcp:recv(C, 2, 1000),
    F = gen_tcp:recv(C, 0, 1000),
    [A, B, D, E, F].

c_list_mode() ->
    {_, S, C} = pair([{active, false}], [{active, false}]),
    gen_tcp:send(C, <<"abc">>),
    gen_tcp:recv(S, 3, 1000).

c_active_true() ->
    {_, S, C} = pair([binary, {active, false}], [binary]),
    gen_tcp:send(S, "one"), timer:sleep(50),
    gen_tcp:send(S, "two"), timer:sleep(50),
    gen_tcp:close(S),
    R = flush(),
    [R, gen_tcp:send(C, "x"), gen_tcp:recv(C, 0), inet:port(C), erlang:port_info(C)].

c_active_once() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, once}]),
    gen_tcp:send(S, "one"), timer:sleep(50),
    gen_tcp:send(S, "two"), timer:sleep(50),
    A = flush(),
    B = inet:getopts(C, [active]),
    ok = inet:setopts(C, [{active, once}]),
    [A, B, flush(), inet:getopts(C, [active])].

c_active_n() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, 2}]),
    [begin gen_tcp:send(S, integer_to_list(N)), timer:sleep(30) end || N <- [1, 2, 3]],
    A = flush(),
    B = inet:getopts(C, [active]),
    ok = inet:setopts(C, [{active, 3}]),
    D = inet:getopts(C, [active]),
    F = flush(),
    G = inet:getopts(C, [active]),
    H = inet:setopts(C, [{active, 32767}]),
    I = inet:setopts(C, [{active, -5}]),
    [A, B, D, F, G, H, I, flush(), inet:getopts(C, [active])].

c_packet_4() ->
    {_, S, C} = pair([binary, {active, false}, {packet, 4}], [binary, {active, false}, {packet, raw}]),
    gen_tcp:send(C, <<0, 0, 0, 3, "ab">>), A = gen_tcp:recv(S, 0, 100),
    gen_tcp:send(C, <<"c", 0, 0, 0, 1, "d">>),
    B = gen_tcp:recv(S, 0, 100), D = gen_tcp:recv(S, 0, 100), E = gen_tcp:recv(S, 1, 100),
    gen_tcp:send(S, "hello"), F = gen_tcp:recv(C, 0, 100),
    [A, B, D, E, F].

c_packet_1_2() ->
    [begin
         {_, S, C} = pair([binary, {active, false}, {packet, N}], [binary, {active, true}, {packet, N}]),
         gen_tcp:send(S, <<"xyz">>), gen_tcp:send(S, <<>>), gen_tcp:send(S, <<"q">>),
         R = flush(), gen_tcp:close(C), R
     end || N <- [1, 2]].

c_packet_line() ->
    {_, S, C} = pair([binary, {active, false}, {packet, line}], [binary, {active, false}]),
    gen_tcp:send(C, <<"one\ntwo\r\nthree">>),
    A = gen_tcp:recv(S, 0, 100), B = gen_tcp:recv(S, 0, 100), D = gen_tcp:recv(S, 0, 100),
    gen_tcp:close(C),
    [A, B, D, gen_tcp:recv(S, 0, 100)].

c_packet_http() ->
    {_, S, C} = pair([binary, {active, false}, {packet, http_bin}], [binary, {active, false}]),
    gen_tcp:send(C, <<"GET /x HTTP/1.1\r\nHost: a\r\nX-Y: z\r\n\r\nbody">>),
    R = [gen_tcp:recv(S, 0, 100) || _ <- lists:seq(1, 4)],
    ok = inet:setopts(S, [{packet, raw}]),
    [R, gen_tcp:recv(S, 0, 100)].

c_packet_http_active() ->
    {_, S, C} = pair([binary, {active, false}, {packet, http}], [binary, {active, false}]),
    gen_tcp:send(C, <<"HTTP/1.0 200 OK\r\nServer: a\r\n\r\n">>),
    ok = inet:setopts(S, [{active, true}]),
    flush().

c_packet_http_error() ->
    {_, S, C} = pair([binary, {active, false}, {packet, http}], [binary, {active, false}]),
    gen_tcp:send(C, <<"nonsense\r\n">>),
    gen_tcp:recv(S, 0, 100).

c_packet_size() ->
    {_, S, C} = pair([binary, {active, false}, {packet, 4}, {packet_size, 5}], [binary, {active, false}]),
    gen_tcp:send(C, <<0, 0, 0, 9, "123456789">>),
    gen_tcp:recv(S, 0, 100).

c_packet_size_active() ->
    {_, S, C} = pair([binary, {active, false}, {packet, 4}, {packet_size, 5}], [binary, {active, false}]),
    gen_tcp:send(C, <<0, 0, 0, 9, "123456789">>),
    inet:setopts(S, [{active, true}]),
    flush().

c_refused() ->
    {ok, L} = gen_tcp:listen(0, []), {ok, P} = inet:port(L), gen_tcp:close(L),
    gen_tcp:connect("localhost", P, []).

c_in_use() ->
    {ok, L} = gen_tcp:listen(0, []), {ok, P} = inet:port(L),
    [gen_tcp:listen(P, []), gen_tcp:listen(P, [{ip, {127, 0, 0, 1}}, {reuseaddr, true}])].

c_bad_address() -> gen_tcp:listen(0, [{ip, {203, 0, 113, 7}}]).

c_bad_options() ->
    [catch gen_tcp:listen(0, [{nonsense, 1}]), catch gen_tcp:connect("localhost", 1, [foo]),
     catch gen_tcp:listen(70000, []), catch gen_tcp:connect("localhost", -1, [])].

c_recv_timeout() ->
    {_, S, C} = pair([binary, {active, false}], [binary]),
    A = gen_tcp:recv(S, 0, 20),
    gen_tcp:send(C, "abc"),
    B = gen_tcp:recv(S, 5, 20),
    gen_tcp:send(C, "de"),
    [A, B, gen_tcp:recv(S, 5, 1000)].

c_recv_closed_partial() ->
    {_, S, C} = pair([binary, {active, false}], [binary]),
    gen_tcp:send(C, "abc"), gen_tcp:close(C),
    [gen_tcp:recv(S, 5, 1000), gen_tcp:recv(S, 0, 1000), gen_tcp:send(S, "x"), inet:peername(S), gen_tcp:close(S), gen_tcp:close(S)].

c_recv_when_active() ->
    {_, _, C} = pair([binary, {active, false}], [binary]),
    gen_tcp:recv(C, 0, 10).

c_recv_own_closed() ->
    {L, S, C} = pair([binary, {active, false}], [binary]),
    gen_tcp:close(C), gen_tcp:close(L),
    [gen_tcp:recv(C, 0, 10), gen_tcp:send(C, "x"), gen_tcp:accept(L), inet:sockname(C), inet:setopts(C, []),
     gen_tcp:recv(S, 0, 100), gen_tcp:shutdown(C, write), gen_tcp:controlling_process(C, self())].

c_accept_timeout() ->
    {ok, L} = gen_tcp:listen(0, []),
    gen_tcp:accept(L, 20).

c_accept_closed() ->
    {ok, L} = gen_tcp:listen(0, []), Me = self(),
    spawn_link(fun() -> Me ! {r, gen_tcp:accept(L)} end),
    timer:sleep(50), gen_tcp:close(L),
    receive {r, R} -> R after 1000 -> none end.

c_two_acceptors() ->
    {ok, L} = gen_tcp:listen(0, [binary, {active, false}]), {ok, P} = inet:port(L), Me = self(),
    [spawn_link(fun() -> timer:sleep(N * 20), {ok, S} = gen_tcp:accept(L), Me ! {N, gen_tcp:recv(S, 0)}, timer:sleep(1000) end)
     || N <- [1, 2]],
    timer:sleep(100),
    {ok, A} = gen_tcp:connect("localhost", P, []), gen_tcp:send(A, "first"), timer:sleep(50),
    {ok, B} = gen_tcp:connect("localhost", P, []), gen_tcp:send(B, "second"),
    [receive {N, R} -> {N, R} after 1000 -> none end || N <- [1, 2]].

c_backlog_data() ->
    {ok, L} = gen_tcp:listen(0, [binary, {active, false}]), {ok, P} = inet:port(L),
    {ok, C} = gen_tcp:connect({127, 0, 0, 1}, P, [binary]),
    gen_tcp:send(C, "early"), gen_tcp:close(C),
    {ok, S} = gen_tcp:accept(L),
    [gen_tcp:recv(S, 0), gen_tcp:recv(S, 0)].

c_shutdown_write() ->
    {_, S, C} = pair([binary, {active, false}, {exit_on_close, false}], [binary, {active, false}]),
    gen_tcp:send(C, "q"), A = gen_tcp:shutdown(C, write),
    B = gen_tcp:recv(S, 0), D = gen_tcp:recv(S, 0),
    E = gen_tcp:send(S, "answer"), F = gen_tcp:recv(C, 0), G = gen_tcp:send(C, "more"),
    [A, B, D, E, F, G].

c_half_close_active() ->
    {_, S, C} = pair([binary, {active, true}, {exit_on_close, false}], [binary, {active, false}]),
    gen_tcp:send(C, "q"), gen_tcp:shutdown(C, write),
    A = flush(),
    [A, gen_tcp:send(S, "answer"), gen_tcp:recv(C, 0, 500), gen_tcp:close(S), gen_tcp:recv(C, 0, 500)].

c_shutdown_read() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, false}]),
    [gen_tcp:shutdown(S, read), gen_tcp:recv(S, 0, 100), gen_tcp:send(C, "x")].

c_shutdown_listen() ->
    {ok, L} = gen_tcp:listen(0, []),
    gen_tcp:shutdown(L, write).

c_controlling() ->
    {_, S, C} = pair([binary, {active, true}], [binary, {active, false}]),
    gen_tcp:send(C, "before"), timer:sleep(50),
    Me = self(),
    P = spawn_link(fun() -> receive go -> Me ! {got, flush()} end end),
    A = gen_tcp:controlling_process(S, P),
    B = gen_tcp:controlling_process(S, P),
    D = gen_tcp:controlling_process(S, self()),
    gen_tcp:send(C, "after"), timer:sleep(50), P ! go,
    [A, B, D, flush()].

c_owner_dies() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, false}]),
    P = spawn(fun() -> receive stop -> ok end end),
    ok = gen_tcp:controlling_process(S, P),
    P ! stop,
    gen_tcp:recv(C, 0, 1000).

c_owner_traps() ->
    process_flag(trap_exit, true),
    {_, S, C} = pair([binary, {active, true}], [binary, {active, false}]),
    gen_tcp:close(C),
    A = flush(),
    [A, erlang:port_info(S, connected)].

c_close_traps() ->
    process_flag(trap_exit, true),
    {L, S, C} = pair([binary, {active, true}], [binary, {active, false}]),
    gen_tcp:close(S), gen_tcp:close(L), gen_tcp:close(C),
    flush().

c_exit_port() ->
    process_flag(trap_exit, true),
    {_, S, C} = pair([binary, {active, true}], [binary, {active, false}]),
    exit(S, oops),
    [flush(), gen_tcp:recv(C, 0, 100)].

c_monitor() ->
    {_, S, C} = pair([binary, {active, false}], [binary, {active, false}]),
    _ = erlang:monitor(port, S),
    gen_tcp:close(S),
    [flush(), gen_tcp:recv(C, 0), is_port(S), is_pid(S), lists:member(S, erlang:ports())].

c_port_info() ->
    {_, S, _} = pair([], []),
    {connected, P} = erlang:port_info(S, connected),
    {links, Ls} = erlang:port_info(S, links),
    {links, Own} = process_info(self(), links),
    [P =:= self(), Ls =:= [self()], lists:member(S, Own), erlang:port_info(S, name), lists:member(S, erlang:ports())].

c_peername() ->
    {L, S, C} = pair([], []),
    {ok, {A, P}} = inet:sockname(L), {ok, {B, Q}} = inet:peername(C), {ok, {D, R}} = inet:sockname(S),
    {ok, {E, T}} = inet:peername(S), {ok, {F, U}} = inet:sockname(C),
    [A, B, D, E, F, P =:= Q, P =:= R, T =:= U, inet:peername(L)].

c_inet6() ->
    {ok, L} = gen_tcp:listen(0, [inet6, binary, {active, false}]), {ok, P} = inet:port(L),
    {ok, C} = gen_tcp:connect({0, 0, 0, 0, 0, 0, 0, 1}, P, [inet6]),
    {ok, S} = gen_tcp:accept(L),
    {ok, {A, _}} = inet:peername(S), {ok, {B, _}} = inet:sockname(L), {ok, {D, _}} = inet:peername(C),
    [A, B, D].

c_inet6_mapped() ->
    {ok, L} = gen_tcp:listen(0, [inet6, binary, {active, false}]), {ok, P} = inet:port(L),
    {ok, _} = gen_tcp:connect({127, 0, 0, 1}, P, []),
    {ok, S} = gen_tcp:accept(L),
    {ok, {A, _}} = inet:peername(S),
    A.

c_local() ->
    Path = "/tmp/erlscope-sockets-" ++ os:getpid() ++ ".sock", file:delete(Path),
    {ok, L} = gen_tcp:listen(0, [{ifaddr, {local, Path}}, binary, {active, false}]),
    {ok, C} = gen_tcp:connect({local, Path}, 0, [local, binary, {active, false}]),
    {ok, S} = gen_tcp:accept(L),
    gen_tcp:send(C, "x"), A = gen_tcp:recv(S, 0, 100),
    {ok, {local, Here}} = inet:sockname(L), {ok, {local, There}} = inet:peername(C),
    R = [A, Here =:= There, binary_to_list(Here) =:= Path, gen_tcp:connect({local, "/tmp/none.sock"}, 0, [local])],
    file:delete(Path), R.

c_getopts() ->
    {_, _, C} = pair([], [binary, {packet, 4}, {nodelay, true}]),
    [inet:getopts(C, [active, packet, mode, nodelay, keepalive, send_timeout, exit_on_close, header, delay_send, packet_size,
                      high_watermark, low_watermark, deliver, buffer, linger]),
     inet:getopts(C, [nonsense]), inet:setopts(C, [{nonsense, 1}]), inet:setopts(C, [{active, maybe}]), inet:setopts(C, [{packet, 3}])].

c_unrecv() ->
    {_, S, C} = pair([binary, {active, false}], []),
    gen_tcp:send(C, "world"), {ok, W} = gen_tcp:recv(S, 0),
    gen_tcp:unrecv(S, <<"hello ", W/binary>>),
    gen_tcp:recv(S, 11, 100).

c_large() ->
    {_, S, C} = pair([binary, {active, false}], []),
    Bin = binary:copy(<<"0123456789">>, 30000),
    spawn_link(fun() -> ok = gen_tcp:send(C, Bin) end),
    {ok, R} = gen_tcp:recv(S, 300000, 5000),
    R =:= Bin.

c_large_active_total() ->
    {_, _S, C} = pair([binary, {active, true}], []),
    ok = gen_tcp:send(C, binary:copy(<<"x">>, 20000)), gen_tcp:close(C),
    M = flush(),
    [iolist_size([D || {tcp, _, D} <- M]), lists:last(M)].

c_header() ->
    {_, S, C} = pair([binary, {active, false}, {header, 2}], []),
    gen_tcp:send(C, "abcd"), A = gen_tcp:recv(S, 0, 100),
    gen_tcp:send(C, "a"), B = gen_tcp:recv(S, 0, 100),
    gen_tcp:send(C, "ab"), D = gen_tcp:recv(S, 0, 100),
    [A, B, D].

c_send_bad() ->
    {L, _, _} = pair([], []),
    [catch gen_tcp:send(L, "x")].

c_back_pressure() ->
    {_, _, C} = pair([binary, {active, false}], [{send_timeout, 100}]),
    Bin = binary:copy(<<0>>, 20000000),
    gen_tcp:send(C, Bin).

c_back_pressure_ends() ->
    {_, S, C} = pair([binary, {active, false}], []),
    Bin = binary:copy(<<0>>, 20000000), Me = self(),
    spawn_link(fun() -> Me ! {sent, gen_tcp:send(C, Bin)}, timer:sleep(2000) end),
    {ok, R} = gen_tcp:recv(S, 20000000, 10000),
    [byte_size(R), receive {sent, X} -> X after 1000 -> none end].

c_two_receivers() ->
    {_, S, C} = pair([binary, {active, false}], []), Me = self(),
    spawn_link(fun() -> Me ! {first, gen_tcp:recv(S, 0, 1000)} end), timer:sleep(50),
    A = gen_tcp:recv(S, 0, 100), gen_tcp:send(C, "x"),
    [A, receive {first, F} -> F after 500 -> none end].

c_passive_then_active_closed() ->
    {_, S, C} = pair([binary, {active, false}], []),
    gen_tcp:send(C, "data"), gen_tcp:close(C), timer:sleep(50),
    inet:setopts(S, [{active, true}]),
    flush().

c_send_after_close() ->
    {_, S, C} = pair([binary, {active, false}], [{active, false}]),
    gen_tcp:close(S), timer:sleep(50),
    A = gen_tcp:send(C, "1"), timer:sleep(50), B = gen_tcp:send(C, "2"), timer:sleep(50),
    [A, B, gen_tcp:send(C, "3"), gen_tcp:recv(C, 0, 100)].

c_getstat() ->
    {_, S, C} = pair([binary, {active, false}], []),
    gen_tcp:send(C, "12345"), gen_tcp:recv(S, 0),
    [inet:getstat(C, [send_oct, send_cnt]), inet:getstat(S, [recv_oct, recv_cnt])].

c_udp_echo() ->
    {ok, A} = gen_udp:open(0, [binary]), {ok, B} = gen_udp:open(0, [binary, {active, false}]),
    {ok, PA} = inet:port(A), {ok, PB} = inet:port(B),
    ok = gen_udp:send(A, {127, 0, 0, 1}, PB, "hi"),
    {ok, {F, P, D}} = gen_udp:recv(B, 0, 1000),
    ok = gen_udp:send(B, "localhost", PA, <<"there">>),
    [F, P =:= PA, D, [setelement(4, M, port) || M <- flush()], gen_udp:recv(B, 0, 10)].

c_udp_connect() ->
    {ok, A} = gen_udp:open(0, [{active, false}]), {ok, B} = gen_udp:open(0, [{active, once}]),
    {ok, PB} = inet:port(B),
    X = gen_udp:send(A, "none"),
    ok = gen_udp:connect(A, {127, 0, 0, 1}, PB),
    Y = gen_udp:send(A, "one"), timer:sleep(30), Z = gen_udp:send(A, "two"), timer:sleep(30),
    {ok, {PeerAddr, _}} = inet:peername(A),
    R = [setelement(4, M, port) || M <- flush()],
    inet:setopts(B, [{active, once}]),
    [X, Y, Z, PeerAddr, R, [setelement(4, M, port) || M <- flush()], gen_udp:recv(A, 0, 50)].

c_udp_unreachable() ->
    {ok, A} = gen_udp:open(0, [{active, false}]), {ok, B} = gen_udp:open(0), {ok, PB} = inet:port(B), gen_udp:close(B),
    ok = gen_udp:connect(A, {127, 0, 0, 1}, PB), X = gen_udp:send(A, "x"), timer:sleep(30),
    [X, gen_udp:recv(A, 0, 200)].

c_udp_in_use() ->
    {ok, A} = gen_udp:open(0), {ok, P} = inet:port(A),
    [gen_udp:open(P), catch gen_udp:open(0, [{nonsense, 1}]), gen_udp:close(A), gen_udp:close(A), gen_udp:send(A, "localhost", P, "x"),
     gen_udp:recv(A, 0)].

c_udp_large() ->
    {ok, A} = gen_udp:open(0), {ok, P} = inet:port(A),
    gen_udp:send(A, "localhost", P, binary:copy(<<0>>, 70000)).

c_udp_active_n() ->
    {ok, A} = gen_udp:open(0, [{active, 2}]), {ok, P} = inet:port(A), {ok, B} = gen_udp:open(0),
    [begin gen_udp:send(B, "localhost", P, integer_to_list(N)), timer:sleep(20) end || N <- [1, 2, 3]],
    [case M of {udp, _, I, _, D} -> {udp, I, D}; _ -> M end || M <- flush()].

c_udp_controlling() ->
    {ok, A} = gen_udp:open(0, []), {ok, P} = inet:port(A), {ok, B} = gen_udp:open(0), Me = self(),
    gen_udp:send(B, "localhost", P, "x"), timer:sleep(50),
    Q = spawn_link(fun() -> receive {udp, S, _, _, D} -> Me ! {got, S =:= A, D} end end),
    [gen_udp:controlling_process(A, Q), flush()].

c_resolve() ->
    [inet:getaddr("localhost", inet), inet:getaddr("127.0.0.1", inet), inet:getaddr({127, 0, 0, 1}, inet),
     gen_tcp:connect("nosuch.invalid", 80, [])].
