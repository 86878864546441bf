%% `rebar3 erlscope explore`.
-module(rebar3_erlscope_explore).

-export([init/1, do/1, format_error/1]).

init(State) -> {ok, State}.

do(State) -> rebar3_erlscope:do(explore, State).

format_error(Reason) -> rebar3_erlscope:format_error(Reason).
