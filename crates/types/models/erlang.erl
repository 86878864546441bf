%% What functions of `erlang` take and give, where no rule says more (`infer/rules.rs`).
-module(erlang).

%% Ends.
-spec error(any()) -> none().
-spec error(any(), any()) -> none().
-spec error(any(), any(), any()) -> none().
-spec exit(any()) -> none().
-spec throw(any()) -> none().
-spec raise(
    error | exit | throw,
    any(),
    [{atom(), atom(), arity() | [any()], [any()]} | {fun(), [any()], [any()]}]
) -> none()
    ; (any(), any(), any()) -> badarg.
-spec nif_error(any()) -> any().
-spec nif_error(any(), any()) -> any().
-spec halt() -> none().
-spec halt(any()) -> none().
-spec halt(any(), any()) -> none().
-spec hibernate(atom(), atom(), [any()]) -> none().
-spec exit(pid() | port(), any()) -> true.
-spec exit_signal(pid() | port(), any()) -> true.

%% Numbers.
-spec ceil(number()) -> integer().
-spec floor(number()) -> integer().
-spec round(number()) -> integer().
-spec trunc(number()) -> integer().
-spec float(number()) -> float().
-spec bit_size(bitstring()) -> non_neg_integer().
-spec byte_size(bitstring()) -> non_neg_integer().
-spec size(tuple() | bitstring()) -> non_neg_integer().
-spec phash(any(), pos_integer()) -> pos_integer().
-spec phash2(any()) -> non_neg_integer().
-spec phash2(any(), pos_integer()) -> non_neg_integer().
-spec crc32(iodata()) -> non_neg_integer().
-spec adler32(iodata()) -> non_neg_integer().
-spec unique_integer() -> integer().
-spec unique_integer([any()]) -> integer().

%% Conversions.
-spec atom_to_list(atom()) -> string().
-spec atom_to_binary(atom()) -> binary().
-spec atom_to_binary(atom(), atom()) -> binary().
-spec binary_to_atom(binary()) -> atom().
-spec binary_to_atom(binary(), atom()) -> atom().
-spec binary_to_existing_atom(binary()) -> atom().
-spec binary_to_existing_atom(binary(), atom()) -> atom().
-spec list_to_atom(string()) -> atom().
-spec list_to_existing_atom(string()) -> atom().
-spec integer_to_list(integer()) -> nonempty_string().
-spec integer_to_list(integer(), 2..36) -> nonempty_string().
-spec integer_to_binary(integer()) -> nonempty_binary().
-spec integer_to_binary(integer(), 2..36) -> nonempty_binary().
-spec list_to_integer(nonempty_string()) -> integer().
-spec list_to_integer(nonempty_string(), 2..36) -> integer().
-spec binary_to_integer(binary()) -> integer().
-spec binary_to_integer(binary(), 2..36) -> integer().
-spec float_to_list(float()) -> nonempty_string().
-spec float_to_list(float(), [any()]) -> nonempty_string().
-spec float_to_binary(float()) -> nonempty_binary().
-spec float_to_binary(float(), [any()]) -> nonempty_binary().
-spec list_to_float(nonempty_string()) -> float().
-spec binary_to_float(binary()) -> float().
-spec list_to_tuple([any()]) -> tuple().
-spec list_to_binary(iolist()) -> binary().
-spec list_to_bitstring(maybe_improper_list()) -> bitstring().
-spec iolist_to_binary(iodata()) -> binary().
-spec iolist_to_iovec(iodata()) -> [binary()].
-spec iolist_size(iodata()) -> non_neg_integer().
-spec binary_to_list(binary()) -> [byte()].
-spec binary_to_list(binary(), pos_integer(), pos_integer()) -> [byte()].
-spec bitstring_to_list(bitstring()) -> [byte() | bitstring()].
-spec binary_part(bitstring(), {non_neg_integer(), integer()}) -> binary().
-spec binary_part(bitstring(), non_neg_integer(), integer()) -> binary().
-spec split_binary(binary(), non_neg_integer()) -> {binary(), binary()}
    ; (bitstring(), non_neg_integer()) -> {binary(), bitstring()}.
-spec term_to_binary(any()) -> binary().
-spec term_to_binary(any(), [any()]) -> binary().
-spec term_to_iovec(any()) -> [binary()].
-spec term_to_iovec(any(), [any()]) -> [binary()].
-spec binary_to_term(binary()) -> any().
-spec binary_to_term(binary(), [any()]) -> any().
-spec external_size(any()) -> non_neg_integer().
-spec external_size(any(), [any()]) -> non_neg_integer().
-spec pid_to_list(pid()) -> nonempty_string().
-spec list_to_pid(string()) -> pid().
-spec ref_to_list(reference()) -> nonempty_string().
-spec list_to_ref(string()) -> reference().
-spec port_to_list(port()) -> nonempty_string().
-spec list_to_port(string()) -> port().
-spec fun_to_list(fun()) -> nonempty_string().
-spec md5(iodata()) -> binary().
-spec md5_init() -> binary().
-spec md5_update(binary(), iodata()) -> binary().
-spec md5_final(binary()) -> binary().

%% Structures.
-spec append_element(tuple(), any()) -> tuple().
-spec insert_element(pos_integer(), tuple(), any()) -> tuple().
-spec delete_element(pos_integer(), tuple()) -> tuple().
-spec make_tuple(non_neg_integer(), any()) -> tuple().
-spec make_tuple(non_neg_integer(), any(), [any()]) -> tuple().
-spec make_fun(atom(), atom(), byte()) -> fun().
-spec fun_info(fun()) -> [{atom(), any()}].
-spec fun_info(fun(), atom()) -> {atom(), any()}.
-spec apply(atom(), atom(), [any()]) -> any().

%% Processes.
-spec self() -> pid().
-spec node() -> atom().
-spec node(pid() | port() | reference()) -> atom().
-spec nodes() -> [atom()].
-spec is_alive() -> boolean().
-spec spawn(fun()) -> pid().
-spec spawn(atom(), fun()) -> pid().
-spec spawn(atom(), atom(), [any()]) -> pid().
-spec spawn(atom(), atom(), atom(), [any()]) -> pid().
-spec spawn_link(fun()) -> pid().
-spec spawn_link(atom(), fun()) -> pid().
-spec spawn_link(atom(), atom(), [any()]) -> pid().
-spec spawn_link(atom(), atom(), atom(), [any()]) -> pid().
-spec spawn_monitor(fun()) -> {pid(), reference()}.
-spec spawn_monitor(atom(), fun()) -> {pid(), reference()}.
-spec spawn_monitor(atom(), atom(), [any()]) -> {pid(), reference()}.
-spec spawn_monitor(atom(), atom(), atom(), [any()]) -> {pid(), reference()}.
-spec spawn_opt(fun(), [any()]) -> pid() | {pid(), reference()}.
-spec spawn_opt(atom(), fun(), [any()]) -> pid() | {pid(), reference()}.
-spec spawn_opt(atom(), atom(), [any()], [any()]) -> pid() | {pid(), reference()}.
-spec spawn_opt(atom(), atom(), atom(), [any()], [any()]) -> pid() | {pid(), reference()}.
-spec link(pid() | port()) -> true.
-spec unlink(pid() | port()) -> true.
-spec monitor(atom(), any()) -> reference().
-spec monitor(atom(), any(), [any()]) -> reference().
-spec demonitor(reference()) -> true.
-spec demonitor(reference(), [any()]) -> boolean().
-spec alias() -> reference().
-spec alias([any()]) -> reference().
-spec unalias(reference()) -> boolean().
-spec register(atom(), pid() | port()) -> true.
-spec unregister(atom()) -> true.
-spec whereis(atom()) -> pid() | port() | undefined.
-spec registered() -> [atom()].
-spec processes() -> [pid()].
-spec is_process_alive(pid()) -> boolean().
-spec make_ref() -> reference().
-spec group_leader() -> pid().
-spec group_leader(pid(), pid()) -> true.
-spec send_nosuspend(any(), any()) -> boolean().
-spec yield() -> true.
-spec get() -> [{any(), any()}].
-spec get(any()) -> any().
-spec get_keys() -> [any()].
-spec get_keys(any()) -> [any()].
-spec put(any(), any()) -> any().
-spec erase() -> [{any(), any()}].
-spec erase(any()) -> any().
-spec garbage_collect() -> true.
-spec garbage_collect(pid()) -> boolean().
-spec garbage_collect(pid(), [any()]) -> boolean() | async.
-spec bump_reductions(pos_integer()) -> true.
-spec send(any(), M) -> M.
-spec send(any(), any(), [any()]) -> ok | nosuspend | noconnect.
-spec suspend_process(pid()) -> true.
-spec suspend_process(pid(), [any()]) -> boolean().
-spec resume_process(pid()) -> true.
-spec process_flag(atom() | {atom(), any()}, any()) -> any().
-spec process_info(pid()) -> [{atom(), any()}] | undefined.
-spec process_info(pid(), [any(), ...]) -> [{any(), any()}] | undefined
    ; (pid(), any()) -> {any(), any()} | [{any(), any()}] | undefined.
-spec spawn_request(fun()) -> reference().
-spec spawn_request(fun() | atom(), any()) -> reference().
-spec spawn_request_abandon(reference()) -> boolean().

%% Time.
-spec monotonic_time() -> integer().
-spec monotonic_time(atom() | pos_integer()) -> integer().
-spec system_time() -> integer().
-spec system_time(atom() | pos_integer()) -> integer().
-spec time_offset() -> integer().
-spec time_offset(atom() | pos_integer()) -> integer().
-spec timestamp() -> {non_neg_integer(), non_neg_integer(), non_neg_integer()}.
-spec now() -> {non_neg_integer(), non_neg_integer(), non_neg_integer()}.
-spec date() -> {non_neg_integer(), 1..12, 1..31}.
-spec time() -> {0..23, 0..59, 0..59}.
-spec localtime() -> {{non_neg_integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec universaltime() -> {{non_neg_integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec send_after(integer(), pid() | atom(), any()) -> reference().
-spec send_after(integer(), pid() | atom(), any(), [any()]) -> reference().
-spec start_timer(integer(), pid() | atom(), any()) -> reference().
-spec start_timer(integer(), pid() | atom(), any(), [any()]) -> reference().
-spec cancel_timer(reference()) -> non_neg_integer() | false.
-spec cancel_timer(reference(), [any()]) -> non_neg_integer() | false | ok.
-spec convert_time_unit(integer(), atom() | pos_integer(), atom() | pos_integer()) -> integer().
-spec universaltime_to_localtime(
    {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}
) -> {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec localtime_to_universaltime(
    {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}
) -> {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec localtime_to_universaltime(
    {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}, true | false | undefined
) -> {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec universaltime_to_posixtime(
    {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}
) -> integer().
-spec posixtime_to_universaltime(integer()) ->
    {{integer(), 1..12, 1..31}, {0..23, 0..59, 0..59}}.
-spec read_timer(reference(), [any()]) -> non_neg_integer() | false | ok.
-spec read_timer(reference()) -> non_neg_integer() | false.

%% The node.
-spec function_exported(atom(), atom(), integer()) -> boolean().
-spec is_builtin(atom(), atom(), integer()) -> boolean().
-spec module_loaded(atom()) -> boolean().
-spec loaded() -> [atom()].
-spec get_cookie() -> atom().
-spec disconnect_node(atom()) -> boolean() | ignored.
-spec ports() -> [port()].
-spec display(any()) -> true.
-spec check_old_code(atom()) -> boolean().
-spec get_module_info(atom()) -> [{atom(), any()}].
-spec get_module_info(atom(), atom()) -> any().
-spec module_info() -> [{atom(), any()}].
-spec module_info(atom()) -> any().
-spec port_info(port() | atom()) -> [{atom(), any()}] | undefined.
-spec port_info(port() | atom(), any()) -> {any(), any()} | [] | undefined.
-spec pre_loaded() -> [atom()].
-spec delete_module(atom()) -> true | undefined.
-spec purge_module(atom()) -> true.
-spec load_module(atom(), binary()) -> {module, atom()} | {error, any()}.
-spec load_nif(any(), any()) -> ok | {error, {atom(), any()}}.
-spec check_process_code(pid(), atom()) -> boolean().
-spec check_process_code(pid(), atom(), [any()]) -> boolean() | aborted | async.
-spec get_cookie(atom()) -> atom().
-spec set_cookie(atom()) -> true.
-spec set_cookie(atom(), atom()) -> true.
-spec monitor_node(atom(), boolean()) -> true.
-spec monitor_node(atom(), boolean(), [any()]) -> true.
-spec nodes(atom() | [atom()]) -> [atom()].
-spec display_nl() -> true.
-spec display_string(any()) -> true.
-spec process_display(pid(), atom()) -> true.
-spec send_nosuspend(any(), any(), [any()]) -> boolean().
-spec statistics(runtime | wall_clock | reductions | exact_reductions) ->
        {non_neg_integer(), non_neg_integer()}
    ; (atom()) -> any().
-spec memory(atom()) -> non_neg_integer()
    ; ([atom()]) -> [{atom(), non_neg_integer()}].
-spec memory() -> [{atom(), non_neg_integer()}].
-spec system_flag(reset_seq_trace, true) -> true
    ; (sequential_tracer, any()) -> pid() | port() | {atom(), any()} | false
    ; (atom(), any()) -> any().
-spec system_info(sequential_tracer) ->
        {sequential_tracer, pid() | port() | {atom(), any()} | false}
    ; (otp_release | version | system_architecture) -> string()
    ; (os_type) -> {unix | win32, atom()}
    ; (os_version) -> {non_neg_integer(), non_neg_integer(), non_neg_integer()} | string()
    ; (any()) -> any().

%% Ports.
-spec open_port(tuple(), [any()]) -> port().
-spec port_close(port() | atom()) -> true.
-spec port_command(port() | atom(), iodata()) -> true.
-spec port_command(port() | atom(), iodata(), [any()]) -> boolean().
-spec port_connect(port() | atom(), pid()) -> true.
-spec port_control(port() | atom(), integer(), iodata()) -> iodata().
-spec port_set_data(port() | atom(), any()) -> true.
-spec port_get_data(port() | atom()) -> any().
-spec decode_packet(atom() | 0 | 1 | 2 | 4, bitstring(), [any()]) ->
    {ok, any(), bitstring()} | {more, undefined | non_neg_integer()} | {error, any()}.

%% Tracing.
-spec trace(pid() | port() | atom(), boolean(), [any()]) -> non_neg_integer().
-spec trace_pattern(any(), any()) -> non_neg_integer().
-spec trace_pattern(any(), any(), any()) -> non_neg_integer().
-spec trace_delivered(pid() | all) -> reference().
-spec seq_trace_info(
    send | 'receive' | print | timestamp | monotonic_timestamp | strict_monotonic_timestamp
    | label | serial
) -> {atom(), any()} | [].
-spec seq_trace_print(any()) -> boolean().
-spec seq_trace_print(any(), any()) -> boolean().
