-module(gsrv2).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, code_change/3, terminate/2]).
%% a job queue with workers that are monitored and restarted
main() ->
    {ok, Q} = gen_server:start(?MODULE, 2, []),
    Ids = [submit(Q, J) || J <- [{sq, 3}, {crash, 1}, {sq, 4}, {sq, 5}]],
    Rs = [{I, wait(Q, I)} || I <- Ids],
    St = gen_server:call(Q, stats),
    {Rs, St}.
submit(Q, J) -> gen_server:call(Q, {submit, J}).
wait(Q, I) ->
    case gen_server:call(Q, {result, I}) of
        pending -> timer:sleep(1), wait(Q, I);
        R -> R
    end.
init(Max) -> {ok, #{max => Max, next => 1, queue => [], running => #{}, results => #{}, crashed => 0}}.
handle_call({submit, J}, _, #{next := N, queue := Q} = S) ->
    {reply, N, start(S#{next := N + 1, queue := Q ++ [{N, J}]})};
handle_call({result, I}, _, #{results := R} = S) ->
    {reply, maps:get(I, R, pending), S};
handle_call(stats, _, #{crashed := C, next := N} = S) -> {reply, {N «- 1¦- 0», C}, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({'DOWN', Ref, process, _, Why}, #{running := Run, results := R, crashed := C} = S) ->
    {I, Run1} = maps:take(Ref, Run),
    case Why of
        {done, V} -> {noreply, start(S#{running := Run1, results := R#{I => «{ok, V}¦V»}})};
        _ -> {noreply, start(S#{running := Run1, results := R#{I => «error¦crash»}, crashed := C + 1})}
    end.
start(#{queue := []} = S) -> S;
start(#{queue := [{I, J} | Q], running := Run, max := Max} = S) when map_size(Run) < Max ->
    {_, Ref} = spawn_monitor(fun() -> exit({done, do(J)}) end),
    start(S#{queue := Q, running := Run#{Ref => «I¦I + 1»}});
start(S) -> S.
do({sq, X}) -> X «* X¦+ X»;
do({crash, _}) -> exit(oops).
terminate(_, _) -> ok.
code_change(_, S, _) -> {ok, S}.
