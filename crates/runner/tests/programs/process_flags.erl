%% Flags of a process and what it tells about itself.
-module(process_flags).
-export([main/0]).
main() ->
    Old = process_flag(trap_exit, true),
    New = process_flag(trap_exit, false),
    {priority, P} = process_info(self(), priority),
    {links, L} = process_info(self(), links),
    put(key, value),
    {dictionary, D} = process_info(self(), dictionary),
    {current_function, {M, F, A}} = process_info(self(), current_function),
    {registered_name, _} = begin register(me, self()), process_info(self(), registered_name) end,
    {trap_exit, T} = process_info(self(), trap_exit),
    {message_queue_len, Q} = begin self() ! a, self() ! b, process_info(self(), message_queue_len) end,
    Dead = spawn(fun() -> ok end),
    timer:sleep(5),
    [Old, New, P, length(L) >= 0, lists:keyfind(key, 1, D), {M, F, A}, T, Q, process_info(Dead), is_process_alive(Dead),
     is_process_alive(self())].
