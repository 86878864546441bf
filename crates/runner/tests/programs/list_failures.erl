%% Functions of lists that fail: which of them are in the stack trace, with how many arguments.
-module(list_failures).
-export([main/0]).

main() ->
    [io:format("~p~n", [failure(F)]) || F <- [
        fun() -> lists:append([a, b]) end,
        fun() -> lists:append("abcd") end,
        fun() -> lists:append(a, b) end,
        fun() -> lists:subtract(a, b) end,
        fun() -> lists:suffix("a", b) end,
        fun() -> lists:sum([1, 2, a]) end,
        fun() -> lists:sum([1 | a]) end,
        fun() -> lists:nth(a, [1, 2]) end,
        fun() -> lists:nth(4, [1, 2]) end,
        fun() -> lists:nthtail(a, [1, 2]) end,
        fun() -> lists:flatlength(a) end,
        fun() -> lists:flatlength([1, [2], 3 | a]) end,
        fun() -> lists:flatlength([1, [2 | b], 3]) end,
        fun() -> lists:flatten([1, 2 | a]) end,
        fun() -> lists:flatten([1, [2 | b]]) end,
        fun() -> lists:flatten([[2 | b]]) end,
        fun() -> lists:uniq(a) end,
        fun() -> lists:uniq([1, 2, 1 | a]) end,
        fun() -> lists:zip([1, 2, 3], [1, 2]) end,
        fun() -> lists:zip([1], []) end,
        fun() -> lists:zip([], [1]) end,
        fun() -> lists:zip3([1, 2, 3, 4], [1, 2, 3], [1, 2, 3, 4]) end
    ]].

failure(F) ->
    try F()
    catch Class:Reason:Stack -> {Class, Reason, [{M, N, arity(A)} || {M, N, A, _} <- Stack, M =:= lists orelse M =:= erlang]}
    end.

arity(Args) when is_list(Args) -> length(Args);
arity(Arity) -> Arity.
