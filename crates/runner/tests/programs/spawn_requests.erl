%% What is wrong with the options of a spawn request is part of the answer.
-module(spawn_requests).
-export([main/0]).
main() ->
    process_flag(trap_exit, true),
    Fun = fun() -> exit(bye) end,
    [answer(Options, Fun) || Options <- [[], [monitor], [link], [{reply_tag, tag}], [wrong], [{reply_tag, tag}, wrong],
                                         [wrong, {reply_tag, tag}], [{priority, none}], [{reply, no}],
                                         [{reply, success_only}, wrong], [{reply, error_only}], [{reply, maybe}],
                                         [{reply, error_only}, wrong], [{monitor, [{tag, t}]}], [{monitor, [bad]}]]]
        ++ [catch_error(fun() -> spawn_request(fun(X) -> X end, []) end),
            catch_error(fun() -> spawn_request(Fun, [link | monitor]) end),
            catch_error(fun() -> spawn_request(m, "f", []) end),
            catch_error(fun() -> spawn_opt(Fun, [{reply_tag, x}]) end),
            catch_error(fun() -> spawn_opt(Fun, [{max_heap_size, 100}]) end)].

answer(Options, Fun) ->
    Ref = spawn_request(Fun, Options),
    timer:sleep(10),
    {Options, [named(Message, Ref) || Message <- messages()]}.

messages() ->
    receive Message -> [Message | messages()] after 0 -> [] end.

named(Message, Ref) ->
    list_to_tuple([case Part of
                       Ref -> ref;
                       _ when is_pid(Part) -> pid;
                       _ -> Part
                   end || Part <- tuple_to_list(Message)]).

catch_error(Fun) ->
    try Fun() catch error:Reason -> Reason end.
