%% A pool of workers: checkout takes a worker out, checkin gives it back. Who checks a worker out is
%% watched: if it ends, the worker comes back by itself. If a worker ends, another takes its place.
-module(pool).
-behaviour(gen_server).
-export([start_link/1, stop/1, checkout/1, checkin/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, worker/0]).

start_link(Size) -> gen_server:start_link(?MODULE, Size, []).
stop(Pool) -> gen_server:stop(Pool).

%% {ok, Worker} or full.
checkout(Pool) -> gen_server:call(Pool, checkout).
checkin(Pool, Worker) -> gen_server:cast(Pool, {checkin, Worker}).

init(Size) ->
    process_flag(trap_exit, true),
    {ok, #{idle => [new_worker() || _ <- lists:seq(1, Size)], busy => #{}}}.

new_worker() -> spawn_link(?MODULE, worker, []).

worker() ->
    receive
        {work, From, Task} -> From ! {done, self(), Task}, worker();
        crash -> exit(normal)
    end.

handle_call(checkout, _From, #{idle := []} = State) ->
    {reply, full, State};
handle_call(checkout, {Client, _}, #{idle := [Worker | Idle], busy := Busy} = State) ->
    Ref = monitor(process, Client),
    {reply, {ok, Worker}, State#{idle := Idle, busy := Busy#{Worker => Ref}}}.

handle_cast({checkin, Worker}, State) -> {noreply, back(Worker, State)}.

handle_info({'DOWN', Ref, process, _, _}, #{busy := Busy} = State) ->
    case [Worker || {Worker, R} <- maps:to_list(Busy), R =:= Ref] of
        [Worker] -> {noreply, back(Worker, State)};
        [] -> {noreply, State}
    end;
handle_info({'EXIT', Worker, _}, #{idle := Idle, busy := Busy} = State) ->
    %% A worker that is out and has crashed is replaced like one that is in.
    case Busy of
        #{Worker := Ref} ->
            demonitor(Ref, [flush]),
            {noreply, State#{idle := [new_worker() | Idle], busy := maps:remove(Worker, Busy)}};
        #{} ->
            {noreply, State#{idle := [new_worker() | lists:delete(Worker, Idle)]}}
    end.

terminate(_Reason, #{idle := Idle, busy := Busy}) ->
    [exit(Worker, shutdown) || Worker <- Idle ++ maps:keys(Busy)].

back(Worker, #{idle := Idle, busy := Busy} = State) ->
    case maps:take(Worker, Busy) of
        {Ref, Rest} ->
            demonitor(Ref, [flush]),
            State#{idle := [Worker | Idle], busy := Rest};
        error ->
            State
    end.
