%% Results wrapped in tagged tuples, passed through several layers.
%% inputs: compute(int, int), chain(one({ok, 4}; {error, why}; {ok, -1})), collect(list(one({ok, 1}; {ok, 2}; {error, e})))
-module(sum_types).
-export([compute/2, chain/1, collect/1]).

compute(A, B) ->
    case divide(A, B) of
        {ok, Q, R} when R =:= 0 -> {exact, Q};
        {ok, Q, _} -> {about, Q};
        {error, Why} -> {failed, Why, A}
    end.

divide(_, 0) -> {error, zero};
divide(A, B) -> {ok, A div B, A rem B}.

bind({ok, V}, F) -> F(V);
bind({error, _} = E, _) -> E.

chain(Start) ->
    R1 = bind(Start, fun(V) -> {ok, V + 1} end),
    R2 = bind(R1, fun(V) when V > 0 -> {ok, {V, V * V}}; (V) -> {error, {low, V}} end),
    case R2 of
        {ok, {Small, Large}} -> Large - Small;
        {error, {low, L}} -> {low, L};
        {error, E} -> E
    end.

collect(Results) ->
    {Good, Bad} = lists:foldr(
        fun({ok, V}, {G, B}) -> {[V | G], B};
           ({error, E}, {G, B}) -> {G, [E | B]}
        end, {[], []}, Results),
    Summary = #{good => Good, bad => length(Bad)},
    #{good := Gs} = Summary,
    {lists:sum(Gs), maps:get(bad, Summary)}.
