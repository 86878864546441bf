%% Calls on other nodes run the same functions, in other processes.
-module(rpc).
call(_, M, F, A) -> run(M, F, A).
call(_, M, F, A, _) -> run(M, F, A).
block_call(_, M, F, A) -> run(M, F, A).
block_call(_, M, F, A, _) -> run(M, F, A).
run(M, F, A) -> either('$apply'(M, F, A), {badrpc, any()}).
async_call(_, M, F, A) -> {rpc_key, run(M, F, A)}.
yield({rpc_key, R}) -> R.
nb_yield({rpc_key, R}) -> {value, R}.
nb_yield({rpc_key, R}, _) -> {value, R}.
cast(_, M, F, A) -> '$spawn'(M, F, A), true.
eval_everywhere(M, F, A) -> '$spawn'(M, F, A), abcast.
eval_everywhere(_, M, F, A) -> '$spawn'(M, F, A), abcast.
multicall(M, F, A) -> {list(run(M, F, A)), list(atom())}.
multicall(N, M, F, A) -> either({list(run(M, F, A)), list(atom())}, {list(run(N, M, F)), list(atom())}).
multicall(_, M, F, A, _) -> {list(run(M, F, A)), list(atom())}.
abcast(N, M) -> N ! M, abcast.
abcast(_, N, M) -> N ! M, abcast.
sbcast(N, M) -> N ! M, {list(atom()), list(atom())}.
sbcast(_, N, M) -> N ! M, {list(atom()), list(atom())}.
server_call(_, N, W, M) ->
    Tag = '$ref'(), N ! {self(), Tag, M}, receive {W, _, R} -> R end.
pmap({M, F}, A, L) -> list('$apply'(M, F, [item(L) | A])).
item([X | _]) -> X;
item([_ | T]) -> item(T).
parallel_eval(L) -> {M, F, A} = item(L), list(run(M, F, A)).
pinfo(_) -> any().
pinfo(_, _) -> any().
