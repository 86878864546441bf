%% Files as devices, and the I/O protocol.
-module(scenario_io).

-export([scenarios/0, echo/2]).

file(Text) -> ok = file:write_file("f.txt", Text), "f.txt".

open(Text, Modes) -> {ok, F} = file:open(file(Text), Modes), F.

content() -> {ok, B} = file:read_file("f.txt"), B.

%% A device that answers every put_chars and remembers the requests.
echo(Parent, Reply) ->
    receive
        {io_request, From, As, Request} -> Parent ! {request, Request}, From ! {io_reply, As, Reply}, echo(Parent, Reply)
    end.

device(Reply) -> spawn_link(?MODULE, echo, [self(), Reply]).

scenarios() ->
    [{write, fun() -> F = open("", [write]), R = {io:format(F, "a~p~n", [1]), io:put_chars(F, "b"), io:nl(F), io:write(F, {c, "d"}), file:write(F, <<"e">>)}, {R, file:close(F), content()} end},
     {write_utf8, fun() -> F = open("", [write, {encoding, utf8}]), io:format(F, "~ts", [[229, 1024]]), file:close(F), content() end},
     {write_latin1_bad, fun() -> F = open("", [write]), R = try io:put_chars(F, [1024]) catch C:W -> {C, W} end, file:close(F), R end},
     {lines, fun() -> F = open("one\ntwo\r\nthree", [read]), R = [io:get_line(F, "") || _ <- [1, 2, 3, 4]], file:close(F), R end},
     {lines_binary, fun() -> F = open("one\ntwo", [read, binary]), R = [io:get_line(F, "") || _ <- [1, 2, 3]], file:close(F), R end},
     {lines_utf8, fun() -> F = open(<<"å\nЀ\n"/utf8>>, [read, {encoding, utf8}]), R = [io:get_line(F, "") || _ <- [1, 2, 3]], file:close(F), R end},
     {lines_utf8_binary, fun() -> F = open(<<"å\nЀ\n"/utf8>>, [read, binary, {encoding, utf8}]), R = [io:get_line(F, "") || _ <- [1, 2, 3]], file:close(F), R end},
     {read_line, fun() -> F = open("one\ntwo\r\nthree", [read]), R = [file:read_line(F) || _ <- [1, 2, 3, 4]], file:close(F), R end},
     {chars, fun() -> F = open("abcdefg", [read]), R = [io:get_chars(F, "", 3) || _ <- [1, 2, 3, 4]], file:close(F), R end},
     {chars_utf8, fun() -> F = open(<<"åЀö"/utf8>>, [read, {encoding, utf8}]), R = [io:get_chars(F, "", 2) || _ <- [1, 2, 3]], file:close(F), R end},
     {bytes, fun() -> F = open("abcdefg", [read, binary]), R = [file:read(F, 3) || _ <- [1, 2, 3, 4]], file:close(F), R end},
     {mixed, fun() -> F = open("abc\ndefghij\nk", [read]), R = {io:get_line(F, ""), file:read(F, 2), io:get_chars(F, "", 2), file:position(F, cur), file:read(F, 3)}, file:close(F), R end},
     {position, fun() -> F = open("0123456789", [read, write]), R = {file:position(F, 5), file:read(F, 2), file:position(F, {cur, -1}), file:read(F, 1), file:position(F, eof), file:read(F, 1), file:position(F, bof), file:pread(F, 2, 3), file:pread(F, [{0, 1}, {9, 5}]), file:pwrite(F, 1, "X"), file:position(F, 4), file:truncate(F)}, file:close(F), {R, content()} end},
     {read_then_write, fun() -> F = open("abcdef\nxyz", [read, write]), A = io:get_line(F, ""), io:put_chars(F, "NEW"), file:close(F), {A, content()} end},
     {append, fun() -> F = open("abc", [append]), io:put_chars(F, "d"), file:close(F), content() end},
     {terms, fun() -> F = open("{a,1}. foo.\n bad(. x.", [read]), R = [io:read(F, "") || _ <- [1, 2, 3, 4, 5]], file:close(F), [element(1, X) || X <- R, is_tuple(X)] end},
     {fread, fun() -> F = open("12 ab 3.5\n7", [read]), R = {io:fread(F, "", "~d ~s ~f"), io:fread(F, "", "~d"), io:fread(F, "", "~d")}, file:close(F), R end},
     {forms, fun() -> F = open("f(X) ->\n  X + 1.\n", [read]), {ok, T, L} = io:parse_erl_form(F, "", 1), E = io:parse_erl_form(F, "", L), file:close(F), {element(1, T), L, E} end},
     {opts, fun() -> F = open("å", [read]), R = {lists:sort(io:getopts(F)), io:setopts(F, [binary, {encoding, utf8}]), lists:sort(io:getopts(F)), io:setopts(F, [foo]), io:columns(F)}, file:close(F), R end},
     {missing, fun() -> {file:open("no/such/file", [read]), file:open("f.txt", [bad_mode])} end},
     {closed, fun() -> F = open("x", [read]), file:close(F), {io:get_line(F, ""), file:read(F, 1), try io:format(F, "x", []) catch C:R -> {C, R} end} end},
     {owner_dies, fun() -> Self = self(), spawn(fun() -> Self ! open("x", [read]) end), F = receive P -> P end, timer:sleep(10), is_process_alive(F) end},
     {write_to_read, fun() -> F = open("x", [read]), R = file:write(F, "y"), file:close(F), R end},
     {requests, fun() -> D = device(ok), io:format(D, "~p", [1]), io:put_chars(D, [1024]), io:nl(D), io:write(D, x), io:fwrite(D, "z", []), io:get_line(D, p), io:get_chars(D, p, 3), io:fread(D, p, "~d"), io:setopts(D, [binary]), io:getopts(D), io:request(D, {custom, 1}), io:requests(D, [nl, {put_chars, unicode, "x"}]), io:read(D, p), io:scan_erl_exprs(D, p), io:columns(D), flush() end},
     {device_error, fun() -> D = device({error, why}), [try F() catch C:R:S -> {C, R, hd(S)} end || F <- [fun() -> io:format(D, "x", []) end, fun() -> io:put_chars(D, "x") end, fun() -> io:nl(D) end, fun() -> io:write(D, 1) end, fun() -> io:fwrite(D, "x", []) end]] ++ [io:get_line(D, ""), io:getopts(D)] end},
     {no_device, fun() -> [try F() catch C:R:S -> {C, R, hd(S)} end || F <- [fun() -> io:format(nobody, "x", []) end, fun() -> io:put_chars(nobody, "x") end, fun() -> io:format(self(), "x", []) end]] ++ [io:get_line(nobody, "")] end},
     {dead_device, fun() -> D = device(ok), unlink(D), exit(D, kill), timer:sleep(5), [try io:format(D, "x", []) catch C:R:S -> {C, R, hd(S)} end, io:get_line(D, "")] end},
     {group_leader, fun() -> D = device(ok), group_leader(D, self()), io:format("to leader"), io:format(standard_io, "again", []), flush() end}].

flush() -> receive M -> [M | flush()] after 10 -> [] end.
