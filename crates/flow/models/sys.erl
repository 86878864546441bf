%% System messages: what a debugger asks a process, and the callbacks that answer.
-module(sys).

get_state(P) -> request(P, get_state).
get_state(P, _) -> request(P, get_state).
get_status(P) -> request(P, get_status).
get_status(P, _) -> request(P, get_status).
replace_state(P, F) -> request(P, {replace_state, F}).
replace_state(P, F, _) -> request(P, {replace_state, F}).
suspend(P) -> request(P, suspend).
suspend(P, _) -> request(P, suspend).
resume(P) -> request(P, resume).
resume(P, _) -> request(P, resume).
change_code(P, M, V, E) -> request(P, {change_code, M, V, E}).
change_code(P, M, V, E, _) -> request(P, {change_code, M, V, E}).
terminate(P, R) -> request(P, {terminate, R}).
terminate(P, R, _) -> request(P, {terminate, R}).
trace(P, F) -> request(P, {debug, {trace, F}}).
trace(P, F, _) -> request(P, {debug, {trace, F}}).
log(P, F) -> request(P, {debug, {log, F}}).
log(P, F, _) -> request(P, {debug, {log, F}}).
log_to_file(P, F) -> request(P, {debug, {log_to_file, F}}).
log_to_file(P, F, _) -> request(P, {debug, {log_to_file, F}}).
statistics(P, F) -> request(P, {debug, {statistics, F}}).
statistics(P, F, _) -> request(P, {debug, {statistics, F}}).
no_debug(P) -> request(P, {debug, no_debug}).
no_debug(P, _) -> request(P, {debug, no_debug}).
install(P, F) -> request(P, {debug, {install, F}}).
install(P, F, _) -> request(P, {debug, {install, F}}).
remove(P, F) -> request(P, {debug, {remove, F}}).
remove(P, F, _) -> request(P, {debug, {remove, F}}).
request(P, R) ->
    Tag = '$ref'(),
    P ! {system, {self(), Tag}, R},
    receive {Tag, Reply} -> either(Reply, any()) end.

handle_system_msg(Request, {Client, Tag}, Parent, M, Deb, Misc) ->
    handled(Request, Client, Tag, Parent, M, Deb, Misc).
handle_system_msg(Request, {Client, Tag}, Parent, M, Deb, Misc, _) ->
    handled(Request, Client, Tag, Parent, M, Deb, Misc).
handled(Request, Client, Tag, Parent, M, Deb, Misc) ->
    Client ! {Tag, either(ok, any(), {ok, M:system_get_state(Misc)})},
    case Request of
        {replace_state, F} -> M:system_replace_state(F, Misc);
        {change_code, Mod, V, E} -> M:system_code_change(Misc, Mod, V, E);
        {terminate, R} -> M:system_terminate(R, Parent, Deb, Misc);
        _ -> ok
    end,
    receive {system, {Next, T}, Req} -> handled(Req, Next, T, Parent, M, Deb, Misc) after 0 -> ok end,
    either(M:system_continue(Parent, Deb, Misc), M:system_terminate(any(), Parent, Deb, Misc)).
suspend_loop_hib(_, _, _, _, _, _) -> any().
handle_debug(Deb, F, Extra, Event) -> F(any(), Event, Extra), Deb.
debug_options(_) -> list(any()).
print_log(_) -> ok.
get_debug(_, _, D) -> either(D, any()).
get_log(_) -> list(any()).
