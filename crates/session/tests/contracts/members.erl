%% Contracts about processes: at most so many, started again so often, over before a call is.
-module(members).
-compile([export_all, nowarn_export_all]).

-processes({worker/1, {at_most, 2}}).
-processes({server/2, [{at_most, 3}, {restarts, 2}]}).
-processes({helper/1, {ends_before, work/1}}).

%% Two at a time, or three.
worker(Parent) -> receive stop -> Parent ! {stopped, self()} end.

at_once(N) ->
    Self = self(),
    Pids = [spawn(?MODULE, worker, [Self]) || _ <- lists:seq(1, N)],
    timer:sleep(1),
    [Pid ! stop || Pid <- Pids],
    ok.

in_turn(N) ->
    Self = self(),
    [begin
         {Pid, Ref} = spawn_monitor(fun() -> worker(Self) end),
         Pid ! stop,
         receive {'DOWN', Ref, _, _, _} -> ok end
     end || _ <- lists:seq(1, N)],
    ok.

%% It calls itself, and is one process all the same.
server(Name, 0) -> Name;
server(Name, N) -> server(Name, N - 1).

again(N) ->
    [begin
         {_, Ref} = spawn_monitor(?MODULE, server, [a, 5]),
         receive {'DOWN', Ref, _, _, _} -> ok end
     end || _ <- lists:seq(1, N)],
    ok.

%% Started again with other arguments it is another one.
others(N) ->
    [begin
         {_, Ref} = spawn_monitor(?MODULE, server, [I, 5]),
         receive {'DOWN', Ref, _, _, _} -> ok end
     end || I <- lists:seq(1, N)],
    ok.

helper(Time) -> receive stop -> ok after Time -> ok end.

work(waits) ->
    {_, Ref} = spawn_monitor(?MODULE, helper, [5]),
    receive {'DOWN', Ref, _, _, _} -> done end;
work(forgets) -> spawn(?MODULE, helper, [1000]), timer:sleep(1), done;
work(by_another) ->
    spawn(fun() -> spawn(?MODULE, helper, [1000]), timer:sleep(100) end),
    timer:sleep(1),
    done;
work(nothing) -> done.

%% One that was there before is nobody's business.
around() ->
    Pid = spawn(?MODULE, helper, [1000]),
    timer:sleep(1),
    done = work(nothing),
    exit(Pid, kill),
    ok.

%! at_once(2): ok
%! at_once(3): processes caller
%! in_turn(5): ok
%! again(3): ok
%! again(4): processes callee
%! others(6): ok
%! work(waits): done
%! work(forgets): processes callee
%! work(by_another): processes callee
%! work(nothing): done
%! around(): ok
