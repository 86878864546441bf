%% Accounts in a map; transfers that may be refused.
%% inputs: day(int, int), history(list({one(a; b; c), one(a; b; c), int}))
-module(bank_transfers).
-export([day/2, history/1]).

-record(bank, {accounts = #{a => 100, b => 50}, refused = 0, log = []}).

day(X, Y) ->
    B0 = #bank{},
    B1 = transfer(a, b, X, B0),
    B2 = transfer(b, a, Y, B1),
    #{a := A, b := B} = B2#bank.accounts,
    Total = A + B,
    {A, Total, B2#bank.refused}.

transfer(From, To, Amount, #bank{accounts = Acc, log = Log} = Bank) ->
    case Acc of
        #{From := F, To := T} when Amount > 0, F >= Amount, From =/= To ->
            New = Acc#{From := F - Amount, To := T + Amount},
            Bank#bank{accounts = New, log = [{From, To, Amount} | Log]};
        #{From := _} ->
            refuse(Bank);
        _ ->
            refuse(Bank#bank{log = [{unknown, From} | Log]})
    end.

refuse(#bank{refused = N} = Bank) ->
    Bank#bank{refused = N + 1}.

history(Transfers) ->
    Final = lists:foldl(fun({F, T, A}, Acc) -> transfer(F, T, A, Acc) end, #bank{}, Transfers),
    #bank{log = Log, refused = R} = Final,
    Moved = lists:sum([A || {_, _, A} <- Log]),
    {Moved, R}.
