-module(erpc).
call(_, F) -> F().
call(N, F, _) -> either(F(), call(N, F)).
call(_, M, F, A) -> '$apply'(M, F, A).
call(_, M, F, A, _) -> '$apply'(M, F, A).
cast(_, F) -> '$spawn'(F), ok.
cast(_, M, F, A) -> '$spawn'(M, F, A), ok.
send_request(_, F) -> {request, F()}.
send_request(_, M, F, A) -> {request, '$apply'(M, F, A)}.
receive_response({request, R}) -> R.
receive_response({request, R}, _) -> R.
wait_response({request, R}) -> {response, R}.
wait_response({request, R}, _) -> {response, R}.
check_response(_, {request, R}) -> {response, R}.
multicall(_, F) -> list({ok, F()}).
multicall(_, F, _) -> list({ok, F()}).
multicall(_, M, F, A) -> list({ok, '$apply'(M, F, A)}).
multicall(_, M, F, A, _) -> list({ok, '$apply'(M, F, A)}).
multicast(_, F) -> '$spawn'(F), ok.
multicast(_, M, F, A) -> '$spawn'(M, F, A), ok.
