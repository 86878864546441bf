%% Records and macros from a header, a second module that uses them, too.
%% inputs: total(int, int), numbered(list(int))
-module(invoice_headers).
-export([total/2, numbered/1]).
-include("invoice.hrl").

total(A, B) ->
    L1 = #line{text = "goods", amount = A},
    L2 = #line{amount = B, taxed = false},
    Inv = #invoice{number = 7, lines = [L1, L2]},
    Sum = invoice_sums:sum(Inv),
    Net = invoice_sums:net(Inv),
    Tax = Sum - Net,
    {Inv#invoice.number, Sum, Tax}.

numbered(Amounts) ->
    Lines = [#line{amount = X} || X <- Amounts],
    Inv = #invoice{number = length(Lines), lines = Lines},
    #invoice{number = N, lines = Ls} = Inv,
    Text = case Ls of
        [#line{text = T} | _] -> T;
        [] -> none
    end,
    {N, Text, invoice_sums:sum(Inv)}.
