%% The older functions that test suites call, and those behind the macros of
%% ct.hrl.
-module(test_server).

-export([lookup_config/2, fail/0, fail/1, fail/2, format/1, format/2, format/3, comment/1,
         seconds/1, minutes/1, hours/1, sleep/1, adjusted_sleep/1, milliseconds/1,
         timetrap/1, timetrap_cancel/0, timetrap_cancel/1, timetrap_scale_factor/0,
         messages_get/0, capture_start/0, capture_stop/0, capture_get/0,
         do_times/2, do_times/4, m_out_of_n/3, call_crash/3, call_crash/4, call_crash/5, timecall/3,
         temp_name/1, os_type/0, is_cover/0, is_debug/0, is_valgrind/0, is_asan/0, is_native/1,
         is_commercial/0, is_release_available/1, memory_checker/0, run_on_shielded_node/2,
         app_test/1, app_test/2, appup_test/1, start_node/3, stop_node/1, wait_for_node/1,
         start_peer/3, start_peer/4, start_peer/5, peer_name/2, break/1, break/2, continue/0, continue/1]).

lookup_config(Key, Config) ->
    case lists:keyfind(Key, 1, Config) of
        {_, Value} -> Value;
        false -> undefined
    end.

fail() -> exit(suite_failed).
fail(Reason) -> exit({suite_failed, Reason}).
fail(Format, Args) -> fail(lists:flatten(io_lib:format(Format, Args))).

format(Format) -> format(minor, Format, []).
format(Detail, Format) when is_integer(Detail); is_atom(Detail) -> format(Detail, Format, []);
format(Format, Args) -> format(minor, Format, Args).
format(_Detail, Format, Args) -> io:format(Format, Args).

comment(Text) -> ct:comment(Text).

%%% ---------------------------------------------------------------------- time

seconds(N) -> trunc(N * 1000).
minutes(N) -> trunc(N * 1000 * 60).
hours(N) -> trunc(N * 1000 * 60 * 60).

milliseconds({seconds, N}) -> seconds(N);
milliseconds({minutes, N}) -> minutes(N);
milliseconds({hours, N}) -> hours(N);
milliseconds(infinity) -> infinity;
milliseconds({M, F, A}) -> milliseconds(apply(M, F, A));
milliseconds(Fun) when is_function(Fun, 0) -> milliseconds(Fun());
milliseconds(Time) when is_number(Time) -> trunc(Time).

sleep(Time) -> timer:sleep(milliseconds(Time)).
adjusted_sleep(Time) -> sleep(Time).

timetrap(Time) -> erlscope_ct:timetrap(milliseconds(Time)).
timetrap_cancel() -> erlscope_ct:timetrap(infinity).
timetrap_cancel(_) -> timetrap_cancel().
timetrap_scale_factor() -> 1.

timecall(M, F, A) ->
    Before = erlang:monotonic_time(),
    Value = apply(M, F, A),
    {erlang:convert_time_unit(erlang:monotonic_time() - Before, native, microsecond) / 1000000, Value}.

%%% ------------------------------------------------------- messages and output

messages_get() ->
    receive Message -> [Message | messages_get()] after 0 -> [] end.

capture_start() -> erlscope_ct:capture_start().
capture_stop() -> erlscope_ct:capture_stop().
capture_get() -> erlscope_ct:capture_get().

%%% --------------------------------------------------------------- repetition

do_times(N, M, F, A) when N > 0 ->
    apply(M, F, A),
    do_times(N - 1, M, F, A);
do_times(0, _, _, _) ->
    ok.

do_times(N, Fun) when N > 0 ->
    Fun(),
    do_times(N - 1, Fun);
do_times(0, _) ->
    ok.

%% M of N calls must succeed.
m_out_of_n(0, _, _) ->
    ok;
m_out_of_n(M, 0, _) ->
    exit({m_out_of_n_failed, {M, left_to_do}});
m_out_of_n(M, N, Fun) ->
    case catch Fun() of
        {'EXIT', _} -> m_out_of_n(M, N - 1, Fun);
        _ -> m_out_of_n(M - 1, N - 1, Fun)
    end.

%% The call must fail, with a given reason or with any.
call_crash(M, F, A) -> call_crash(infinity, any, M, F, A).
call_crash(Time, M, F, A) -> call_crash(Time, any, M, F, A).

call_crash(Time, Reason, M, F, A) ->
    {Pid, Ref} = spawn_monitor(M, F, A),
    receive
        {'DOWN', Ref, process, Pid, normal} -> exit(normal_exit);
        {'DOWN', Ref, process, Pid, _} when Reason =:= any -> ok;
        {'DOWN', Ref, process, Pid, Reason} -> ok;
        {'DOWN', Ref, process, Pid, {Reason, _}} -> ok;
        {'DOWN', Ref, process, Pid, Other} -> exit({wrong_crash_reason, Other})
    after Time ->
        exit(call_crash_timeout)
    end.

%%% --------------------------------------------------------------- environment

temp_name(Stem) ->
    Name = Stem ++ integer_to_list(erlang:unique_integer([positive])),
    case filelib:is_file(Name) of
        true -> temp_name(Stem);
        false -> Name
    end.

os_type() -> os:type().
is_cover() -> false.
is_debug() -> false.
is_valgrind() -> false.
is_asan() -> false.
is_native(_) -> false.
is_commercial() -> false.
is_release_available(_) -> false.
memory_checker() -> none.

run_on_shielded_node(Fun, _Args) -> Fun().

%% The descriptions of applications are not checked.
app_test(_) -> ok.
app_test(_, _) -> ok.
appup_test(_) -> ok.

%% Other nodes cannot be started.
start_node(_, _, _) -> no_node().
stop_node(_) -> true.
wait_for_node(_) -> ok.
start_peer(_, _, _) -> no_node().
start_peer(_, _, _, _) -> no_node().
start_peer(_, _, _, _, _) -> no_node().

no_node() -> erlscope_native:unsupported("other nodes cannot be started").

peer_name(Module, Case) -> peer:random_name(lists:concat([Module, "-", Case])).

break(_) -> ok.
break(_, _) -> ok.
continue() -> ok.
continue(_) -> ok.
