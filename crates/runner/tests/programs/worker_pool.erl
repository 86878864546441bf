%% Workers take jobs from a master and give the results back in order.
-module(worker_pool).
-export([main/0]).
main() ->
    Jobs = lists:seq(1, 20),
    Master = self(),
    Workers = [spawn_link(fun() -> worker(Master) end) || _ <- lists:seq(1, 4)],
    Results = hand_out(Jobs, [], length(Jobs)),
    [W ! stop || W <- Workers],
    lists:sort(Results).

hand_out(_, Done, Wanted) when length(Done) =:= Wanted -> Done;
hand_out(Jobs, Done, Wanted) ->
    receive
        {ready, W} ->
            case Jobs of
                [J | Rest] -> W ! {job, J}, hand_out(Rest, Done, Wanted);
                [] -> hand_out([], Done, Wanted)
            end;
        {done, J, R} -> hand_out(Jobs, [{J, R} | Done], Wanted)
    end.

worker(Master) ->
    Master ! {ready, self()},
    receive
        {job, N} -> Master ! {done, N, fib(N)}, worker(Master);
        stop -> ok
    end.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
