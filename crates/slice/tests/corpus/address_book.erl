%% Records in a list, looked up, changed and sorted by key.
%% inputs: find(one(ann; bob; eve)), moved(one(ann; bob), int), report(int)
-module(address_book).
-export([find/1, moved/2, report/1]).

-record(person, {name, age = 0, address, tags = []}).
-record(address, {street, number, city = paris}).

book() ->
    [#person{name = ann, age = 31, address = #address{street = "Rue", number = 7}, tags = [a, b]},
     #person{name = bob, age = 25, address = #address{street = "Way", number = 12, city = rome}},
     #person{name = cid, age = 58, address = #address{street = "Gasse", number = 1}, tags = [b]}].

find(Name) ->
    case lists:keyfind(Name, #person.name, book()) of
        #person{age = Age, address = #address{city = City}} -> {Age, City};
        false -> unknown
    end.

moved(Name, Number) ->
    Book = [move(P, Name, Number) || P <- book()],
    {value, Person} = lists:keysearch(Name, #person.name, Book),
    Address = Person#person.address,
    {Address#address.number, Address#address.city, length(Book)}.

move(#person{name = Name, address = A} = P, Name, Number) ->
    P#person{address = A#address{number = Number}, tags = [moved | P#person.tags]};
move(P, _, _) -> P.

report(Limit) ->
    Old = [P || P <- book(), P#person.age > Limit],
    Sorted = lists:keysort(#person.age, Old),
    Names = [P#person.name || P <- Sorted],
    Tags = lists:flatmap(fun(P) -> P#person.tags end, Old),
    Ages = lists:sum([P#person.age || P <- Old]),
    {Names, length(Tags), Ages}.
