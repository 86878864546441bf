%% Functions and a server of which something holds in all runs.
-module(suggested).
-behaviour(gen_server).
-export([clamp/1, sorted/1, twice/1, rest/2, same/1, any/1, main/0, run/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-record(state, {free = 3, taken = 0}).

-spec clamp(integer()) -> integer().
clamp(X) when X < 0 -> 0;
clamp(X) when X > 9 -> 9;
clamp(X) -> X.

-spec sorted([integer()]) -> [integer()].
sorted(L) -> lists:sort(L).

-spec twice([integer()]) -> [integer()].
twice(L) -> L ++ L.

-spec rest(pos_integer(), [integer()]) -> [integer()].
rest(N, L) when length(L) >= N -> lists:nthtail(N, L);
rest(_, _) -> [].

-spec same(integer()) -> ok.
same(_) -> ok.

-spec any(integer()) -> integer().
any(X) -> X * X - 7 * X.

%% Only the program itself says what this expects.
half(X) -> X div 2.
main() -> [half(X) || X <- lists:seq(2, 40, 2)].

init([]) -> {ok, #state{}}.
handle_call(take, _, #state{free = 0} = S) -> {reply, none, S};
handle_call(take, _, #state{free = F, taken = T}) -> {reply, ok, #state{free = F - 1, taken = T + 1}};
handle_call(give, _, #state{taken = 0} = S) -> {reply, none, S};
handle_call(give, _, #state{free = F, taken = T}) -> {reply, ok, #state{free = F + 1, taken = T - 1}}.
handle_cast(_, S) -> {noreply, S}.

run(Calls) ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    [gen_server:call(P, Call) || Call <- Calls],
    gen_server:stop(P).

%! -invariant("#state{free = Free} -> Free =< 3").
%! -invariant("#state{free = Free} -> Free >= 0").
%! -invariant("#state{taken = Taken} -> Taken >= 0").
%! -post("clamp(_) = R -> R =< 9").
%! -post("clamp(_) = R -> R >= 0").
%! -post("half(X) = R -> R < X").
%! -post("half(_) = R -> R > 0").
%! -post("rest(_, L) = R -> length(R) =< length(L)").
%! -post("same(_) = R -> R =:= ok").
%! -post("sorted(L) = R -> lists:sort(R) =:= lists:sort(L)").
%! -post("sorted(_) = R -> R =:= lists:sort(R)").
%! -post("twice(L) = R -> length(R) >= length(L)").
%! -pre("half(X) -> X > 0").
