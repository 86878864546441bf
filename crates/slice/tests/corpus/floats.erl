%% Floats in arithmetic, patterns and comparisons.
%% inputs: mean(list(int)), grade(float), circle(int)
-module(floats).
-export([mean/1, grade/1, circle/1]).

mean([]) -> 0.0;
mean(L) ->
    Sum = lists:sum(L),
    N = length(L),
    Mean = Sum / N,
    Rounded = round(Mean),
    {Mean, Rounded}.

grade(F) when F >= 90.0 -> top;
grade(F) when F >= 50.5, F < 90.0 ->
    Rest = 90.0 - F,
    {pass, trunc(Rest)};
grade(0.0) -> zero;
grade(F) ->
    Missing = 50.5 - F,
    {fail, Missing}.

circle(R) ->
    Pi = 3.14159,
    Square = R * R,
    Area = Pi * Square,
    Edge = 2 * Pi * R,
    {floor(Area), float(R) == R, Edge > Area}.
