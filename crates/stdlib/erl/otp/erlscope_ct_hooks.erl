%% Hooks of Common Test: modules whose functions are called around the functions of suites.
%%
%% Hooks come from the options of a run, from the lists that a suite or a group tells about itself, and from configurations
%% (the key ct_hooks); each is a module, {Module, Options} or {Module, Options, Priority}. One with an identifier that is there
%% already is not started again. A hook lives as long as the suite, group or case that brought it; what it knows is in the
%% table of erlscope_ct. Functions of beginnings are called in the order of priorities (then as hooks came), those of ends the
%% other way round. A function that is not there changes nothing; one that fails makes what it was called for fail.
%%
%% Hooks that OTP has itself, which write logs and reports, are not started: there are none here.
-module(erlscope_ct_hooks).

-export([is_used/1, call/3, groups/2, all/2, failed/3, skipped/3, ended/1, add/1, finish/0]).

-record(hook, {id, module, options, priority, state, scope, groups = []}).

-define(TABLE, erlscope_ct).
-define(OF_OTP, [cth_log_redirect, cth_conn_log, cth_surefire]).

%% Whether there is anything to call, now or because of what these lists bring.
is_used(Lists) ->
    hooks() =/= [] orelse lists:any(fun(List) -> is_list(List) andalso lists:keymember(ct_hooks, 1, List) end, Lists).

%% Hooks of the options of a run: they live to its end.
add(Wanted) ->
    {_, Hooks} = started(Wanted, [run], hooks(), ok, true),
    keep(Hooks).

%% Calls Function(Args..., Value, State) of all hooks, one after the other: each is given what the one before it made of Value.
call(Function, Args, Value) ->
    Meta = [Function | Args],
    {Given, Hooks} = started(wanted(Value), scope(Meta), hooks(), without(Value), true),
    keep(Hooks),
    called([Hook#hook.id || Hook <- in_order(Function, Hooks)], Meta, Given).

called([], _, Value) -> Value;
called([Id | More], [Function | Args] = Meta, Value) ->
    case lists:keyfind(Id, #hook.id, hooks()) of
        false -> called(More, Meta, Value);
        #hook{state = State} = Hook ->
            case applied(Hook#hook.module, Function, Args ++ [Value, State], {Value, State}) of
                {fail, _} = Failed -> called(More, Meta, Failed);
                {ok, {New, NewState}} ->
                    case Hook#hook.scope =:= over(Meta) of
                        true ->
                            _ = applied(Hook#hook.module, terminate, [NewState], ok),
                            keep(lists:keydelete(Id, #hook.id, hooks()));
                        false -> keep(lists:keyreplace(Id, #hook.id, hooks(), Hook#hook{state = NewState}))
                    end,
                    {Given, Hooks} = started(wanted(New), scope(Meta), hooks(), without(New), true),
                    keep(Hooks),
                    called(More, Meta, Given)
            end
    end.

%% What hooks make of the groups and of the list of all cases of a suite. They are not begun for that.
groups(Suite, Groups) ->
    {_, Hooks} = started(of_suite(Suite), none, hooks(), ok, false),
    lists:foldl(fun(#hook{module = Module}, Now) -> value(applied(Module, post_groups, [Suite, Now], Now), Now) end,
                Groups, Hooks).

all(Suite, {skip, _} = Skip) -> all_of(Suite, Skip);
all(Suite, Items) -> all_of(Suite, Items).

all_of(Suite, Items) ->
    {_, Hooks} = started(of_suite(Suite), none, hooks(), ok, false),
    lists:foldl(fun(#hook{module = Module}, Now) -> value(applied(Module, post_all, [Suite, Now, []], Now), Now) end,
                Items, Hooks).

value({ok, New}, _) -> New;
value({fail, _}, Old) -> Old.

of_suite(Suite) ->
    case erlang:function_exported(Suite, suite, 0) andalso (catch Suite:suite()) of
        List when is_list(List) -> wanted(List);
        _ -> []
    end.

failed(Suite, Case, Reason) -> cleanup(on_tc_fail, Suite, Case, Reason).
skipped(Suite, Case, Reason) -> cleanup(on_tc_skip, Suite, Case, Reason).

cleanup(Function, Suite, Case, Reason) ->
    [case applied(Module, Function, [Suite, Case, Reason, State], State) of
         {ok, New} -> keep(lists:keyreplace(Hook#hook.id, #hook.id, hooks(), Hook#hook{state = New}));
         _ -> ok
     end || #hook{module = Module, state = State} = Hook <- in_order(Function, hooks())],
    ok.

%% What a suite, group or case brought is over with it.
ended(Scope) ->
    {Over, Left} = lists:partition(fun(#hook{scope = Of}) -> Of =:= Scope end, hooks()),
    [applied(Module, terminate, [State], ok) || #hook{module = Module, state = State} <- lists:reverse(Over)],
    keep(Left).

finish() -> ended([run]).

%% ---- starting ----

%% Value and hooks, those that are wanted and not there yet among them. Init: whether they are begun, or only looked at.
started([], _, Hooks, Value, _) -> {Value, Hooks};
started([Spec | More], Scope, Hooks, Value, Init) ->
    {Module, Options, Priority} = parts(Spec),
    case lists:member(Module, ?OF_OTP) of
        true -> started(More, Scope, Hooks, Value, Init);
        false ->
            Id = case applied(Module, id, [Options], make_ref()) of
                     {ok, Known} -> Known;
                     _ -> make_ref()
                 end,
            case lists:keymember(Id, #hook.id, Hooks) of
                true -> started(More, Scope, Hooks, Value, Init);
                false ->
                    Hook = #hook{id = Id, module = Module, options = Options, priority = Priority, scope = Scope},
                    case begun(Hook, Init) of
                        {ok, New} -> started(More, Scope, Hooks ++ [New], Value, Init);
                        failed ->
                            {{fail, "Failed to start CTH, see the CT Log for details"}, Hooks}
                    end
            end
    end.

begun(Hook, false) -> {ok, Hook};
begun(#hook{module = Module, id = Id, options = Options, priority = Priority} = Hook, true) ->
    try Module:init(Id, Options) of
        {ok, State} when Priority =:= undefined -> {ok, Hook#hook{state = State, priority = 0}};
        {ok, State, Own} when Priority =:= undefined -> {ok, Hook#hook{state = State, priority = Own}};
        {ok, State} -> {ok, Hook#hook{state = State}};
        {ok, State, _} -> {ok, Hook#hook{state = State}};
        State -> {ok, Hook#hook{state = State}}
    catch Class:Reason:Stack ->
        io:format("Failed to start a CTH: ~tp~n", [{Class, Reason, Stack}]),
        failed
    end.

parts({Module, Options, Priority}) -> {Module, Options, Priority};
parts({Module, Options}) -> {Module, Options, undefined};
parts(Module) -> {Module, [], undefined}.

wanted(List) when is_list(List) ->
    lists:append([case Hooks of
                      _ when is_list(Hooks) -> Hooks;
                      _ -> [Hooks]
                  end || {ct_hooks, Hooks} <- List]);
wanted(_) -> [].

without(List) when is_list(List) -> [Pair || Pair <- List, not (is_tuple(Pair) andalso element(1, Pair) =:= ct_hooks)];
without(Value) -> Value.

%% With what a hook that begins now ends.
scope([Function, Suite | _]) when Function =:= pre_init_per_suite; Function =:= post_init_per_suite -> [Suite];
scope([Function, Suite, Group | _]) when Function =:= pre_init_per_group; Function =:= post_init_per_group -> [Suite, Group];
scope([_, Suite, Case | _]) -> [Suite, Case, testcase];
scope([_, Suite | _]) -> [Suite].

%% What is over with a function.
over([post_end_per_suite, Suite | _]) -> [Suite];
over([post_end_per_group, Suite, Group | _]) -> [Suite, Group];
over(_) -> none.

%% ---- calling ----

in_order(Function, Hooks) ->
    Sorted = lists:sort(fun(#hook{priority = A}, #hook{priority = B}) -> rank(A) =< rank(B) end, Hooks),
    case is_end(Function) of
        true -> lists:reverse(Sorted);
        false -> Sorted
    end.

rank(ctfirst) -> {0, 0};
rank(ctlast) -> {2, 0};
rank(undefined) -> {1, 0};
rank(Number) -> {1, Number}.

is_end(Function) ->
    lists:member(Function, [pre_end_per_testcase, post_end_per_testcase, pre_end_per_group, post_end_per_group,
                            pre_end_per_suite, post_end_per_suite]).

%% {ok, Value}: what a function gives, or the default if the module has none; older ones know nothing of the suite.
applied(Module, Function, Args, Default) ->
    _ = code:ensure_loaded(Module),
    Arity = length(Args),
    case {erlang:function_exported(Module, Function, Arity), erlang:function_exported(Module, Function, Arity - 1)} of
        {true, _} -> tried(Module, Function, Args);
        {false, true} when Function =/= id, Function =/= terminate, Function =/= post_groups, Function =/= post_all ->
            tried(Module, Function, tl(Args));
        _ -> {ok, Default}
    end.

tried(Module, Function, Args) ->
    try {ok, apply(Module, Function, Args)}
    catch Class:Reason:Stack ->
        io:format("~tp:~tp/~w CTH call failed: ~tp~n", [Module, Function, length(Args), {Class, Reason, Stack}]),
        {fail, lists:flatten(io_lib:format("~tp:~tp/~w CTH call failed", [Module, Function, length(Args)]))}
    end.

hooks() ->
    try ets:lookup(?TABLE, hooks) of
        [{_, Hooks}] -> Hooks;
        [] -> []
    catch error:badarg -> []
    end.

keep(Hooks) ->
    ets:insert(?TABLE, {hooks, Hooks}),
    ok.
