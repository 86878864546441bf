%% Processes with crash reports.
-module(proc_lib).

spawn(F) -> '$spawn'(F).
spawn(_, F) -> '$spawn'(F).
spawn(M, F, A) -> '$spawn'(M, F, A).
spawn(_, M, F, A) -> '$spawn'(M, F, A).
spawn_link(F) -> P = '$spawn'(F), '$link'(P), P.
spawn_link(_, F) -> P = '$spawn'(F), '$link'(P), P.
spawn_link(M, F, A) -> P = '$spawn'(M, F, A), '$link'(P), P.
spawn_link(_, M, F, A) -> P = '$spawn'(M, F, A), '$link'(P), P.
spawn_opt(F, _) -> P = '$spawn'(F), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(_, F, _) -> P = '$spawn'(F), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(M, F, A, _) -> P = '$spawn'(M, F, A), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(_, M, F, A, _) -> P = '$spawn'(M, F, A), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
start(M, F, A) -> started('$spawn'(M, F, A)).
start(M, F, A, _) -> started('$spawn'(M, F, A)).
start(M, F, A, _, _) -> started('$spawn'(M, F, A)).
start_link(M, F, A) -> P = '$spawn'(M, F, A), '$link'(P), started(P).
start_link(M, F, A, _) -> P = '$spawn'(M, F, A), '$link'(P), started(P).
start_link(M, F, A, _, _) -> P = '$spawn'(M, F, A), '$link'(P), started(P).
start_monitor(M, F, A) -> P = '$spawn'(M, F, A), {started(P), '$monitor'(P, '$ref'())}.
start_monitor(M, F, A, _) -> P = '$spawn'(M, F, A), {started(P), '$monitor'(P, '$ref'())}.
start_monitor(M, F, A, _, _) -> P = '$spawn'(M, F, A), {started(P), '$monitor'(P, '$ref'())}.
started(P) ->
    '$put'(parents, ack, self()),
    receive
        {ack, P, R} -> R;
        {nack, P, {return, R}} -> R;
        {'EXIT', P, R} -> {error, R}
    end.
init_ack(R) -> '$get'(parents, ack) ! {ack, self(), R}, ok.
init_ack(P, R) -> P ! {ack, self(), R}, ok.
init_fail(R, _) -> '$get'(parents, ack) ! {nack, self(), {return, R}}, ok.
init_fail(P, R, _) -> P ! {nack, self(), {return, R}}, ok.
hibernate(M, F, A) -> '$apply'(M, F, A).
format(_) -> string().
format(_, _) -> string().
format(_, _, _) -> string().
initial_call(_) -> any().
translate_initial_call(_) -> {atom(), atom(), any()}.
get_label(_) -> any().
set_label(_) -> ok.
stop(P) -> P ! {system, {self(), '$ref'()}, {terminate, normal}}, ok.
stop(P, R, _) -> P ! {system, {self(), '$ref'()}, {terminate, R}}, ok.
