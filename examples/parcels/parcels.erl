%% Parcels: what one costs, and a desk that two clerks put them on.
-module(parcels).
-export([price/2, label/1, desk/1, is_fair/1, main/0]).

-spec price(non_neg_integer(), normal | express) -> non_neg_integer().
price(Grams, Kind) when Grams =< 500 -> 4 * factor(Kind);
price(Grams, Kind) -> factor(Kind) * 100 div (Grams - 750).

factor(normal) -> 1;
factor(express) -> 2.

-spec label(binary()) -> {atom(), integer()}.
label(<<"P", Version, Number:16>>) when Version =:= Number div 256 -> {parcel, Number};
label(<<"P", _/binary>>) -> {old, 0};
label(_) -> {unknown, 0}.

%% The desk takes the first parcel that is put on it; one does not fit from behind.
-spec desk(integer()) -> ok.
desk(Number) ->
    Desk = self(),
    spawn(fun() -> Desk ! {front, Number} end),
    spawn(fun() -> Desk ! {back, Number} end),
    receive
        {front, _} -> ok;
        {back, N} ->
            true = N =/= 42,
            ok
    end.

main() ->
    {4, {unknown, 0}} = {price(100, normal), label(<<>>)},
    desk(1).

%% Express costs twice as much, whatever the weight.
-spec is_fair(0..749) -> boolean().
is_fair(Grams) -> price(Grams, express) =:= 2 * price(Grams, normal).
