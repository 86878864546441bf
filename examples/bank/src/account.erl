%% An account is a process that holds a balance.
%%
%% Withdrawing first asks for the balance and then sends the new one. Two customers who do that at
%% the same time can both be served from the same money: the module has no error that a compiler
%% could see, but it has a race.
-module(account).
-export([open/1, balance/1, deposit/2, withdraw/2, close/1]).

-type account() :: pid().
-export_type([account/0]).

-spec open(integer()) -> account().
open(Balance) ->
    spawn(fun() -> loop(Balance) end).

-spec balance(account()) -> integer().
balance(Account) ->
    Account ! {balance, self()},
    receive
        {Account, Balance} -> Balance
    end.

-spec deposit(account(), integer()) -> ok.
deposit(Account, Amount) ->
    set(Account, balance(Account) + Amount).

-spec withdraw(account(), integer()) -> ok | {error, too_poor}.
withdraw(Account, Amount) ->
    case balance(Account) of
        Balance when Balance >= Amount -> set(Account, Balance - Amount);
        _ -> {error, too_poor}
    end.

-spec close(account()) -> ok.
close(Account) ->
    Account ! close,
    ok.

set(Account, Balance) ->
    Account ! {set, Balance},
    ok.

loop(Balance) ->
    receive
        {balance, From} ->
            From ! {self(), Balance},
            loop(Balance);
        {set, New} ->
            loop(New);
        close ->
            ok
    end.
