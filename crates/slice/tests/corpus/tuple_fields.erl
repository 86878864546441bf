%% Tuples that are built, collapsed into a variable and taken apart again.
%% inputs: area({int, int}, atom), swap(int, int), nested({{int, int}, int})
-module(tuple_fields).
-export([area/2, swap/2, nested/1]).

area({W, H}, Unit) ->
    Box = {box, {W, H}, {unit, Unit}},
    {box, {Width, Height}, {unit, U}} = Box,
    Area = Width * Height,
    Label = {U, Area},
    {Name, Value} = Label,
    [Name, Value].

swap(A, B) ->
    Pair = {A, B},
    {X, Y} = Pair,
    Swapped = {Y, X},
    First = element(1, Swapped),
    Second = element(2, Swapped),
    First - Second.

nested({{A, B}, C}) ->
    T = setelement(1, {C, A}, B),
    {P, Q} = T,
    Size = tuple_size(T),
    P + Q + Size.
