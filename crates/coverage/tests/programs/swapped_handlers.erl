%% Handlers of events that take over from others, leave, and fail; who added them is told.
-module(swapped_handlers).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).
main() ->
    {ok, M} = gen_event:start({local, event_manager}),
    ok = gen_event:add_handler(M, {?MODULE, a}, {a, self()}),
    ok = gen_event:add_sup_handler(event_manager, {?MODULE, b}, {b, self()}),
    ok = gen_event:sync_notify(M, {log, hello}),
    receive {a, hello} -> ok end,
    receive {b, hello} -> ok end,
    gen_event:notify(M, {remove, a}),
    1 = gen_event:call(M, {?MODULE, b}, count),
    M ! {info, self()},
    receive got_info -> ok end,
    ok = gen_event:swap_handler(M, {{?MODULE, b}, swap}, {{?MODULE, c}, {c, self()}}),
    gen_event:notify(M, bad),
    receive {gen_event_EXIT, {?MODULE, H}, Why} -> {H, Why} after 1000 -> none end,
    [] = gen_event:which_handlers(M),
    gen_event:stop(M).
init({{c, Pid}, {swapped, N}}) -> {ok, {c, Pid, N}};
init({Tag, Pid}) -> {ok, {Tag, Pid, 0}}.
handle_event({log, X}, {Tag, Pid, N}) -> Pid ! {Tag, X}, {ok, {Tag, Pid, N + 1}};
handle_event({remove, Tag}, {Tag, _, _}) -> remove_handler;
handle_event(bad, {_, _, N}) -> N / 0;
handle_event(_, S) -> {ok, S}.
handle_call(count, {_, _, N} = S) -> {ok, N, S}.
handle_info({info, P}, S) -> P ! got_info, {ok, S};
handle_info(_, S) -> {ok, S}.
terminate(swap, {_, _, N}) -> {swapped, N};
terminate(_, {_, Pid, _}) -> Pid ! ended, ok.
