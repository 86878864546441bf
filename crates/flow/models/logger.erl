%% Reports that are made by a fun, and filters; the rest keeps and calls nothing.
-module(logger).

%% The fun is called by who logs, and so are the filters.
made(F, A) -> F(A), filtered(), ok.
filtered() -> {F, X} = '$get'(log_filters, all), F(any(), X).

debug(_) -> filtered(), ok.
debug(F, A) -> made(F, A).
debug(F, A, _) -> made(F, A).
info(_) -> filtered(), ok.
info(F, A) -> made(F, A).
info(F, A, _) -> made(F, A).
notice(_) -> filtered(), ok.
notice(F, A) -> made(F, A).
notice(F, A, _) -> made(F, A).
warning(_) -> filtered(), ok.
warning(F, A) -> made(F, A).
warning(F, A, _) -> made(F, A).
error(_) -> filtered(), ok.
error(F, A) -> made(F, A).
error(F, A, _) -> made(F, A).
critical(_) -> filtered(), ok.
critical(F, A) -> made(F, A).
critical(F, A, _) -> made(F, A).
alert(_) -> filtered(), ok.
alert(F, A) -> made(F, A).
alert(F, A, _) -> made(F, A).
emergency(_) -> filtered(), ok.
emergency(F, A) -> made(F, A).
emergency(F, A, _) -> made(F, A).
log(_, _) -> filtered(), ok.
log(_, F, A) -> made(F, A).
log(_, F, A, _) -> made(F, A).
macro_log(_, _, _) -> filtered(), ok.
macro_log(_, _, F, A) -> made(F, A).
macro_log(_, _, F, A, _) -> made(F, A).
add_primary_filter(_, Filter) -> '$put'(log_filters, all, Filter), either(ok, {error, any()}).
add_handler_filter(_, _, Filter) -> '$put'(log_filters, all, Filter), either(ok, {error, any()}).
