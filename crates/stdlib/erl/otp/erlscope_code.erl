%% Loading and removing code, as far as it takes running some: `-on_load`
%% functions, and killing who still runs old code. The runtime does the rest
%% (see NATIVES.md).
-module(erlscope_code).

-export([autoload/1, apply/3, apply/4, finish/1, purge/1, soft_purge/1, loading_failed/2, transform/3,
         without_transforms/1]).

%% The runtime has a process call this before its call into a module that has
%% an `-on_load` function. When the module does not come to be loaded, that
%% call fails as one into a module that does not exist.
autoload(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> ok;
        {error, _} -> erlscope_native:code_missing()
    end.

apply(Module, Fun, Args) ->
    autoload(Module),
    erlang:apply(Fun, Args).

apply(Module, To, Name, Args) ->
    autoload(Module),
    erlang:apply(To, Name, Args).

%% What a native load answered, after running the module's `-on_load` function
%% if it has one.
finish({on_load, Module, Fun, Version}) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({on_load, Fun()}) end),
    Result = receive {'DOWN', Ref, process, Pid, Reason} -> Reason end,
    case Result of
        {on_load, ok} ->
            erlscope_native:code_finish(Version, true),
            {module, Module};
        _ ->
            erlscope_native:code_finish(Version, false),
            failed(Module, Result),
            {error, on_load_failure}
    end;
finish(Answer) ->
    Answer.

failed(Module, {on_load, Value}) -> logged(Module, Value);
failed(Module, Reason) -> logged(Module, Reason).

logged(Module, Value) ->
    logger:warning("The on_load function for module ~s returned:~n~P\n", [Module, Value, 10]).

loading_failed(File, Reason) ->
    logger:error("Loading of ~ts failed: ~p\n", [File, Reason]).

%% Kills the processes that run old code of a module and forgets the code:
%% whether any was killed.
purge(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            Killed = kill([Pid || Pid <- processes(), runs_old(Pid, Module)]),
            erlscope_native:code_forget_old(Module),
            Killed;
        false ->
            false
    end.

kill([]) ->
    false;
kill(Pids) ->
    Me = self(),
    Refs = [begin
                Ref = monitor(process, Pid),
                exit(Pid, kill),
                Ref
            end || Pid <- Pids, Pid =/= Me],
    [receive {'DOWN', Ref, process, _, _} -> ok end || Ref <- Refs],
    [exit(Me, kill) || lists:member(Me, Pids)],
    true.

soft_purge(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            case lists:any(fun(Pid) -> runs_old(Pid, Module) end, processes()) of
                true ->
                    false;
                false ->
                    erlscope_native:code_forget_old(Module),
                    true
            end;
        false ->
            true
    end.

runs_old(Pid, Module) -> erlang:check_process_code(Pid, Module).

%% Forms without the attributes that ask for parse transforms: who compiles what a transform was given
%% must not run it again.
without_transforms(Forms) ->
    lists:flatmap(fun({attribute, _, compile, {parse_transform, _}}) -> [];
                     ({attribute, Location, compile, Options}) when is_list(Options) ->
                          [{attribute, Location, compile, [O || O <- Options, not is_transform(O)]}];
                     (Form) -> [Form]
                  end, Forms).

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.

%% Runs a parse transform; ends with what became of it.
transform(Module, Forms, Options) ->
    exit(try Module:parse_transform(without_transforms(Forms), Options) of
             {warning, New, _} -> {forms, New};
             {error, Errors, _} -> {problem, text(Errors)};
             New when is_list(New) -> {forms, New};
             Other -> problem("~tp:parse_transform/2 returned ~tP", [Module, Other, 20])
         catch
             Class:Reason:Stack ->
                 crashed(Module, Class, Reason, Stack)
         end).

crashed(Module, error, undef, [{Module, parse_transform, [_, _], _} | _]) ->
    problem("undefined parse transform '~ts'", [Module]);
crashed(Module, Class, Reason, Stack) ->
    problem("parse transform '~ts' failed: ~ts",
            [Module, erl_error:format_exception(Class, Reason, Stack)]).

problem(Format, Args) -> {problem, unicode:characters_to_list(io_lib:format(Format, Args))}.

text([{File, [{Location, Module, Descriptor} | _]} | _]) ->
    unicode:characters_to_list(io_lib:format("~ts:~w: ~ts", [File, Location, Module:format_error(Descriptor)]));
text(Errors) ->
    unicode:characters_to_list(io_lib:format("~tp", [Errors])).
