%% Maps by key: built, updated, matched.
%% inputs: person(string, int), update(int, int), lookup(one(name; age; height))
-module(map_keys).
-export([person/2, update/2, lookup/1]).

person(Name, Age) ->
    P = #{name => Name, age => Age, email => none},
    #{name := N, age := A} = P,
    Older = P#{age := A + 1},
    NewAge = maps:get(age, Older),
    Email = maps:get(email, Older),
    {N, NewAge, Email}.

update(X, Y) ->
    M0 = #{},
    M1 = M0#{x => X},
    M2 = M1#{y => Y},
    M3 = M2#{x := Y},
    #{x := XX} = M3,
    #{y := YY} = M2,
    Size = map_size(M3),
    XX - YY + Size.

lookup(Key) ->
    Table = #{name => "ada", age => 36},
    case Table of
        #{Key := Value} -> {found, Value};
        _ -> {missing, Key}
    end.
