-module(more_tests).
-include_lib("eunit/include/eunit.hrl").
-export([idle/0, init/1, child/0]).
rpc_test() -> ok = rpc:call(node(), ?MODULE, idle, []).
erpc_test() -> ok = erpc:call(node(), fun() -> ok end).
erpc_err_test() -> ?assertError({exception, x, _}, erpc:call(node(), fun() -> error(x) end)).
file_test() -> {ok, F} = file:open("art.tmp", [write]), io:format(F, "x", []), ok.
file_close_test() -> {ok, F} = file:open("art2.tmp", [write, delayed_write]), io:format(F, "x", []), ok = file:close(F).
dets_test() -> {ok, T} = dets:open_file(t, [{file, "t.dets"}]), ok = dets:insert(T, {a, 1}), [{a, 1}] = dets:lookup(T, a).
log_test() -> {ok, _} = disk_log:open([{name, l}, {file, "l.log"}]), ok = disk_log:log(l, x).
pg_test() -> {ok, _} = pg:start_link(), ok = pg:join(g, self()).
apply_test() -> {ok, _} = timer:apply_after(10, erlang, self, []), ok.
interval_test() -> {ok, R} = timer:send_interval(10, tick), receive tick -> ok end, {ok, cancel} = timer:cancel(R).
io_string_test() -> {ok, D} = file:open(<<"abc">>, [ram, binary]), {ok, <<"abc">>} = file:read(D, 3).
proc_test() -> P = proc_lib:spawn_link(fun() -> receive stop -> ok end end), P ! stop, ok.
global_test() -> yes = global:register_name(n, self()), global:unregister_name(n).
multi_test() -> {[], [_]} = {[], [x]}, ok.
logger_test() -> ok = logger:add_handler(h, logger_std_h, #{config => #{type => {file, "h.log"}}}), logger:error("x"), ok = logger:remove_handler(h).
port_test() -> os:getenv("HOME"), os:putenv("ART", "1"), "1" = os:getenv("ART").
dir_test() -> ok = file:make_dir("d"), {ok, []} = file:list_dir("d"), ok = file:del_dir("d"), {ok, L} = file:list_dir("."), true = lists:member("more_tests.erl", L).
limit_test_() -> {timeout, 60, fun() -> timer:sleep(10000) end}.
compile_file_test() -> {error, _, _} = compile:file("nosuch.erl", [return]).
eval_test() -> {value, 3, _} = erl_eval:exprs([{op, 1, '+', {integer, 1, 1}, {integer, 1, 2}}], []).
app_test() -> {ok, _} = application:ensure_all_started(crypto), ok = application:stop(crypto).
sup_test() -> {ok, P} = supervisor:start_link(?MODULE, x), unlink(P), exit(P, shutdown), ok.
init(x) -> {ok, {#{}, [#{id => a, start => {?MODULE, child, []}}]}}.
child() -> {ok, proc_lib:spawn_link(fun() -> receive stop -> ok end end)}.
idle() -> ok.
