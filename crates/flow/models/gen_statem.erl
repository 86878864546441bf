%% State machines: events and the callbacks that handle them, in both callback modes.
-module(gen_statem).

start(M, A, _) -> {ok, machine(none, M, A)}.
start(N, M, A, _) -> P = machine(none, M, A), name(N, P), {ok, P}.
start_link(M, A, _) -> P = machine(self(), M, A), '$link'(P), {ok, P}.
start_link(N, M, A, _) -> P = machine(self(), M, A), name(N, P), '$link'(P), {ok, P}.
start_monitor(M, A, _) -> P = machine(none, M, A), {ok, {P, '$monitor'(P, '$ref'())}}.
start_monitor(N, M, A, _) ->
    P = machine(none, M, A), name(N, P), {ok, {P, '$monitor'(P, '$ref'())}}.

name({local, Name}, P) -> '$put'(registered, Name, P);
name({global, Name}, P) -> '$put'(global, Name, P);
name({via, Registry, Name}, P) ->
    '$put'(via, Name, P),
    Registry:whereis_name(Name),
    Registry:register_name(Name, P),
    Registry:unregister_name(Name).

machine(Parent, M, A) -> '$spawn'(fun() -> run(Parent, M, A) end).

run(Parent, M, A) ->
    M:callback_mode(),
    case M:init(A) of
        {ok, S, D} -> first(Parent, M, S, D);
        {ok, S, D, Actions} -> actions(Actions), first(Parent, M, S, D);
        {stop, R} -> exit(R);
        ignore -> ok
    end.

%% The first state is entered from itself.
first(Parent, M, S, D) -> done(Parent, M, S, D, entered(M, S, S, D)), loop(Parent, M, S, D).

enter_loop(M, _, S, D) -> loop(any(), M, S, D).
enter_loop(M, _, S, D, _) -> loop(any(), M, S, D).
enter_loop(M, _, S, D, _, Actions) -> actions(Actions), loop(any(), M, S, D).

%% Everything that actions ask for comes back as an event.
actions([Action | Rest]) -> action(Action), actions(Rest);
actions(Action) -> action(Action).

action({reply, {Client, Tag}, Reply}) -> Client ! {Tag, Reply};
action({next_event, Type, Event}) -> self() ! {'$gen_event', Type, Event};
action({state_timeout, _, Event}) -> self() ! {'$gen_event', state_timeout, Event};
action({state_timeout, _, Event, _}) -> self() ! {'$gen_event', state_timeout, Event};
action({timeout, _, Event}) -> self() ! {'$gen_event', timeout, Event};
action({{timeout, Name}, _, Event}) -> self() ! {'$gen_event', {timeout, Name}, Event};
action({{timeout, Name}, _, Event, _}) -> self() ! {'$gen_event', {timeout, Name}, Event}.

done(Parent, M, S, _, {next_state, S1, D1}) -> changed(Parent, M, S, S1, D1);
done(Parent, M, S, _, {next_state, S1, D1, A}) ->
    actions(A), changed(Parent, M, S, S1, D1);
done(Parent, M, S, _, {keep_state, D1}) -> loop(Parent, M, S, D1);
done(Parent, M, S, _, {keep_state, D1, A}) -> actions(A), loop(Parent, M, S, D1);
done(Parent, M, S, D, keep_state_and_data) -> loop(Parent, M, S, D);
done(Parent, M, S, D, {keep_state_and_data, A}) -> actions(A), loop(Parent, M, S, D);
done(Parent, M, S, _, {repeat_state, D1}) -> changed(Parent, M, S, S, D1);
done(Parent, M, S, _, {repeat_state, D1, A}) -> actions(A), changed(Parent, M, S, S, D1);
done(Parent, M, S, D, repeat_state_and_data) -> changed(Parent, M, S, S, D);
done(Parent, M, S, D, {repeat_state_and_data, A}) -> actions(A), changed(Parent, M, S, S, D);
done(_, M, S, D, {stop_and_reply, R, A}) -> actions(A), M:terminate(R, S, D), exit(R);
done(_, M, S, _, {stop_and_reply, R, A, D1}) -> actions(A), M:terminate(R, S, D1), exit(R);
done(_, M, S, D, stop) -> M:terminate(normal, S, D), exit(normal);
done(_, M, S, D, {stop, R}) -> M:terminate(R, S, D), exit(R);
done(_, M, S, _, {stop, R, D1}) -> M:terminate(R, S, D1), exit(R).

%% What is entered may change the data and ask for actions.
changed(Parent, M, Old, S, D) -> done(Parent, M, S, D, entered(M, Old, S, D)), loop(Parent, M, S, D).

%% A state that is an atom may be a function of its own.
entered(M, Old, S, D) -> either(M:handle_event(enter, Old, S, D), M:S(enter, Old, D)).

loop(Parent, M, S, D) -> receive Message -> each_message(Parent, M, S, D, Message) end.

each_message(Parent, M, S, D, {'$gen_call', From, Event}) ->
    done(Parent, M, S, D, either(M:handle_event({call, From}, Event, S, D), M:S({call, From}, Event, D)));
each_message(Parent, M, S, D, {'$gen_cast', Event}) ->
    done(Parent, M, S, D, either(M:handle_event(cast, Event, S, D), M:S(cast, Event, D)));
each_message(Parent, M, S, D, {'$gen_event', Type, Event}) ->
    done(Parent, M, S, D, either(M:handle_event(Type, Event, S, D), M:S(Type, Event, D)));
each_message(_, M, S, D, {system, _, {terminate, R}}) -> M:terminate(R, S, D), exit(R);
each_message(Parent, M, S, D, {system, _, status}) ->
    M:format_status(any(), [any(), S, D]),
    M:format_status(#{state => S, data => D, any() => any()}),
    loop(Parent, M, S, D);
each_message(Parent, M, S, D, {system, _, {replace_state, F}}) ->
    {S2, D2} = F({S, D}), loop(Parent, M, S2, D2);
each_message(Parent, M, S, D, {system, _, {debug, {install, {F, X}}}}) ->
    F(X, any(), any()), loop(Parent, M, S, D);
each_message(Parent, M, S, D, {system, _, {debug, {install, {_, F, X}}}}) ->
    F(X, any(), any()), loop(Parent, M, S, D);
each_message(Parent, M, S, D, {system, _, {change_code, V, E}}) ->
    {ok, S1, D1} = M:code_change(V, S, D, E), loop(Parent, M, S1, D1);
each_message(Parent, M, S, D, {'EXIT', Parent, R}) -> M:terminate(R, S, D), exit(R);
each_message(Parent, M, S, D, Info) ->
    done(Parent, M, S, D, either(M:handle_event(info, Info, S, D), M:S(info, Info, D))).

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
send_request(S, R) ->
    Tag = '$ref'(), server_of(S) ! {'$gen_call', {self(), Tag}, R}, {request, Tag}.
wait_response(T) -> response(T).
wait_response(T, _) -> response(T).
receive_response(T) -> response(T).
receive_response(T, _) -> response(T).
response({request, Tag}) -> receive {Tag, Reply} -> {reply, Reply} after 0 -> timeout end.
check_response(M, {request, Tag}) ->
    case M of {Tag, Reply} -> {reply, Reply}; _ -> no_reply end.
reply({reply, {Client, Tag}, Reply}) -> Client ! {Tag, Reply}, ok;
reply([{reply, {Client, Tag}, Reply} | _]) -> Client ! {Tag, Reply}, ok.
reply({Client, Tag}, Reply) -> Client ! {Tag, Reply}, ok.
stop(S) -> server_of(S) ! {system, {self(), any()}, {terminate, normal}}, ok.
stop(S, R, _) -> server_of(S) ! {system, {self(), any()}, {terminate, R}}, ok.
