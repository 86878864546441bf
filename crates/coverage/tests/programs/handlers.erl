%% An event manager whose handlers come, answer, change and go.
-module(handlers).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).
-behaviour(gen_event).

main() ->
    {ok, E} = gen_event:start_link({local, events}),
    ok = gen_event:add_handler(E, ?MODULE, self()),
    ok = gen_event:add_handler(events, {?MODULE, second}, self()),
    gen_event:notify(E, hello),
    receive {event, hello} -> ok end,
    receive {event, hello} -> ok end,
    ok = gen_event:sync_notify(events, again),
    [receive {event, again} -> ok end || _ <- [1, 2]],
    {counted, 3} = gen_event:call(E, ?MODULE, {count, 3}),
    E ! info,
    [receive {info, info} -> ok end || _ <- [1, 2]],
    ok = gen_event:swap_handler(E, {?MODULE, swapped}, {{?MODULE, third}, self()}),
    gone = gen_event:delete_handler(E, {?MODULE, second}, bye),
    gen_event:notify(E, remove),
    gen_event:stop(E).

init({Client, swapped_out}) -> {ok, Client};
init(Client) -> {ok, Client}.
handle_event(remove, _) -> remove_handler;
handle_event(Event, Client) -> Client ! {event, Event}, {ok, Client}.
handle_call({count, N}, Client) -> {ok, {counted, N}, Client}.
handle_info(Info, Client) -> Client ! {info, Info}, {ok, Client}.
terminate(swapped, _) -> swapped_out;
terminate(bye, _) -> gone;
terminate(_, _) -> ok.
