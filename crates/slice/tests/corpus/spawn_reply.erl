%% Processes that compute and answer.
%% inputs: square(int), both(int, int), pmap(list(int))
-module(spawn_reply).
-export([square/1, both/2, pmap/1, worker/2]).

square(N) ->
    Parent = self(),
    Pid = spawn(fun() -> Parent ! {self(), N * N} end),
    receive
        {Pid, Result} -> Result
    end.

both(A, B) ->
    Me = self(),
    P1 = spawn(?MODULE, worker, [Me, A]),
    P2 = spawn(?MODULE, worker, [Me, B]),
    R1 = receive {P1, X} -> X end,
    R2 = receive {P2, Y} -> Y end,
    {R1, R2}.

worker(To, N) ->
    Value = N + 1,
    Noise = Value * 3,
    To ! {self(), Value},
    Noise.

pmap(L) ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), X * 10} end) || X <- L],
    Results = [receive {P, R} -> R end || P <- Pids],
    lists:sum(Results).
