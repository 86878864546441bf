%% Runs programs, on the judge and on the Machine alike: what main/0 prints, and how it ends.
%% A stack trace is written as functions and lines, down to the first frame that is not the program's.
-module(corpus_peer).
-export([run/1, all/2]).

%% Every program, each with its output in a file of its own.
all(Modules, Dir) ->
    lists:foreach(fun(M) -> one(M, Dir) end, Modules),
    halt().

one(Module, Dir) ->
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
