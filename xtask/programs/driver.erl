%% Runs one workload of the benchmark: the same on the BEAM and on the Machine.
-module(driver).
-export([run/2, result/1, main/2]).

%% The work that is timed.
run(_, 0) -> ok;
run(M, Times) ->
    _ = M:run(M:args()),
    run(M, Times - 1).

%% What the workload computes, to be compared.
result(M) -> exit({result, erlang:phash2(M:run(M:args()))}).

%% On the BEAM: the best CPU time of several runs in nanoseconds, how often a run did the work, and
%% what it computed. Clocks of CPU time are coarse: a run takes at least 100 milliseconds.
main(M, Runs) ->
    {_, Ref} = spawn_monitor(fun() -> result(M) end),
    Result = receive {'DOWN', Ref, _, _, {result, R}} -> R end,
    Times = 1 + 100000000 div max(2000000, timed(M, 1)),
    {lists:min([timed(M, Times) || _ <- lists:seq(1, Runs)]), Times, Result}.

timed(M, Times) ->
    erlang:garbage_collect(),
    Self = self(),
    Pid = spawn_link(fun() ->
        Before = cpu(),
        run(M, Times),
        Self ! {self(), cpu() - Before}
    end),
    receive {Pid, Time} -> Time end.

%% CPU time of all threads.
cpu() ->
    Threads = "/proc/" ++ os:getpid() ++ "/task/",
    {ok, Names} = file:list_dir(Threads),
    lists:sum([cpu(Threads ++ Name ++ "/schedstat") || Name <- Names]).

cpu(File) ->
    case file:read_file(File) of
        {ok, Text} -> binary_to_integer(hd(binary:split(Text, <<" ">>)));
        {error, _} -> 0
    end.
