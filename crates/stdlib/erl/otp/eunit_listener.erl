%% Behaviour for who wants to follow a test run. A listener is a process that
%% gets {start, Ref}, then {status, Id, Info} for groups and tests in their
%% order, then {stop, Ref, ReplyTo}.
-module(eunit_listener).

-export([start/1, start/2]).

-callback init(Options :: [term()]) -> State :: term().
-callback handle_begin(group | test, Data :: [term()], State :: term()) -> State :: term().
-callback handle_end(group | test, Data :: [term()], State :: term()) -> State :: term().
-callback handle_cancel(group | test, Data :: [term()], State :: term()) -> State :: term().
-callback terminate({ok, Data :: [term()]} | {error, term()}, State :: term()) -> term().

-record(state, {callback, pass = 0, fail = 0, skip = 0, cancel = 0, state}).

start(Callback) -> start(Callback, []).

start(Callback, Options) ->
    spawn_opt(fun() -> run(Callback, Options) end, proplists:get_all_values(spawn, Options)).

run(Callback, Options) ->
    St0 = call(init, [Options], #state{callback = Callback}),
    #state{pass = Pass, fail = Fail, skip = Skip, cancel = Cancel, state = State} = St =
        item([], none, St0),
    call(terminate, [{ok, [{pass, Pass}, {fail, Fail}, {skip, Skip}, {cancel, Cancel}]}, State], St),
    exit(normal).

%% The item Id with all it contains, or {parent, Info} when its parent ends first.
item(Id, Parent, St) ->
    receive
        {status, Id, {progress, 'begin', {Type, Data}}} ->
            St1 = tell(handle_begin, Type, [{id, Id} | Data], St),
            case Type of
                test -> test(Id, Data, St1);
                group -> group(Id, 1, Data, St1)
            end;
        {status, Parent, {progress, 'end', Result}} ->
            {parent, Result};
        {status, Parent, {cancel, Reason}} ->
            {parent, {cancel, Reason}}
    end.

test(Id, Data, St) ->
    receive
        {status, Id, {progress, 'end', {Status, More}}} ->
            tell(handle_end, test, [{id, Id}, {status, Status} | Data ++ More], count(Status, St));
        {status, Id, {cancel, Reason}} ->
            cancelled(test, Id, Reason, Data, St)
    end.

group(Id, N, Data, St) ->
    case item(Id ++ [N], Id, St) of
        {parent, {cancel, Reason}} -> cancelled(group, Id, Reason, Data, St);
        {parent, {Size, More}} -> tell(handle_end, group, [{id, Id}, {size, Size} | Data ++ More], St);
        St1 -> group(Id, N + 1, Data, St1)
    end.

cancelled(Type, Id, Reason, Data, #state{cancel = Cancel} = St) ->
    tell(handle_cancel, Type, [{id, Id}, {reason, Reason} | Data], St#state{cancel = Cancel + 1}).

count(ok, #state{pass = N} = St) -> St#state{pass = N + 1};
count({skipped, _}, #state{skip = N} = St) -> St#state{skip = N + 1};
count({error, _}, #state{fail = N} = St) -> St#state{fail = N + 1}.

tell(Function, Type, Data, #state{state = State} = St) ->
    call(Function, [Type, Data, State], St).

call(Function, Args, #state{callback = Callback, state = State} = St) ->
    try apply(Callback, Function, Args) of
        New -> St#state{state = New}
    catch
        Class:Reason:Stack ->
            Function =:= terminate orelse
                call(terminate, [{error, {Class, Reason, Stack}}, State], St),
            erlang:raise(Class, Reason, Stack)
    end.
