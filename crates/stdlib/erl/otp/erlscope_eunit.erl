%% Runs EUnit tests.
%%
%% A task is two processes: one that runs tests, and its guard, which outlives
%% it, is its group leader, and sees to time limits. The tests of a group run one
%% after the other in the task of the group; a spawned group and each test of a
%% parallel group is a task of its own. Guards report to the coordinator, which
%% puts the reports in the order of the test set and hands them to a function.
%%
%% A report is {status, Id, Info}, Id being the path of numbers to the item, and
%% Info one of {progress, 'begin', {group | test, Data}},
%% {progress, 'end', {Status, Data}}, {cancel, Reason}.
%%
%% run/1,2 and run_all/1 are entries for the command line: each report becomes a call of
%% erlscope_native:test_event/1, see NATIVES.md. run_all/1 runs the test functions of a module one
%% after the other in one process, as EUnit does: what one leaves in the dictionary, the mailbox, tables and
%% links is there for the next. Where a test ends that process (a time limit, an exit signal), EUnit
%% gives up the module; here the functions after it are run in a new one.
-module(erlscope_eunit).

-export([run/1, run/2, run_all/1, follow/4, specs/1]).

-include("include/erlscope_eunit.hrl").

-define(TEST_TIMEOUT, 5000).

%% coordinator: gets reports. guard: of this task. parent: who waits for it.
-record(st, {ref, id = [], coordinator, guard, parent, order = inorder, options}).

%%% ------------------------------------------------------- for the command line

run(Tests) -> run(Tests, []).

%% {Passed, Failed, Skipped, Cancelled}
run(Tests, Options) ->
    told(follow(Tests, Options, fun tell/2, {#{}, {0, 0, 0, 0}})).

%% The same for [{Function, Test}] as of specs/1.
run_all(Specs) ->
    Numbered = lists:zip(lists:seq(1, length(Specs)), Specs),
    told(in_process(fun() -> coordinate_all(Numbered, {#{}, {0, 0, 0, 0}}) end)).

tell(Report, {Open, Counts}) ->
    event(Report, Open, Counts).

told({_, {Passed, Failed, Skipped, Cancelled} = Counts}) ->
    erlscope_native:test_event({done, #{passed => Passed, failed => Failed, skipped => Skipped,
                                        cancelled => Cancelled}}),
    Counts.

%% The tests and generators of a module, each to be run by itself.
specs(Module) ->
    case erlscope_eunit_data:module_tests(Module, [exact_execution]) of
        Tests when is_list(Tests) -> [{Function, Test} || {_, _, Function} = Test <- Tests];
        Wrapped -> [{Module, Wrapped}]
    end.

event({status, Id, {progress, 'begin', {Type, Data}}}, Open, Counts) ->
    erlscope_native:test_event({case Type of test -> test_begin; group -> group_begin end, about(Id, Data)}),
    {Open#{Id => {Type, Data}}, Counts};
event({status, Id, {progress, 'end', {Status, Data}}}, Open, {P, F, S, C}) ->
    {{Type, Begin}, Left} = maps:take(Id, Open),
    Common = maps:merge(about(Id, Begin),
                        #{time => proplists:get_value(time, Data), output => proplists:get_value(output, Data)}),
    case Type of
        group ->
            erlscope_native:test_event({group_end, Common}),
            {Left, {P, F, S, C}};
        test ->
            {Result, Counts} = case Status of
                                   ok -> {ok, {P + 1, F, S, C}};
                                   {error, {Class, Reason, Stack}} ->
                                       {{failed, Class, Reason, Stack}, {P, F + 1, S, C}};
                                   {skipped, Reason} -> {{skipped, Reason}, {P, F, S + 1, C}}
                               end,
            erlscope_native:test_event({test, Common#{result => Result}}),
            {Left, Counts}
    end;
event({status, Id, {cancel, Reason}}, Open, {P, F, S, C}) ->
    {Type, Begin} = maps:get(Id, Open, {group, []}),
    erlscope_native:test_event({cancelled, (about(Id, Begin))#{type => Type, reason => Reason}}),
    {maps:remove(Id, Open), {P, F, S, C + 1}}.

about(Id, Data) ->
    Title = proplists:get_value(desc, Data),
    Place = case proplists:get_value(source, Data) of
                {M, Name, Arity} ->
                    {F, A} = source(M, Name, Arity),
                    #{module => M, function => F, arity => A};
                _ ->
                    #{}
            end,
    Line = case proplists:get_value(line, Data, 0) of
               0 -> #{};
               N -> #{line => N}
           end,
    Function = case proplists:get_value(function, Data) of
                   undefined -> #{};
                   Name0 -> #{function => Name0}
               end,
    maps:merge(maps:merge(#{id => Id, title => Title}, Function), maps:merge(Place, Line)).

%% A fun is told by the function that it is written in.
source(M, Name, Arity) ->
    case atom_to_list(Name) of
        [$- | _] = Text ->
            case string:split(tl(Text), "/") of
                [F, Rest] ->
                    {Digits, _} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Rest),
                    {list_to_atom(F), case Digits of [] -> 0; _ -> list_to_integer(Digits) end};
                _ ->
                    {Name, Arity}
            end;
        _ when is_atom(M) ->
            {Name, Arity}
    end.

%%% ---------------------------------------------------------------- coordinator

%% Runs the tests; Fun is called with each report, in order, and a state, in a
%% process of its own. Returns the last state.
follow(Tests, Options, Fun, State) ->
    in_process(fun() -> coordinate(Tests, Options, Fun, State) end).

in_process(Fun) ->
    Leader = group_leader(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       group_leader(Leader, self()),
                                       exit({?MODULE, Fun()})
                               end),
    receive
        {'DOWN', Ref, process, Pid, {?MODULE, Final}} -> Final;
        {'DOWN', Ref, process, Pid, Reason} -> exit(Reason)
    end.

coordinate(Tests, Options, Fun, State) ->
    St = #st{ref = make_ref(), coordinator = self(), options = Options},
    Guard = task(fun(Inner) -> run_group(#group{tests = Tests}, Inner) end, St),
    collect(Guard, St, #{}, [], fun(Report, S) -> Fun(Report, S) end, State).

%% A task for all functions; if it does not come to its end, another for those that it has not begun.
coordinate_all([], State) ->
    State;
coordinate_all([{First, _} | _] = Specs, State) ->
    St = #st{ref = make_ref(), coordinator = self(), options = []},
    Guard = task(fun(Inner) -> run_functions(Specs, Inner) end, St),
    Ended = maps:from_keys([[N] || N <- lists:seq(1, First - 1)], true),
    {Last, NewState} = collect(Guard, St, Ended, [], fun noting/2, {0, State}),
    coordinate_all([Spec || {N, _} = Spec <- Specs, N > max(Last, First)], NewState).

%% Which function has begun last.
noting({status, [N], {progress, 'begin', _}} = Report, {_, State}) -> {N, tell(Report, State)};
noting(Report, {Last, State}) -> {Last, tell(Report, State)}.

run_functions(Specs, St) ->
    lists:foreach(fun({N, {Function, Test}}) ->
                          Inner = St#st{id = [N]},
                          report({'begin', group, [{function, Function}]}, Inner),
                          run_group(#group{tests = Test}, Inner#st{id = [N, 1]}),
                          report({'end', 1, 0, <<>>}, Inner)
                  end, Specs).

%% Ended: whether an item that has begun is over. Waiting: reports whose turn has not come.
collect(Guard, #st{ref = Ref} = St, Ended, Waiting, Fun, State) ->
    receive
        {status, _, _} = Report ->
            {NewEnded, NewWaiting, NewState} = in_order(Waiting ++ [Report], Ended, Fun, State),
            collect(Guard, St, NewEnded, NewWaiting, Fun, NewState);
        {done, Ref, Guard} ->
            {_, Rest, NewState} = in_order(Waiting, Ended, Fun, State),
            lists:foldl(Fun, NewState, Rest)
    end.

in_order(Waiting, Ended, Fun, State) ->
    case lists:splitwith(fun(Report) -> not is_due(Report, Ended) end, Waiting) of
        {_, []} ->
            {Ended, Waiting, State};
        {Before, [{status, Id, Info} = Report | After]} ->
            {NewEnded, NewState} =
                case Info of
                    {progress, 'begin', _} -> {Ended#{Id => false}, State};
                    {cancel, _} -> cancel_inside(Id, Ended, Fun, State);
                    _ -> {Ended#{Id => true}, State}
                end,
            in_order(Before ++ After, NewEnded, Fun, Fun(Report, NewState))
    end.

%% What was begun inside a cancelled item is cancelled before it.
cancel_inside(Id, Ended, Fun, State) ->
    Open = [Inner || {Inner, false} <- maps:to_list(Ended), Inner =/= Id, lists:prefix(Id, Inner)],
    {lists:foldl(fun(Inner, Acc) -> Acc#{Inner => true} end, Ended#{Id => true}, Open),
     lists:foldl(fun(Inner, S) -> Fun({status, Inner, {cancel, undefined}}, S) end, State,
                 lists:reverse(lists:sort(Open)))}.

%% All items before this one, at every level, must be over.
is_due({status, Id, _}, Ended) ->
    lists:all(fun(Prefix) ->
                      case lists:last(Prefix) of
                          1 -> true;
                          N -> maps:get(lists:droplast(Prefix) ++ [N - 1], Ended, false)
                      end
              end, [lists:sublist(Id, K) || K <- lists:seq(1, length(Id))]).

%%% ---------------------------------------------------------------------- tasks

%% Starts a task that runs Body; await/2 waits for its end.
task(Body, St) ->
    Parent = self(),
    spawn_link(fun() -> guard(Body, St#st{parent = Parent}) end).

await([], _) ->
    ok;
await(Tasks, #st{ref = Ref} = St) ->
    receive
        {done, Ref, Guard} -> await(lists:delete(Guard, Tasks), St)
    end.

guard(Body, St0) ->
    process_flag(trap_exit, true),
    Device = erlscope_native:io_capture(),
    erlscope_native:io_attach(self(), Device),
    St = St0#st{guard = self()},
    Runner = spawn_link(fun() -> runner(Body, St) end),
    watch(Runner, Device, 0, St).

runner(Body, #st{guard = Guard} = St) ->
    group_leader(Guard, self()),
    try
        Body(St)
    catch
        throw:{eunit_abort, Reason} ->
            report({abort, Reason}, St),
            exit(aborted)
    end.

report(Info, #st{guard = Guard, id = Id}) ->
    Guard ! {self(), Id, Info}.

%% Written: how much of the group's own output has been reported.
watch(Runner, Device, Written, #st{id = Own, parent = Parent, coordinator = Coordinator} = St) ->
    receive
        {Runner, Id, {'begin', Type, Data}} ->
            Coordinator ! {status, Id, {progress, 'begin', {Type, Data}}},
            watch(Runner, Device, Written, St);
        {Runner, Id, {'end', Status, Time, Output}} ->
            {Text, NewWritten} =
                case Output of
                    own ->
                        <<_:Written/binary, New/binary>> = iolist_to_binary(erlscope_native:io_captured(Device)),
                        {New, Written + byte_size(New)};
                    _ ->
                        {Output, Written}
                end,
            Coordinator ! {status, Id, {progress, 'end', {Status, [{time, Time}, {output, Text}]}}},
            watch(Runner, Device, NewWritten, St);
        {Runner, Id, {skipped, Reason}} ->
            Coordinator ! {status, Id, {cancel, {abort, Reason}}},
            watch(Runner, Device, Written, St);
        {Runner, Id, {abort, Reason}} ->
            cancel(Id, {abort, Reason}, St),
            finish(St);
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, erlscope_io:serve(Device, Request)},
            watch(Runner, Device, Written, St);
        {timeout, Runner, Id} ->
            Reason = case process_info(Runner, current_stacktrace) of
                         {_, Stack} -> {timeout, #{stacktrace => own_frames(Stack)}};
                         undefined -> timeout
                     end,
            cancel(Id, Reason, St),
            exit(Runner, kill),
            finish(St);
        {'EXIT', Runner, normal} ->
            finish(St);
        {'EXIT', Runner, Reason} ->
            cancel(Own, {exit, Reason}, St),
            finish(St);
        {'EXIT', Parent, _} ->
            exit(Runner, kill),
            finish(St);
        _ ->
            watch(Runner, Device, Written, St)
    end.

%% The task goes with what it ran.
cancel(Id, Reason, #st{id = Own, coordinator = Coordinator}) ->
    Coordinator ! {status, Id, {cancel, Reason}},
    Id =:= Own orelse (Coordinator ! {status, Own, {cancel, {blame, Id}}}),
    ok.

finish(#st{ref = Ref, parent = Parent}) ->
    Parent ! {done, Ref, self()},
    unlink(Parent),
    exit(normal).

%%% ---------------------------------------------------------------------- items

run_items(Tests, #st{order = inorder} = St) ->
    run_in_order(Tests, 1, St);
run_items(Tests, #st{order = {inparallel, Limit}} = St) ->
    run_in_parallel(Tests, 1, Limit, [], St).

run_in_order(Tests, N, #st{id = Id} = St) ->
    case next(Tests, St) of
        {Item, Rest} ->
            run_item(Item, St#st{id = Id ++ [N]}),
            run_in_order(Rest, N + 1, St);
        none ->
            N - 1
    end.

run_in_parallel(Tests, N, Limit, Running, St) when Limit > 0, length(Running) >= Limit ->
    await(Running, St),
    run_in_parallel(Tests, N, Limit, [], St);
run_in_parallel(Tests, N, Limit, Running, #st{id = Id} = St) ->
    case next(Tests, St) of
        {Item, Rest} ->
            Task = task(fun(Inner) -> run_item(Item, Inner) end, St#st{id = Id ++ [N]}),
            run_in_parallel(Rest, N + 1, Limit, [Task | Running], St);
        none ->
            await(Running, St),
            N - 1
    end.

next(Tests, #st{options = Options}) ->
    try erlscope_eunit_data:next(Tests, Options)
    catch
        throw:{generator_failed, {Where, Exception}} ->
            throw({eunit_abort, {generator_failed, {Where, pruned(Exception)}}});
        throw:Reason ->
            throw({eunit_abort, Reason})
    end.

run_item(#test{} = Test, St) -> run_test(Test, St);
run_item(#group{spawn = undefined} = Group, St) -> run_group(Group, with_order(Group, St));
run_item(#group{spawn = {remote, Node}}, St) when Node =/= node() ->
    report({'begin', group, [{desc, undefined}]}, St),
    report({skipped, {setup_failed, {error, {nodedown, Node}, []}}}, St);
run_item(#group{} = Group, St) ->
    Task = task(fun(Inner) -> run_group(Group, Inner) end, with_order(Group, St)),
    await([Task], St).

with_order(#group{order = undefined}, St) -> St;
with_order(#group{order = Order}, St) -> St#st{order = Order}.

run_group(#group{desc = Desc, spawn = Spawn, order = Order, timeout = Timeout, context = Context,
                 tests = Tests}, St) ->
    report({'begin', group, [{desc, Desc}, {spawn, Spawn}, {order, Order}]}, St),
    Inside = fun(T) -> limited(Timeout, infinity, fun() -> run_items(T, St) end, St) end,
    try
        case Context of
            undefined -> Inside(Tests);
            _ -> erlscope_eunit_data:enter_context(Context, Tests, Inside)
        end
    of
        {Size, Time} -> report({'end', Size, Time, own}, St)
    catch
        throw:{context_error, Failure, Exception} -> report({skipped, {Failure, pruned(Exception)}}, St)
    end.

run_test(#test{f = F, desc = Desc, location = Location, line = Line, timeout = Timeout}, St) ->
    report({'begin', test, [{desc, Desc}, {source, Location}, {line, Line}]}, St),
    Before = group_leader(),
    {Leader, _} = Capture = eunit_proc:start_link(),
    group_leader(Leader, self()),
    {Status, Time} = limited(Timeout, ?TEST_TIMEOUT, fun() -> outcome(F) end, St),
    group_leader(Before, self()),
    Output = eunit_proc:output(Capture),
    eunit_proc:stop(Capture),
    report({'end', Status, Time, Output}, St).

outcome(F) ->
    try F() of
        _ -> ok
    catch
        throw:{eunit_internal, Reason} -> {skipped, Reason};
        throw:{eunit_abort, Reason} -> throw({eunit_abort, Reason});
        Class:Reason:Stack -> {error, pruned({Class, Reason, Stack})}
    end.

%% Without the frames of the runner.
pruned({Class, Reason, Stack}) ->
    {Class, Reason, own_frames(Stack)}.

own_frames(Stack) ->
    lists:takewhile(fun(Frame) ->
                            M = element(1, Frame),
                            M =/= ?MODULE andalso M =/= erlscope_eunit_data
                    end, Stack).

%% {Value, Milliseconds}
limited(undefined, Default, Fun, St) when Default =/= undefined ->
    limited(Default, undefined, Fun, St);
limited(infinity, _, Fun, _) ->
    Before = erlang:monotonic_time(millisecond),
    Value = Fun(),
    {Value, erlang:monotonic_time(millisecond) - Before};
limited(Time, _, Fun, #st{guard = Guard, id = Id} = St) ->
    Timer = erlang:send_after(min(Time, 16#FFFFFFFF), Guard, {timeout, self(), Id}),
    try
        limited(infinity, undefined, Fun, St)
    after
        erlang:cancel_timer(Timer)
    end.
