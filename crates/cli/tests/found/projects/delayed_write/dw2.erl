-module(dw2).
-export([main/0]).
-define(F, "dw2_test.txt").
main() ->
    {ok, D1} = open(raw), ok = file:write(D1, "abcd"), R1 = file:read_file(?F), ok = file:write(D1, "efgh"),
    io:format("size: ~p ~p~n", [R1, file:read_file(?F)]), ok = file:close(D1),
    {ok, D2} = open(raw), ok = file:write(D2, "abc"),
    P = file:position(D2, cur), io:format("position: ~p ~p~n", [P, file:read_file(?F)]), ok = file:close(D2),
    {ok, D3} = open(raw), ok = file:write(D3, "abc"), C = file:close(D3), io:format("close: ~p ~p~n", [C, file:read_file(?F)]),
    {_, M} = spawn_monitor(fun() -> {ok, D4} = open(raw), ok = file:write(D4, "abc") end),
    receive {'DOWN', M, _, _, _} -> ok end, timer:sleep(100), io:format("owner: ~p~n", [file:read_file(?F)]),
    {ok, D5} = open(binary), ok = file:write(D5, "abc"), R5 = file:read_file(?F), C5 = file:close(D5),
    io:format("cooked: ~p ~p ~p~n", [R5, C5, file:read_file(?F)]),
    io:format("error: ~p ~p~n", [file:open("nosuch/x", [write, raw, delayed_write]), begin {ok, D6} = open(raw), file:write(D6, [a]) end]),
    {ok, D7} = open(raw), Me = self(),
    spawn(fun() -> Me ! (catch file:write(D7, "x")) end),
    receive {'EXIT', {Why, _}} -> io:format("other: ~p~n", [Why]) end,
    halt().
open(Mode) -> file:delete(?F), file:open(?F, [write, Mode, {delayed_write, 8, 2000}]).
