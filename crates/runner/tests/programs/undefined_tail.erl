%% A tail call of a function that is not there leaves no trace of the caller.
-module(undefined_tail).
-export([main/0]).

main() ->
    lists:foreach(fun try_it/1,
                  [fun known_module/0, fun no_module/0, fun builtin_module/0, fun dynamic/0,
                   fun applied/0, fun external_fun/0, fun not_tail/0, fun native/0]).

try_it(F) ->
    try F()
    catch error:Reason:Stack ->
        io:format("~p ~p~n", [Reason, [{M, N, A} || {M, N, A, _} <- lists:sublist(Stack, 2)]])
    end,
    ok.

known_module() -> lists:concat([], []).
no_module() -> no_such_module:f().
builtin_module() -> erlang:no_such_function(1).
dynamic() -> M = list_to_atom("undefined_tail"), M:no_such_function(1).
applied() -> apply(no_such_module, f, [1, 2]).
external_fun() -> F = fun lists:no_such_function/1, F(1).
not_tail() -> [no_such_module:f()].
native() -> lists:reverse(no_list).
