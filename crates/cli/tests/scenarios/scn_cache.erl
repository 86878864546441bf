%% A cache that everybody fills.
-module(scn_cache).
-compile([export_all, nowarn_export_all]).
new() -> ets:new(cache, [named_table, public, {read_concurrency, true}]).
get(K, F) -> case ets:lookup(cache, K) of [{K, V, _}] -> V; [] -> V = F(), ets:insert(cache, {K, V, 1}), V end.
get_once(K, F) -> case ets:lookup(cache, K) of [{K, V, _}] -> V; [] -> V = F(), case ets:insert_new(cache, {K, V, 1}) of true -> V; false -> ets:lookup_element(cache, K, 2) end end.
expire(T) -> ets:select_delete(cache, [{{'_', '_', '$1'}, [{'<', '$1', T}], [true]}]).
