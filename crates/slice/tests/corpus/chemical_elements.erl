%% Chemical elements as tuples: comprehensions, blocks, nested fields.
%% inputs: heaviest(nat), molecule(list({one(h; c; o; n), nat})), names(nat)
-module(chemical_elements).
-export([heaviest/1, molecule/1, names/1]).

table() ->
    [{h, {"Hydrogen", 1}, {1.008, gas}},
     {c, {"Carbon", 6}, {12.011, solid}},
     {n, {"Nitrogen", 7}, {14.007, gas}},
     {o, {"Oxygen", 8}, {15.999, gas}}].

heaviest(Limit) ->
    Rows = [{Symbol, Number, Mass} || {Symbol, {_, Number}, {Mass, _}} <- table(), Number =< Limit],
    {Best, Heavy} = lists:foldl(
        fun({S, _, M}, {_, Most}) when M > Most -> {S, M};
           (_, Acc) -> Acc
        end, {none, 0.0}, Rows),
    Count = length(Rows),
    {Best, Heavy, Count}.

molecule(Parts) ->
    Masses = [begin
                  {Symbol, {_, Protons}, {Mass, _}} = lists:keyfind(Symbol, 1, table()),
                  {Mass * N, Protons * N}
              end || {Symbol, N} <- Parts],
    {Weights, Charges} = lists:unzip(Masses),
    Weight = lists:sum(Weights),
    Charge = lists:sum(Charges),
    {round(Weight), Charge}.

names(N) ->
    Gases = [Name || {_, {Name, _}, {_, gas}} <- table()],
    Solids = [{Name, Z} || {_, {Name, Z}, {_, solid}} <- table()],
    case {Gases, Solids} of
        {[First | _], [{_, Z} | _]} when N > Z -> {First, length(Solids)};
        {[_, Second | _], _} -> {Second, length(Gases)}
    end.
