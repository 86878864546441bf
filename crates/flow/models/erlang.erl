%% Builtins, as far as values, processes and messages flow through them.
-module(erlang).

%% Processes.
spawn(F) -> '$spawn'(F).
spawn(_, F) -> '$spawn'(F).
spawn(M, F, A) -> '$spawn'(M, F, A).
spawn(_, M, F, A) -> '$spawn'(M, F, A).
spawn_link(F) -> P = '$spawn'(F), '$link'(P), P.
spawn_link(_, F) -> P = '$spawn'(F), '$link'(P), P.
spawn_link(M, F, A) -> P = '$spawn'(M, F, A), '$link'(P), P.
spawn_link(_, M, F, A) -> P = '$spawn'(M, F, A), '$link'(P), P.
spawn_monitor(F) -> P = '$spawn'(F), {P, '$monitor'(P, '$ref'())}.
spawn_monitor(_, F) -> P = '$spawn'(F), {P, '$monitor'(P, '$ref'())}.
spawn_monitor(M, F, A) -> P = '$spawn'(M, F, A), {P, '$monitor'(P, '$ref'())}.
spawn_monitor(_, M, F, A) -> P = '$spawn'(M, F, A), {P, '$monitor'(P, '$ref'())}.
spawn_opt(F, _) -> P = '$spawn'(F), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(_, F, _) -> P = '$spawn'(F), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(M, F, A, _) -> P = '$spawn'(M, F, A), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_opt(_, M, F, A, _) -> P = '$spawn'(M, F, A), '$link'(P), either(P, {P, '$monitor'(P, '$ref'())}).
spawn_request(F) -> requested('$spawn'(F), []).
spawn_request(A, B) -> either(requested('$spawn'(A), B), requested('$spawn'(B), [])).
spawn_request(A, B, C) -> either(requested('$spawn'(A, B, C), []), requested('$spawn'(B), C)).
spawn_request(A, B, C, D) ->
    either(requested('$spawn'(A, B, C), D), requested('$spawn'(B, C, D), [])).
spawn_request(_, M, F, A, O) -> requested('$spawn'(M, F, A), O).
requested(P, O) ->
    R = '$monitor'(P, '$ref'()),
    '$link'(P),
    replies(spawn_reply, R, P),
    reply_tag(first(O), R, P),
    R.
reply_tag({reply_tag, T}, R, P) -> replies(T, R, P).
replies(T, R, P) -> self() ! {T, R, ok, P}, self() ! {T, R, error, any()}.
spawn_request_abandon(_) -> boolean().
register(Name, Pid) -> '$put'(registered, Name, Pid), true.
unregister(_) -> true.
whereis(Name) -> either(undefined, '$get'(registered, Name)).
registered() -> list(atom()).
send(D, M) -> D ! M.
send(D, M, _) -> D ! M, either(ok, nosuspend, noconnect).
send_nosuspend(D, M) -> D ! M, boolean().
send_nosuspend(D, M, _) -> D ! M, boolean().
send_after(_, D, M) -> D ! M, '$ref'().
send_after(_, D, M, _) -> D ! M, '$ref'().
start_timer(_, D, M) -> R = '$ref'(), D ! {timeout, R, M}, R.
start_timer(_, D, M, _) -> R = '$ref'(), D ! {timeout, R, M}, R.
cancel_timer(_) -> either(false, number()).
cancel_timer(R, _) -> self() ! {cancel_timer, R, either(false, number())}, either(ok, false, number()).
read_timer(_) -> either(false, number()).
read_timer(R, _) -> self() ! {read_timer, R, either(false, number())}, either(ok, false, number()).
%% It may have ended, or be about to.
link(P) -> '$link'(P), self() ! {'EXIT', P, noproc}, true.
unlink(_) -> true.
monitor(_, P) -> R = '$monitor'(P, '$ref'()), nobody(P, R), R.
monitor(_, P, O) -> R = '$monitor'(P, '$ref'()), nobody(P, R), down_tag(P, R, first(O)), R.
%% Nobody may have the name.
nobody(P, R) -> self() ! '$named'(P, {'DOWN', R, process, {either(P, atom()), atom()}, noproc}).
down_tag(P, R, {tag, T}) -> self() ! {T, R, process, either(P, {P, node()}), any()}.
demonitor(_) -> true.
demonitor(_, _) -> boolean().
alias() -> '$ref'().
alias(_) -> '$ref'().
unalias(_) -> boolean().
monitor_node(_, _) -> true.
monitor_node(_, _, _) -> true.
process_flag(Flag, _) -> case Flag of trap_exit -> '$trap'(); _ -> any() end.
process_flag(_, _, _) -> any().
exit(P, R) -> '$end'(P, either(R, killed)), P ! {'EXIT', self(), R}, true.
exit_signal(P, R) -> '$end'(P, either(R, killed)), P ! {'EXIT', self(), R}, true.
group_leader() -> either(any(), '$get'(devices, leader)).
group_leader(L, _) -> '$put'(devices, leader, L), true.
processes() -> list(any()).
process_info(_) -> any().
process_info(_, _) -> any().
is_process_alive(_) -> boolean().
suspend_process(_) -> true.
suspend_process(_, O) -> suspended(first(O)), boolean().
suspended({asynchronous, T}) -> self() ! {T, either(suspended, not_suspended, exited)}.
resume_process(_) -> true.
hibernate(M, F, A) -> '$apply'(M, F, A).
yield() -> true.
make_ref() -> '$ref'().
put(K, V) -> Old = '$get'(dictionary, K), '$put'(dictionary, K, V), either(undefined, Old).
get(K) -> either(undefined, '$get'(dictionary, K)).
get() -> list({any(), '$get'(dictionary, any())}).
get_keys() -> list(any()).
get_keys(_) -> list(any()).
erase(K) -> either(undefined, '$get'(dictionary, K)).
erase() -> list({any(), '$get'(dictionary, any())}).

%% Functions.
apply(F, A) -> '$apply'(F, A).
apply(M, F, A) -> '$apply'(M, F, A).
make_fun(M, F, A) -> '$fun'(M, F, A).
fun_info(_) -> list(any()).
fun_info(_, _) -> any().
fun_to_list(_) -> string().
function_exported(_, _, _) -> boolean().
is_builtin(_, _, _) -> boolean().
module_loaded(_) -> boolean().
nif_error(_) -> any().
nif_error(_, _) -> any().

%% Structures.
hd([H | _]) -> H.
tl([_ | T]) -> T.
element(N, T) -> '$element'(N, T).
setelement(_, T, V) -> tuple(either(fields(T), V)).
append_element(T, V) -> tuple(either(fields(T), V)).
insert_element(_, T, V) -> tuple(either(fields(T), V)).
delete_element(_, T) -> tuple(fields(T)).
make_tuple(_, V) -> tuple(V).
make_tuple(_, V, L) -> tuple(either(V, last(L))).
last([{_, V} | _]) -> V;
last([_ | T]) -> last(T).
tuple_to_list(T) -> list(fields(T)).
list_to_tuple(L) -> tuple(first(L)).
first([X | _]) -> X;
first([_ | T]) -> first(T).
tuple_size(_) -> number().
size(_) -> number().
length(_) -> number().
map_size(_) -> number().
map_get(K, M) -> #{K := V} = M, V.
is_map_key(_, _) -> boolean().
'++'(A, B) -> A ++ B.
append(A, B) -> A ++ B.
'--'(A, B) -> A -- B.
subtract(A, B) -> A -- B.
'!'(D, M) -> D ! M.
max(A, B) -> either(A, B).
min(A, B) -> either(A, B).

%% Data.
abs(_) -> number().
adler32(_) -> number().
adler32(_, _) -> number().
adler32_combine(_, _, _) -> number().
atom_to_binary(_) -> binary().
atom_to_binary(_, _) -> binary().
atom_to_list(_) -> string().
binary_part(_, _) -> binary().
binary_part(_, _, _) -> binary().
binary_to_atom(_) -> any().
binary_to_atom(_, _) -> any().
binary_to_existing_atom(_) -> any().
binary_to_existing_atom(_, _) -> any().
binary_to_float(_) -> number().
binary_to_integer(_) -> number().
binary_to_integer(_, _) -> number().
binary_to_list(_) -> string().
binary_to_list(_, _, _) -> string().
%% What was made bytes or text may come back.
binary_to_term(_) -> either(any(), '$get'(as_bytes, all)).
binary_to_term(_, _) -> either(any(), '$get'(as_bytes, all)).
bit_size(_) -> number().
bitstring_to_list(_) -> string().
bump_reductions(_) -> true.
byte_size(_) -> number().
ceil(_) -> number().
check_old_code(_) -> boolean().
check_process_code(_, _) -> boolean().
check_process_code(_, _, O) -> checked(first(O)), any().
checked({async, T}) -> self() ! {check_process_code, T, either(boolean(), aborted)}.
convert_time_unit(_, _, _) -> number().
crc32(_) -> number().
crc32(_, _) -> number().
crc32_combine(_, _, _) -> number().
date() -> {number(), number(), number()}.
decode_packet(_, _, _) -> any().
delete_module(_) -> any().
disconnect_node(_) -> boolean().
display(_) -> true.
display_string(_) -> true.
dist_ctrl_get_data(_) -> any().
dist_ctrl_get_data_notification(_) -> ok.
dist_ctrl_get_opt(_, _) -> any().
dist_ctrl_input_handler(_, _) -> ok.
dist_ctrl_put_data(_, _) -> ok.
dist_ctrl_set_opt(_, _, _) -> any().
dt_append_vm_tag_data(X) -> X.
dt_get_tag() -> any().
dt_get_tag_data() -> any().
dt_prepend_vm_tag_data(X) -> X.
dt_put_tag(_) -> any().
dt_restore_tag(_) -> any().
dt_spread_tag(_) -> any().
external_size(_) -> number().
external_size(_, _) -> number().
float(_) -> number().
float_to_binary(_) -> binary().
float_to_binary(_, _) -> binary().
float_to_list(_) -> string().
float_to_list(_, _) -> string().
floor(_) -> number().
garbage_collect() -> true.
garbage_collect(_) -> boolean().
garbage_collect(_, O) -> collected(first(O)), any().
collected({async, T}) -> self() ! {garbage_collect, T, boolean()}.
garbage_collect_message_area() -> boolean().
get_cookie() -> atom().
get_cookie(_) -> atom().
get_module_info(_) -> any().
get_module_info(_, _) -> any().
get_stacktrace() -> list(any()).
halt() -> true.
halt(_) -> true.
halt(_, _) -> true.
has_prepared_code_on_load(_) -> boolean().
integer_to_binary(_) -> binary().
integer_to_binary(_, _) -> binary().
integer_to_list(_) -> string().
integer_to_list(_, _) -> string().
iolist_size(_) -> number().
iolist_to_binary(_) -> binary().
iolist_to_iovec(_) -> list(binary()).
is_alive() -> boolean().
is_atom(_) -> boolean().
is_binary(_) -> boolean().
is_bitstring(_) -> boolean().
is_boolean(_) -> boolean().
is_float(_) -> boolean().
is_function(_) -> boolean().
is_function(_, _) -> boolean().
is_integer(_) -> boolean().
is_list(_) -> boolean().
is_map(_) -> boolean().
is_number(_) -> boolean().
is_pid(_) -> boolean().
is_port(_) -> boolean().
is_record(_, _) -> boolean().
is_record(_, _, _) -> boolean().
is_reference(_) -> boolean().
is_tuple(_) -> boolean().
list_to_atom(_) -> any().
list_to_binary(_) -> binary().
list_to_bitstring(_) -> binary().
list_to_existing_atom(_) -> any().
list_to_float(_) -> number().
list_to_integer(_) -> number().
list_to_integer(_, _) -> number().
list_to_pid(_) -> either(any(), '$get'(as_text, pid)).
list_to_port(_) -> any().
list_to_ref(_) -> any().
load_module(_, _) -> any().
load_nif(_, _) -> any().
loaded() -> list(atom()).
localtime() -> {{number(), number(), number()}, {number(), number(), number()}}.
localtime_to_universaltime(_) -> {{number(), number(), number()}, {number(), number(), number()}}.
localtime_to_universaltime(_, _) -> {{number(), number(), number()}, {number(), number(), number()}}.
match_spec_test(_, _, _) -> any().
md5(_) -> binary().
md5_final(_) -> binary().
md5_init() -> binary().
md5_update(_, _) -> binary().
memory() -> list({atom(), number()}).
memory(_) -> any().
monotonic_time() -> number().
monotonic_time(_) -> number().
node() -> atom().
node(_) -> atom().
nodes() -> list(atom()).
nodes(_) -> list(atom()).
nodes(_, _) -> list({atom(), any()}).
now() -> {number(), number(), number()}.
open_port(_, _) -> any().
phash(_, _) -> number().
phash2(_) -> number().
phash2(_, _) -> number().
pid_to_list(P) -> '$put'(as_text, pid, P), string().
port_call(_, _) -> any().
port_call(_, _, _) -> any().
port_close(_) -> true.
port_command(_, _) -> true.
port_command(_, _, _) -> boolean().
port_connect(_, _) -> true.
port_control(_, _, _) -> any().
port_get_data(_) -> any().
port_info(_) -> any().
port_info(_, _) -> any().
port_set_data(_, _) -> true.
port_to_list(_) -> string().
ports() -> list(any()).
posixtime_to_universaltime(_) -> {{number(), number(), number()}, {number(), number(), number()}}.
pre_loaded() -> list(atom()).
prepare_loading(_, _) -> any().
finish_loading(_) -> any().
finish_after_on_load(_, _) -> true.
call_on_load_function(_) -> any().
purge_module(_) -> true.
ref_to_list(_) -> string().
round(_) -> number().
seq_trace(_, _) -> any().
seq_trace_info(_) -> any().
seq_trace_print(_) -> boolean().
seq_trace_print(_, _) -> boolean().
set_cookie(_) -> true.
set_cookie(_, _) -> true.
set_cpu_topology(_) -> any().
setnode(_, _) -> true.
setnode(_, _, _) -> any().
split_binary(_, _) -> {binary(), binary()}.
statistics(_) -> any().
system_flag(_, _) -> any().
system_info(_) -> any().
system_monitor() -> any().
system_monitor(_) -> any().
system_monitor(_, _) -> any().
system_profile() -> any().
system_profile(_, _) -> any().
system_time() -> number().
system_time(_) -> number().
term_to_binary(T) -> '$put'(as_bytes, all, T), binary().
term_to_binary(T, _) -> '$put'(as_bytes, all, T), binary().
term_to_iovec(T) -> '$put'(as_bytes, all, T), list(binary()).
term_to_iovec(T, _) -> '$put'(as_bytes, all, T), list(binary()).
time() -> {number(), number(), number()}.
time_offset() -> number().
time_offset(_) -> number().
timestamp() -> {number(), number(), number()}.
trace(_, _, _) -> number().
trace_delivered(P) -> R = '$ref'(), self() ! {trace_delivered, P, R}, R.
trace_info(_, _) -> any().
trace_pattern(_, _) -> number().
trace_pattern(_, _, _) -> number().
trunc(_) -> number().
unique_integer() -> number().
unique_integer(_) -> number().
universaltime() -> {{number(), number(), number()}, {number(), number(), number()}}.
universaltime_to_localtime(_) -> {{number(), number(), number()}, {number(), number(), number()}}.
universaltime_to_posixtime(_) -> number().
'=='(_, _) -> boolean().
'/='(_, _) -> boolean().
'=<'(_, _) -> boolean().
'<'(_, _) -> boolean().
'>='(_, _) -> boolean().
'>'(_, _) -> boolean().
'=:='(_, _) -> boolean().
'=/='(_, _) -> boolean().
'and'(_, _) -> boolean().
'or'(_, _) -> boolean().
'xor'(_, _) -> boolean().
'not'(_) -> boolean().
'+'(_) -> number().
'-'(_) -> number().
'+'(_, _) -> number().
'-'(_, _) -> number().
'*'(_, _) -> number().
'/'(_, _) -> number().
'div'(_, _) -> number().
'rem'(_, _) -> number().
'band'(_, _) -> number().
'bor'(_, _) -> number().
'bxor'(_, _) -> number().
'bsl'(_, _) -> number().
'bsr'(_, _) -> number().
'bnot'(_) -> number().
