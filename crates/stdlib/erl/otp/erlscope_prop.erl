%% Runs the properties of a module (`prop_*/0`), with the PropEr that the program has, or with ours.
%%
%% Each is one test, told by erlscope_native:test_event/1 as those of EUnit are (NATIVES.md). A worker
%% runs the cases of a property one after the other; where one ends it (by a link), the case has
%% failed, and another worker runs the next. (PropEr itself runs its cases in one process.) What a property prints is its output.
-module(erlscope_prop).

-export([specs/1, run_all/2, cases/3, check/3]).

%% [{Function, Property}], to be run by run_all/2 with options #{tests, seed}, and `given`: the text of
%% values if these are to be run instead.
specs(Module) ->
    _ = code:ensure_loaded(Module),
    Exports = try Module:module_info(exports)
              catch error:undef -> []
              end,
    [{F, {property, Module, F}} || {F, 0} <- Exports, lists:prefix("prop_", atom_to_list(F))].

run_all(Specs, Options) ->
    Results = [run(N, Module, Function, Options)
               || {N, {Function, {property, Module, _}}} <- lists:zip(lists:seq(1, length(Specs)), Specs)],
    Passed = length([ok || ok <- Results]),
    erlscope_native:test_event({done, #{passed => Passed, failed => length(Results) - Passed,
                                        skipped => 0, cancelled => 0}}).

run(N, Module, Function, Options) ->
    About = #{id => [N], title => undefined, module => Module, function => Function, arity => 0},
    erlscope_native:test_event({test_begin, About}),
    Start = erlang:monotonic_time(millisecond),
    {Report, Output} = captured(fun() -> limited(fun() -> guarded(Module, Function, Options) end) end),
    Result = result(Report),
    Time = erlang:monotonic_time(millisecond) - Start,
    Told = About#{property => told(Report), output => Output, comment => comment(Report), time => Time},
    case Result of
        {cancelled, Reason} ->
            erlscope_native:test_event({cancelled, Told#{type => test, reason => Reason}}),
            failed;
        ok ->
            erlscope_native:test_event({test, Told#{result => ok}}),
            ok;
        _ ->
            erlscope_native:test_event({test, Told#{result => Result}}),
            failed
    end.

%% {What a function gives, what was printed meanwhile}
captured(Fun) ->
    Device = erlscope_native:io_capture(),
    Leader = spawn_link(fun() -> erlscope_io:loop(Device) end),
    erlscope_native:io_attach(Leader, Device),
    Outside = group_leader(),
    group_leader(Leader, self()),
    Result = Fun(),
    group_leader(Outside, self()),
    Output = iolist_to_binary(erlscope_native:io_captured(Device)),
    unlink(Leader),
    exit(Leader, kill),
    {Result, Output}.

%% In a process of its own, which has a day: nobody waits for a property that does not end.
limited(Fun) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({?MODULE, Fun()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {?MODULE, Report}} -> Report;
        {'DOWN', Monitor, process, Pid, Reason} -> #{result => failed, why => {died, Reason}}
    after timer:hours(24) ->
            exit(Pid, kill),
            receive {'DOWN', Monitor, process, Pid, _} -> ok end,
            #{result => cancelled, reason => timeout}
    end.

guarded(Module, Function, Options) ->
    try report(Module, Function, Options)
    catch
        throw:{erlscope_proper, Reason} -> #{result => error, reason => Reason};
        error:{not_supported, _} = Reason -> #{result => error, reason => Reason};
        Class:Reason:Stack -> #{result => crashed, why => {exception, Class, Reason, Stack}}
    end.

%%% -------------------------------------------------------------------- one property

report(Module, Function, Options) ->
    case {is_ours(), given(Options)} of
        {true, {values, Values, Texts}} ->
            Checked = in_worker(fun(Run) ->
                                        checked(Module, Function, Values, [{erlscope_run, Run}])
                                end),
            Checked#{texts => Texts};
        {true, none} ->
            #{tests := Tests, seed := Seed} = Options,
            All = [{numtests, Tests}, {seed, Seed}],
            in_worker(fun(Run) -> proper:erlscope_check(Module:Function(), [{erlscope_run, Run} | All]) end);
        {false, {values, Values, _}} ->
            foreign_result(proper:check(Module:Function(), Values, [{to_file, group_leader()}]), Values);
        {false, none} ->
            foreign(Module, Function, Options)
    end.

%% Values that somebody wrote down, and the texts of functions in them.
given(#{given := Text}) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Text) ++ "."),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    {Values, Texts} = erlscope_proper_calls:from_form(Form),
    {values, Values, Texts};
given(_) ->
    none.

%% Values as text that can be read again, if they can. (A function that is read is another one.)
source(#{counterexample := Values} = Report) ->
    Known = maps:get(texts, Report, []),
    Text = unicode:characters_to_binary(erlscope_proper_calls:text(Values, Known)),
    try given(#{given => Text}) of
        {values, Values, []} -> Text;
        {values, _, [_ | _]} -> Text;
        _ -> undefined
    catch
        _:_ -> undefined
    end;
source(_) ->
    undefined.

%% Whether `proper` is the one of this library.
is_ours() ->
    case code:ensure_loaded(proper) of
        {module, _} -> erlang:function_exported(proper, erlscope_check, 2);
        _ -> error({undefined_module, proper})
    end.

checked(Module, Function, Values, Options) ->
    proper:erlscope_check_given(Module:Function(), Values, Options).

%% PropEr itself. Older versions have fewer options.
foreign(Module, Function, #{tests := Tests, seed := Seed}) ->
    Known = [Option || Option <- [{seed, {Seed rem 30000 + 1, Seed rem 29999 + 2, Seed rem 29989 + 3}},
                                  nocolors], is_known(Option)],
    Options = [long_result, {numtests, Tests}, {to_file, group_leader()} | Known],
    foreign_result(proper:quickcheck(Module:Function(), Options), undefined).

is_known(Option) ->
    {Result, _} = captured(fun() -> proper:quickcheck(true, [quiet, {numtests, 1}, Option]) end),
    Result =:= true.

foreign_result(true, _) -> #{result => passed};
foreign_result(false, Values) when is_list(Values) -> foreign_failed(Values);
foreign_result({error, Reason}, _) -> #{result => error, reason => Reason};
foreign_result(Values, _) when is_list(Values) -> foreign_failed(Values);
foreign_result(_, _) -> foreign_failed([]).

foreign_failed(Values) ->
    #{result => failed, why => false, counterexample => Values, values => [{"", V} || V <- Values]}.

%%% ------------------------------------------------------------------------- workers

%% A function that runs others in a process that may end.
in_worker(Body) ->
    Key = {?MODULE, worker},
    process_flag(trap_exit, true),
    try Body(fun(Test) -> in_worker(Test, Key) end)
    after
        case erase(Key) of
            undefined -> ok;
            {Pid, Monitor} ->
                demonitor(Monitor, [flush]),
                exit(Pid, kill)
        end
    end.

in_worker(Test, Key) ->
    {Pid, Monitor} = worker(Key),
    Pid ! {run, self(), Test},
    await(Pid, Monitor, Key, undefined).

worker(Key) ->
    case get(Key) of
        undefined ->
            New = spawn_opt(fun work/0, [link, monitor]),
            put(Key, New),
            New;
        Known ->
            Known
    end.

await(Pid, Monitor, Key, SoFar) ->
    receive
        {Pid, so_far, Run} -> await(Pid, Monitor, Key, Run);
        {Pid, done, Result} -> Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            erase(Key),
            receive {'EXIT', Pid, _} -> ok end,
            {died, Reason, SoFar}
    end.

work() ->
    receive
        {run, From, Test} ->
            put('$erlscope_proper_tell', fun(Run) -> From ! {self(), so_far, Run} end),
            From ! {self(), done, Test()},
            work()
    end.

%%% -------------------------------------------------------------------- what is told

result(#{result := passed}) -> ok;
result(#{result := cancelled, reason := Reason}) -> {cancelled, Reason};
result(#{result := crashed, why := {exception, Class, Reason, Stack}}) ->
    {failed, Class, Reason, frames(Stack)};
result(#{result := error, reason := Reason}) -> {failed, error, {property_error, Reason}, []};
result(#{result := failed, why := Why}) ->
    {Class, Reason, Stack} = exception(Why),
    {failed, Class, Reason, frames(Stack)}.

exception({exception, Class, Reason, Stack}) -> {Class, Reason, Stack};
exception({died, {Reason, [{_, _, _, _} | _] = Stack}}) -> {exit, Reason, Stack};
exception({died, Reason}) -> {exit, Reason, []};
exception({trapped, {Reason, [{_, _, _, _} | _] = Stack}}) -> {exit, Reason, Stack};
exception({trapped, Reason}) -> {exit, Reason, []};
exception(Why) -> {error, {property_failed, Why}, []}.

frames(Stack) ->
    lists:takewhile(fun(Entry) -> not lists:member(element(1, Entry), [?MODULE, proper]) end, Stack).

%% What is said of the property beside its result.
told(#{result := Result} = Report) ->
    Figures = maps:with([tests, rejected, shrinks, is_minimal], Report),
    Texts = maps:get(texts, Report, []),
    First = maps:get(first_texts, Report, Texts),
    Values = fun(Key, Known) ->
                     [value(unicode:characters_to_binary(Name), Value, Known)
                      || {Name, Value} <- maps:get(Key, Report, [])]
             end,
    Own = #{result => Result, source => source(Report), values => Values(values, Texts), first => Values(first, First),
            statistics => unicode:characters_to_binary(sampled(Report))},
    maps:merge(Own, maps:merge(Figures, maps:with([counterexample, why], Report))).

%% A value, and its text if there are functions in it that terms do not show.
value(Name, Value, Texts) ->
    case has_function(Value) of
        true -> {Name, Value, unicode:characters_to_binary(erlscope_proper_calls:text(Value, Texts))};
        false -> {Name, Value}
    end.

has_function(Fun) when is_function(Fun) -> true;
has_function([First | Rest]) -> has_function(First) orelse has_function(Rest);
has_function(Tuple) when is_tuple(Tuple) -> has_function(tuple_to_list(Tuple));
has_function(Map) when is_map(Map) -> has_function(maps:to_list(Map));
has_function(_) -> false.

sampled(#{samples := _} = Report) -> erlscope_proper_text:sampled(Report);
sampled(_) -> "".

comment(#{result := passed, tests := 1}) -> <<"1 test">>;
comment(#{result := passed, tests := Tests}) -> <<(integer_to_binary(Tests))/binary, " tests">>;
comment(_) -> undefined.

%%% ------------------------------------------------------------------- for exploration

%% [{Text, Values}] of small cases of a property, the values to be given to check/3. Those that cannot be
%% written down are left out.
cases(Module, Function, #{count := Count, seed := Seed}) ->
    is_ours() orelse error({not_supported, {explore, proper}}),
    Cases = in_worker(fun(Run) ->
                              Options = [{seed, Seed}, {erlscope_run, Run}],
                              proper:erlscope_cases(Module:Function(), Count, Options)
                      end),
    [{Text, Values} || Values <- Cases, Text <- [source(#{counterexample => Values})], is_binary(Text)].

%% Whether a property holds for values: in this process, with nothing around it. Fails as it does.
check(Module, Function, Values) ->
    proper:erlscope_hold(Module:Function(), Values).
