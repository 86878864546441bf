-module(scenario_event).

-export([scenarios/0, init/1, handle_event/2, handle_call/2]).

-define(H, test_event_callback).

%% A handler without the optional functions.
init(X) -> {ok, X}.
handle_event(_, S) -> {ok, S}.
handle_call(_, S) -> {ok, S, S}.

start() -> {ok, P} = gen_event:start_link(), P.
start(Args) -> P = start(), ok = gen_event:add_handler(P, ?H, Args), P.

scenarios() ->
    [{events, fun() -> P = start([]), gen_event:notify(P, a), gen_event:sync_notify(P, b), P ! c, gen_event:call(P, ?H, get) end},
     {two, fun() -> P = start([]), ok = gen_event:add_handler(P, {?H, 2}, []), gen_event:notify(P, a), {gen_event:which_handlers(P), gen_event:call(P, {?H, 2}, get)} end},
     {no_handler, fun() -> P = start([]), {gen_event:call(P, nobody, get), gen_event:delete_handler(P, nobody, x)} end},
     {delete, fun() -> P = start([]), {gen_event:delete_handler(P, ?H, args), gen_event:which_handlers(P)} end},
     {add_fails, fun() -> P = start(), {gen_event:add_handler(P, ?H, fun() -> {error, no} end), gen_event:add_handler(P, no_module, x), gen_event:add_handler(P, ?H, fun() -> exit(x) end)} end},
     {crash, fun() -> P = start([]), gen_event:sync_notify(P, fun(_) -> error(ouch) end), gen_event:which_handlers(P) end},
     {crash_call, fun() -> P = start([]), {gen_event:call(P, ?H, fun(_) -> error(ouch) end), gen_event:which_handlers(P)} end},
     {bad_return, fun() -> P = start([]), gen_event:sync_notify(P, fun(_) -> nonsense end), gen_event:which_handlers(P) end},
     {bad_return_call, fun() -> P = start([]), gen_event:call(P, ?H, fun(_) -> nonsense end) end},
     {remove, fun() -> P = start({tell, self()}), gen_event:sync_notify(P, fun(_) -> remove_handler end), {gen_event:which_handlers(P), flush()} end},
     {remove_call, fun() -> P = start([]), {gen_event:call(P, ?H, fun(_) -> {remove_handler, bye} end), gen_event:which_handlers(P)} end},
     {swap, fun() -> P = start([]), {gen_event:swap_handler(P, {?H, bye}, {{?H, new}, hello}), gen_event:which_handlers(P), gen_event:call(P, {?H, new}, get)} end},
     {swap_missing, fun() -> P = start(), {gen_event:swap_handler(P, {nobody, bye}, {?H, hello}), gen_event:call(P, ?H, get)} end},
     {swap_self, fun() -> P = start([]), gen_event:sync_notify(P, fun(S) -> {swap_handler, bye, S, {?H, n}, hello} end), {gen_event:which_handlers(P), gen_event:call(P, {?H, n}, get)} end},
     {swap_self_fails, fun() -> P = start(), ok = gen_event:add_sup_handler(P, ?H, []), gen_event:sync_notify(P, fun(S) -> {swap_handler, bye, S, {no_module, n}, hello} end), {gen_event:which_handlers(P), flush()} end},
     {supervised, fun() -> P = start(), gen_event:add_sup_handler(P, ?H, []), gen_event:sync_notify(P, fun(_) -> error(x) end), flush() end},
     {supervised_delete, fun() -> P = start(), gen_event:add_sup_handler(P, ?H, []), gen_event:delete_handler(P, ?H, x), flush() end},
     {supervisor_dies, fun() -> P = start(), Self = self(), S = spawn(fun() -> gen_event:add_sup_handler(P, ?H, {tell, Self}), Self ! go, receive die -> exit(dead) end end), receive go -> ok end, S ! die, {flush(), gen_event:which_handlers(P)} end},
     {swap_sup, fun() -> P = start([]), {gen_event:swap_sup_handler(P, {?H, bye}, {{?H, s}, hello}), gen_event:delete_handler(P, {?H, s}, x), flush()} end},
     {stop, fun() -> P = start({tell, self()}), {gen_event:stop(P), flush()} end},
     {stop_sup, fun() -> {ok, P} = gen_event:start(), gen_event:add_sup_handler(P, ?H, []), {gen_event:stop(P, why, 100), flush()} end},
     {no_handle_info, fun() -> P = start(), ok = gen_event:add_handler(P, ?MODULE, s), P ! hey, gen_event:which_handlers(P) end},
     {hibernate, fun() -> P = start([]), gen_event:sync_notify(P, fun(S) -> {ok, S, hibernate} end), timer:sleep(5), {process_info(P, current_function), gen_event:call(P, ?H, get)} end},
     {names, fun() -> {ok, _} = gen_event:start_link({local, ev}), R = gen_event:start({local, ev}), gen_event:stop(ev), {R, catch gen_event:notify(ev, x)} end},
     {call_noproc, fun() -> gen_event:call(no_such, h, q) end},
     {call_timeout, fun() -> P = start([]), gen_event:call(P, ?H, fun(_) -> timer:sleep(30), {ok, a, b} end, 1) end},
     {which_noproc, fun() -> try gen_event:which_handlers(no_such) catch C:R -> {C, R} end end},
     {requests, fun() -> P = start([]), Id = gen_event:send_request(P, ?H, get), Id2 = gen_event:send_request(P, nobody, get), {gen_event:receive_response(Id, 100), gen_event:receive_response(Id2, 100)} end},
     {state, fun() -> P = start([]), {sys:get_state(P), sys:replace_state(P, fun({M, I, S}) -> {M, I, [n | S]} end), sys:get_state(P)} end},
     {status, fun() -> {ok, P} = gen_event:start_link({local, named}), gen_event:add_handler(P, ?H, []), {status, _, M, [_ | Rest]} = sys:get_status(P), {M, Rest} end},
     {change_code, fun() -> P = start([]), sys:suspend(P), sys:change_code(P, ?H, 1, 2), sys:resume(P), gen_event:call(P, ?H, get) end},
     {log, fun() -> P = start([]), sys:log(P, true), gen_event:notify(P, a), gen_event:call(P, ?H, get), sys:log(P, get) end},
     {dictionary, fun() -> {dictionary, D} = process_info(start(), dictionary), lists:sort(D) end}].

flush() -> receive M -> [M | flush()] after 30 -> [] end.
