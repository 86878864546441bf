-module(pool_tests).
-include_lib("eunit/include/eunit.hrl").

%% A worker is never out twice.
exclusive_test() ->
    {ok, Pool} = pool:start_link(1),
    Me = self(),
    [spawn(fun() -> Me ! pool:checkout(Pool) end) || _ <- [1, 2]],
    Answers = [receive A -> A end || _ <- [1, 2]],
    %% Clients end at once, so the worker may be back in time for the second.
    ?assert(lists:any(fun(A) -> A =/= full end, Answers)),
    pool:stop(Pool).

%% Wrong: the second client may come after the worker is back.
always_full_test() ->
    {ok, Pool} = pool:start_link(1),
    Me = self(),
    [spawn(fun() -> Me ! pool:checkout(Pool) end) || _ <- [1, 2]],
    Answers = [receive A -> A end || _ <- [1, 2]],
    ?assert(lists:member(full, Answers)),
    pool:stop(Pool).

%% What a client that crashed had checked out comes back. Wrong: the pool may hear of it after the test.
crashing_client_test() ->
    {ok, Pool} = pool:start_link(1),
    {Pid, Ref} = spawn_monitor(fun() -> {ok, _} = pool:checkout(Pool), exit(normal) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    ?assertMatch({ok, _}, pool:checkout(Pool)),
    pool:stop(Pool).

%% A worker that crashes is replaced.
crashing_worker_test() ->
    {ok, Pool} = pool:start_link(1),
    {ok, Worker} = pool:checkout(Pool),
    Ref = monitor(process, Worker),
    Worker ! crash,
    receive {'DOWN', Ref, process, Worker, normal} -> ok end,
    {ok, Other} = pool:checkout(Pool),
    ?assertNotEqual(Worker, Other),
    pool:stop(Pool).

work_test_() ->
    {setup,
     fun() -> {ok, Pool} = pool:start_link(1), Pool end,
     fun pool:stop/1,
     fun(Pool) ->
             [{"work is done",
               fun() ->
                       {ok, Worker} = pool:checkout(Pool),
                       Worker ! {work, self(), dig},
                       ?assertEqual(dig, receive {done, Worker, Task} -> Task end),
                       pool:checkin(Pool, Worker)
               end},
              {"given back, taken again",
               fun() ->
                       {ok, Worker} = pool:checkout(Pool),
                       pool:checkin(Pool, Worker),
                       ?assertEqual({ok, Worker}, pool:checkout(Pool))
               end}]
     end}.
