%% Runs programs of the races many times on the BEAM and tells which outcomes it saw, and how often.
%%
%% Each run has a process of its own, and a group leader that tells the processes it starts from others: what is left
%% of a run is killed, and gone, before the next begins.
%%
%% Left alone, the BEAM runs such small programs nearly the same way each time. So they are compiled with this module as
%% parse transform, which changes nothing but timing: processes are started on any scheduler, and before what others
%% can notice a process sometimes waits for a moment or lets others run.
-module(erlscope_race_judge).
-export([run/1, parse_transform/2, start/1, start_monitor/1, dawdle/0]).

parse_transform(Forms, _) -> [noisy(Form) || Form <- Forms].

noisy({call, A, {atom, _, spawn}, [Fun]}) -> own(A, start, [noisy(Fun)]);
noisy({call, A, {atom, _, spawn_monitor}, [Fun]}) -> own(A, start_monitor, [noisy(Fun)]);
noisy({call, A, {atom, _, Name} = Function, Arguments}) -> dawdling(A, Name, {call, A, Function, noisy(Arguments)});
noisy({call, A, {remote, _, {atom, _, ets}, _} = Function, Arguments}) ->
    dawdling(A, ets, {call, A, Function, noisy(Arguments)});
noisy({op, A, '!', To, Message}) -> dawdling(A, '!', {op, A, '!', noisy(To), noisy(Message)});
noisy(Tuple) when is_tuple(Tuple) -> list_to_tuple(noisy(tuple_to_list(Tuple)));
noisy([Head | Tail]) -> [noisy(Head) | noisy(Tail)];
noisy(Other) -> Other.

dawdling(A, Name, Call) ->
    Noticed = [ets, '!', register, unregister, whereis, registered, processes, link, unlink, monitor, demonitor, exit,
        is_process_alive, process_info, process_flag, alias, unalias, group_leader],
    case lists:member(Name, Noticed) of
        true -> {block, A, [own(A, dawdle, []), Call]};
        false -> Call
    end.

own(A, Name, Arguments) -> {call, A, {remote, A, {atom, A, ?MODULE}, {atom, A, Name}}, Arguments}.

start(Fun) -> spawn_opt(Fun, [{scheduler, chance(erlang:system_info(schedulers)) + 1}]).

start_monitor(Fun) -> spawn_opt(Fun, [monitor, {scheduler, chance(erlang:system_info(schedulers)) + 1}]).

%% Numbers without a state: a program may look at the dictionary of a process.
chance(N) -> erlang:phash2({erlang:monotonic_time(), self()}, N).

dawdle() ->
    case chance(8) of
        0 -> erlang:yield();
        1 -> count(chance(50));
        2 -> count(chance(2000));
        _ -> ok
    end.

count(0) -> ok;
count(N) -> count(N - 1).

%% The file has one call a line, `M:F(Args)`; for each a line is printed: the call, then outcomes and counts, with tabs
%% between them.
run([File, RunsText]) ->
    {ok, Text} = file:read_file(File),
    Calls = string:lexemes(binary_to_list(Text), "\n"),
    Runs = list_to_integer(RunsText),
    logger:set_primary_config(level, none),
    Leader = spawn(fun() -> receive never -> ok end end),
    Others = maps:from_keys(processes(), true),
    lists:foreach(fun(Call) -> judge(Call, Runs, Leader, Others) end, Calls),
    halt().

judge(Call, Runs, Leader, Others) ->
    {M, F, A} = parsed(Call),
    Counts = times(Runs, fun() -> once(M, F, A, Leader, Others) end, #{}),
    Columns = [io_lib:format("\t~0p\t~w", [Outcome, N]) || {Outcome, N} <- lists:sort(maps:to_list(Counts))],
    io:put_chars([Call, Columns, "\n"]).

times(0, _, Counts) -> Counts;
times(_, _, #{stuck := _} = Counts) -> Counts;
times(N, Run, Counts) -> times(N - 1, Run, maps:update_with(Run(), fun(C) -> C + 1 end, 1, Counts)).

once(M, F, A, Leader, Others) ->
    {P, R} = start_monitor(fun() -> group_leader(Leader, self()), race:run(M, F, A) end),
    Outcome = receive
        {'DOWN', R, process, P, {outcome, O}} -> O;
        {'DOWN', R, process, P, {Reason, [_ | _]}} -> {failed, Reason};
        {'DOWN', R, process, P, Reason} -> {failed, Reason}
    after 5000 -> stuck
    end,
    [end_of(Left) || Left <- processes(), not is_map_key(Left, Others), Left =/= self(), is_of(Left, Leader)],
    Outcome.

is_of(P, Leader) -> process_info(P, group_leader) =:= {group_leader, Leader}.

end_of(P) ->
    R = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', R, process, P, _} -> ok end.

parsed(Call) ->
    {ok, Tokens, _} = erl_scan:string(Call ++ "."),
    {ok, [{call, _, {remote, _, {atom, _, M}, {atom, _, F}}, As}]} = erl_parse:parse_exprs(Tokens),
    {M, F, [erl_parse:normalise(A) || A <- As]}.
