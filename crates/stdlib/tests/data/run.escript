#!/usr/bin/env escript
%%! +A0 -noinput
%% Differential test of the embedded library's data modules against the installed OTP.
%%
%% usage: run.escript [-n CASES] [-v] [MODULE ...]
%%
%% Prints one line for each module, then `N passed, M failed`; the exit code is 0 only when nothing
%% failed. See harness.erl for how the comparison works.

-mode(compile).

main(Args) ->
    Dir = filename:dirname(filename:absname(escript:script_name())),
    Helpers = [filename:join(Dir, "harness.erl"), filename:join(Dir, "arb.erl")
               | filelib:wildcard(filename:join([Dir, "cases", "*.erl"]))],
    lists:foreach(fun load_helper/1, Helpers),
    {Passed, Failed} = harness:main(Dir, Args),
    io:format("~w passed, ~w failed~n", [Passed, Failed]),
    halt(case Failed of 0 -> 0; _ -> 1 end).

load_helper(File) ->
    case compile:file(File, [binary, report, nowarn_deprecated_function, nowarn_removed]) of
        {ok, Module, Code} -> {module, Module} = code:load_binary(Module, File, Code);
        error -> io:format("~s does not compile~n", [File]), halt(2)
    end.
