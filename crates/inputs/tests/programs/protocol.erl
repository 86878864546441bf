-module(protocol).
%% A handshake, message by message.
-export([main/1]).
main(Messages) when is_list(Messages) -> wait(Messages).

wait([{hello, Version} | T]) when Version >= 3 -> greeted(T, Version);
wait([{hello, Version} | _]) when is_integer(Version) -> {too_old, Version};
wait([ping | T]) -> wait(T);
wait([_ | _]) -> protocol_error;
wait([]) -> waiting.

greeted([{auth, user, Name} | T], V) when is_atom(Name) -> known(T, V, Name);
greeted([{auth, token, <<"t-", _, _, _>>} | T], V) -> known(T, V, token);
greeted([{auth, _, _} | _], _) -> denied;
greeted([bye | _], _) -> bye;
greeted([], _) -> greeted;
greeted(_, _) -> protocol_error.

known([{get, Key} | _], _, root) -> {secret, Key};
known([{get, Key} | T], V, Name) when V > 4 -> [{value, Key} | [known(T, V, Name)]];
known([{get, _} | T], V, Name) -> known(T, V, Name);
known([bye], _, _) -> good_bye;
known([], _, _) -> idle;
known(_, _, _) -> protocol_error.
