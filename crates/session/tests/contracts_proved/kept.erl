%% An invariant that every callback keeps.
-module(kept).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-record(state, {free, used = 0}).

-invariant("#state{free = F, used = U} -> is_integer(F) andalso is_integer(U) andalso F >= 0 andalso U >= 0").  %: proven

-spec init(0..10) -> {ok, #state{}}.
init(N) -> {ok, #state{free = N}}.

-spec handle_call(take | give, any(), #state{}) -> {reply, ok | none, #state{}}.
handle_call(take, _, #state{free = 0} = S) -> {reply, none, S};
handle_call(take, _, #state{free = F, used = U}) -> {reply, ok, #state{free = F - 1, used = U + 1}};
handle_call(give, _, #state{used = 0} = S) -> {reply, none, S};
handle_call(give, _, #state{free = F, used = U}) -> {reply, ok, #state{free = F + 1, used = U - 1}}.

-spec handle_cast(reset, #state{}) -> {noreply, #state{}}.
handle_cast(reset, #state{free = F, used = U}) -> {noreply, #state{free = F + U}}.
