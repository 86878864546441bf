%% Readers and writers as in the thesis (figures 9.11 to 9.14), with and without cpre.
-module(readers_writers).
-behaviour(gen_server_cpre).
-include_lib("edbc.hrl").
-compile([export_all, nowarn_export_all]).
-record(state, {readers = 0, writer = false}).
?INVARIANT(fun invariant/1).
invariant(#state{readers = Readers, writer = Writer}) ->
    is_integer(Readers) andalso Readers >= 0
        andalso is_boolean(Writer)
        andalso ((not Writer) orelse Readers == 0).
init([]) -> {ok, #state{}}.
cpre(request_read, _, State = #state{writer = false}) -> {true, State};
cpre(request_read, _, State) -> {false, State};
cpre(request_write, _, State = #state{writer = false, readers = 0}) -> {true, State};
cpre(request_write, _, State) -> {false, State}.
handle_call(request_read, _, State) ->
    {reply, pass, State#state{readers = State#state.readers + 1}};
handle_call(request_write, _, State) ->
    {reply, pass, State#state{writer = true}}.
handle_cast(finish_read, State) -> {noreply, State#state{readers = State#state.readers - 1}};
handle_cast(finish_write, State) -> {noreply, State#state{writer = false}}.

reader(G, S) -> pass = G:call(S, request_read, infinity), G:cast(S, finish_read).
writer(G, S) -> pass = G:call(S, request_write, infinity), G:cast(S, finish_write).
main(G, Readers, Writers) ->
    {ok, S} = G:start(?MODULE, [], []),
    [spawn(fun() -> reader(G, S) end) || _ <- lists:seq(1, Readers)],
    [spawn(fun() -> writer(G, S) end) || _ <- lists:seq(1, Writers)],
    ok.
%= 6
guarded() -> main(gen_server_cpre, 1, 1).
%= 4
queued() -> main(gen_server_qcpre, 1, 1).
%+ {state,0,true}). Result: {reply,pass,{state,1,true}}
%= 4 contract 1 contract 1
plain() -> main(gen_server, 1, 1).
%= 6
two_writers() -> main(gen_server_cpre, 0, 2).
