-module(depot_server).
-behaviour(gen_server).
-export([start/1, start_link/1, put/3, take/3]).
-export([init/1, handle_call/3, handle_cast/2]).

start(Stock) -> gen_server:start(?MODULE, Stock, []).

start_link(Stock) -> gen_server:start_link(?MODULE, Stock, []).

put(Pid, What, N) -> gen_server:cast(Pid, {put, What, N}).

take(Pid, What, N) ->
    try gen_server:call(Pid, {take, What, N}) of
        Left -> {ok, Left}
    catch
        exit:{{{badkey, Key}, _}, _} -> {failed, Key};
        exit:{{{full, Name}, _}, _} -> {failed, Name};
        exit:_ -> {failed, unknown}
    end.

init(Stock) -> {ok, Stock}.

handle_call({take, What, N}, _From, Stock) ->
    Left = maps:get(What, Stock) - N,
    {reply, Left, Stock#{What := Left}}.

handle_cast({put, What, N}, Stock) ->
    Sum = N + maps:get(What, Stock, 0),
    Sum =< 6 orelse error({full, What}),
    {noreply, Stock#{What => Sum}}.
