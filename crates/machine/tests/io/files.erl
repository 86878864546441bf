%% Files and directories: by name, raw, through a process, as terms.
-compile([export_all, nowarn_export_all]).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid,
                    gid}).

show(X) -> io:format("~tp~n", [X]).

%% Without the stack, whose lines are the library's own.
failing(F) -> show(try F() catch Class:Reason -> {Class, Reason} end).

%% A fresh directory for a function.
in(Name, Action) ->
    Dir = "files_" ++ Name,
    file:del_dir_r(Dir),
    ok = file:make_dir(Dir),
    try Action(fun(File) -> filename:join(Dir, File) end)
    after file:del_dir_r(Dir)
    end.

whole() ->
    in("whole", fun(F) ->
        show(file:read_file(F("none"))),
        show(file:write_file(F("a"), ["abc", <<"def">>, $\n])),
        show(file:read_file(F("a"))),
        show(file:write_file(F("a"), <<"new">>)),
        show(file:read_file(list_to_binary(F("a")))),
        show(file:write_file(F("a"), "+more", [append])),
        show(file:read_file([F(""), $/, a])),
        show(file:write_file(F("a"), "x", [exclusive])),
        show(file:write_file(F("a"), "x", [exclusive, raw])),
        show(file:write_file(F("no/such/dir"), "x")),
        show(file:write_file(F("a"), [a])),
        show(file:write_file(F("a"), [300], [raw])),
        show(file:write_file(F("a"), "x", [write, read])),
        show(file:read_file(F("a"))),
        show(file:read_file(F("a/b"))),
        show(file:read_file("")),
        show(file:read_file({a})),
        show(file:read_file([$a, -1])),
        show(file:read_file("a\0b")),
        show(file:read_file(<<"a\0b">>)),
        show(file:read_file([a|b])),
        show(file:read_file(F(""))),
        failing(fun() -> file:write_file(F("a"), "x", read) end),
        show(file:write_file(F("ü"), "ä")),
        show(lists:sort(element(2, file:list_dir(F("")))))
    end).

names() ->
    in("names", fun(F) ->
        show(file:make_dir(F("d"))),
        show(file:make_dir(F("d"))),
        show(file:make_dir(F("x/y"))),
        ok = file:write_file(F("d/one"), "1"),
        ok = file:write_file(F("d/two"), "22"),
        show(file:make_dir(F("d/one"))),
        show(file:make_dir(F("d/one/x"))),
        {ok, L} = file:list_dir(F("d")),
        show(lists:sort(L)),
        show(file:list_dir(F("none"))),
        show(file:list_dir(F("d/one"))),
        show(file:del_dir(F("d"))),
        show(file:del_dir(F("d/one"))),
        show(file:delete(F("d"))),
        show(file:delete(F("none"))),
        show(file:delete(F("d/one/x"))),
        show(file:rename(F("d/one"), F("three"))),
        show(file:rename(F("d/one"), F("three"))),
        show(file:rename(F("three"), F("d"))),
        show(file:rename(F("d"), F("three"))),
        show(file:rename(F("d"), F("d/in"))),
        show(file:rename(F("d/two"), F("three"))),
        show(file:read_file(F("three"))),
        show(file:del_dir(F("d"))),
        show(file:list_dir_all(F(""))),
        show(file:delete(F("three"))),
        show(file:list_dir(F(""))),
        show(file:rename(F("none"), F("other"))),
        show(file:make_dir([])),
        show(file:del_dir(F("none")))
    end).

links() ->
    in("links", fun(F) ->
        ok = file:write_file(F("a"), "text"),
        show(file:make_symlink("a", F("l"))),
        show(file:read_link(F("l"))),
        show(file:read_link(F("a"))),
        show(file:read_link(F("none"))),
        show(file:read_file(F("l"))),
        {ok, I} = file:read_link_info(F("l")),
        show(I#file_info.type),
        {ok, J} = file:read_file_info(F("l")),
        show({J#file_info.type, J#file_info.size, J#file_info.access}),
        show(file:make_symlink("nowhere", F("m"))),
        show(file:read_file(F("m"))),
        show(file:read_file_info(F("m"))),
        show(file:make_symlink("a", F("l"))),
        show(file:make_symlink("loop", F("loop"))),
        show(file:read_file(F("loop"))),
        show(file:make_link(F("a"), F("b"))),
        show(file:make_link(F("a"), F("b"))),
        show(file:make_link(F("none"), F("c"))),
        ok = file:write_file(F("b"), "changed"),
        show(file:read_file(F("a"))),
        {ok, K} = file:read_file_info(F("a")),
        show(K#file_info.links),
        show(file:delete(F("l"))),
        show(file:read_file(F("a"))),
        ok = file:make_dir(F("d")),
        ok = file:make_symlink("d", F("e")),
        ok = file:write_file(F("e/x"), "through"),
        show(file:read_file(F("d/x"))),
        show(file:list_dir(F("e"))),
        show(file:read_file(F("e/../a"))),
        show(file:del_dir(F("e")))
    end).

info() ->
    in("info", fun(F) ->
        ok = file:write_file(F("a"), "12345"),
        {ok, #file_info{size = S, type = T, access = A, mode = M}} = file:read_file_info(F("a")),
        show({S, T, A, M band 8#777}),
        show(file:change_mode(F("a"), 8#640)),
        {ok, #file_info{mode = M2}} = file:read_file_info(F("a"), [raw]),
        show(M2 band 8#777),
        show(file:change_time(F("a"), {{2001, 2, 3}, {4, 5, 6}})),
        {ok, #file_info{mtime = T2}} = file:read_file_info(F("a")),
        show(T2),
        show(file:change_time(F("a"), {{2002, 2, 3}, {4, 5, 6}}, {{2003, 2, 3}, {4, 5, 6}})),
        {ok, #file_info{atime = T3, mtime = T4}} = file:read_file_info(F("a"), [{time, universal}]),
        show({is_tuple(T3), is_tuple(T4)}),
        show(file:write_file_info(F("a"), #file_info{mtime = 1000000000, atime = 5}, [{time, posix}])),
        {ok, #file_info{atime = T5, mtime = T6}} = file:read_file_info(F("a"), [{time, posix}]),
        show({T5, T6}),
        show(file:read_file_info(F("none"))),
        show(file:read_file_info(F("a"), [{time, foo}])),
        failing(fun() -> file:read_file_info(F("a"), foo) end),
        show(file:read_file_info(F("a/b"))),
        failing(fun() -> file:write_file_info(F("a"), foo) end),
        show(filelib:is_file(F("a"))),
        show(filelib:is_dir(F(""))),
        show(filelib:is_regular(F(""))),
        show(filelib:file_size(F("a"))),
        show(filelib:last_modified(F("none"))),
        show(filelib:ensure_dir(F("x/y/z"))),
        show(filelib:is_dir(F("x/y"))),
        show(filelib:ensure_path(F("x/y/z"))),
        ok = file:write_file(F("x/y/q.erl"), ""),
        ok = file:write_file(F("x/p.erl"), ""),
        show(filelib:wildcard(F("**/*.erl"))),
        show(filelib:wildcard("*", F("x"))),
        show(lists:sort(filelib:fold_files(F(""), "erl$", true, fun(N, Acc) -> [filename:basename(N) | Acc] end, []))),
        {ok, D} = file:open(F("a"), [read]),
        {ok, #file_info{size = S3}} = file:read_file_info(D),
        show(S3),
        ok = file:close(D)
    end).

raw() ->
    in("raw", fun(F) ->
        show(file:open(F("none"), [read, raw])),
        show(file:open(F(""), [read, raw])),
        {ok, W} = file:open(F("a"), [write, raw]),
        show(file:write(W, ["hello ", <<"world">>, $\n, "second line\r\n", "end"])),
        show(file:position(W, cur)),
        show(file:read(W, 3)),
        show(file:position(W, {cur, -3})),
        show(file:write(W, "END!")),
        show(file:position(W, -1)),
        show(file:position(W, {bof, 6})),
        show(file:truncate(W)),
        show(file:position(W, eof)),
        show(file:position(W, {eof, 2})),
        show(file:write(W, "x")),
        show(file:write(W, [a])),
        show(file:position(W, foo)),
        show(file:position(W, {foo, 1})),
        show(file:sync(W)),
        show(file:datasync(W)),
        show(file:advise(W, 0, 0, normal)),
        show(file:close(W)),
        show(file:close(W)),
        show(file:write(W, "x")),
        show(file:read_file(F("a"))),
        ok = file:write_file(F("b"), "line one\nline two\r\n\nlast"),
        {ok, R} = file:open(F("b"), [read, raw, binary]),
        show([file:read_line(R) || _ <- lists:seq(1, 6)]),
        show(file:position(R, 5)),
        show(file:read(R, 8)),
        show(file:read(R, 0)),
        show(file:read(R, 1000)),
        show(file:read(R, 1)),
        show(file:read(R, 0)),
        show(file:read(R, -1)),
        show(file:read(R, a)),
        show(file:pread(R, 0, 4)),
        show(file:pread(R, 100, 4)),
        show(file:pread(R, -1, 4)),
        show(file:pread(R, [{0, 2}, {5, 3}, {100, 1}])),
        show(file:write(R, "x")),
        show(file:pwrite(R, 0, "x")),
        show(file:truncate(R)),
        show(file:close(R)),
        {ok, L} = file:open(F("b"), [read, raw]),
        show(file:read(L, 8)),
        show(file:read_line(L)),
        show(file:pread(L, 0, 3)),
        ok = file:close(L),
        {ok, B} = file:open(F("b"), [read, write, raw, binary]),
        show(file:pwrite(B, 2, "XY")),
        show(file:pwrite(B, [{0, "ab"}, {30, <<"far">>}])),
        show(file:pwrite(B, [{0, "ab"}, {-1, <<"far">>}])),
        show(file:read(B, 100)),
        show(file:close(B)),
        {ok, A} = file:open(F("b"), [append, raw]),
        show(file:position(A, 0)),
        show(file:write(A, "appended")),
        show(file:close(A)),
        show(file:read_file(F("b"))),
        show(file:open(F("b"), [exclusive, raw, write])),
        {ok, E} = file:open(F("new"), [exclusive, raw]),
        show(file:write(E, "yes")),
        show(file:read(E, 1)),
        ok = file:close(E),
        failing(fun() -> file:open(F("b"), [raw, ram]) end),
        show(file:open(F("b"), foo)),
        show(element(1, file:open(F("b"), {binary, read})))
    end).

owner() ->
    in("owner", fun(F) ->
        Me = self(),
        ok = file:write_file(F("a"), "abc"),
        {ok, R} = file:open(F("a"), [read, raw, binary]),
        {_, M1} = spawn_monitor(fun() -> exit(try file:read(R, 1) catch C:E -> {C, E} end) end),
        receive {'DOWN', M1, _, _, Why1} -> show(Why1) end,
        ok = file:close(R),
        {Pid, M2} = spawn_monitor(fun() -> {ok, D} = file:open(F("a"), [read]), Me ! {device, D}, receive stop -> ok end end),
        D = receive {device, D0} -> D0 end,
        show(file:read(D, 2)),
        show(file:pid2name(D) =:= {ok, F("a")}),
        M3 = monitor(process, D),
        Pid ! stop,
        receive {'DOWN', M2, _, _, Why2} -> show(Why2) end,
        receive {'DOWN', M3, _, _, Why3} -> show(Why3) end,
        show(file:read(D, 1)),
        show(file:position(D, 1)),
        show(file:close(D))
    end).

device() ->
    in("device", fun(F) ->
        {ok, W} = file:open(F("a"), [write]),
        show(is_pid(W)),
        show(io:format(W, "~w ~s~n", [{a, 1}, "text"])),
        show(file:write(W, "second\n")),
        show(io:put_chars(W, "third\n")),
        show(try io:put_chars(W, [955]) catch C:E -> {C, E} end),
        show(file:write(W, "dead")),
        show(file:close(W)),
        show(file:read_file(F("a"))),
        {ok, R} = file:open(F("a"), [read]),
        show(io:get_line(R, "")),
        show(file:read_line(R)),
        show(file:read(R, 2)),
        show(file:position(R, cur)),
        show(io:get_chars(R, "", 100)),
        show(io:get_line(R, "")),
        show(file:read(R, 1)),
        show(file:position(R, {bof, 2})),
        show(io:get_chars(R, "", 3)),
        show(file:position(R, {cur, 1})),
        show(file:pread(R, 0, 3)),
        show(file:read(R, 3)),
        show(file:pread(R, [{0, 2}, {1000, 1}])),
        show(io:fread(R, "", "~a")),
        show(io:getopts(R)),
        show(file:write(R, "x")),
        show(file:close(R)),
        {ok, B} = file:open(F("a"), [read, write, binary]),
        show(file:read(B, 3)),
        show(file:write(B, "XXX")),
        show(file:position(B, 0)),
        show(file:read(B, 10)),
        show(file:pwrite(B, 0, "00")),
        show(file:read_line(B)),
        show(file:truncate(B)),
        show(file:close(B)),
        show(file:read_file(F("a")))
    end).

encodings() ->
    in("encodings", fun(F) ->
        {ok, W} = file:open(F("u"), [write, {encoding, utf8}]),
        show(io:format(W, "~ts~n", ["λx→é"])),
        show(file:close(W)),
        show(file:read_file(F("u"))),
        {ok, R} = file:open(F("u"), [read, {encoding, utf8}]),
        show(io:get_line(R, "")),
        show(file:position(R, 0)),
        show(io:get_chars(R, "", 2)),
        show(file:close(R)),
        {ok, R2} = file:open(F("u"), [read, binary, {encoding, unicode}]),
        show(io:get_line(R2, "")),
        show(file:close(R2)),
        {ok, R3} = file:open(F("u"), [read, {encoding, utf8}]),
        show(file:read(R3, 3)),
        {ok, R4} = file:open(F("u"), [read]),
        show(io:get_line(R4, "")),
        show(io:setopts(R4, [{encoding, utf8}])),
        show(file:position(R4, 0)),
        show(io:get_line(R4, "")),
        show(file:close(R4)),
        show(file:open(F("u"), [read, {encoding, ebcdic}]))
    end).

copies() ->
    in("copies", fun(F) ->
        ok = file:write_file(F("a"), lists:duplicate(1000, "0123456789")),
        show(file:copy(F("a"), F("b"))),
        show(element(2, file:read_file(F("a"))) =:= element(2, file:read_file(F("b")))),
        show(file:copy(F("a"), F("c"), 15)),
        show(file:read_file(F("c"))),
        show(file:copy(F("none"), F("d"))),
        show(file:copy(F("a"), F("x/d"))),
        show(file:copy(F("a"), F("c"), -1)),
        {ok, D} = file:open(F("c"), [append]),
        show(file:copy({F("a"), [raw]}, D, 5)),
        ok = file:close(D),
        show(file:read_file(F("c"))),
        show(file:copy({F("c"), []}, {F("c2"), [append]})),
        show(file:copy({F("c"), []}, {F("c2"), [append]})),
        show(byte_size(element(2, file:read_file(F("c2"))))),
        show(file:copy({a}, F("y")))
    end).

cwd() ->
    in("cwd", fun(F) ->
        {ok, Old} = file:get_cwd(),
        show(file:set_cwd(F(""))),
        {ok, New} = file:get_cwd(),
        show(filename:basename(New)),
        ok = file:write_file("here", "x"),
        show(file:read_file("here")),
        show(filename:absname("here") =:= filename:join(New, "here")),
        show(file:set_cwd("none")),
        show(file:set_cwd("here")),
        show(file:set_cwd(Old)),
        show(file:read_file(F("here"))),
        show(file:get_cwd("c")),
        show(file:set_cwd({a}))
    end).

ram() ->
    {ok, D} = file:open("content", [ram, read, write]),
    show(file:read(D, 3)),
    show(file:position(D, eof)),
    show(file:write(D, "!")),
    show(file:pread(D, 0, 100)),
    show(file:close(D)).

errors() ->
    [show({E, lists:flatten(file:format_error(E))})
     || E <- [enoent, eacces, eisdir, badarg, system_limit, terminated, foo, exdev, {3, file, undefined_script},
              {4, file, {error, badarg, []}}, einval, erofs]].

larger() ->
    in("larger", fun(F) ->
        Data = binary:copy(<<"0123456789abcdef">>, 50000),
        ok = file:write_file(F("big"), Data),
        {ok, R} = file:open(F("big"), [read, raw, binary, {read_ahead, 1000}]),
        {ok, All} = file:read(R, 10000000),
        show(All =:= Data),
        show(file:position(R, {eof, -4})),
        show(file:read(R, 10)),
        ok = file:close(R),
        {ok, W} = file:open(F("out"), [write, delayed_write]),
        [ok = file:write(W, integer_to_list(I)) || I <- lists:seq(1, 1000)],
        ok = file:close(W),
        show(filelib:file_size(F("out")))
    end).
