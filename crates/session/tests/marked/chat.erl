-module(chat).
-export([main/0]).
-record(room, {name, users = [] :: list(), log = []}).
main() ->
    R = spawn_link(fun() -> room(#room{name = lobby}) end),
    Us = [user(R, N) || N <- [ann, bob, cid]],
    [say(U, T) || {U, T} <- lists:zip(Us, ["hi", "ho", "/me waves"])],
    ok = leave(lists:nth(2, Us)),
    say(hd(Us), "bye"),
    Logs = [inbox(U) || U <- Us],
    R ! {log, self()},
    L = receive {log, X} -> X end,
    {Logs, L}.
user(R, N) ->
    Me = self(),
    P = spawn_link(fun() -> R ! {join, N, self()}, Me ! joined, user_loop(R, N, []) end),
    receive joined -> P end.
user_loop(R, N, In) ->
    receive
        {say, F, T} -> R ! {msg, N, parse(T)}, F ! said, user_loop(R, N, In);
        {from, N, _} -> user_loop(R, N, In);
        {from, O, M} -> user_loop(R, N, [{«O, M¦M, O»} | In]);
        {leave, F} -> R ! {part, «N¦none»}, F ! left, user_loop(R, N, In);
        {inbox, F} -> F ! {inbox, lists:reverse(«In¦tl(In)»)}, user_loop(R, N, In)
    end.
parse("/me " ++ T) -> {action, «T¦[$  | T]»};
parse(T) -> {text, T}.
room(#room{users = Us, log = L} = R) ->
    receive
        {join, N, P} -> room(R#room{users = [{N, P} | «Us¦[]»]});
        {part, N} -> room(R#room{users = lists:keydelete(N, «1¦2», Us)});
        {msg, N, M} ->
            [P ! {from, N, M} || {O, P} <- Us, O «=/=¦=:=» N],
            room(R#room{log = [{N, M} | L]});
        {log, F} -> F ! {log, lists:reverse(L)}, room(R)
    end.
say(U, T) -> U ! {say, self(), T}, receive said -> timer:sleep(1) end.
leave(U) -> U ! {leave, self()}, receive left -> timer:sleep(1) end.
inbox(U) -> U ! {inbox, self()}, receive {inbox, L} -> L end.
