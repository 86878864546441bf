%% Counts how often pages were asked for.
-module(hits).
-behaviour(gen_server).
-export([start_link/0, stop/0, hit/1, count/1, forget/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
stop() -> gen_server:stop(?MODULE).

-spec hit(atom()) -> pos_integer().
hit(Page) -> gen_server:call(?MODULE, {hit, Page}).

-spec count(atom()) -> non_neg_integer().
count(Page) -> gen_server:call(?MODULE, {count, Page}).

-spec forget(atom()) -> ok.
forget(Page) -> gen_server:cast(?MODULE, {forget, Page}).

init([]) -> {ok, #{}}.

handle_call({hit, Page}, _From, Pages) ->
    Count = maps:get(Page, Pages, 0) + 1,
    {reply, Count, Pages#{Page => Count}};
handle_call({count, Page}, _From, Pages) ->
    {reply, maps:get(Page, Pages, 0), Pages}.

handle_cast({forget, Page}, Pages) ->
    case Pages of
        #{Page := 1} -> {noreply, maps:remove(Page, Pages)};
        #{Page := Count} -> {noreply, Pages#{Page := Count - 1}};
        #{} -> {noreply, Pages}
    end.
