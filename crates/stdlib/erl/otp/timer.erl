%% Timers and measuring time.
%%
%% Sending to a local process is an erlang timer and nothing else. What must
%% happen somewhere (applying, exiting, sending to names, intervals) is done by
%% the process timer_server, which is started when first needed. Its state is a
%% map from timer reference to the current erlang timer; an interval timer's
%% reference is the monitor of the process that it depends on.
%%
%% Under a tool that tries all schedules an interval timer ticks a number of times
%% and not for ever: how often it has ticked before somebody else goes on makes a schedule of its own.
-module(timer).
-behaviour(gen_server).

-export([apply_after/2, apply_after/3, apply_after/4, apply_interval/2, apply_interval/3, apply_interval/4,
         apply_repeatedly/2, apply_repeatedly/3, apply_repeatedly/4, send_after/2, send_after/3,
         send_interval/2, send_interval/3, exit_after/2, exit_after/3,
         kill_after/1, kill_after/2, cancel/1, sleep/1,
         tc/1, tc/2, tc/3, now_diff/2, seconds/1, minutes/1, hours/1, hms/3, start/0]).

-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-export_type([tref/0]).

-type time() :: non_neg_integer().
-type tref() :: {instant | send_local | once | interval, reference()}.

-define(IS_TIME(T), (is_integer(T) andalso T >= 0)).
-define(IS_MFA(M, F, A), (is_atom(M) andalso is_atom(F) andalso is_list(A))).
-define(MAX_RECEIVE_AFTER, 16#FFFFFFFF).
-define(MAX_EXPLORED_TICKS, 50).

%%% ----------------------------------------------------------------------- API

-spec apply_interval(time(), module(), atom(), [term()]) -> {ok, tref()} | {error, term()}.
-spec send_after(time(), Message :: term()) -> {ok, tref()} | {error, term()}.
-spec send_after(time(), pid() | atom() | {atom(), node()}, Message :: term()) ->
    {ok, tref()} | {error, term()}.
-spec send_interval(time(), Message :: term()) -> {ok, tref()} | {error, term()}.
-spec send_interval(time(), pid() | atom() | {atom(), node()}, Message :: term()) ->
    {ok, tref()} | {error, term()}.
-spec exit_after(time(), Reason :: term()) -> {ok, tref()} | {error, term()}.
-spec kill_after(time()) -> {ok, tref()} | {error, term()}.
-spec cancel(tref()) -> {ok, cancel} | {error, term()}.
-spec sleep(timeout()) -> ok.
-spec tc(fun(() -> Value)) -> {integer(), Value}.
-spec now_diff(erlang:timestamp(), erlang:timestamp()) -> integer().
-spec seconds(non_neg_integer()) -> non_neg_integer().
-spec minutes(non_neg_integer()) -> non_neg_integer().
-spec hours(non_neg_integer()) -> non_neg_integer().
-spec hms(non_neg_integer(), non_neg_integer(), non_neg_integer()) -> non_neg_integer().

%% Since OTP 27.
apply_after(Time, Fun) -> apply_after(Time, Fun, []).

apply_after(Time, Fun, Args) when ?IS_TIME(Time), is_list(Args), is_function(Fun, length(Args)) ->
    once(Time, {apply, erlang, apply, [Fun, Args]});
apply_after(_, _, _) ->
    {error, badarg}.

-spec apply_after(time(), module(), atom(), [term()]) -> {ok, tref()} | {error, term()}.
apply_after(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) ->
    once(Time, {apply, M, F, A});
apply_after(_, _, _, _) ->
    {error, badarg}.

send_after(Time, Message) ->
    send_after(Time, self(), Message).

send_after(Time, Pid, Message) when ?IS_TIME(Time), Time > 0, is_pid(Pid), node(Pid) =:= node() ->
    {ok, {send_local, erlang:send_after(Time, Pid, Message)}};
send_after(Time, To, Message) when ?IS_TIME(Time) ->
    case is_destination(To) of
        true when Time =:= 0 ->
            To ! Message,
            {ok, {instant, make_ref()}};
        true ->
            once(Time, {send, To, Message});
        false ->
            {error, badarg}
    end;
send_after(_, _, _) ->
    {error, badarg}.

is_destination(To) when is_pid(To); is_atom(To) -> true;
is_destination({Name, Node}) when is_atom(Name), is_atom(Node) -> true;
is_destination(_) -> false.

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

exit_after(Time, Target, Reason) when ?IS_TIME(Time) -> once(Time, {exit, Target, Reason});
exit_after(_, _, _) -> {error, badarg}.

kill_after(Time) -> exit_after(Time, self(), kill).

kill_after(Time, Target) -> exit_after(Time, Target, kill).

once(0, Action) ->
    perform(Action),
    {ok, {instant, make_ref()}};
once(Time, Action) ->
    request({once, now_ms() + Time, Action}).

%% Since OTP 27.
apply_interval(Time, Fun) -> apply_interval(Time, Fun, []).

apply_interval(Time, Fun, Args) when ?IS_TIME(Time), is_list(Args), is_function(Fun, length(Args)) ->
    request({interval, now_ms() + Time, Time, self(), {apply, erlang, apply, [Fun, Args]}});
apply_interval(_, _, _) ->
    {error, badarg}.

%% An interval timer ends with the process that started it, or that it sends to.
apply_interval(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) ->
    request({interval, now_ms() + Time, Time, self(), {apply, M, F, A}});
apply_interval(_, _, _, _) ->
    {error, badarg}.

%% Since OTP 26: as apply_interval, but one call after the other: what is late is made up for.
apply_repeatedly(Time, Fun) -> apply_repeatedly(Time, Fun, []).

apply_repeatedly(Time, Fun, Args) when ?IS_TIME(Time), is_list(Args), is_function(Fun, length(Args)) ->
    repeatedly(Time, {erlang, apply, [Fun, Args]});
apply_repeatedly(_, _, _) ->
    {error, badarg}.

apply_repeatedly(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) ->
    repeatedly(Time, {M, F, A});
apply_repeatedly(_, _, _, _) ->
    {error, badarg}.

%% A process of its own makes the calls, as often as it is told to; it ends with who asked, and when the timer is gone.
repeatedly(Time, {M, F, A}) ->
    Owner = self(),
    Caller = spawn(fun() -> repeat(monitor(process, Owner), {M, F, A}) end),
    request({interval, now_ms() + Time, Time, self(), {send, Caller, ?MODULE}}).

repeat(Owner, {M, F, A} = Call) ->
    receive
        ?MODULE ->
            catch apply(M, F, A),
            repeat(Owner, Call);
        {'DOWN', Owner, process, _, _} -> ok
    end.

send_interval(Time, Message) ->
    send_interval(Time, self(), Message).

send_interval(Time, To, Message) when ?IS_TIME(Time) ->
    case is_destination(To) of
        true -> request({interval, now_ms() + Time, Time, To, {send, To, Message}});
        false -> {error, badarg}
    end;
send_interval(_, _, _) ->
    {error, badarg}.

cancel({instant, Ref}) when is_reference(Ref) ->
    {ok, cancel};
cancel({send_local, Ref}) when is_reference(Ref) ->
    _ = erlang:cancel_timer(Ref),
    {ok, cancel};
cancel({Kind, Ref}) when is_reference(Ref), Kind =:= once orelse Kind =:= interval ->
    request({cancel, Kind, Ref});
cancel(_) ->
    {error, badarg}.

tc(Fun) ->
    Before = erlang:monotonic_time(),
    Value = Fun(),
    {microseconds_since(Before), Value}.

tc(Fun, Args) ->
    Before = erlang:monotonic_time(),
    Value = apply(Fun, Args),
    {microseconds_since(Before), Value}.

tc(M, F, Args) ->
    Before = erlang:monotonic_time(),
    Value = apply(M, F, Args),
    {microseconds_since(Before), Value}.

microseconds_since(Before) ->
    erlang:convert_time_unit(erlang:monotonic_time() - Before, native, microsecond).

now_diff({Mega2, Sec2, Micro2}, {Mega1, Sec1, Micro1}) ->
    ((Mega2 - Mega1) * 1000000 + Sec2 - Sec1) * 1000000 + Micro2 - Micro1.

seconds(Seconds) -> 1000 * Seconds.
minutes(Minutes) -> 60000 * Minutes.
hours(Hours) -> 3600000 * Hours.
hms(Hours, Minutes, Seconds) -> hours(Hours) + minutes(Minutes) + seconds(Seconds).

%%% -------------------------------------------------------------------- server

start() ->
    {ok, _} = start_server(),
    ok.

start_link() ->
    gen_server:start_link({local, timer_server}, ?MODULE, [], []).

%% Under the kernel's supervisor where there is one, else on its own.
start_server() ->
    Started = case whereis(kernel_sup) of
                  undefined -> gen_server:start({local, timer_server}, ?MODULE, [], []);
                  Supervisor ->
                      Spec = #{id => timer_server, start => {?MODULE, start_link, []},
                               shutdown => 1000, modules => [?MODULE]},
                      case supervisor:start_child(Supervisor, Spec) of
                          {error, already_present} ->
                              supervisor:restart_child(Supervisor, timer_server);
                          Result ->
                              Result
                      end
              end,
    case Started of
        {error, {already_started, Pid}} -> {ok, Pid};
        _ -> Started
    end.

request(Request) ->
    try gen_server:call(timer_server, Request, infinity)
    catch
        exit:{noproc, _} ->
            {ok, _} = start_server(),
            gen_server:call(timer_server, Request, infinity)
    end.

init([]) ->
    process_flag(trap_exit, true),
    {ok, #{}}.

handle_call({once, At, Action}, _, Timers) ->
    try erlang:start_timer(At, self(), {once, Action}, [{abs, true}]) of
        Ref -> {reply, {ok, {once, Ref}}, Timers#{Ref => Ref}}
    catch
        error:badarg -> {reply, {error, badarg}, Timers}
    end;
handle_call({interval, At, Time, Process, Action}, _, Timers) ->
    Ref = monitor(process, Process),
    try tick(At, Time, Ref, Action, 1) of
        Timer -> {reply, {ok, {interval, Ref}}, Timers#{Ref => Timer}}
    catch
        error:badarg ->
            demonitor(Ref, [flush]),
            {reply, {error, badarg}, Timers}
    end;
handle_call({cancel, Kind, Ref}, _, Timers) when is_map_key(Ref, Timers) ->
    Kind =:= interval andalso demonitor(Ref, [flush]),
    {reply, {ok, cancel}, remove(Ref, Timers)};
handle_call({cancel, _, _}, _, Timers) ->
    {reply, {ok, cancel}, Timers};
handle_call(_, _, Timers) ->
    {noreply, Timers}.

handle_cast(_, Timers) ->
    {noreply, Timers}.

handle_info({timeout, Ref, {once, Action}}, Timers) when is_map_key(Ref, Timers) ->
    perform(Action),
    {noreply, maps:remove(Ref, Timers)};
handle_info({timeout, Last, {interval, At, Time, Ref, Action, N}}, Timers) when is_map_key(Ref, Timers) ->
    Timer = case N >= ?MAX_EXPLORED_TICKS andalso erlscope_native:is_explored() of
                true -> Last;
                false -> tick(At + Time, Time, Ref, Action, N + 1)
            end,
    perform(Action),
    {noreply, Timers#{Ref := Timer}};
handle_info({'DOWN', Ref, process, _, _}, Timers) ->
    {noreply, remove(Ref, Timers)};
handle_info(_, Timers) ->
    {noreply, Timers}.

tick(At, Time, Ref, Action, N) ->
    erlang:start_timer(At, self(), {interval, At, Time, Ref, Action, N}, [{abs, true}]).

remove(Ref, Timers) ->
    case Timers of
        #{Ref := Timer} ->
            erlang:cancel_timer(Timer, [{async, true}, {info, false}]),
            maps:remove(Ref, Timers);
        _ ->
            Timers
    end.

perform({send, To, Message}) ->
    catch To ! Message,
    ok;
perform({exit, Target, Reason}) ->
    case is_atom(Target) andalso whereis(Target) of
        Pid when is_pid(Pid) -> exit(Pid, Reason);
        _ when is_pid(Target) -> exit(Target, Reason);
        _ -> ok
    end,
    ok;
perform({apply, M, F, A}) ->
    catch spawn(M, F, A),
    ok.

%% Rounded up: a timer never fires early.
now_ms() ->
    (erlang:monotonic_time(microsecond) + 999) div 1000.

%%% -------------------------------------------------------------------- frames
%%
%% The line where a process sleeps is that of OTP 25.2.3.

-file("timer.erl", 217).
sleep(Time) when is_integer(Time), Time > ?MAX_RECEIVE_AFTER ->
    receive after ?MAX_RECEIVE_AFTER -> sleep(Time - ?MAX_RECEIVE_AFTER) end; sleep(Time) -> receive after Time -> ok end.
