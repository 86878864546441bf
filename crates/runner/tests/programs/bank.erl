%% Accounts as processes; a transfer that fails leaves them as they were.
-module(bank).
-export([main/0]).
main() ->
    A = spawn_link(fun() -> account(100) end),
    B = spawn_link(fun() -> account(0) end),
    ok = transfer(A, B, 30),
    {error, insufficient} = transfer(A, B, 1000),
    io:format("~p ~p~n", [balance(A), balance(B)]),
    [transfer(B, A, 10) || _ <- [1, 2, 3, 4]].

account(Balance) ->
    receive
        {From, Ref, {withdraw, N}} when N =< Balance -> From ! {Ref, ok}, account(Balance - N);
        {From, Ref, {withdraw, _}} -> From ! {Ref, {error, insufficient}}, account(Balance);
        {From, Ref, {deposit, N}} -> From ! {Ref, ok}, account(Balance + N);
        {From, Ref, balance} -> From ! {Ref, Balance}, account(Balance)
    end.

call(P, Request) ->
    Ref = make_ref(),
    P ! {self(), Ref, Request},
    receive {Ref, Answer} -> Answer after 1000 -> exit(timeout) end.

balance(P) -> call(P, balance).

transfer(From, To, N) ->
    maybe_deposit(call(From, {withdraw, N}), To, N).

maybe_deposit(ok, To, N) -> call(To, {deposit, N});
maybe_deposit(Error, _, _) -> Error.
