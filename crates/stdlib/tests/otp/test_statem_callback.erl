%% A gen_statem whose behaviour is told from outside: event contents are funs.
-module(test_statem_callback).
-behaviour(gen_statem).

-export([init/1, callback_mode/0, handle_event/4, terminate/3, code_change/4]).

init(Fun) when is_function(Fun) -> Fun();
init({State, Data}) -> {ok, State, Data}.

callback_mode() ->
    case persistent_term:get(statem_mode, handle_event_function) of
        Fun when is_function(Fun) -> Fun();
        Mode -> Mode
    end.

handle_event(_, Fun, State, Data) when is_function(Fun, 2) -> Fun(State, Data);
handle_event({call, From}, Fun, State, Data) when is_function(Fun, 3) -> Fun(From, State, Data);
handle_event({call, From}, get, State, Data) -> {keep_state_and_data, [{reply, From, {State, Data}}]};
handle_event({call, _}, wait, State, _) when State =/= ready -> {keep_state_and_data, [postpone]};
handle_event({call, From}, wait, State, Data) -> {keep_state, Data, [{reply, From, {waited, State}}]};
handle_event(enter, Old, State, Data) -> {keep_state, [{enter, Old, State} | Data]};
handle_event(Type, Content, State, Data) -> {keep_state, [{Type, Content, State} | Data]}.

terminate(Reason, _, {on_terminate, Fun}) -> Fun(Reason);
terminate(_, _, _) -> ok.

code_change(Vsn, State, Data, Extra) -> {ok, State, {changed, Vsn, Data, Extra}}.
