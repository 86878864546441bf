%% Event managers and their handlers.
-module(gen_event).

start() -> {ok, manager(none)}.
start(N) -> P = manager(none), name(N, P), {ok, P}.
start(N, _) -> P = manager(none), name(N, P), {ok, P}.
start_link() -> P = manager(self()), '$link'(P), {ok, P}.
start_link(N) -> P = manager(self()), name(N, P), '$link'(P), {ok, P}.
start_link(N, _) -> P = manager(self()), name(N, P), '$link'(P), {ok, P}.
start_monitor() -> P = manager(none), {ok, {P, '$monitor'(P, '$ref'())}}.
start_monitor(N) -> P = manager(none), name(N, P), {ok, {P, '$monitor'(P, '$ref'())}}.

name({local, Name}, P) -> '$put'(registered, Name, P);
name({global, Name}, P) -> '$put'(global, Name, P);
name({via, Registry, Name}, P) ->
    '$put'(via, Name, P),
    Registry:whereis_name(Name),
    Registry:register_name(Name, P),
    Registry:unregister_name(Name);
name(_, _) -> ok.

%% At first there is no handler.
manager(Parent) -> '$spawn'(fun() -> '$trap'(), loop(Parent, [], []) end).

loop(Parent, M, S) -> receive Message -> each_message(Parent, M, S, Message) end.

each_message(Parent, _, _, {'$gen_add', Client, Tag, Handler, A}) ->
    M1 = module(Handler),
    case M1:init(A) of
        {ok, S1} -> Client ! {Tag, ok}, loop(Parent, M1, S1);
        {ok, S1, _} -> Client ! {Tag, ok}, loop(Parent, M1, S1)
    end;
each_message(Parent, M, S, {notify, Event}) -> next(Parent, M, S, M:handle_event(Event, S));
each_message(Parent, M, S, {'$gen_call', {Client, Tag}, Handler, Request}) ->
    M1 = module(Handler),
    case M1:handle_call(Request, S) of
        {ok, Reply, S1} -> Client ! {Tag, Reply}, loop(Parent, M, S1);
        {ok, Reply, S1, _} -> Client ! {Tag, Reply}, loop(Parent, M, S1);
        {swap_handler, Reply, A1, _, H2, A2} -> Client ! {Tag, Reply}, swap(Parent, M, S, A1, H2, A2);
        {remove_handler, Reply} -> Client ! {Tag, Reply}, M:terminate(remove_handler, S), told()
    end;
each_message(Parent, M, S, {'$gen_delete', Client, Tag, Handler, A}) ->
    M1 = module(Handler),
    case M1:terminate(A, S) of
        R -> Client ! {Tag, R}, told(), loop(Parent, M, S)
    end;
each_message(Parent, M, S, {system, _, status}) ->
    M:format_status(any(), [any(), S]), M:format_status(#{state => S, any() => any()}), loop(Parent, M, S);
each_message(Parent, M, S, {system, _, {replace_state, F}}) ->
    {_, _, S2} = F({M, any(), S}), loop(Parent, M, S2);
each_message(Parent, M, S, {system, _, {debug, {install, {F, X}}}}) ->
    F(X, any(), any()), loop(Parent, M, S);
each_message(Parent, M, S, {system, _, {change_code, V, E}}) ->
    {ok, S1} = M:code_change(V, S, E), loop(Parent, M, S1);
each_message(_, M, S, {system, _, {terminate, R}}) -> M:terminate(R, S), told(), exit(R);
each_message(Parent, M, S, {'EXIT', Parent, R}) -> M:terminate({stop, R}, S), told(), exit(R);
each_message(Parent, M, S, Info) -> next(Parent, M, S, M:handle_info(Info, S)).

module({M, _}) -> M;
module(M) -> M.

swap(Parent, M, S, A1, H2, A2) ->
    T = M:terminate(A1, S),
    told(),
    M2 = module(H2),
    case M2:init({A2, T}) of {ok, S1} -> loop(Parent, M2, S1); {ok, S1, _} -> loop(Parent, M2, S1) end.

next(Parent, M, _, {ok, S1}) -> loop(Parent, M, S1);
next(Parent, M, _, {ok, S1, _}) -> loop(Parent, M, S1);
next(Parent, M, S, {swap_handler, A1, S1, H2, A2}) -> swap(Parent, M, either(S, S1), A1, H2, A2);
next(Parent, M, S, remove_handler) -> M:terminate(remove_handler, S), told(), loop(Parent, M, S);
%% It failed, or gave something else.
next(Parent, M, S, _) -> M:terminate({error, any()}, S), told(), loop(Parent, M, S).

%% Who added a handler and wanted to be told hears of its end.
told() -> told('$get'(added_handlers, all)).
told({Client, Handler}) -> Client ! {gen_event_EXIT, Handler, any()}.

server_of({global, Name}) -> '$get'(global, Name);
server_of({via, Registry, Name}) -> either('$get'(via, Name), Registry:whereis_name(Name));
server_of(S) -> S.

add_handler(S, H, A) -> add(S, H, A).
add_sup_handler(S, H, A) -> '$put'(added_handlers, all, {self(), H}), add(S, H, A).
add(S, H, A) ->
    Tag = '$ref'(),
    server_of(S) ! {'$gen_add', self(), Tag, H, A},
    receive {Tag, R} -> either(R, {error, any()}) end.
delete_handler(S, H, A) ->
    Tag = '$ref'(),
    server_of(S) ! {'$gen_delete', self(), Tag, H, A},
    receive {Tag, R} -> R end.
swap_handler(S, {H1, A1}, {H2, A2}) -> T = delete_handler(S, H1, A1), add(S, H2, {A2, either(T, any())}).
swap_sup_handler(S, {H1, A1}, {H2, A2}) ->
    T = delete_handler(S, H1, A1), add_sup_handler(S, H2, {A2, either(T, any())}).
notify(S, E) -> event(S, {notify, E}).
sync_notify(S, E) -> server_of(S) ! {notify, E}, ok.
event({via, Registry, Name}, Message) ->
    '$get'(via, Name) ! Message, Registry:send(Name, Message), ok;
event(S, Message) -> server_of(S) ! Message, ok.
call(S, H, R) -> request(S, H, R).
call(S, H, R, _) -> request(S, H, R).
request(S, H, R) ->
    Tag = '$ref'(),
    server_of(S) ! {'$gen_call', {self(), Tag}, H, R},
    receive {Tag, Reply} -> Reply end.
which_handlers(_) -> list(any()).
stop(S) -> server_of(S) ! {system, {self(), any()}, {terminate, stop}}, ok.
stop(S, _, _) -> server_of(S) ! {system, {self(), any()}, {terminate, stop}}, ok.
