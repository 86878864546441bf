-module(scenario_logger).

-export([scenarios/0]).

-include_lib("kernel/include/logger.hrl").

-define(H, test_log_handler).

with(Config, Fun) ->
    ok = logger:add_handler(h, ?H, Config#{pid => self()}),
    try Fun() after logger:remove_handler(h), flush() end.

with(Fun) -> with(#{}, Fun).

format(Event, Config) -> unicode:characters_to_list(logger_formatter:format(Event#{meta => maps:merge(#{time => 1600000000123456, pid => list_to_pid("<0.1.0>")}, maps:get(meta, Event, #{}))}, maps:merge(#{time_offset => "Z"}, Config))).

scenarios() ->
    [{api, fun() -> with(fun() -> [logger:L("x") || L <- [error, warning, notice, info, debug, emergency, alert, critical]], logger:error("~p", [a]), logger:error(#{r => 1}, #{m => 1}), logger:log(error, "~p", [b], #{m => 2}), logger:error([{k, v}]), flush() end) end, quiet},
     {macros, fun() -> with(fun() -> ?LOG_ERROR("a"), ?LOG_WARNING("~p", [b]), ?LOG_NOTICE(#{c => 1}, #{d => 2}), ?LOG_INFO("no"), ?LOG(error, "e"), [{E, maps:without([file, line], M)} || {log, E, M} <- flush()] end) end, quiet},
     {funs, fun() -> with(fun() -> logger:error(fun(X) -> {"~p", [X]} end, y), logger:error(fun(_) -> #{r => 1} end, y), logger:error(fun(_) -> "text" end, y), logger:error(fun(_) -> 17 end, y), logger:error(fun(_) -> ignore end, y), [maps:get(msg, E) || {log, E, _} <- flush()] end) end, quiet},
     {level, fun() -> with(#{level => error}, fun() -> logger:warning("w"), logger:error("e"), [maps:get(msg, E) || {log, E, _} <- flush()] end) end, quiet},
     {primary, fun() -> C = logger:get_primary_config(), logger:set_primary_config(level, error), A = logger:allow(warning, m), logger:set_primary_config(C), {A, logger:allow(warning, m), C} end},
     {module_level, fun() -> {logger:set_module_level(m1, debug), logger:allow(debug, m1), logger:allow(debug, m2), logger:get_module_level(m1), logger:unset_module_level(m1), logger:get_module_level(), logger:set_module_level(m1, bad), logger:set_module_level([1], debug)} end},
     {filters, fun() -> with(fun() -> ok = logger:add_handler_filter(h, f, {fun(#{msg := {string, "stop"}}, _) -> stop; (_, _) -> ignore end, x}), A = logger:add_handler_filter(h, f, {fun(_, _) -> stop end, x}), logger:error("stop"), logger:error("go"), R = [maps:get(msg, E) || {log, E, _} <- flush()], {A, R, logger:remove_handler_filter(h, f), logger:remove_handler_filter(h, f), logger:add_handler_filter(h, bad, foo)} end) end, quiet},
     {filter_default, fun() -> with(#{filter_default => stop, filters => [{d, {fun logger_filters:domain/2, {log, sub, [a]}}}]}, fun() -> logger:error("no"), logger:error("yes", #{domain => [a, b]}), [maps:get(msg, E) || {log, E, _} <- flush()] end) end, quiet},
     {primary_filter, fun() -> with(fun() -> ok = logger:add_primary_filter(pf, {fun(E, T) -> E#{msg => {string, T}} end, "changed"}), logger:error("x"), ok = logger:remove_primary_filter(pf), [maps:get(msg, E) || {log, E, _} <- flush()] end) end, quiet},
     {metadata, fun() -> with(fun() -> logger:set_process_metadata(#{a => 1, b => 1}), logger:update_process_metadata(#{b => 2}), logger:error("x", #{c => 3}), R = [M || {log, _, M} <- flush()], {R, logger:get_process_metadata(), logger:unset_process_metadata(), logger:get_process_metadata()} end) end, quiet},
     {handlers, fun() -> A = logger:add_handler(h, ?H, #{pid => self()}), B = logger:add_handler(h, ?H, #{pid => self()}), {ok, C} = logger:get_handler_config(h), D = {logger:set_handler_config(h, level, error), logger:update_handler_config(h, #{x => y}), logger:set_handler_config(h, id, z), logger:set_handler_config(nobody, level, error), logger:get_handler_config(nobody)}, {ok, E} = logger:get_handler_config(h), F = {logger:remove_handler(h), logger:remove_handler(h)}, {A, B, maps:without([pid], C), D, maps:without([pid], E), F, flush()} end},
     {handler_refused, fun() -> {logger:add_handler(h, ?H, #{refuse => no}), logger:add_handler(h, no_module_at_all, #{}), logger:add_handler(1, ?H, #{}), logger:add_handler(h, ?H, #{level => bad, pid => self()}), logger:add_handler(h, ?H, foo)} end},
     {compare, fun() -> [logger:compare_levels(A, B) || {A, B} <- [{error, error}, {error, debug}, {debug, error}, {all, none}, {emergency, all}]] end},
     {format_single, fun() -> [format(E, #{}) || E <- events()] end},
     {format_multi, fun() -> [format(E, #{single_line => false}) || E <- events()] end},
     {format_legacy, fun() -> [format(E, #{single_line => false, legacy_header => true}) || E <- events()] end},
     {format_template, fun() -> [format(#{level => error, msg => {"x", []}, meta => #{mfa => {m, f, 1}, file => "f.erl", line => 7, a => #{b => c}}}, #{template => T}) || T <- [[level, " ", mfa, ":", line, " ", pid, " ", msg], [[a, b], {x, ["x=", x], ["no x"]}, {file, [file], []}, "|", msg, "|"], [time, " ", nothing, "-"]]] end},
     {format_limits, fun() -> Long = #{level => error, msg => {"~p ~s", [lists:seq(1, 100), lists:duplicate(200, $a)]}}, [format(Long, C) || C <- [#{chars_limit => 50}, #{max_size => 60}, #{depth => 10}, #{depth => 10, single_line => false}]] end},
     {format_bad, fun() -> [format(#{level => error, msg => {"~p ~p", [1]}}, #{}), format(#{level => error, msg => {report, #{a => 1}}, meta => #{report_cb => fun(_) -> bad end}}, #{}), format(#{level => error, msg => {report, #{a => 1}}, meta => #{report_cb => fun(_, _) -> "ok\nline" end}}, #{})] end},
     {format_check, fun() -> [logger_formatter:check_config(C) || C <- [#{}, #{template => [level, "x"]}, #{template => [1]}, #{depth => 0}, #{time_offset => "+01:00"}, #{time_offset => "x"}, #{foo => bar}, x, #{single_line => 1}]] end},
     {format_report, fun() -> [logger:format_report(R) || R <- [#{a => 1, b => "str"}, [{a, 1}, {b, "str"}, c], "string", [], foo]] end},
     {error_logger, fun() -> with(fun() -> error_logger:error_msg("a ~p", [1]), error_logger:error_report([{a, 1}]), error_logger:error_report(my_type, [{a, 1}]), error_logger:warning_msg("w"), error_logger:warning_report(x), error_logger:info_msg("i~n"), error_logger:info_report("r"), [{E, maps:without([report_cb], M)} || {log, E, M} <- flush()] end) end},
     {error_logger_text, fun() -> with(fun() -> error_logger:error_msg("a ~p", [1]), error_logger:error_msg("bad ~p ~p", [1]), error_logger:error_report([{a, 1}, {b, "x"}]), error_logger:error_report(#{m => 1}), error_logger:info_report("r"), [format(E#{meta => maps:with([report_cb, error_logger], M)}, #{legacy_header => true, single_line => false}) || {log, E, M} <- flush()] end) end},
     {error_logger_handler, fun() -> error_logger:add_report_handler(test_event_callback, []), error_logger:error_msg("m ~p", [1]), error_logger:info_report(t, [r]), error_logger:warning_msg("w"), timer:sleep(10), R = gen_event:call(error_logger, test_event_callback, get), W = error_logger:which_report_handlers(), error_logger:delete_report_handler(test_event_callback), {[E || E <- R], W, error_logger:which_report_handlers()} end},
     {error_logger_depth, fun() -> application:set_env(kernel, error_logger_format_depth, 12), R = {error_logger:get_format_depth(), error_logger:limit_term(lists:seq(1, 50))}, application:unset_env(kernel, error_logger_format_depth), {R, error_logger:get_format_depth()} end},
     {filters_module, fun() -> E = #{level => error, msg => {string, ""}, meta => #{domain => [a, b], gl => self()}}, [logger_filters:domain(E, {A, C, D}) =:= E || A <- [log], C <- [super, sub, equal, not_equal, undefined], D <- [[a], [a, b], [a, b, c], [x]]] ++ [logger_filters:level(E, {stop, O, L}) || O <- [eq, neq, lt, gt, lteq, gteq], L <- [error, warning, alert]] end},
     {config_all, fun() -> #{primary := P, module_levels := M} = logger:get_config(), {P, M, lists:member(default, logger:get_handler_ids())} end},
     {default_handler, fun() -> {ok, C} = logger:get_handler_config(default), maps:with([id, module, level, filter_default, formatter], C) end}].

events() ->
    [#{level => error, msg => {"hello ~p", [world]}},
     #{level => warning, msg => {string, "a string\nof lines"}},
     #{level => notice, msg => {report, #{a => 1, b => [1, 2, 3]}}},
     #{level => info, msg => {report, [{k, v}, {list, lists:seq(1, 40)}]}, meta => #{mfa => {m, f, 2}}},
     #{level => error, msg => {"~p~n", [lists:seq(1, 60)]}}].

flush() -> receive M -> [M | flush()] after 10 -> [] end.
