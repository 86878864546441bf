-module(invoice_sums).
-export([sum/1, net/1]).
-include("invoice.hrl").

sum(#invoice{lines = Ls}) ->
    lists:sum([gross(L) || L <- Ls]).

gross(#line{amount = A, taxed = true}) -> ?WITH_VAT(A);
gross(#line{amount = A}) -> A.

net(Inv) ->
    Amounts = [L#line.amount || L <- Inv#invoice.lines],
    lists:sum(Amounts).
