%% Requests that wait until they can be served: the selective receive of the thesis.
-module(waiting).
-behaviour(gen_server_qcpre).
-compile([export_all, nowarn_export_all]).

init(L) -> {ok, {L, []}}.
cpre({result, N}, _, {[N | _], _} = S) -> {true, S};
cpre({result, _}, _, S) -> {false, S};
cpre(get, _, {[], _} = S) -> {true, S};
cpre(get, _, S) -> {false, S}.
cpre_cast({later, N}, {[N | _], _} = S) -> {true, S};
cpre_cast({later, _}, S) -> {false, S}.
handle_call({result, N}, _, {[N | R], Served}) -> {reply, N, {R, [N | Served]}};
handle_call(get, _, {[], Served}) -> {reply, lists:reverse(Served), {[], Served}}.
handle_cast({later, N}, {[N | R], Served}) -> {noreply, {R, [N | Served]}}.

run(Server) ->
    {ok, P} = Server:start(?MODULE, lists:seq(1, 9), []),
    [spawn(fun() -> Server:call(P, {result, N}) end) || N <- lists:reverse(lists:seq(1, 8))],
    Server:cast(P, {later, 9}),
    Server:call(P, get, infinity).

%! run(gen_server_qcpre): [1,2,3,4,5,6,7,8,9]
%! run(gen_server_cpre): [1,2,3,4,5,6,7,8,9]
