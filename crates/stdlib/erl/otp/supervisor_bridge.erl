%% Supervisor bridge: stands in a supervision tree for a subsystem that does
%% not follow the OTP conventions.
-module(supervisor_bridge).
-behaviour(gen_server).

-export([start_link/2, start_link/3]).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3,
         format_log/1, format_log/2]).

-include_lib("kernel/include/logger.hrl").

-callback init(Args :: term()) ->
    {ok, Pid :: pid(), State :: term()} | ignore | {error, Error :: term()}.
-callback terminate(Reason :: shutdown | term(), State :: term()) -> Ignored :: term().

-record(state, {mod, pid, child_state, name}).

start_link(Mod, Args) ->
    gen_server:start_link(?MODULE, [Mod, Args, self], []).

start_link(Name, Mod, Args) ->
    gen_server:start_link(Name, ?MODULE, [Mod, Args, Name], []).

init([Mod, Args, Name0]) ->
    process_flag(trap_exit, true),
    Name = case Name0 of self -> {self(), Mod}; _ -> Name0 end,
    case Mod:init(Args) of
        {ok, Pid, ChildState} when is_pid(Pid) ->
            link(Pid),
            report_progress(Pid, {Mod, init, [Args]}, Name),
            {ok, #state{mod = Mod, pid = Pid, child_state = ChildState, name = Name}};
        ignore ->
            ignore;
        {error, Reason} ->
            {stop, Reason}
    end.

handle_call(which_children, _, State) -> {reply, [], State};
handle_call(_, _, State) -> {reply, {error, badcall}, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info({'EXIT', Pid, Reason}, #state{pid = Pid, mod = Mod, name = Name} = State) ->
    case Reason of
        normal -> ok;
        shutdown -> ok;
        {shutdown, _} -> ok;
        _ -> report_error(Reason, Pid, Mod, Name)
    end,
    {stop, Reason, State#state{pid = undefined}};
handle_info(_, State) ->
    {noreply, State}.

terminate(_, #state{pid = undefined}) -> ok;
terminate(Reason, #state{mod = Mod, child_state = ChildState}) -> Mod:terminate(Reason, ChildState).

code_change(_, State, _) -> {ok, State}.

report_progress(Pid, Start, Name) ->
    ?LOG_INFO(#{label => {supervisor, progress},
                report => [{supervisor, Name}, {started, [{pid, Pid}, {mfa, Start}]}]},
              #{domain => [otp, sasl],
                report_cb => fun ?MODULE:format_log/2,
                logger_formatter => #{title => "PROGRESS REPORT"},
                error_logger => #{tag => info_report, type => progress,
                                  report_cb => fun ?MODULE:format_log/1}}).

report_error(Reason, Pid, Mod, Name) ->
    ?LOG_ERROR(#{label => {supervisor, error},
                 report => [{supervisor, Name},
                            {errorContext, child_terminated},
                            {reason, Reason},
                            {offender, [{pid, Pid}, {mod, Mod}]}]},
               #{domain => [otp, sasl],
                 report_cb => fun ?MODULE:format_log/2,
                 logger_formatter => #{title => "SUPERVISOR REPORT"},
                 error_logger => #{tag => error_report, type => supervisor_report,
                                   report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> legacy_parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

%% Of a start only the arguments are limited.
legacy_parts(#{report := [Supervisor, {started, Child}]} = Report, #{depth := Depth} = Options)
  when is_integer(Depth) ->
    {mfa, {M, F, [Args]}} = lists:keyfind(mfa, 1, Child),
    Limited = lists:keyreplace(mfa, 1, Child, {mfa, {M, F, [io_lib:limit_term(Args, Depth)]}}),
    [case Part of {t, T} -> {n, T}; _ -> Part end
     || Part <- parts(Report#{report := [Supervisor, {started, Limited}]}, Options)];
legacy_parts(Report, Options) ->
    parts(Report, Options).

parts(#{report := Report}, #{single_line := false}) ->
    lists:append([["    ", atom_to_list(Key), ": ", {t, Value}, "~n"] || {Key, Value} <- Report]);
parts(#{report := [{supervisor, Name}, {started, [{pid, Pid}, {mfa, Start}]}]}, _) ->
    ["Supervisor: ", {t, Name}, ". ", {s, "Started:"}, " pid=", {w, Pid}, ",mfa=", {t, Start}, "."];
parts(#{report := [{supervisor, Name}, {errorContext, Context}, {reason, Reason},
                   {offender, [{pid, Pid}, {mod, Mod}]}]}, _) ->
    ["Supervisor: ", {t, Name}, ". Context: ", {t, Context}, ". Reason: ", {t, Reason}, ". ",
     {s, "Offender:"}, " pid=", {w, Pid}, ",mod=", {w, Mod}, "."].
