%% A gen_event handler whose behaviour is told from outside.
-module(test_event_callback).
-behaviour(gen_event).

-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2, code_change/3]).

init(Fun) when is_function(Fun) -> Fun();
init({Args, Term}) -> {ok, {swapped_in, Args, Term}};
init(State) -> {ok, State}.

handle_event(Fun, State) when is_function(Fun) -> Fun(State);
handle_event(Event, State) when is_list(State) -> {ok, [Event | State]};
handle_event(_, State) -> {ok, State}.

handle_call(Fun, State) when is_function(Fun) -> Fun(State);
handle_call(get, State) -> {ok, State, State}.

handle_info(Info, State) when is_list(State) -> {ok, [{info, Info} | State]};
handle_info(_, State) -> {ok, State}.

terminate(Args, {tell, Pid}) -> Pid ! {terminated, Args}, told;
terminate(Args, _) -> {terminated, Args}.

code_change(Vsn, State, Extra) -> {ok, {Vsn, State, Extra}}.
