%% The macros of `logger`: they ask whether the level is on before their arguments are evaluated,
%% and add where in the program the event came from.

-ifndef(LOGGER_HRL).
-define(LOGGER_HRL, true).

-define(LOG_EMERGENCY(Report), ?LOG(emergency, Report)).
-define(LOG_EMERGENCY(Report, MetaOrArgs), ?LOG(emergency, Report, MetaOrArgs)).
-define(LOG_EMERGENCY(Format, Args, Meta), ?LOG(emergency, Format, Args, Meta)).

-define(LOG_ALERT(Report), ?LOG(alert, Report)).
-define(LOG_ALERT(Report, MetaOrArgs), ?LOG(alert, Report, MetaOrArgs)).
-define(LOG_ALERT(Format, Args, Meta), ?LOG(alert, Format, Args, Meta)).

-define(LOG_CRITICAL(Report), ?LOG(critical, Report)).
-define(LOG_CRITICAL(Report, MetaOrArgs), ?LOG(critical, Report, MetaOrArgs)).
-define(LOG_CRITICAL(Format, Args, Meta), ?LOG(critical, Format, Args, Meta)).

-define(LOG_ERROR(Report), ?LOG(error, Report)).
-define(LOG_ERROR(Report, MetaOrArgs), ?LOG(error, Report, MetaOrArgs)).
-define(LOG_ERROR(Format, Args, Meta), ?LOG(error, Format, Args, Meta)).

-define(LOG_WARNING(Report), ?LOG(warning, Report)).
-define(LOG_WARNING(Report, MetaOrArgs), ?LOG(warning, Report, MetaOrArgs)).
-define(LOG_WARNING(Format, Args, Meta), ?LOG(warning, Format, Args, Meta)).

-define(LOG_NOTICE(Report), ?LOG(notice, Report)).
-define(LOG_NOTICE(Report, MetaOrArgs), ?LOG(notice, Report, MetaOrArgs)).
-define(LOG_NOTICE(Format, Args, Meta), ?LOG(notice, Format, Args, Meta)).

-define(LOG_INFO(Report), ?LOG(info, Report)).
-define(LOG_INFO(Report, MetaOrArgs), ?LOG(info, Report, MetaOrArgs)).
-define(LOG_INFO(Format, Args, Meta), ?LOG(info, Format, Args, Meta)).

-define(LOG_DEBUG(Report), ?LOG(debug, Report)).
-define(LOG_DEBUG(Report, MetaOrArgs), ?LOG(debug, Report, MetaOrArgs)).
-define(LOG_DEBUG(Format, Args, Meta), ?LOG(debug, Format, Args, Meta)).

%% A string or report; a format with its arguments, or a string with metadata; all of them.
-define(LOG(Level, Report), ?DO_LOG(Level, [Report])).
-define(LOG(Level, Report, MetaOrArgs), ?DO_LOG(Level, [Report, MetaOrArgs])).
-define(LOG(Level, Format, Args, Meta), ?DO_LOG(Level, [Format, Args, Meta])).

-define(LOCATION,
        #{mfa => {?MODULE, ?FUNCTION_NAME, ?FUNCTION_ARITY}, file => ?FILE, line => ?LINE}).

-define(DO_LOG(Level, Args),
        case logger:allow(Level, ?MODULE) of
            false -> ok;
            true -> erlang:apply(logger, macro_log, [?LOCATION, Level | Args])
        end).

-endif.
