%% Applications: starting one calls its callback module.
-module(application).
start(_) -> either(ok, {error, any()}).
start(_, _) -> either(ok, {error, any()}).
get_env(_) -> any().
get_env(_, _) -> any().
get_env(_, _, D) -> either(D, any()).
