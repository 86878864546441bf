%% A gen_server whose state has parts that have nothing to do with each other.
%% inputs: buy(int, int), look(int), names(list(atom)), mixed(int, int)
-module(gen_server_shop).
-behaviour(gen_server).
-export([buy/2, look/1, names/1, mixed/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(shop, {stock = #{}, visitors = 0, log = []}).

buy(Amount, Price) ->
    {ok, Shop} = gen_server:start(?MODULE, {7, Price}, []),
    gen_server:cast(Shop, {visit, ann}),
    Total = gen_server:call(Shop, {buy, apple, Amount}),
    Left = gen_server:call(Shop, {stock, apple}),
    gen_server:stop(Shop),
    {Total, Left}.

look(Start) ->
    {ok, Shop} = gen_server:start(?MODULE, {Start, 2}, []),
    gen_server:cast(Shop, {visit, bob}),
    Shop ! {delivery, pear, 3},
    gen_server:cast(Shop, {visit, eve}),
    Visitors = gen_server:call(Shop, visitors),
    gen_server:stop(Shop),
    Visitors.

names(Names) ->
    {ok, Shop} = gen_server:start(?MODULE, {0, 0}, []),
    [gen_server:cast(Shop, {visit, Name}) || Name <- Names],
    Log = gen_server:call(Shop, log),
    gen_server:stop(Shop),
    Log.

mixed(A, B) ->
    {ok, Shop} = gen_server:start(?MODULE, {A, B}, []),
    Shop ! {delivery, apple, A},
    First = gen_server:call(Shop, {buy, apple, 1}),
    Shop ! something,
    Count = gen_server:call(Shop, visitors),
    gen_server:stop(Shop),
    {First, Count}.

init({Apples, Price}) ->
    Stock = #{apple => {Apples, Price}, pear => {0, Price + 1}},
    {ok, #shop{stock = Stock}}.

handle_call({buy, Fruit, Amount}, _From, State) ->
    {Total, Stock} = sell(Fruit, Amount, State#shop.stock),
    {reply, Total, State#shop{stock = Stock}};
handle_call({stock, Fruit}, _From, #shop{stock = Stock} = State) ->
    {Left, _} = maps:get(Fruit, Stock),
    {reply, Left, State};
handle_call(visitors, {_Pid, _Tag}, State) ->
    {reply, State#shop.visitors, State};
handle_call(log, _From, State) ->
    {reply, lists:reverse(State#shop.log), State#shop{log = []}}.

handle_cast({visit, Name}, #shop{visitors = N, log = Log} = State) ->
    {noreply, State#shop{visitors = N + 1, log = [{N, Name} | Log]}}.

handle_info({delivery, Fruit, Amount}, State) ->
    More = fun({Left, Price}) -> {Left + Amount, Price} end,
    {noreply, State#shop{stock = maps:update_with(Fruit, More, State#shop.stock)}};
handle_info(_, State) ->
    {noreply, State}.

sell(Fruit, Amount, Stock) ->
    {Left, Price} = maps:get(Fruit, Stock),
    {Amount * Price, Stock#{Fruit := {Left - Amount, Price}}}.
