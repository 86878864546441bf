%% Runs programs, on the judge and on the Machine alike: what main/0 prints, and how it ends.
%% A stack trace is written as functions and lines, down to the first frame that is not the program's.
-module(corpus_peer).
-export([run/1, all/2, show/3]).

-record(rec, {a = 1, b = none}).

%% Every program, each with its output in a file of its own.
all(Modules, Dir) ->
    lists:foreach(fun(M) -> one(M, Dir) end, Modules),
    halt().

one(Module, Dir) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            [io:format("behind after: ~s~n", [Module]) || has_after(Module)],
            run_one(Module, Dir);
        {error, _} -> io:format("not compiled: ~s~n", [Module])
    end.

%% Whether what is behind an `after` is a function of its own.
has_after(Module) ->
    lists:any(fun({F, _}) -> string:find(atom_to_list(F), "-after$") =/= nomatch end, Module:module_info(functions)).

run_one(Module, Dir) ->
    {ok, File} = file:open(filename:join(Dir, atom_to_list(Module) ++ ".out"), [write, {encoding, utf8}]),
    {Pid, Ref} = spawn_monitor(fun() -> group_leader(File, self()), run(Module) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, Reason} -> io:format(File, "ended: ~tw~n", [Reason])
    after 60000 ->
            exit(Pid, kill),
            io:put_chars(File, "no end\n")
    end,
    file:close(File).

run(Module) ->
    _ = logger:set_primary_config(level, none),
    try Module:main() of
        Value -> io:format("value: ~tp~n", [Value])
    catch
        Class:Reason:Stack ->
            io:format("~w: ~tp~n", [Class, Reason]),
            [io:format("  at ~tw:~tw/~w line ~w~n", [M, F, arity(A), proplists:get_value(line, Where, none)])
             || {M, F, A, Where} <- lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE end, Stack)]
    end,
    ok.

arity(Args) when is_list(Args) -> length(Args);
arity(Arity) -> Arity.

%% Prints what a call in a program of the grammar comes to: its value, or the exception with its stack trace, and what `t/2`
%% noted. It is made in a process of its own that has messages.
show(Module, Name, Call) ->
    {Pid, Ref} = spawn_monitor(fun() -> in_process(Module, Name, Call) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok;
            {'DOWN', Ref, process, Pid, Reason} -> io:format("~s ended: ~tp~n", [Name, plain(Reason)])
    end.

in_process(Module, Name, Call) ->
    [self() ! M || _ <- lists:seq(1, 20),
                   M <- [1, a, true, [1, 2], {1, a}, #{a => 1}, <<1, 2>>, #rec{}, 2.5, {2, b}]],
    put(t, []),
    try Call() of
        V -> io:format("~s: ~tp ~w~n", [Name, plain(V), get(t)])
    catch
        C:R:S ->
            io:format("~s: ~w ~tp ~w~n", [Name, C, plain(R), get(t)]),
            Known = case has_place(R) of true -> Module; false -> [] end,
            [io:format("  at ~w:~ts/~w ~w~n", [M, name(atom_to_list(F)), number(atom_to_list(F), A), line(Known, M, L)])
             || {M, F, A, L} <- once(lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE end, S))]
    end.

%% Whether a failure is said to be where it is: otherwise its line depends on how the judge's compiler lays out code.
has_place(timeout_value) -> false;
has_place({else_clause, _}) -> false;
has_place({bad_generator, _}) -> false;
has_place({bad_filter, _}) -> false;
has_place(_) -> true.

%% The judge sometimes notes a call twice; whether it notes an operator depends on how its compiler optimizes, and
%% whether it notes who calls a builtin last (`Mod:Fn(X)`) on what is on its stack.
once([{erlang, abs, _, _} = Frame | _]) -> [Frame];
once([{erlang, Op, _, _} | Rest]) when Op =:= '+'; Op =:= '-'; Op =:= '*'; Op =:= '/' -> once(Rest);
once([{M, F, A, _}, {M, F, A, _} = Same | Rest]) -> once([Same | Rest]);
once([Frame | Rest]) -> [Frame | once(Rest)];
once([]) -> [].

%% The judge's compiler numbers the functions that it makes of funs, comprehensions and of what is behind a long `after`.
name("-" ++ _ = Name) -> hd(string:split(hd(string:split(Name, "/", trailing)), "$"));
name(Name) -> Name.

%% What a fun takes along depends on how the judge's compiler optimizes.
number("-" ++ _, _) -> any;
number(_, A) -> arity(A).

%% The library has lines of its own on each side.
line(Module, Module, L) -> proplists:get_value(line, L, none);
line(_, _, _) -> none.

%% Stack traces in values name files.
plain({Reason, [{_, _, _, _} | _]}) -> {plain(Reason), stack};
plain(F) when is_function(F) -> {function, erlang:fun_info(F, arity)};
plain(P) when is_pid(P) -> pid;
plain(R) when is_reference(R) -> reference;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> maps:from_list(plain(maps:to_list(M)));
plain(X) -> X.
