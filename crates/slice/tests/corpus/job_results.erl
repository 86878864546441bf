%% Workers that answer with tuples; the collector takes apart what it needs.
%% inputs: collect(list(int)), best(list(int)), status(nat)
-module(job_results).
-export([collect/1, best/1, status/1]).

collect(Jobs) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), work(J)} end) || J <- Jobs],
    Results = [receive {Pid, R} -> R end || Pid <- Pids],
    Values = [V || {ok, V, _} <- Results],
    Costs = [C || {_, _, C} <- Results],
    {lists:sum(Values), lists:sum(Costs)}.

work(N) when N < 0 -> {failed, N, 1};
work(N) -> {ok, N * N, N + 1}.

best(Jobs) ->
    Results = [work(J) || J <- Jobs],
    {Winner, Losers} = lists:foldl(
        fun({ok, V, C}, {none, L}) -> {{V, C}, L};
           ({ok, V, C}, {{W, _}, L}) when V > W -> {{V, C}, L};
           ({_, V, _}, {W, L}) -> {W, [V | L]}
        end, {none, []}, Results),
    Text = case Winner of
        none -> "nobody";
        {Value, _} -> integer_to_list(Value)
    end,
    {Text, length(Losers)}.

status(N) ->
    Pid = spawn(fun() -> server({idle, N, []}) end),
    Pid ! {self(), {push, a}},
    Pid ! {self(), status},
    receive
        {Pid, {State, Level, _}} -> Pid ! stop, {State, Level}
    end.

server({State, Level, Items}) ->
    receive
        {_, {push, X}} -> server({busy, Level + 1, [X | Items]});
        {From, status} -> From ! {self(), {State, Level, length(Items)}}, server({State, Level, Items});
        stop -> ok
    end.
