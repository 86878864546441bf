%% Records in maps in records.
%% inputs: people(list({atom, nat})), update(nat, atom), deep(nat, nat, nat), pattern(any), lists_of(list(nat)), defaults(nat)
-module(records_in_maps).
-export([people/1, update/2, deep/3, pattern/1, lists_of/1, defaults/1]).

-record(addr, {street, no = 1}).
-record(person, {name, age = 0 :: integer(), addr = #addr{}, tags = #{}}).

people(L) ->
    M = maps:from_list([{N, #person{name = N, age = A}} || {N, A} <- L]),
    Older = maps:map(fun(_, P) -> P#person{age = P#person.age + 1} end, M),
    Ages = [A || {_, #person{age = A}} <- lists:sort(maps:to_list(Older))],
    Names = maps:keys(M),
    {Ages, length(Names)}.

update(N, Street) ->
    P = #person{name = ann, age = N, addr = #addr{street = Street, no = N}, tags = #{x => N}},
    Q = P#person{addr = (P#person.addr)#addr{no = N + 1}},
    R = Q#person{tags = (Q#person.tags)#{y => Street}},
    #person{addr = #addr{no = No, street = S}, tags = #{x := X}} = R,
    {No, S, X}.

deep(A, B, C) ->
    M = #{one => #{rec => #person{name = {A, B}, tags = #{k => [A, B, C]}}}, two => C},
    #{one := #{rec := #person{name = {X, Y}, tags = #{k := [_, Z | _]}}}} = M,
    M2 = M#{one := #{rec => #person{name = {Y, X}}}},
    #{one := #{rec := Rec}, two := Two} = M2,
    {P, _} = Rec#person.name,
    {X, Z, P, Two}.

pattern(#{key := V}) when is_integer(V) -> {int, V};
pattern(#{key := #{key := W}}) -> {deep, W};
pattern({A, B}) -> {pair, B, A};
pattern([#{key := V} | T]) -> {list, V, length(T)};
pattern(X) when is_record(X, person) -> rec;
pattern(Other) -> {other, Other}.

lists_of(Ns) ->
    Ps = [#person{name = N, age = N * 2, tags = #{n => N}} || N <- Ns],
    Sum = lists:foldl(fun(#person{age = A, tags = #{n := T}}, S) -> S + A - T end, 0, Ps),
    Key = lists:keyfind(3, #person.name, Ps),
    Found = case Key of #person{age = Age} -> Age; false -> none end,
    {Sum, Found}.

defaults(N) ->
    P = #person{name = N, _ = 7},
    Q = #person{},
    I = #person.tags,
    {P#person.age, Q#person.addr#addr.no, element(I, Q), P#person.addr}.
