%% What contracts ask about behaviours while a program runs.
-module(erlscope_contract).
-export([state/3, may_cast/3, with_state/2]).

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

%% Whether a server with `cpre` serves a cast now.
may_cast(Module, Request, State) ->
    case erlang:function_exported(Module, cpre_cast, 2) of
        true -> Module:cpre_cast(Request, State);
        false -> {true, State}
    end.

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
