%% A gen_server whose behaviour is told from outside: requests are funs.
-module(test_server_callback).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2,
         code_change/3]).

init(Fun) when is_function(Fun) -> Fun();
init(State) -> {ok, State}.

handle_call(Fun, From, State) when is_function(Fun, 2) -> Fun(From, State);
handle_call(Fun, _, State) when is_function(Fun, 1) -> Fun(State);
handle_call(Request, _, State) -> {reply, {Request, State}, State}.

handle_cast(Fun, State) when is_function(Fun) -> Fun(State);
handle_cast(Message, State) -> {noreply, [Message | State]}.

handle_info(Fun, State) when is_function(Fun) -> Fun(State);
handle_info({watch, Pid}, State) -> {noreply, {watched, Pid, State}};
handle_info(Message, State) -> {noreply, [Message | State]}.

handle_continue(Fun, State) when is_function(Fun) -> Fun(State);
handle_continue(What, State) -> {noreply, [{continued, What} | State]}.

terminate(Reason, {on_terminate, Fun}) -> Fun(Reason);
terminate(_, _) -> ok.

code_change(OldVsn, State, Extra) -> {ok, {changed, OldVsn, State, Extra}}.
