%% Two customers and one account.
-module(bank).
-export([main/0]).

%% What is left of 100 after two customers tried to take 80 each.
-spec main() -> integer().
main() ->
    Account = account:open(100),
    Bank = self(),
    Customers = [spawn(fun() -> customer(Bank, Account) end) || _ <- [ann, bob]],
    Results = [receive {Customer, Result} -> Result end || Customer <- Customers],
    Left = account:balance(Account),
    account:close(Account),
    io:format("~p, left: ~p~n", [Results, Left]),
    Left.

customer(Bank, Account) ->
    Bank ! {self(), account:withdraw(Account, 80)}.
