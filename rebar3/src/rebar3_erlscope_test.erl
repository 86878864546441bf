%% `rebar3 erlscope test`.
-module(rebar3_erlscope_test).

-export([init/1, do/1, format_error/1]).

init(State) -> {ok, State}.

do(State) -> rebar3_erlscope:do(test, State).

format_error(Reason) -> rebar3_erlscope:format_error(Reason).
