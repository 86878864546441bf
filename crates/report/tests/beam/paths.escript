#!/usr/bin/env escript
%% Runs modules of tests, one for each path: those called path_… are to pass, those called bug_… to
%% fail. Prints what does not, and how many there were.
main([Directory | Modules]) ->
    logger:set_primary_config(level, none),
    true = code:add_patha(Directory),
    Counts = [module(Directory, list_to_atom(Module)) || Module <- Modules],
    io:format("tests ~p~n", [lists:sum(Counts)]).

module(Directory, Module) ->
    Source = filename:join(Directory, atom_to_list(Module)),
    case compile:file(Source, [{outdir, Directory}, return_errors]) of
        {ok, _} ->
            {module, _} = code:load_file(Module),
            Tests = [F || {F, 0} <- Module:module_info(exports), is_test(atom_to_list(F))],
            lists:foreach(fun(Test) -> test(Module, Test) end, Tests),
            length(Tests);
        Error ->
            io:format("wrong: ~p does not compile: ~0p~n", [Module, Error]),
            0
    end.

is_test(Name) -> lists:suffix("_test", Name).

test(Module, Test) ->
    {Pid, Ref} = spawn_opt(fun() -> Module:Test(), exit(passed) end, [monitor, {max_heap_size, 50000000}]),
    Outcome = receive {'DOWN', Ref, _, _, Reason} -> Reason after 10000 -> exit(Pid, kill), endless end,
    case {atom_to_list(Test), Outcome} of
        {"path_" ++ _, passed} -> ok;
        {"bug_" ++ _, Failed} when Failed =/= passed -> ok;
        _ -> io:format("wrong: ~p:~p ~0p~n", [Module, Test, Outcome])
    end.
