%% A counting semaphore with gen_server_qcpre, in EDBC's manner.
-module(servers_edbc).
-behaviour(gen_server_qcpre).
-include_lib("edbc.hrl").
-compile([export_all, nowarn_export_all]).
-record(state, {free, most, served = []}).

?INVARIANT(fun invariant/1).
invariant(#state{free = F, most = M}) when F < 0; F > M -> {false, "free is out of bounds"};
invariant(#state{}) -> true.

init(N) -> {ok, #state{free = N, most = N}}.
cpre({take, _}, _, #state{free = 0} = S) -> {false, S};
cpre(_, _, S) -> {true, S}.
handle_call({take, Who}, _, S) -> {reply, ok, S#state{free = S#state.free - 1, served = [Who | S#state.served]}};
handle_call(take_without_asking, _, S) -> {reply, ok, S#state{free = S#state.free - 1}};
handle_call(served, _, S) -> {reply, lists:reverse(S#state.served), S}.
handle_cast(give, S) -> {noreply, S#state{free = S#state.free + 1}}.
handle_info(_, S) -> {noreply, S}.

start(N) -> gen_server_qcpre:start(?MODULE, N, []).
order(N, Clients) ->
    {ok, P} = start(N),
    [begin
         spawn(fun() -> gen_server_qcpre:call(P, {take, I}, infinity), gen_server_qcpre:cast(P, give) end),
         timer:sleep(1)
     end || I <- lists:seq(1, Clients)],
    timer:sleep(10),
    gen_server_qcpre:call(P, served).
too_much() -> {ok, P} = start(1), [gen_server_qcpre:call(P, take_without_asking) || _ <- [1, 2]].
gives() -> {ok, P} = start(1), gen_server_qcpre:cast(P, give), catch gen_server_qcpre:call(P, served).
bad_start() -> start(-1).

%! order(1, 4): [1,2,3,4]
%! order(3, 5): [1,2,3,4,5]
%! too_much(): invariant callee
%! gives(): invariant callee
%! bad_start(): invariant callee
