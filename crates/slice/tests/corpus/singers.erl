%% A small database of tuples in lists, queried in several ways.
%% inputs: born(atom), oldest(int), songs(one(ann; bob; zoe))
-module(singers).
-export([born/1, oldest/1, songs/1]).

db() ->
    [{singer, ann, {1960, 5, 2}, ["Blue", "Red"]},
     {singer, bob, {1955, 1, 30}, ["Train"]},
     {singer, eve, {1990, 12, 24}, []}].

born(Name) ->
    case [D || {singer, N, D, _} <- db(), N =:= Name] of
        [{Year, Month, _}] -> {Year, season(Month)};
        [] -> {unknown, Name}
    end.

season(M) when M >= 3, M < 6 -> spring;
season(M) when M >= 6, M < 9 -> summer;
season(M) when M >= 9, M < 12 -> autumn;
season(_) -> winter.

oldest(Limit) ->
    Years = [{Y, N} || {_, N, {Y, _, _}, _} <- db()],
    [{First, Name} | _] = lists:sort(Years),
    Ago = 2000 + Limit - First,
    {Name, Ago}.

songs(Name) ->
    Entry = lists:keyfind(Name, 2, db()),
    case Entry of
        {_, _, _, Songs} ->
            Count = length(Songs),
            Initials = [hd(S) || S <- Songs],
            {Count, Initials};
        false -> none
    end.
