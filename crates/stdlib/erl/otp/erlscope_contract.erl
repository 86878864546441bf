%% What contracts ask about behaviours while a program runs.
-module(erlscope_contract).
-export([state/3, may_serve/3, serve/3, with_state/2, table/4, taken/2]).

%% The state that a callback of a behaviour gives, if it gives one.
state(supervisor, init, {ok, Children}) -> {ok, Children};
state(supervisor, _, _) -> none;
state(gen_statem, _, Result) -> data(Result);
state(gen_event, _, Result) -> handler(Result);
state(_, Callback, Result) -> server(Callback, Result).

server(cpre, {Served, State}) when is_boolean(Served) -> {ok, State};
server(cpre_cast, {Served, State}) when is_boolean(Served) -> {ok, State};
server(_, {ok, State}) -> {ok, State};
server(_, {ok, State, _}) -> {ok, State};
server(_, {reply, _, State}) -> {ok, State};
server(_, {reply, _, State, _}) -> {ok, State};
server(_, {noreply, State}) -> {ok, State};
server(_, {noreply, State, _}) -> {ok, State};
server(init, _) -> none;
server(_, {stop, _, State}) -> {ok, State};
server(_, {stop, _, _, State}) -> {ok, State};
server(_, _) -> none.

data({ok, _, Data}) -> {ok, Data};
data({ok, _, Data, _}) -> {ok, Data};
data({next_state, _, Data}) -> {ok, Data};
data({next_state, _, Data, _}) -> {ok, Data};
data({keep_state, Data}) -> {ok, Data};
data({keep_state, Data, _}) -> {ok, Data};
data({repeat_state, Data}) -> {ok, Data};
data({repeat_state, Data, _}) -> {ok, Data};
data({stop, _, Data}) -> {ok, Data};
data({stop_and_reply, _, _, Data}) -> {ok, Data};
data(_) -> none.

handler({ok, State}) -> {ok, State};
handler({ok, State, hibernate}) -> {ok, State};
handler({ok, _, State}) -> {ok, State};
handler({ok, _, State, hibernate}) -> {ok, State};
handler(_) -> none.

%% Whether a server with `cpre` serves a request now.
may_serve(Module, {call, Request, From}, State) ->
    Module:cpre(Request, From, State);
may_serve(Module, {cast, Request}, State) ->
    case erlang:function_exported(Module, cpre_cast, 2) of
        true -> Module:cpre_cast(Request, State);
        false -> {true, State}
    end.

%% It serves one, and replies.
serve(Module, {call, Request, From}, State) ->
    case Module:handle_call(Request, From, State) of
        {reply, Reply, Next} ->
            gen_server:reply(From, Reply),
            {noreply, Next};
        {reply, Reply, Next, Then} ->
            gen_server:reply(From, Reply),
            {noreply, Next, Then};
        {stop, Reason, Reply, Next} ->
            gen_server:reply(From, Reply),
            {stop, Reason, Next};
        Other ->
            Other
    end;
serve(Module, {cast, Request}, State) ->
    Module:handle_cast(Request, State).

%% What a callback of a server gave, with another state instead of its own.
with_state({ok, State}, Around) -> {ok, Around(State)};
with_state({ok, State, Then}, Around) -> {ok, Around(State), Then};
with_state({reply, Reply, State}, Around) -> {reply, Reply, Around(State)};
with_state({reply, Reply, State, Then}, Around) -> {reply, Reply, Around(State), Then};
with_state({noreply, State}, Around) -> {noreply, Around(State)};
with_state({noreply, State, Then}, Around) -> {noreply, Around(State), Then};
with_state({stop, Reason, Reply, State}, Around) -> {stop, Reason, Reply, Around(State)};
with_state({stop, Reason, State}, Around) -> {stop, Reason, Around(State)};
with_state(Other, _) -> Other.

%% A builtin changed a table and gave a value: its objects are asked about, all of them together or
%% those that changed, each by itself.
table(Value, Table, Changed, Contracts) ->
    table(Contracts, Table, Changed),
    erlscope_native:contract_end(Value).

table([{Module, Number, true} | Contracts], Table, Changed) ->
    each(changed(Table, Changed), Module, Number),
    table(Contracts, Table, Changed);
table([{Module, Number, false} | Contracts], Table, Changed) ->
    Objects = ets:tab2list(Table),
    asked(Module, Number, Objects, [Table]),
    table(Contracts, Table, Changed);
table([], _, _) ->
    ok.

changed(_, {objects, Objects}) -> Objects;
changed(Table, {key, Key}) -> ets:lookup(Table, Key);
changed(_, none) -> [].

each([Object | Objects], Module, Number) ->
    asked(Module, Number, Object, [Object]),
    each(Objects, Module, Number);
each([], _, _) ->
    ok.

asked(Module, Number, Given, Shown) ->
    Name = name("table", Number),
    try Module:Name(Given) of
        true -> ok;
        {true, _} -> ok;
        Answer -> erlscope_native:contract_failed(Module, Number, Answer, Shown, none)
    catch
        Class:Reason ->
            erlscope_native:contract_raised(Module, Number, Class, Reason, Shown, none)
    end.

%% A process takes a message: the protocols that it follows say what comes of it.
taken([{Module, Number, Known} | Protocols], Message) ->
    Name = name("protocol", Number),
    State =
        case Known of
            {state, Before} -> Before;
            none -> Module:(name("first", Number))()
        end,
    try Module:Name(State, Message) of
        '-contract none-' ->
            erlscope_native:contract_failed(Module, Number, false, [State, Message], none);
        Next ->
            erlscope_native:contract_state(Module, Number, Next)
    catch
        Class:Reason ->
            Call = [State, Message],
            erlscope_native:contract_raised(Module, Number, Class, Reason, Call, none)
    end,
    taken(Protocols, Message);
taken([], _) ->
    erlscope_native:contract_end(ok).

%% The function that says what a contract says (crate `contracts`, `weave`).
name(Kind, Number) ->
    list_to_atom("-contract " ++ Kind ++ " " ++ integer_to_list(Number) ++ "-").
