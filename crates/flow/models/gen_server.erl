%% Servers: client calls and the callbacks that handle them.
-module(gen_server).

start(M, A, _) -> P = server(none, M, A), {ok, P}.
start(N, M, A, _) -> P = server(none, M, A), name(N, P), {ok, P}.
start_link(M, A, _) -> P = server(self(), M, A), '$link'(P), {ok, P}.
start_link(N, M, A, _) -> P = server(self(), M, A), name(N, P), '$link'(P), {ok, P}.
start_monitor(M, A, _) -> P = server(none, M, A), {ok, {P, '$monitor'(P, '$ref'())}}.
start_monitor(N, M, A, _) ->
    P = server(none, M, A), name(N, P), {ok, {P, '$monitor'(P, '$ref'())}}.

name({local, Name}, P) -> '$put'(registered, Name, P);
name({global, Name}, P) -> '$put'(global, Name, P);
name({via, Registry, Name}, P) ->
    '$put'(via, Name, P),
    Registry:whereis_name(Name),
    Registry:register_name(Name, P),
    Registry:unregister_name(Name).

server(Parent, M, A) -> '$spawn'(fun() -> run(Parent, M, A) end).

run(Parent, M, A) ->
    case M:init(A) of
        {ok, S} -> loop(Parent, M, S);
        {ok, S, {continue, C}} -> continue(Parent, M, C, S);
        {ok, S, _} -> loop(Parent, M, S);
        {stop, R} -> exit(R);
        ignore -> ok
    end.

enter_loop(M, _, S) -> loop(any(), M, S).
enter_loop(M, _, S, _) -> loop(any(), M, S).
enter_loop(M, _, S, _, _) -> loop(any(), M, S).

continue(Parent, M, C, S) -> next(Parent, M, M:handle_continue(C, S)).

next(Parent, M, {noreply, S}) -> loop(Parent, M, S);
next(Parent, M, {noreply, S, {continue, C}}) -> continue(Parent, M, C, S);
next(Parent, M, {noreply, S, _}) -> loop(Parent, M, S);
next(_, M, {stop, R, S}) -> M:terminate(R, S), exit(R).

%% Callbacks are called where a message arrives, and answers are sent where a callback has returned:
%% so edges lead from and to the callbacks. A server that hears of its parent's end ends.
loop(Parent, M, S) ->
    receive Message -> each_message(Parent, M, S, Message)
    after 0 -> next(Parent, M, M:handle_info(timeout, S))
    end.

each_message(Parent, M, S, {'$gen_call', {Client, Tag} = From, Request}) ->
    case M:handle_call(Request, From, S) of
        {reply, Reply, S1} -> Client ! {Tag, Reply}, loop(Parent, M, S1);
        {reply, Reply, S1, {continue, C}} -> Client ! {Tag, Reply}, continue(Parent, M, C, S1);
        {reply, Reply, S1, _} -> Client ! {Tag, Reply}, loop(Parent, M, S1);
        {stop, R, Reply, S1} -> Client ! {Tag, Reply}, M:terminate(R, S1), exit(R);
        Other -> next(Parent, M, Other)
    end;
each_message(Parent, M, S, {'$gen_cast', Request}) -> next(Parent, M, M:handle_cast(Request, S));
each_message(_, M, S, {system, _, {terminate, R}}) -> M:terminate(R, S), exit(R);
each_message(Parent, M, S, {system, _, status}) -> status(M, S), loop(Parent, M, S);
each_message(Parent, M, S, {system, _, {replace_state, F}}) -> loop(Parent, M, F(S));
each_message(Parent, M, S, {system, _, {debug, {install, D}}}) -> installed(D), loop(Parent, M, S);
each_message(Parent, M, S, {system, _, {change_code, V, E}}) ->
    {ok, S1} = M:code_change(V, S, E), loop(Parent, M, S1);
each_message(Parent, M, S, {'EXIT', Parent, R}) -> M:terminate(R, S), exit(R);
each_message(Parent, M, S, Info) -> next(Parent, M, M:handle_info(Info, S)).

%% Functions that look on.
installed({F, X}) -> F(X, any(), any());
installed({_, F, X}) -> F(X, any(), any()).

%% Asked for by others, and before a report of its end.
status(M, S) -> M:format_status(any(), [any(), S]), M:format_status(#{state => S, any() => any()}).

reply({Client, Tag}, Reply) -> Client ! {Tag, Reply}, ok.
reply(L) -> case L of [{From, Reply} | _] -> reply(From, Reply) end.

server_of({global, Name}) -> '$get'(global, Name);
server_of({via, Registry, Name}) -> either('$get'(via, Name), Registry:whereis_name(Name));
server_of(S) -> S.

call(S, R) -> request(S, R).
call(S, R, _) -> request(S, R).
request(S, R) ->
    Tag = '$ref'(),
    server_of(S) ! {'$gen_call', {self(), Tag}, R},
    receive {Tag, Reply} -> Reply after 0 -> exit({timeout, any()}) end.
cast({via, Registry, Name}, R) ->
    Message = {'$gen_cast', R}, '$get'(via, Name) ! Message, Registry:send(Name, Message), ok;
cast(S, R) -> server_of(S) ! {'$gen_cast', R}, ok.
abcast(S, R) -> S ! {'$gen_cast', R}, abcast.
abcast(_, S, R) -> S ! {'$gen_cast', R}, abcast.
multi_call(S, R) -> {list({any(), request(S, R)}), list(any())}.
multi_call(_, S, R) -> {list({any(), request(S, R)}), list(any())}.
multi_call(_, S, R, _) -> {list({any(), request(S, R)}), list(any())}.
send_request(S, R) ->
    Tag = '$ref'(), server_of(S) ! {'$gen_call', {self(), Tag}, R}, {request, Tag}.
send_request(S, R, _, _) ->
    Tag = '$ref'(), server_of(S) ! {'$gen_call', {self(), Tag}, R}, list({request, Tag}).
wait_response(T) -> response(T).
wait_response(T, _) -> response(T).
receive_response(T) -> response(T).
receive_response(T, _) -> response(T).
receive_response(T, _, _) -> {response(T), any(), T}.
response({request, Tag}) ->
    receive {Tag, Reply} -> {reply, Reply}; {'DOWN', Tag, _, P, R} -> {error, {R, P}}
    after 0 -> timeout end.
check_response(M, {request, Tag}) ->
    case M of {Tag, Reply} -> {reply, Reply}; _ -> no_reply end.
check_response(M, T, _) -> {check_response(M, T), any(), T}.
reqids_new() -> [].
reqids_add(R, _, L) -> [R | L].
reqids_size(_) -> number().
reqids_to_list(L) -> list({any(), any()}).
stop(S) -> server_of(S) ! {system, {self(), any()}, {terminate, normal}}, ok.
stop(S, R, _) -> server_of(S) ! {system, {self(), any()}, {terminate, R}}, ok.
