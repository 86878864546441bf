%% One that is broken from the start, and one that a callback may not keep.
-module(not_kept).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

-invariant("N -> N =/= 7").          %: broken
-invariant("N -> N >= 0").           %: held

-spec init(0..10) -> {ok, integer()}.
init(N) -> {ok, N}.
-spec handle_call(take, any(), integer()) -> {reply, ok, integer()}.
handle_call(take, _, N) -> {reply, ok, N - 1}.
-spec handle_cast(reset, integer()) -> {noreply, integer()}.
handle_cast(reset, _) -> {noreply, 0}.
