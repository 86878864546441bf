%% What behaviours can do besides calls and casts.
-module(behaviours_all).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2,
         code_change/3, format_status/2, loop_in/1, plain/1]).
-behaviour(gen_server).

main() ->
    {ok, S} = gen_server:start({local, one}, ?MODULE, one, []),
    Id = gen_server:send_request(one, {ask, 1}),
    {reply, {got, 1}} = gen_server:wait_response(Id, 1000),
    Id2 = gen_server:send_request(S, {ask, 2}),
    receive Msg -> {reply, {got, 2}} = gen_server:check_response(Msg, Id2) end,
    {[{_, {got, 3}}], []} = gen_server:multi_call([node()], one, {ask, 3}),
    abcast = gen_server:abcast([node()], one, note),
    ok = gen_server:call(one, sync),
    S ! info,
    one ! {info, self()},
    receive {from_info, S} -> ok end,
    {status, _, _, _} = sys:get_status(S),
    [one | _] = [sys:get_state(S)],
    new = sys:replace_state(S, fun(_) -> new end),
    ok = sys:suspend(S),
    ok = sys:change_code(S, ?MODULE, old, extra),
    ok = sys:resume(S),
    delayed = gen_server:call(one, delay),
    gen_server:cast(one, {tell, self()}),
    receive told -> ok end,
    ok = gen_server:stop(S),
    P = proc_lib:spawn(?MODULE, loop_in, [self()]),
    receive {ready, P} -> ok end,
    {got, x} = gen_server:call(P, {ask, x}),
    {ok, Q} = proc_lib:start_link(?MODULE, plain, [self()]),
    Q ! {self(), hello},
    receive {Q, hello} -> ok end,
    {ok, R} = gen_server:start({global, two}, ?MODULE, two, [{timeout, 100}]),
    {got, g} = gen_server:call({global, two}, {ask, g}),
    exit(R, kill),
    catch gen_server:call(R, {ask, gone}).

init(Name) -> process_flag(trap_exit, true), {ok, Name, {continue, began}}.

handle_continue(began, Name) -> {noreply, Name};
handle_continue({later, From}, Name) -> gen_server:reply(From, delayed), {noreply, Name, 100000}.

handle_call({ask, X}, _, Name) -> {reply, {got, X}, Name};
handle_call(sync, From, Name) -> gen_server:reply(From, ok), {noreply, Name};
handle_call(delay, From, Name) -> {noreply, Name, {continue, {later, From}}}.

handle_cast(note, Name) -> {noreply, Name};
handle_cast({tell, Who}, Name) -> Who ! told, {noreply, Name}.

handle_info({info, From}, Name) -> From ! {from_info, self()}, {noreply, Name};
handle_info(_, Name) -> {noreply, Name}.

terminate(_, _) -> ok.
code_change(old, Name, extra) -> {ok, Name}.
format_status(_, [_, State]) -> State.

loop_in(Starter) -> Starter ! {ready, self()}, gen_server:enter_loop(?MODULE, [], entered).

plain(Starter) ->
    proc_lib:init_ack(Starter, {ok, self()}),
    receive {From, What} -> From ! {self(), What} end.
