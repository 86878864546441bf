%% What is in the store: a server that counts items.
-module(stock).
-behaviour(gen_server).
-export([start/0, add/3, take/3, share/2, deliver/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start() -> gen_server:start(?MODULE, #{}, []).

add(Stock, Item, Count) -> gen_server:call(Stock, {add, Item, Count}).

take(Stock, Item, Count) -> gen_server:call(Stock, {take, Item, Count}).

%% How many items everybody gets.
share(Items, People) ->
    Items div People.

%% Waits for a delivery that nobody makes.
deliver(Item) ->
    {ok, Stock} = start(),
    receive
        {delivered, Item, Count} -> add(Stock, Item, Count)
    end.

init(Items) -> {ok, Items}.

handle_call({add, Item, Count}, _, Items) ->
    {reply, ok, maps:update_with(Item, fun(Old) -> Old + Count end, Count, Items)};
handle_call({take, Item, Count}, _, Items) ->
    case Items of
        %% Wrong: the last item cannot be taken.
        #{Item := Left} when Left > Count -> {reply, ok, Items#{Item := Left - Count}};
        _ -> {reply, {error, not_enough}, Items}
    end.

handle_cast(_, Items) -> {noreply, Items}.
