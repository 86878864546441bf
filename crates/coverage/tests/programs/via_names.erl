%% Names in a registry of the program's own; handlers whose end is told.
-module(via_names).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export([whereis_name/1, register_name/2, unregister_name/1, send/2]).
-export([callback_mode/0, here/3, handle_event/2, handle_call/2, terminate/2]).
main() ->
    ets:new(names, [named_table, public]),
    {ok, _} = gen_server:start_link({via, ?MODULE, srv}, ?MODULE, {server, self()}, []),
    pong = gen_server:call({via, ?MODULE, srv}, ping),
    gen_server:cast({via, ?MODULE, srv}, {note, 1}), receive {noted, 1} -> ok end,
    {ok, _} = gen_statem:start({via, ?MODULE, fsm}, ?MODULE, {machine, self()}, []),
    here = gen_statem:call({via, ?MODULE, fsm}, where),
    gen_statem:cast({via, ?MODULE, fsm}, {note, 2}), receive {noted, 2} -> ok end,
    {ok, _} = gen_event:start({via, ?MODULE, ev}),
    ok = gen_event:add_sup_handler({via, ?MODULE, ev}, ?MODULE, {handler, self()}),
    gen_event:notify({via, ?MODULE, ev}, {note, 3}), receive {noted, 3} -> ok end,
    three = gen_event:call({via, ?MODULE, ev}, ?MODULE, count),
    gen_event:notify({via, ?MODULE, ev}, leave),
    receive {gen_event_EXIT, ?MODULE, normal} -> ok end,
    receive left -> ok end,
    gen_server:stop({via, ?MODULE, srv}),
    ok.
whereis_name(N) -> case ets:lookup(names, N) of [{_, P}] -> P; [] -> undefined end.
register_name(N, P) -> ets:insert(names, {N, P}), yes.
unregister_name(N) -> ets:delete(names, N), ok.
send(N, M) -> P = whereis_name(N), P ! M, P.
init({server, C}) -> {ok, C};
init({machine, C}) -> {ok, here, C};
init({handler, C}) -> {ok, C}.
handle_call(ping, _, C) -> {reply, pong, C}.
handle_cast({note, N}, C) -> C ! {noted, N}, {noreply, C}.
handle_info(_, C) -> {noreply, C}.
callback_mode() -> state_functions.
here({call, F}, where, _) -> {keep_state_and_data, {reply, F, here}};
here(cast, {note, N}, C) -> C ! {noted, N}, keep_state_and_data.
handle_event({note, N}, C) -> C ! {noted, N}, {ok, C};
handle_event(leave, _) -> remove_handler.
handle_call(count, C) -> {ok, three, C}.
terminate(remove_handler, C) -> C ! left, bye;
terminate(_, _) -> ok.
