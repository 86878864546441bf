%% Common Test: what suites call. Text goes to the output of the test case;
%% settings of the running case are found through its group leader.
-module(ct).

-export([pal/1, pal/2, pal/3, pal/4, pal/5, log/1, log/2, log/3, log/4, log/5,
         print/1, print/2, print/3, print/4, print/5,
         fail/1, fail/2, comment/1, comment/2, sleep/1, timetrap/1, get_timetrap_info/0,
         get_config/1, get_config/2, get_config/3, require/1, require/2,
         add_config/2, reload_config/1, remove_config/2, listenv/1,
         capture_start/0, capture_stop/0, capture_get/0, capture_get/1,
         get_status/0, abort_current_testcase/1, make_priv_dir/0, get_progname/0,
         notify/2, sync_notify/2, get_event_mgr_ref/0, get_verbosity/1, set_verbosity/2,
         get_target_name/1, get_testspec_terms/0, get_testspec_terms/1, parse_table/1,
         remaining_test_procs/0, run_test/1, run/1, run/2, run/3, install/1, start_interactive/0,
         stop_interactive/0, break/1, break/2, continue/0, continue/1]).

%%% -------------------------------------------------------------------- output

%% The arguments are, in this order and each optional: a category (an atom), an
%% importance (a number), the format, its arguments, options (with at least
%% category, importance, format and arguments before them).

pal(Format) -> put_text([Format]).
pal(X1, X2) -> put_text([X1, X2]).
pal(X1, X2, X3) -> put_text([X1, X2, X3]).
pal(X1, X2, X3, X4) -> put_text([X1, X2, X3, X4]).
pal(X1, X2, X3, X4, _Options) -> put_text([X1, X2, X3, X4]).

log(Format) -> put_text([Format]).
log(X1, X2) -> put_text([X1, X2]).
log(X1, X2, X3) -> put_text([X1, X2, X3]).
log(X1, X2, X3, X4) -> put_text([X1, X2, X3, X4]).
log(X1, X2, X3, X4, _Options) -> put_text([X1, X2, X3, X4]).

print(Format) -> put_text([Format]).
print(X1, X2) -> put_text([X1, X2]).
print(X1, X2, X3) -> put_text([X1, X2, X3]).
print(X1, X2, X3, X4) -> put_text([X1, X2, X3, X4]).
print(X1, X2, X3, X4, _Options) -> put_text([X1, X2, X3, X4]).

put_text([Category | Rest]) when is_atom(Category) -> put_text(Rest);
put_text([Importance | Rest]) when is_integer(Importance) -> put_text(Rest);
put_text([Format]) -> put_text([Format, []]);
put_text([Format, Args | _]) ->
    Text = try io_lib:format(Format, Args)
           catch _:_ -> io_lib:format("~tp ~tp", [Format, Args])
           end,
    io:put_chars([Text, $\n]),
    ok.

%%% ------------------------------------------------------------ the test case

fail(Reason) -> exit({test_case_failed, Reason}).

fail(Format, Args) ->
    try lists:flatten(io_lib:format(Format, Args)) of
        Text -> exit({test_case_failed, Text})
    catch
        error:badarg -> exit({badarg, {?MODULE, fail, [Format, Args]}})
    end.

comment(Text) when is_list(Text); is_binary(Text) -> erlscope_ct:set(comment, Text);
comment(Term) -> comment(lists:flatten(io_lib:format("~tp", [Term]))).

comment(Format, Args) -> comment(lists:flatten(io_lib:format(Format, Args))).

sleep(Time) -> timer:sleep(test_server:milliseconds(Time)).

%% A new time limit for the running case, from now on.
timetrap(Time) ->
    erlscope_ct:timetrap(test_server:milliseconds(Time)).

get_timetrap_info() ->
    {erlscope_ct:setting(timetrap, 30 * 60 * 1000), {false, 1}}.

abort_current_testcase(Reason) -> erlscope_ct:abort(Reason).

get_status() ->
    case erlscope_ct:setting(current, none) of
        none -> no_tests_running;
        {Suite, Case} -> [{current, {Suite, Case}}, {successful, 0}, {failed, 0}, {skipped, {0, 0}}, {total, 0}]
    end.

make_priv_dir() -> ok.

get_progname() -> "erl".

remaining_test_procs() -> {[], [], []}.

%%% ------------------------------------------------------------- configuration

get_config(Key) -> get_config(Key, undefined).

get_config(Key, Default) -> get_config(Key, Default, []).

get_config(Key, Default, Options) ->
    All = erlscope_ct:config(),
    Values = case Key of
                 {Name, Path} -> [V || {K, Value} <- All, K =:= Name, V <- inside(Value, Path)];
                 _ -> [Value || {K, Value} <- All, K =:= Key]
             end,
    case {Values, lists:member(all, Options)} of
        {[], _} -> Default;
        {_, true} -> Values;
        {[First | _], false} -> First
    end.

inside(Value, []) -> [Value];
inside(Value, [Key | Keys]) when is_list(Value) -> [V || {K, Inner} <- Value, K =:= Key, V <- inside(Inner, Keys)];
inside(Value, Key) when is_list(Value), not is_list(Key) -> [V || {K, V} <- Value, K =:= Key];
inside(_, _) -> [].

require(Key) ->
    Missing = make_ref(),
    case get_config(Key, Missing) of
        Missing -> {error, {not_available, Key}};
        _ -> ok
    end.

require(Name, Key) ->
    Missing = make_ref(),
    case get_config(Key, Missing) of
        Missing -> {error, {not_available, Key}};
        Value -> erlscope_ct:add_config([{Name, Value}])
    end.

add_config(_Callback, Config) when is_list(Config) ->
    case file:consult(Config) of
        {ok, Terms} -> erlscope_ct:add_config([Pair || {_, _} = Pair <- Terms]);
        Error -> Error
    end.

reload_config(Key) ->
    case require(Key) of
        ok -> get_config(Key);
        Error -> Error
    end.

remove_config(_, _) -> ok.

listenv(_) -> [].

%%% ------------------------------------------------------------------- capture

capture_start() -> test_server:capture_start().
capture_stop() -> test_server:capture_stop().
capture_get() -> test_server:capture_get().
capture_get(_Exclude) -> test_server:capture_get().

%%% ------------------------------------------------------------------ the rest

notify(_, _) -> ok.
sync_notify(_, _) -> ok.
get_event_mgr_ref() -> ct_event.
get_verbosity(_) -> 100.
set_verbosity(_, _) -> ok.
get_target_name(_) -> {error, not_available}.
get_testspec_terms() -> undefined.
get_testspec_terms(_) -> undefined.
install(_) -> ok.
start_interactive() -> ok.
stop_interactive() -> ok.
break(_) -> ok.
break(_, _) -> ok.
continue() -> ok.
continue(_) -> ok.

%% Rows of a text table: {Heading, [Row]}.
parse_table(Data) ->
    Rows = [[string:trim(Cell) || Cell <- string:lexemes(Line, "|")]
            || Line <- Data, hd(string:trim(Line) ++ " ") =:= $|],
    case Rows of
        [Heading | Body] -> {list_to_tuple(Heading), [list_to_tuple(Row) || Row <- Body]};
        [] -> {{}, []}
    end.

%% {Passed, Failed, {SkippedByUser, SkippedAutomatically}}
run_test(Options) -> erlscope_ct:run_test(Options).

run(Dirs) -> run_test([{dir, Dirs}]).
run(Dir, Suite) -> run_test([{dir, Dir}, {suite, Suite}]).
run(Dir, Suite, Cases) -> run_test([{dir, Dir}, {suite, Suite}, {testcase, Cases}]).
