%% random: the generator that came before rand, AS 183 (B. Wichmann and I. Hill, 1982).
%%
%% Three small congruential generators whose values are added up modulo 1.
-module(random).

-export([seed/0, seed/1, seed/3, seed0/0, uniform/0, uniform/1, uniform_s/1, uniform_s/2]).

-export_type([ran/0]).

-type ran() :: {integer(), integer(), integer()}.

-define(P1, 30269).
-define(P2, 30307).
-define(P3, 30323).

-spec seed0() -> ran().
seed0() -> {3172, 9814, 20125}.

%% The functions that set the seed return the one before.
-spec seed() -> ran().
seed() ->
    case put(random_seed, seed0()) of
        undefined -> seed0();
        {_, _, _} = Old -> Old
    end.

-spec seed(integer() | ran()) -> undefined | ran().
seed(Int) when is_integer(Int) ->
    Low = Int band 16#ffffff,
    seed((Int bsr 16) band 16#fffffff, Low, (Int bsr 36) bor (Low bsr 16));
seed({A1, A2, A3}) -> seed(A1, A2, A3).

-spec seed(integer(), integer(), integer()) -> undefined | ran().
seed(A1, A2, A3) ->
    put(random_seed, {abs(A1) rem (?P1 - 1) + 1, abs(A2) rem (?P2 - 1) + 1, abs(A3) rem (?P3 - 1) + 1}).

-spec uniform() -> float().
uniform() ->
    Seed = case get(random_seed) of
               undefined -> seed0();
               Old -> Old
           end,
    {Float, New} = uniform_s(Seed),
    put(random_seed, New),
    Float.

-spec uniform(pos_integer()) -> pos_integer().
uniform(N) when is_integer(N), N >= 1 -> trunc(uniform() * N) + 1.

-spec uniform_s(ran()) -> {float(), ran()}.
uniform_s({A1, A2, A3}) ->
    B1 = A1 * 171 rem ?P1,
    B2 = A2 * 172 rem ?P2,
    B3 = A3 * 170 rem ?P3,
    Sum = B1 / ?P1 + B2 / ?P2 + B3 / ?P3,
    {Sum - trunc(Sum), {B1, B2, B3}}.

-spec uniform_s(pos_integer(), ran()) -> {pos_integer(), ran()}.
uniform_s(N, Seed) when is_integer(N), N >= 1 ->
    {Float, New} = uniform_s(Seed),
    {trunc(Float * N) + 1, New}.
