%% Names for processes, as long as they live.
-module(scn_registry).
-behaviour(gen_server).
-export([start_link/0, register/2, whereis/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
register(K, P) -> gen_server:call(?MODULE, {register, K, P}).
whereis(K) -> case ets:lookup(reg, K) of [{K, P, _}] -> P; [] -> undefined end.
init([]) -> ets:new(reg, [named_table, protected]), {ok, #{}}.
handle_call({register, K, P}, _, S) ->
  case ets:insert_new(reg, {K, P, none}) of
    true -> R = monitor(process, P), ets:insert(reg, {K, P, R}), {reply, ok, S#{R => K}};
    false -> {reply, {error, taken}, S}
  end.
handle_cast(_, S) -> {noreply, S}.
handle_info({'DOWN', R, _, _, _}, S) -> {K, S2} = maps:take(R, S), ets:delete(reg, K), {noreply, S2}.
