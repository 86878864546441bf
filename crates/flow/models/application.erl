%% Applications: starting one calls its callback module, whichever it is; their environment.
-module(application).
start(_) -> master(), either(ok, {error, any()}).
start(_, _) -> master(), either(ok, {error, any()}).
ensure_started(_) -> master(), either(ok, {error, any()}).
ensure_started(_, _) -> master(), either(ok, {error, any()}).
ensure_all_started(_) -> master(), either({ok, list(atom())}, {error, any()}).
ensure_all_started(_, _) -> master(), either({ok, list(atom())}, {error, any()}).
ensure_all_started(_, _, _) -> master(), either({ok, list(atom())}, {error, any()}).
start_boot(_) -> master(), ok.
start_boot(_, _) -> master(), ok.
master() -> M = '$behaving'(application), '$spawn'(fun() -> run(M) end).
run(M) ->
    case M:start(any(), any()) of
        {ok, _, State} -> stopped(M, State);
        _ -> stopped(M, [])
    end.
stopped(M, State) ->
    M:start_phase(any(), any(), any()),
    M:config_change(any(), any(), any()),
    M:stop(either(State, M:prep_stop(State))).
stop(_) -> either(ok, {error, any()}).
takeover(_, _) -> any().
permit(_, _) -> any().
load(_) -> either(ok, {error, any()}).
load(_, _) -> either(ok, {error, any()}).
unload(_) -> either(ok, {error, any()}).
get_application() -> either(undefined, {ok, atom()}).
get_application(_) -> either(undefined, {ok, atom()}).
which_applications() -> list({atom(), string(), string()}).
which_applications(_) -> list({atom(), string(), string()}).
loaded_applications() -> list({atom(), string(), string()}).
info() -> any().
get_key(_) -> any().
get_key(_, _) -> any().
get_all_key() -> any().
get_all_key(_) -> any().
get_supervisor(_) -> any().
start_type() -> any().
set_env(L) -> all(L), ok.
set_env(L, _) when is_list(L) -> all(L), ok.
set_env(_, K, V) -> '$put'(environment, K, V), ok.
set_env(_, K, V, _) -> '$put'(environment, K, V), ok.
all([{_, L} | T]) -> each(L), all(T).
each([{K, V} | T]) -> '$put'(environment, K, V), each(T).
unset_env(_, _) -> ok.
unset_env(_, _, _) -> ok.
get_env(K) -> either(undefined, {ok, either(any(), '$get'(environment, K))}).
get_env(_, K) -> either(undefined, {ok, either(any(), '$get'(environment, K))}).
get_env(_, K, D) -> either(D, any(), '$get'(environment, K)).
get_all_env() -> list({any(), either(any(), '$get'(environment, any()))}).
get_all_env(_) -> list({any(), either(any(), '$get'(environment, any()))}).
