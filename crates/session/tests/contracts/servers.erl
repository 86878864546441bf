%% Invariants of a server: the readers and writers of the thesis, without and with preconditions.
-module(servers).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all]).
-record(state, {readers = 0, writer = false}).

-invariant("#state{readers = N, writer = W} -> N >= 0 andalso (not W orelse N =:= 0)").

init(S) -> {ok, S}.
handle_call(request_read, _, S) -> {reply, pass, S#state{readers = S#state.readers + 1}};
handle_call(request_write, _, S) -> {reply, pass, S#state{writer = true}};
handle_call(get, _, S) -> {reply, S, S}.
handle_cast(finish_read, S) -> {noreply, S#state{readers = S#state.readers - 1}};
handle_cast(finish_write, S) -> {noreply, S#state{writer = false}}.
handle_info(reset, _) -> {noreply, #state{readers = -1}};
handle_info(_, S) -> {noreply, S}.

run(Requests) ->
    {ok, P} = gen_server:start(?MODULE, #state{}, []),
    [ask(P, Request) || Request <- Requests],
    catch gen_server:call(P, get).
ask(P, {cast, Request}) -> gen_server:cast(P, Request);
ask(P, {info, Request}) -> P ! Request;
ask(P, Request) -> catch gen_server:call(P, Request).

%! run([request_read, request_read]): {state,2,false}
%! run([request_read, {cast, finish_read}, request_write]): {state,0,true}
%! run([request_read, request_write]): invariant callee
%! run([request_write, request_read]): invariant callee
%! run([{cast, finish_read}]): invariant callee
%! run([{info, reset}]): invariant callee
%! run([{info, other}]): {state,0,false}
%! init(wrong): invariant contract
