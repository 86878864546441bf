%% Properties, and what decides whether they hold, with the functions and options of PropEr.
%%
%% A property is `true`, `false`, or {'$property', …}: what the wrappers below make, from the inside
%% out. A test runs it once (run/2): every `?FORALL` on the way draws a value. What was drawn is kept
%% level by level, each a tree of smaller values (`erlscope_proper_tree`). A test that fails is made
%% smaller by running it again with a smaller value at one level and the others as they were, unless
%% a type has come to be another one by that: then its value is drawn again.
%%
%% Differences from PropEr: no search towards a goal (`?FORALL_TARGETED` is `?FORALL`), no parallel tests.
-module(proper).

-export([quickcheck/1, quickcheck/2, counterexample/0, counterexample/1, counterexample/2,
         counterexamples/0, check/2, check/3, module/1, module/2, check_spec/1, check_spec/2,
         check_specs/1, check_specs/2, clean_garbage/0]).
-export([forall/2, forall/3, exists/3, implies/2, whenfail/2, trapexit/1, timeout/2, always/2,
         sometimes/2, conjunction/1, equals/2, collect/2, collect/3, aggregate/2, aggregate/3,
         classify/3, measure/3, with_title/1]).
-export([numtests/2, fails/1, on_output/2, setup/2]).
-export([erlscope_check/2, erlscope_check_given/3, erlscope_cases/3, erlscope_hold/2]).

%% What a test has come to: what its levels are forced to be (from a test before it, or given by
%% somebody), what they are, and what is noted on the way.
-record(run, {size, forced = [], given, levels = [], path = [], samples = [], actions = []}).
%% keeping: makes the value again, from the same random numbers.
-record(level, {type, name, path, tree, keeping}).
-record(options, {tests = 100, start_size = 1, max_size = 42, max_shrinks = 500, tries = 50,
                  seed, shrinks = true, fails = false, output = fun io:format/2, quiet = false,
                  long = false, setups = [], run = fun(F) -> F() end,
                  %% What generated functions are asked (erlscope_proper_calls).
                  notes}).

-define(COUNTEREXAMPLE, '$erlscope_proper_counterexample').
-define(COUNTEREXAMPLES, '$erlscope_proper_counterexamples').
%% Values that are looked for by ?EXISTS.
-define(SEARCH_STEPS, 1000).

-type outer_test() :: term().
-type test() :: term().
-type counterexample() :: [term()].
-export_type([outer_test/0, test/0, counterexample/0]).

%%% ------------------------------------------------------------------- properties

forall(Type, Fun) -> forall(Type, Fun, "").

%% Name: the text of the pattern that is bound.
forall(Type, Fun, Name) -> {'$property', forall, {Type, Fun, Name}}.

exists(Type, Fun, false) -> {'$property', exists, {Type, Fun}};
exists(Type, Fun, true) -> forall(Type, fun(Value) -> not Fun(Value) end).

implies(Condition, Delayed) -> {'$property', implies, {Condition, Delayed}}.

whenfail(Action, Delayed) -> {'$property', whenfail, {Action, Delayed}}.

trapexit(Delayed) -> {'$property', trapexit, Delayed}.

timeout(Milliseconds, Delayed) -> {'$property', timeout, {Milliseconds, Delayed}}.

always(Times, Delayed) -> {'$property', always, {Times, Delayed}}.

sometimes(Times, Delayed) -> {'$property', sometimes, {Times, Delayed}}.

conjunction(Tagged) -> {'$property', conjunction, Tagged}.

equals(A, B) ->
    whenfail(fun() -> io:format("~tp =/= ~tp~n", [A, B]) end, fun() -> A =:= B end).

collect(Category, Property) -> aggregate([Category], Property).

collect(Printer, Category, Property) -> aggregate(Printer, [Category], Property).

aggregate(Categories, Property) -> aggregate(undefined, Categories, Property).

aggregate(Printer, Categories, Property) -> {'$property', sample, {Printer, Categories, Property}}.

classify(false, _, Property) -> aggregate([], Property);
classify(true, Categories, Property) when is_list(Categories) ->
    case io_lib:printable_unicode_list(Categories) of
        true -> aggregate([Categories], Property);
        false -> aggregate(Categories, Property)
    end;
classify(true, Category, Property) -> aggregate([Category], Property).

measure(Title, Numbers, Property) when is_list(Numbers) ->
    aggregate({measure, Title}, Numbers, Property);
measure(Title, Number, Property) ->
    measure(Title, [Number], Property).

with_title(Title) -> {title, Title}.

%% Around a whole property.
numtests(N, Property) -> {'$outer', {numtests, N}, Property}.

fails(Property) -> {'$outer', fails, Property}.

on_output(Print, Property) -> {'$outer', {on_output, Print}, Property}.

setup(Setup, Property) -> {'$outer', {setup, Setup}, Property}.

%%% --------------------------------------------------------------------- checking

quickcheck(Property) -> quickcheck(Property, []).

quickcheck(Property, Given) ->
    case options(Given) of
        {error, _} = Error ->
            Error;
        Options ->
            Report = check_all(Property, Options),
            erlscope_proper_text:print(Report, print_of(Options)),
            result(Report, Options)
    end.

%% `fails` is a property that is meant to have a counterexample.
result(#{result := passed}, _) -> true;
result(#{result := failed, counterexample := Counterexample}, #options{long = Long}) ->
    put(?COUNTEREXAMPLE, Counterexample),
    case Long of
        true -> Counterexample;
        false -> false
    end;
result(#{result := error, reason := Reason}, _) -> {error, Reason}.

counterexample() ->
    case get(?COUNTEREXAMPLE) of
        undefined -> undefined;
        Counterexample -> Counterexample
    end.

counterexample(Property) -> counterexample(Property, []).

counterexample(Property, Options) when is_list(Options) -> quickcheck(Property, [long_result | Options]);
counterexample(Property, Option) -> counterexample(Property, [Option]).

counterexamples() ->
    case get(?COUNTEREXAMPLES) of
        undefined -> [];
        Known -> Known
    end.

%% Whether a property holds for given values.
check(Property, Counterexample) -> check(Property, Counterexample, []).

check(Property, Counterexample, Given) ->
    Options = options(Given),
    {Inner, #options{} = Whole} = outer(Property, Options),
    Report = with_setups(Whole, fun() -> check_given(Inner, Counterexample, Whole) end),
    erlscope_proper_text:print(Report, print_of(Whole)),
    result(Report, Whole#options{long = false}).

check_given(Property, Counterexample, Options) ->
    case one(Property, #run{size = Options#options.max_size, given = Counterexample}, Options) of
        {pass, Run} -> report(passed, 1, 0, [Run], Options);
        {rejected, _} -> #{result => error, reason => rejected, tests => 1, rejected => 1};
        {{error, Reason}, _} -> #{result => error, reason => Reason, tests => 1, rejected => 0};
        {{failed, Why}, Run} -> failed(Property, Why, Run, {Run, 0, true}, 1, 0, Options)
    end.

%% The properties of a module that fail.
module(Module) -> module(Module, []).

module(Module, Options) ->
    Properties = [F || {F, 0} <- Module:module_info(exports), lists:prefix("prop_", atom_to_list(F))],
    Failing = [{{Module, F, 0}, counterexample()}
               || F <- Properties, begin
                                       io:format("Testing ~tp:~tp/0~n", [Module, F]),
                                       quickcheck(Module:F(), Options) =/= true
                                   end],
    put(?COUNTEREXAMPLES, Failing),
    [Name || {Name, _} <- Failing].

clean_garbage() ->
    _ = [erase(Key) || Key <- [?COUNTEREXAMPLE, ?COUNTEREXAMPLES]],
    ok.

%% Whether a function gives what its spec says for what it says.
check_spec(Function) -> check_spec(Function, []).

check_spec(Function, Option) when not is_list(Option) ->
    check_spec(Function, [Option]);
check_spec(Function, Options) ->
    Allowed = case [F || {false_positive_mfas, F} <- Options, is_function(F, 3)] of
                  [F | _] -> F;
                  [] -> fun(_, _, _) -> false end
              end,
    case erlscope_proper_spec:property(Function, Allowed) of
        {error, _} = Error -> Error;
        Property -> quickcheck(Property, Options)
    end.

%% The functions of a module that do not.
check_specs(Module) -> check_specs(Module, []).

check_specs(Module, Option) when not is_list(Option) ->
    check_specs(Module, [Option]);
check_specs(Module, Options) ->
    Skipped = lists:append([Functions || {skip_mfas, Functions} <- Options]),
    Failing = [{Function, counterexample()}
               || {M, F, A} = Function <- erlscope_proper_spec:functions(Module) -- Skipped,
                  begin
                      io:format("Testing ~tp:~tp/~b~n", [M, F, A]),
                      check_spec(Function, Options) =/= true
                  end],
    put(?COUNTEREXAMPLES, Failing),
    [Function || {Function, _} <- Failing].

%%% ---------------------------------------------------------------------- options

options(Given) when is_list(Given) ->
    lists:foldl(fun(_, {error, _} = Error) -> Error;
                   (Option, Options) -> option(Option, Options)
                end, #options{}, Given);
options(Option) ->
    options([Option]).

option(quiet, O) -> O#options{quiet = true};
option(verbose, O) -> O#options{quiet = false};
option({to_file, Device}, O) ->
    O#options{output = fun(Format, Arguments) -> io:format(Device, Format, Arguments) end};
option({on_output, Print}, O) when is_function(Print, 2) -> O#options{output = Print};
option(long_result, O) -> O#options{long = true};
option(N, O) when is_integer(N), N > 0 -> O#options{tests = N};
option({numtests, N}, O) when is_integer(N), N > 0 -> O#options{tests = N};
option({start_size, N}, O) when is_integer(N), N >= 0 -> O#options{start_size = N};
option({max_size, N}, O) when is_integer(N), N >= 0 -> O#options{max_size = N};
option({max_shrinks, N}, O) when is_integer(N), N >= 0 -> O#options{max_shrinks = N};
option(noshrink, O) -> O#options{shrinks = false};
option({constraint_tries, N}, O) when is_integer(N), N > 0 -> O#options{tries = N};
option({seed, Seed}, O) -> O#options{seed = Seed};
option(fails, O) -> O#options{fails = true};
option({erlscope_run, Run}, O) -> O#options{run = Run};
%% What makes no difference here.
option(Ignored, O) when Ignored =:= nocolors; Ignored =:= any_to_integer; Ignored =:= skip -> O;
option({Ignored, _}, O)
  when Ignored =:= numworkers; Ignored =:= strategy_fun; Ignored =:= stop_nodes;
       Ignored =:= search_steps; Ignored =:= search_strategy; Ignored =:= spec_timeout;
       Ignored =:= skip_mfas; Ignored =:= false_positive_mfas; Ignored =:= max_shrink_tries -> O;
option(Other, _) -> {error, {unrecognized_option, Other}}.

print_of(#options{quiet = true}) -> fun(_, _) -> ok end;
print_of(#options{output = Print}) -> Print.

%% A property without what is around it, and the options that says.
outer({'$outer', {numtests, N}, Property}, O) -> outer(Property, O#options{tests = N});
outer({'$outer', fails, Property}, O) -> outer(Property, O#options{fails = true});
outer({'$outer', {on_output, Print}, Property}, O) -> outer(Property, O#options{output = Print});
outer({'$outer', {setup, Setup}, Property}, #options{setups = Setups} = O) ->
    outer(Property, O#options{setups = Setups ++ [Setup]});
outer(Property, O) -> {Property, O}.

with_setups(#options{setups = Setups}, Body) ->
    Cleanups = [case Setup() of
                    Cleanup when is_function(Cleanup, 0) -> Cleanup;
                    _ -> fun() -> ok end
                end || Setup <- Setups],
    try Body()
    after lists:foreach(fun(Cleanup) -> Cleanup() end, lists:reverse(Cleanups))
    end.

%%% -------------------------------------------------------------------- all tests

%% For Erlscope: a report, with nothing printed.
erlscope_check(Property, Given) ->
    case options(Given) of
        {error, Reason} -> #{result => error, reason => Reason, tests => 0, rejected => 0};
        Options -> check_all(Property, Options)
    end.

%% The same for values that are given.
erlscope_check_given(Property, Values, Given) ->
    {Inner, Options} = outer(Property, options(Given)),
    with_setups(Options, fun() -> check_given(Inner, Values, Options) end).

%% Fails as a property does with given values.
erlscope_hold(Property, Values) ->
    {Inner, Options} = outer(Property, #options{}),
    Result = with_setups(Options, fun() -> started(Inner, #run{size = 1, given = Values}) end),
    case Result of
        {{failed, {exception, Class, Reason, Stack}}, _} -> erlang:raise(Class, Reason, Stack);
        {{failed, Why}, _} -> error({property_failed, Why});
        {{error, Reason}, _} -> error({property_error, Reason});
        _ -> ok
    end.

%% Values of the first small tests of a property, without running more of it than finds them.
erlscope_cases(Property, Count, Given) ->
    {Inner, Options0} = outer(Property, options(Given)),
    Options = Options0#options{tests = 8 * Count, max_size = 4},
    with_setups(Options, fun() -> distinct_cases(Inner, seeded(Options), 1, Count, [], Options) end).

distinct_cases(_, _, N, Count, Known, #options{tests = N0}) when N > N0; length(Known) >= Count ->
    lists:reverse(Known);
distinct_cases(Property, Random, N, Count, Known, Options) ->
    {Seed, Next} = rand:uniform_s(1 bsl 58, Random),
    {_, #run{levels = Levels}} = one_seeded(Property, Seed, size_of(N, Options), Options),
    Case = counterexample_of(lists:reverse(Levels)),
    NewKnown = case lists:member(Case, Known) of
                   true -> Known;
                   false -> [Case | Known]
               end,
    distinct_cases(Property, Next, N + 1, Count, NewKnown, Options).

check_all(Property, Given) ->
    {Inner, Options} = outer(Property, Given),
    Notes = erlscope_proper_calls:new(),
    Noting = Options#options{notes = Notes},
    try with_setups(Options, fun() -> tests(Inner, seeded(Options), 0, 0, [], Noting) end)
    after erlscope_proper_calls:delete(Notes)
    end.

seeded(#options{seed = undefined}) -> rand:seed_s(exsss);
seeded(#options{seed = Seed}) -> rand:seed_s(exsss, Seed).

size_of(N, #options{start_size = Start, max_size = Max, tests = Tests}) ->
    max(Start, min(Max, Start + (N - 1) * (Max - Start + 1) div Tests)).

tests(_, _, Passed, Rejected, Runs, #options{tests = Passed, fails = false} = Options) ->
    report(passed, Passed, Rejected, Runs, Options);
tests(_, _, Passed, Rejected, Runs, #options{tests = Passed} = Options) ->
    (report(failed, Passed, Rejected, Runs, Options))#{why => no_counterexample, counterexample => []};
tests(_, _, 0, Rejected, _, #options{tests = Tests, tries = Tries}) when Rejected >= Tests * Tries ->
    #{result => error, reason => cant_satisfy, tests => 0, rejected => Rejected};
tests(_, _, Passed, Rejected, Runs, #options{tests = Tests, tries = Tries} = Options)
  when Rejected >= Tests * Tries ->
    report(passed, Passed, Rejected, Runs, Options);
tests(Property, Random, Passed, Rejected, Runs, Options) ->
    {Seed, Next} = rand:uniform_s(1 bsl 58, Random),
    case one_seeded(Property, Seed, size_of(Passed + 1 + Rejected div 10, Options), Options) of
        {pass, Run} ->
            tests(Property, Next, Passed + 1, Rejected, noted(Run, Runs), Options);
        {rejected, _} ->
            tests(Property, Next, Passed, Rejected + 1, Runs, Options);
        {{error, Reason}, _} ->
            #{result => error, reason => Reason, tests => Passed, rejected => Rejected};
        {{failed, _}, _} when Options#options.fails ->
            report(passed, Passed + 1, Rejected, Runs, Options);
        {{failed, Why}, Run} ->
            Texts = erlscope_proper_calls:texts(Options#options.notes),
            Small = shrunk(Property, Why, Run, Options),
            Report = failed(Property, Why, Run, Small, Passed + 1, Rejected, Options),
            Report#{first_texts => Texts}
    end.

%% Only what has samples is kept.
noted(#run{samples = []}, Runs) -> Runs;
noted(Run, Runs) -> [Run#run{forced = [], levels = []} | Runs].

report(Result, Tests, Rejected, Runs, Options) ->
    #{result => Result, tests => Tests, rejected => Rejected, wanted => Options#options.tests,
      samples => lists:append([lists:reverse(Samples) || #run{samples = Samples} <- lists:reverse(Runs)])}.

failed(Property, FirstWhy, First, {Small, Shrinks, IsMinimal}, Tests, Rejected, Options) ->
    Forced = lists:reverse(Small#run.levels),
    Notes = Options#options.notes,
    erlscope_proper_calls:forget(Notes),
    {Result, Again} = one(Property, #run{size = Small#run.size, forced = Forced}, Options),
    Why = case Result of
              {failed, Reason} -> Reason;
              %% It does not fail each time.
              _ -> {unstable, FirstWhy}
          end,
    run_actions(Again, Options),
    #{result => failed, tests => Tests, rejected => Rejected, shrinks => Shrinks, is_minimal => IsMinimal,
      why => Why, counterexample => counterexample_of(Forced), values => named(Forced),
      first => named(lists:reverse(First#run.levels)), samples => [],
      texts => erlscope_proper_calls:texts(Notes)}.

run_actions(#run{actions = Actions}, #options{run = InProcess}) ->
    _ = [InProcess(fun() ->
                           try Action()
                           catch Class:Reason -> io:format("?WHENFAIL: ~tp:~tp~n", [Class, Reason])
                           end
                   end) || Action <- lists:reverse(Actions)],
    ok.

named(Levels) ->
    [{lists:join(".", [io_lib:format("~tp", [Tag]) || Tag <- Path] ++ [Name]),
      erlscope_proper_tree:value(Tree)}
     || #level{name = Name, tree = Tree, path = Path} <- Levels].

%% [Value of the first ?FORALL, …], in a conjunction [[{Tag, [Value, …]}]].
counterexample_of(Levels) ->
    {Own, Inner} = lists:partition(fun(#level{path = Path}) -> Path =:= [] end, Levels),
    Tags = lists:uniq([hd(Path) || #level{path = Path} <- Inner]),
    Of = fun(Tag) -> [L#level{path = Rest} || #level{path = [T | Rest]} = L <- Inner, T =:= Tag] end,
    [erlscope_proper_tree:value(L#level.tree) || L <- Own]
        ++ [[{Tag, counterexample_of(Of(Tag))} || Tag <- Tags] || Tags =/= []].

%%% --------------------------------------------------------------------- shrinking

%% {The smallest run that fails as this one, how often it was made smaller, whether it is minimal}
shrunk(_, _, Run, #options{shrinks = false}) ->
    {Run, 0, false};
shrunk(Property, Why, Run, Options) ->
    smaller(Property, kind(Why), Run, 1, 0, Options).

%% Level: which one is tried. When all were tried in vain since the last success, it is done.
smaller(_, _, Run, _, Shrinks, #options{max_shrinks = Shrinks}) ->
    {Run, Shrinks, false};
smaller(Property, Kind, #run{levels = Levels} = Run, Number, Shrinks, Options)
  when Number =< length(Levels) ->
    {Before, [Level | After]} = lists:split(Number - 1, lists:reverse(Levels)),
    Children = erlscope_proper_tree:children(Level#level.tree),
    case first_failing(Children, Before, Level, After, Property, Kind, Run, Options) of
        %% A smaller value may let those before it be smaller, too.
        {ok, Smaller} -> smaller(Property, Kind, Smaller, 1, Shrinks + 1, Options);
        none -> smaller(Property, Kind, Run, Number + 1, Shrinks, Options)
    end;
smaller(_, _, Run, _, Shrinks, _) ->
    {Run, Shrinks, true}.

first_failing([], _, _, _, _, _, _, _) ->
    none;
first_failing([Child | Rest], Before, Level, After, Property, Kind, #run{size = Size} = Run, Options) ->
    Forced = Before ++ [Level#level{tree = Child} | After],
    case one(Property, #run{size = Size, forced = Forced}, Options) of
        {{failed, Why}, Smaller} ->
            case kind(Why) =:= Kind of
                true -> {ok, Smaller};
                false -> first_failing(Rest, Before, Level, After, Property, Kind, Run, Options)
            end;
        _ ->
            first_failing(Rest, Before, Level, After, Property, Kind, Run, Options)
    end.

%% What failures have in common that are the same but for their values.
kind({exception, Class, Reason, _}) -> {exception, Class, tag(Reason)};
kind({trapped, Reason}) -> {trapped, tag(Reason)};
kind({died, Reason}) -> {died, tag(Reason)};
kind({conjunction, Failed}) -> {conjunction, [{Tag, kind(Why)} || {Tag, Why} <- Failed]};
kind(Why) -> Why.

tag(Reason) when is_tuple(Reason), tuple_size(Reason) > 0 -> tag(element(1, Reason));
tag(Reason) when is_atom(Reason) -> Reason;
tag(_) -> other.

%%% ---------------------------------------------------------------------- one test

one_seeded(Property, Seed, Size, #options{tries = Tries} = Options) ->
    in_process(fun() ->
                       proper_gen:seed(Seed),
                       proper_gen:tries(Tries),
                       started(Property, #run{size = Size})
               end, #run{size = Size}, Options).

one(Property, Run, #options{tries = Tries} = Options) ->
    in_process(fun() ->
                       proper_gen:tries(Tries),
                       started(Property, Run)
               end, Run, Options).

%% Somebody may have tests run in a process that can end: {died, Reason, What it has come to}.
in_process(Test, Run, #options{run = InProcess, notes = Notes}) ->
    Noted = fun() -> erlscope_proper_calls:note_in(Notes), Test() end,
    case InProcess(Noted) of
        {died, Reason, undefined} -> {{failed, {died, Reason}}, Run};
        {died, Reason, #run{} = SoFar} -> {{failed, {died, Reason}}, SoFar};
        Result -> Result
    end.

started(Property, Run) ->
    try run(Property, Run)
    catch throw:{erlscope_proper, Reason} -> {{error, Reason}, Run}
    end.

%% {pass | rejected | {failed, Why} | {error, Reason}, Run}
run(true, Run) ->
    {pass, Run};
run(false, Run) ->
    {{failed, false}, Run};
run({'$property', Kind, About}, Run) ->
    run(Kind, About, Run);
run({'$outer', _, _}, Run) ->
    {{error, {type_mismatch, outer_wrapper_inside}}, Run};
run(Delayed, Run) when is_function(Delayed, 0) ->
    guarded(Delayed, Run);
run(Other, Run) ->
    {{error, {non_boolean_result, Other}}, Run}.

run(forall, {Type, Fun, Name}, Run) ->
    {Level, Rest} = level(Type, Name, Run),
    Drawn = Rest#run{levels = [Level | Rest#run.levels]},
    tell(Drawn),
    guarded(fun() -> Fun(erlscope_proper_tree:value(Level#level.tree)) end, Drawn);
run(exists, {Type, Fun}, Run) ->
    guarded(fun() -> is_found(Type, Fun, Run#run.size, ?SEARCH_STEPS) end, Run);
run(implies, {true, Delayed}, Run) ->
    guarded(Delayed, Run);
run(implies, {false, _}, Run) ->
    {rejected, Run};
run(implies, {Other, _}, Run) ->
    {{error, {non_boolean_result, Other}}, Run};
run(whenfail, {Action, Delayed}, Run) ->
    case guarded(Delayed, Run) of
        {{failed, _} = Failed, #run{actions = Actions} = Done} ->
            {Failed, Done#run{actions = [Action | Actions]}};
        Other ->
            Other
    end;
run(sample, {Printer, Categories, Property}, #run{samples = Samples} = Run) ->
    run(Property, Run#run{samples = [{Printer, Categories} | Samples]});
run(conjunction, Tagged, Run) ->
    conjunction(Tagged, given_of(Run), Run#run{given = inside(Run)}, []);
run(trapexit, Delayed, Run) ->
    Outside = process_flag(trap_exit, true),
    try aside(Delayed, Run, infinity)
    after process_flag(trap_exit, Outside)
    end;
run(timeout, {Milliseconds, Delayed}, Run) ->
    aside(Delayed, Run, Milliseconds);
run(always, {Times, Delayed}, Run) ->
    always(Times, Delayed, Run);
run(sometimes, {Times, Delayed}, Run) ->
    sometimes(Times, Delayed, Run, {pass, Run}).

always(0, _, Run) ->
    {pass, Run};
always(Times, Delayed, Run) ->
    case guarded(Delayed, Run) of
        {pass, _} -> always(Times - 1, Delayed, Run);
        Other -> Other
    end.

sometimes(0, _, _, Last) ->
    Last;
sometimes(Times, Delayed, Run, _) ->
    case guarded(Delayed, Run) of
        {{failed, _}, _} = Failed -> sometimes(Times - 1, Delayed, Run, Failed);
        Other -> Other
    end.

%% Who runs the test may want to know how far it came.
tell(Run) ->
    case get('$erlscope_proper_tell') of
        undefined -> ok;
        Tell -> Tell(Run)
    end.

%% What comes of a part of a property.
guarded(Make, Run) ->
    try Make() of
        Property -> run(Property, Run)
    catch
        throw:{erlscope_proper, _} = Reason -> throw(Reason);
        Class:Reason:Stack -> {{failed, {exception, Class, Reason, own(Stack)}}, Run}
    end.

%% Without the calls of this library that led to it.
own(Stack) ->
    lists:takewhile(fun(Entry) -> element(1, Entry) =/= ?MODULE end, Stack).

%% The value of a ?FORALL: given, forced, or drawn.
level(Type, Name, #run{given = [Value | Rest], path = Path} = Run) ->
    Tree = erlscope_proper_tree:leaf(Value),
    {#level{type = Type, name = Name, path = Path, tree = Tree}, Run#run{given = Rest}};
level(_, Name, #run{given = []}) ->
    throw({erlscope_proper, {no_value_for, Name}});
level(Type, Name, #run{forced = [#level{type = Type} = Level | Rest]} = Run) ->
    {Level#level{name = Name}, Run#run{forced = Rest}};
level(Type, Name, #run{forced = [#level{keeping = Keeping} = Level | Rest], size = Size} = Run) ->
    {Level#level{type = Type, name = Name, tree = drawn(Keeping, Type, Size)}, Run#run{forced = Rest}};
level(Type, Name, #run{size = Size, path = Path} = Run) ->
    Keeping = proper_gen:keeping(),
    {#level{type = Type, name = Name, path = Path, keeping = Keeping, tree = drawn(Keeping, Type, Size)},
     Run}.

drawn(Keeping, Type, Size) -> Keeping(fun() -> proper_gen:tree(Type, Size) end).

is_found(_, _, _, 0) ->
    false;
is_found(Type, Fun, Size, Steps) ->
    Value = erlscope_proper_tree:value(proper_gen:tree(Type, Size)),
    Fun(Value) =:= true orelse is_found(Type, Fun, Size, Steps - 1).

%% All parts are run; which fail, and why.
conjunction([], _, Run, []) ->
    {pass, Run};
conjunction([], _, Run, Failed) ->
    {{failed, {conjunction, lists:reverse(Failed)}}, Run};
conjunction([{Tag, Property} | Rest], Given, #run{path = Path} = Run, Failed) ->
    Own = case Given of
              undefined -> undefined;
              _ -> proplists:get_value(Tag, Given, [])
          end,
    {Result, Done} = run(Property, Run#run{path = Path ++ [Tag], given = Own}),
    Next = Done#run{path = Path, given = Run#run.given},
    case Result of
        {failed, Why} -> conjunction(Rest, Given, Next, [{Tag, Why} | Failed]);
        {error, _} -> {Result, Next};
        _ -> conjunction(Rest, Given, Next, Failed)
    end.

given_of(#run{given = [Tagged | _]}) when is_list(Tagged) -> Tagged;
given_of(#run{given = undefined}) -> undefined;
given_of(_) -> [].

inside(#run{given = [_ | Rest]}) -> Rest;
inside(#run{given = Given}) -> Given.

%% In a process of its own, which may end, or take too long.
aside(Delayed, Run, Milliseconds) ->
    Parent = self(),
    Ref = make_ref(),
    Keeping = proper_gen:keeping(),
    {Pid, Monitor} =
        spawn_opt(fun() ->
                          Parent ! {Ref, Keeping(fun() -> guarded(Delayed, Run) end)}
                  end, [link, monitor]),
    Done = receive
               {Ref, Result} -> Result;
               {'DOWN', Monitor, process, Pid, Reason} -> {{failed, {trapped, Reason}}, Run}
           after Milliseconds ->
                   unlink(Pid),
                   exit(Pid, kill),
                   {{failed, {timeout, Milliseconds}}, Run}
           end,
    %% Nothing of it is left behind.
    unlink(Pid),
    exit(Pid, kill),
    demonitor(Monitor, [flush]),
    receive {'EXIT', Pid, _} -> ok after 0 -> ok end,
    Done.
