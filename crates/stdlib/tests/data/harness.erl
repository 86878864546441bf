%% Compares our library modules with OTP's, on the BEAM.
%%
%% Each source of erl/data is compiled under the name `es_<module>`, with its calls among our own
%% modules renamed likewise and its native functions (those that are builtins in OTP) forwarded to
%% OTP. A module `cases_<module>` then supplies arguments: every function is called with the same
%% generated arguments in both versions, some of them deliberately wrong, and the values, or the
%% class and reason of the exceptions, must be identical.
%%
%% A cases module exports any of
%%   cases/0    [{Function, [Generator]} | {Function, [Generator], Options}]
%%   scripts/0  [{Name, Count, fun((Lib) -> term())}], where Lib(Module) is the version to call and
%%              random choices come from `rand` (same seed for both runs)
%%   checks/0   [{Name, fun((Lib) -> boolean())}] for what OTP has no counterpart of
%%   skipped/0  [{Function, Arity}] not covered, with the reason in a comment there
%% Options: {count, N}, {wrong, Percent}, sorted (lists compared as multisets), as_text (nested text
%% compared as flat text), any_error (reasons of errors not compared).
-module(harness).

-export([main/2, load_renamed/1, sources/1]).

main(Dir, Args) ->
    Options = options(Args, #{count => 300, verbose => false, modules => []}),
    ErlDir = filename:join([Dir, "..", "..", "erl", "data"]),
    Files = sources(ErlDir),
    Own = [module_of(File) || File <- Files],
    put(own, Own),
    %% A call that runs away must not take the machine with it.
    process_flag(max_heap_size, #{size => 100 * 1000 * 1000, kill => true}),
    lists:foreach(fun load_renamed/1, Files),
    %% Helpers that OTP does not have are tested through the modules that use them.
    Public = [M || M <- Own, not lists:prefix("stdlib_", atom_to_list(M))],
    Wanted = case maps:get(modules, Options) of [] -> Public; Some -> Some end,
    lists:foldl(fun(Module, {Passed, Failed}) ->
                        {P, F} = test_module(Module, Options),
                        {Passed + P, Failed + F}
                end, {0, 0}, Wanted).

options(["-n", N | Rest], Options) -> options(Rest, Options#{count := list_to_integer(N)});
options(["-v" | Rest], Options) -> options(Rest, Options#{verbose := true});
options([Module | Rest], #{modules := Modules} = Options) ->
    options(Rest, Options#{modules := Modules ++ [list_to_atom(Module)]});
options([], Options) -> Options.

sources(ErlDir) -> lists:sort(filelib:wildcard(filename:join(ErlDir, "*.erl"))).

module_of(File) -> list_to_atom(filename:basename(File, ".erl")).

%% ---- compiling under another name ----

load_renamed(File) ->
    Module = module_of(File),
    {ok, Forms} = epp:parse_file(File, [{location, {1, 1}}]),
    Renamed = [rename_form(Form, Module) || Form <- Forms],
    Flags = [return, debug_info, nowarn_deprecated_function, nowarn_removed],
    case compile:forms(Renamed, Flags) of
        {ok, Name, Code, Warnings} ->
            report(File, "warning", Warnings),
            {module, Name} = code:load_binary(Name, File, Code);
        {error, Errors, Warnings} ->
            report(File, "error", Errors),
            report(File, "warning", Warnings),
            halt(2)
    end.

report(File, Kind, Messages) ->
    [io:format("~s:~p: ~s: ~s~n", [File, Where, Kind, M:format_error(What)])
     || {_, Infos} <- Messages, {Where, M, What} <- Infos].

rename_form({attribute, Anno, module, Module}, Module) ->
    {attribute, Anno, module, renamed(Module)};
rename_form({function, Anno, Name, Arity, Clauses}, Module) ->
    case erlang:is_builtin(Module, Name, Arity) of
        true -> forward(Anno, Module, Name, Arity);
        false -> {function, Anno, Name, Arity, rename(Clauses)}
    end;
rename_form(Form, _Module) when element(1, Form) =:= error; element(1, Form) =:= warning ->
    io:format("~p~n", [Form]),
    halt(2);
rename_form(Form, _Module) ->
    Form.

forward(Anno, Module, Name, Arity) ->
    Vars = [{var, Anno, list_to_atom("A" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)],
    Call = {call, Anno, {remote, Anno, {atom, Anno, Module}, {atom, Anno, Name}}, Vars},
    {function, Anno, Name, Arity, [{clause, Anno, Vars, [], [Call]}]}.

rename({remote, Anno, {atom, AtomAnno, Module}, Name}) ->
    {remote, Anno, {atom, AtomAnno, own_name(Module)}, rename(Name)};
rename({'fun', Anno, {function, {atom, AtomAnno, Module}, Name, Arity}}) ->
    {'fun', Anno, {function, {atom, AtomAnno, own_name(Module)}, Name, Arity}};
rename(Tuple) when is_tuple(Tuple) -> list_to_tuple(rename(tuple_to_list(Tuple)));
rename([Head | Tail]) -> [rename(Head) | rename(Tail)];
rename(Other) -> Other.

own_name(Module) ->
    case lists:member(Module, get(own)) of
        true -> renamed(Module);
        false -> Module
    end.

renamed(Module) -> list_to_atom("es_" ++ atom_to_list(Module)).

%% ---- one module ----

test_module(Module, Options) ->
    Cases = list_to_atom("cases_" ++ atom_to_list(Module)),
    put(failures, 0),
    put(passes, 0),
    put(frames, 0),
    put(shown, 0),
    Start = erlang:monotonic_time(millisecond),
    compare_exports(Module),
    case code:ensure_loaded(Cases) of
        {module, Cases} ->
            [run_case(Module, Case, Options) || Case <- optional(Cases, cases)],
            [run_script(Module, Script, Options) || Script <- optional(Cases, scripts)],
            [run_check(Module, Check) || Check <- optional(Cases, checks)],
            compare_coverage(Module, Cases);
        {error, _} ->
            io:format("~w: no cases~n", [Module])
    end,
    Time = erlang:monotonic_time(millisecond) - Start,
    io:format("~-16w ~7w passed ~5w failed ~6w other frame ~6w ms~n",
              [Module, get(passes), get(failures), get(frames), Time]),
    {get(passes), get(failures)}.

optional(Cases, Function) ->
    case erlang:function_exported(Cases, Function, 0) of
        true -> Cases:Function();
        false -> []
    end.

compare_exports(Module) ->
    case code:which(Module) of
        non_existing -> ok;
        _ ->
            Missing = Module:module_info(exports) -- (renamed(Module)):module_info(exports),
            judge(Missing =:= [], fun() ->
                io:format("~w lacks exports ~0p~n", [Module, Missing])
            end)
    end.

compare_coverage(Module, Cases) ->
    Tested = lists:usort([{element(1, Case), length(element(2, Case))}
                          || Case <- optional(Cases, cases)]),
    Own = [FA || {F, A} = FA <- (renamed(Module)):module_info(exports), F =/= module_info,
                 not erlang:is_builtin(Module, F, A)],
    case Own -- (Tested ++ optional(Cases, skipped)) of
        [] -> ok;
        Untested -> io:format("~w: not covered: ~0p~n", [Module, Untested])
    end.

judge(true, _Explain) ->
    put(passes, get(passes) + 1);
judge(false, Explain) ->
    put(failures, get(failures) + 1),
    put(shown, get(shown) + 1),
    case get(shown) of
        N when N =< 4 -> Explain();
        5 -> io:format("  ... more failures not shown~n");
        _ -> ok
    end.

%% ---- generated calls ----

run_case(Module, {Function, Gens}, Options) -> run_case(Module, {Function, Gens, []}, Options);
run_case(Module, {Function, Gens, CaseOptions}, Options) ->
    case maps:get(verbose, Options) of
        true -> io:format("~w:~w/~w~n", [Module, Function, length(Gens)]);
        false -> ok
    end,
    put(shown, 0),
    Count = proplists:get_value(count, CaseOptions, maps:get(count, Options)),
    Wrong = proplists:get_value(wrong, CaseOptions, 15),
    rand:seed(exsss, erlang:phash2({Module, Function, length(Gens)})),
    repeat(Count, fun() ->
        Args = arb:args(Gens, Wrong),
        compare_call(Module, Function, Args, CaseOptions)
    end).

repeat(0, _Fun) -> ok;
repeat(N, Fun) -> Fun(), repeat(N - 1, Fun).

compare_call(Module, Function, Args, CaseOptions) ->
    Seed = rand:export_seed(),
    Expected = outcome(Module, Function, Args),
    rand:seed(Seed),
    Actual = outcome(renamed(Module), Function, Args),
    rand:seed(Seed),
    case same(Expected, Actual, CaseOptions) of
        true ->
            judge(true, none),
            case {Expected, Actual} of
                {{_, _, F1}, {_, _, F2}} when F1 =/= F2 ->
                    put(frames, get(frames) + 1),
                    case os:getenv("FRAMES") of
                        false -> ok;
                        _ -> io:format("frame ~w:~w(~0P)~n  OTP ~0p~n  own ~0p~n",
                                       [Module, Function, Args, 30, F1, F2])
                    end;
                _ -> ok
            end;
        false ->
            judge(false, fun() ->
                io:format("~w:~w(~0tp)~n  OTP ~0tP~n  own ~0tP~n",
                          [Module, Function, Args, Expected, 60, Actual, 60])
            end)
    end.

same({ok, A}, {ok, B}, CaseOptions) when is_list(A), is_list(B) ->
    A =:= B orelse
        (proplists:get_bool(sorted, CaseOptions) andalso lists:sort(A) =:= lists:sort(B)) orelse
        (proplists:get_bool(as_text, CaseOptions) andalso as_text(A) =:= as_text(B));
same({ok, A}, {ok, B}, CaseOptions) when is_tuple(A), is_tuple(B) ->
    A =:= B orelse
        (proplists:get_bool(as_text, CaseOptions) andalso
            [as_text(X) || X <- tuple_to_list(A)] =:= [as_text(X) || X <- tuple_to_list(B)]);
same({ok, A}, {ok, B}, CaseOptions) when is_binary(A); is_binary(B) ->
    A =:= B orelse
        (proplists:get_bool(as_text, CaseOptions) andalso as_text(A) =:= as_text(B));
same({ok, A}, {ok, B}, _) -> A =:= B;
same({Class, Reason, _}, {Class, Reason, _}, _) -> true;
same({error, _, _}, {error, _, _}, CaseOptions) -> proplists:get_bool(any_error, CaseOptions);
same(_, _, _) -> false.

%% Nested text made flat; a list of texts is compared text by text where that makes a difference.
as_text(Term) ->
    try unicode:characters_to_list(Term) catch error:_ -> Term end.

outcome(Module, Function, Args) ->
    try apply(Module, Function, Args) of
        Value -> {ok, neutral(Value)}
    catch
        Class:Reason:Stack -> {Class, neutral(Reason), neutral(frame(Stack))}
    end.

frame([{M, F, Args, _} | _]) when is_list(Args) -> {M, F, length(Args)};
frame([{M, F, Arity, _} | _]) -> {M, F, Arity};
frame([]) -> none.

%% Terms may name the module they come from, in funs or as atoms: the names are made equal.
neutral(Atom) when is_atom(Atom) ->
    case atom_to_list(Atom) of
        "es_" ++ Name -> list_to_atom(Name);
        _ -> Atom
    end;
neutral(Fun) when is_function(Fun) ->
    {_, Module} = erlang:fun_info(Fun, module),
    {_, Type} = erlang:fun_info(Fun, type),
    {_, Arity} = erlang:fun_info(Fun, arity),
    {_, Env} = erlang:fun_info(Fun, env),
    case Type of
        external -> {function, neutral(Module), element(2, erlang:fun_info(Fun, name)), Arity};
        local when Module =:= arb -> Fun;
        local -> {function, neutral(Module), Arity, length(Env)}
    end;
neutral([Head | Tail]) -> [neutral(Head) | neutral(Tail)];
neutral(Tuple) when is_tuple(Tuple) -> list_to_tuple(neutral(tuple_to_list(Tuple)));
neutral(Map) when is_map(Map) ->
    maps:from_list([{neutral(K), neutral(V)} || {K, V} <- maps:to_list(Map)]);
neutral(Other) -> Other.

%% ---- scripts and checks ----

run_script(Module, {Name, Count, Fun}, Options) ->
    put(shown, 0),
    Times = case Count of default -> maps:get(count, Options); _ -> Count end,
    rand:seed(exsss, erlang:phash2({Module, Name})),
    repeat(Times, fun() ->
        Seed = rand:export_seed(),
        Expected = script_outcome(Fun, fun(M) -> M end),
        rand:seed(Seed),
        Actual = script_outcome(Fun, fun own_name/1),
        judge(Expected =:= Actual, fun() ->
            io:format("~w, script ~s~n  OTP ~0tP~n  own ~0tP~n",
                      [Module, Name, Expected, 80, Actual, 80])
        end)
    end).

script_outcome(Fun, Lib) ->
    try {ok, neutral(Fun(Lib))}
    catch Class:Reason -> {Class, neutral(Reason)}
    end.

run_check(Module, {Name, Fun}) ->
    Result = try Fun(fun own_name/1) catch Class:Reason:Stack -> {Class, Reason, Stack} end,
    judge(Result =:= true, fun() ->
        io:format("~w, check ~s: ~0tp~n", [Module, Name, Result])
    end).
