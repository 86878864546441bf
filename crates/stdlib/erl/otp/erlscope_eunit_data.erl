%% EUnit's test representation, read lazily: next/2 gives the next item of a
%% test set, a test or a group, and the rest. Generators are called only when
%% their turn comes. What cannot be understood is thrown, as format_error of
%% eunit_lib knows it.
%%
%% Wrappers around a single item are joined into it: a title and a time limit
%% around one test belong to the test.
-module(erlscope_eunit_data).

-export([next/2, enter_context/3, module_tests/2]).

-include("include/erlscope_eunit.hrl").

next(Tests, Options) ->
    case first(Tests) of
        [Test | Rest] ->
            case parse(Test, Options) of
                {data, More} -> next([More | Rest], Options);
                Item -> {Item, Rest}
            end;
        [] ->
            none
    end.

%% A list whose head is no list; strings count as single elements, and what is
%% no list as a list of one element (also as the tail of an improper list).
first([]) -> [];
first([X | Rest] = List) when is_list(X) ->
    case X =/= [] andalso eunit_lib:is_string(X) of
        true -> List;
        false -> first_of(X, Rest)
    end;
first([_ | _] = List) ->
    case eunit_lib:is_string(List) of
        true -> [List];
        false -> List
    end;
first(X) -> [X].

first_of([], Rest) -> first(Rest);
first_of([X], Rest) -> first([X | Rest]);
first_of([X | More], Rest) -> first([X, More | Rest]);
first_of(X, Rest) -> [X | Rest].

%%% -------------------------------------------------------------------- parsing

parse({foreach, S, Tests}, Options) when is_function(S), is_list(Tests) ->
    parse({foreach, spawn, S, fun(_) -> ok end, Tests}, Options);
parse({foreach, S, C, Tests}, Options) when is_function(S), is_function(C), is_list(Tests) ->
    parse({foreach, spawn, S, C, Tests}, Options);
parse({foreach, P, S, Tests}, Options) when is_function(S), is_list(Tests) ->
    parse({foreach, P, S, fun(_) -> ok end, Tests}, Options);
parse({foreach, P, S, C, Tests} = T, _) when is_function(S), is_function(C), is_list(Tests) ->
    check([{S, 0}, {C, 1}], T),
    {data, [{setup, P, S, C, Test} || Test <- Tests]};
parse({foreachx, S, Pairs}, Options) when is_function(S), is_list(Pairs) ->
    parse({foreachx, spawn, S, fun(_, _) -> ok end, Pairs}, Options);
parse({foreachx, S, C, Pairs}, Options) when is_function(S), is_function(C), is_list(Pairs) ->
    parse({foreachx, spawn, S, C, Pairs}, Options);
parse({foreachx, P, S, Pairs}, Options) when is_function(S), is_list(Pairs) ->
    parse({foreachx, P, S, fun(_, _) -> ok end, Pairs}, Options);
parse({foreachx, P, S, C, Pairs} = T, _) when is_function(S), is_function(C), is_list(Pairs) ->
    check([{S, 1}, {C, 2}], T),
    {data, [case Pair of
                {X, I} when is_function(I, 2) ->
                    {setup, P, fun() -> S(X) end, fun(R) -> C(X, R) end, fun(R) -> I(X, R) end};
                _ ->
                    bad(T)
            end || Pair <- Pairs]};

parse({generator, F}, _) when is_function(F) ->
    generated(F, location(F), {generator, F});
parse({generator, M, F}, _) when is_atom(M), is_atom(F) ->
    generated(called(M, F), {M, F, 0}, {generator, M, F});

parse({inorder, T}, Options) -> group(#group{tests = T, order = inorder}, Options);
parse({inparallel, T}, Options) -> group(#group{tests = T, order = {inparallel, 0}}, Options);
parse({inparallel, N, T}, Options) when is_integer(N), N >= 0 ->
    group(#group{tests = T, order = {inparallel, N}}, Options);
parse({timeout, N, T}, Options) when is_number(N), N >= 0 ->
    group(#group{tests = T, timeout = round(N * 1000)}, Options);
parse({spawn, T}, Options) -> group(#group{tests = T, spawn = local}, Options);
parse({spawn, Node, T}, Options) when is_atom(Node) ->
    group(#group{tests = T, spawn = {remote, Node}}, Options);

parse({setup, S, I}, Options) when is_function(S); is_list(S) ->
    parse({setup, spawn, S, I}, Options);
parse({setup, S, C, I}, Options) when is_function(S), is_function(C) ->
    parse({setup, spawn, S, C, I}, Options);
parse({setup, P, S, I}, Options) when is_function(S) ->
    parse({setup, P, S, fun(_) -> ok end, I}, Options);
parse({setup, P, List, I} = T, Options) when is_list(List) ->
    {S, C} = many_setups(List, T),
    parse({setup, P, S, C, I}, Options);
parse({setup, P, S, C, I} = T, Options) when is_function(S), is_function(C), is_function(I) ->
    check([{S, 0}, {C, 1}], T),
    case is_function(I, 0) of
        true ->
            parse({setup, P, S, C, fun(_) -> I end}, Options);
        false ->
            check([{I, 1}], T),
            lists:member(P, [local, spawn]) orelse
                (is_tuple(P) andalso element(1, P) =:= spawn) orelse bad(T),
            #group{tests = I, context = #context{setup = S, cleanup = C, process = P}}
    end;
parse({setup, P, S, C, {with, Funs}}, Options) when is_list(Funs) ->
    parse({setup, P, S, C, fun(X) -> {with, X, Funs} end}, Options);
parse({setup, P, S, C, Tests}, Options) when is_function(S), is_function(C) ->
    parse({setup, P, S, C, fun(_) -> Tests end}, Options);

parse({node, Node, T}, Options) when is_atom(Node) -> parse({node, Node, "", T}, Options);
parse({node, Node, Args, Tests} = T, Options) when is_atom(Node) ->
    eunit_lib:is_string(Args) orelse bad(T),
    parse({setup,
           fun() ->
                   {Name, Host} = eunit_lib:split_node(Node),
                   {ok, Started} = slave:start_link(Host, Name, Args),
                   Started
           end,
           fun slave:stop/1, Tests}, Options);

parse({module, M}, Options) when is_atom(M) ->
    {data, {"module '" ++ atom_to_list(M) ++ "'", module_tests(M, Options)}};
parse({application, App}, Options) when is_atom(App) ->
    try parse({file, atom_to_list(App) ++ ".app"}, Options)
    catch
        throw:{file_read_error, {enoent, _, _}} ->
            case code:lib_dir(App) of
                Dir when is_list(Dir) ->
                    Ebin = filename:join(Dir, "ebin"),
                    parse({dir, case filelib:is_dir(Ebin) of true -> Ebin; false -> Dir end}, Options);
                _ ->
                    throw({application_not_found, App})
            end
    end;
parse({application, App, Keys} = T, _) when is_atom(App), is_list(Keys) ->
    Modules = proplists:get_value(modules, Keys),
    is_list(Modules) andalso lists:all(fun is_atom/1, Modules) orelse bad(T),
    {data, {"application '" ++ atom_to_list(App) ++ "'", Modules}};
parse({file, File} = T, _) when is_list(File) ->
    eunit_lib:is_string(File) orelse bad(T),
    {data, {"file \"" ++ File ++ "\"", file_tests(File)}};
parse({dir, Dir} = T, _) when is_list(Dir) ->
    eunit_lib:is_string(Dir) orelse bad(T),
    {data, {"directory \"" ++ Dir ++ "\"", dir_tests(Dir)}};

parse({with, X, Funs} = T, _) when is_list(Funs) ->
    check([{F, 1} || F <- Funs], T),
    {data, [{location(F), fun() -> F(X) end} || F <- Funs]};

parse({Title, Tests} = T, Options) when is_list(Title) ->
    eunit_lib:is_string(Title) orelse bad(T),
    group(#group{tests = Tests, desc = unicode:characters_to_binary(Title)}, Options);
parse({Title, Tests}, Options) when is_binary(Title) ->
    group(#group{tests = Tests, desc = Title}, Options);
parse(T, Options) when is_tuple(T), tuple_size(T) > 2,
                       is_list(element(1, T)) orelse is_binary(element(1, T)) ->
    [Title | Rest] = tuple_to_list(T),
    parse({Title, list_to_tuple(Rest)}, Options);
parse(M, Options) when is_atom(M) ->
    parse({module, M}, Options);
parse(Path, Options) when is_list(Path) ->
    eunit_lib:is_string(Path) orelse bad(Path),
    try parse({dir, Path}, Options)
    catch
        throw:{file_read_error, {Reason, _, _}} when Reason =:= enotdir; Reason =:= enoent ->
            parse({file, Path}, Options)
    end;
parse(Test, _) ->
    simple(Test).

simple({Line, F}) when is_integer(Line), Line >= 0 -> (simple(F))#test{line = Line};
simple({{M, F, A} = Location, Test}) when is_atom(M), is_atom(F), is_integer(A) ->
    (simple(Test))#test{location = Location};
simple(F) when is_function(F, 0) -> #test{f = F, location = location(F)};
simple({test, M, F}) when is_atom(M), is_atom(F) -> #test{f = called(M, F), location = {M, F, 0}};
simple({M, F}) when is_atom(M), is_atom(F) -> simple({test, M, F});
simple(Other) -> bad(Other).

location(Fun) ->
    {module, M} = erlang:fun_info(Fun, module),
    {name, N} = erlang:fun_info(Fun, name),
    {arity, A} = erlang:fun_info(Fun, arity),
    {M, N, A}.

check(Funs, T) ->
    lists:foreach(fun({F, Arity}) -> is_function(F, Arity) orelse bad(T) end, Funs).

bad(T) -> throw({bad_test, T}).

%% A call that tells a missing function from an undefined one inside.
called(M, F) ->
    fun() ->
            try M:F()
            catch
                error:undef:Stack ->
                    _ = code:ensure_loaded(M),
                    case erlang:module_loaded(M) of
                        false -> throw({eunit_internal, {module_not_found, M}});
                        true ->
                            case erlang:function_exported(M, F, 0) of
                                false -> throw({eunit_internal, {no_such_function, {M, F, 0}}});
                                true -> erlang:raise(error, undef, Stack)
                            end
                    end
            end
    end.

generated(Generator, Location, T) ->
    is_function(Generator, 0) orelse bad(T),
    try Generator() of
        Tests ->
            case eunit_lib:is_not_test(Tests) of
                true -> throw({bad_generator, {Location, Tests}});
                false -> {data, Tests}
            end
    catch
        throw:{eunit_internal, Reason} -> throw(Reason);
        throw:{bad_generator, _} = Bad -> throw(Bad);
        Class:Reason:Stack -> throw({generator_failed, {Location, {Class, Reason, Stack}}})
    end.

%%% --------------------------------------------------------------------- groups

%% Looks at the first two items inside to see whether there is only one.
group(#group{tests = Tests} = Group, Options) ->
    case next(Tests, Options) of
        none ->
            Group;
        {Inner, Rest} ->
            case next(Rest, Options) of
                none -> join(Group, Inner, Options);
                _ -> Group
            end
    end.

join(#group{desc = Desc, timeout = Timeout, spawn = undefined, context = undefined},
     #test{desc = Desc1, timeout = Timeout1} = Test, _)
  when Desc =:= undefined orelse Desc1 =:= undefined,
       Timeout =:= undefined orelse Timeout1 =:= undefined ->
    Test#test{desc = either(Desc, Desc1), timeout = either(Timeout, Timeout1)};
join(#group{timeout = Timeout, context = undefined, tests = Tests} = Group, #test{timeout = undefined}, _)
  when Timeout =/= undefined ->
    Group#group{tests = {timeout, Timeout / 1000, Tests}, timeout = undefined};
join(#group{desc = D, order = O, context = C, spawn = S, timeout = T},
     #group{desc = D1, order = O1, context = C1, spawn = S1, timeout = T1} = Inner, _)
  when (D =:= undefined orelse D1 =:= undefined), (O =:= undefined orelse O1 =:= undefined),
       (C =:= undefined orelse C1 =:= undefined), (S =:= undefined orelse S1 =:= undefined),
       (T =:= undefined orelse T1 =:= undefined) ->
    Inner#group{desc = either(D, D1), order = either(O, O1), context = either(C, C1),
                spawn = either(S, S1), timeout = either(T, T1)};
join(#group{order = O, timeout = T, context = C, tests = Tests0} = Group, #group{order = O1, timeout = T1}, _) ->
    %% Not to be joined; time limit and order can still move inside.
    {Timeout, Tests1} = case T1 =:= undefined andalso T =/= undefined andalso C =:= undefined of
                            true -> {undefined, {timeout, T / 1000, Tests0}};
                            false -> {T, Tests0}
                        end,
    {Order, Tests} = case O of
                         inorder when O1 =:= undefined -> {undefined, {inorder, Tests1}};
                         {inparallel, N} when O1 =:= undefined -> {undefined, {inparallel, N, Tests1}};
                         _ -> {O, Tests1}
                     end,
    Group#group{timeout = Timeout, order = Order, tests = Tests};
join(Group, _, _) ->
    Group.

either(undefined, X) -> X;
either(X, _) -> X.

%%% ------------------------------------------------------------------- fixtures

%% Runs Body with the tests of the group between setup and cleanup.
enter_context(#context{setup = Setup, cleanup = Cleanup, process = Process}, Instantiate, Body) ->
    Resource = attempt(setup_failed, Setup),
    Tests = attempt(instantiation_failed, fun() -> Instantiate(Resource) end),
    case eunit_lib:is_not_test(Tests) of
        true -> context_error({bad_instantiator, {location(Instantiate), Tests}}, error, badarg, []);
        false -> ok
    end,
    try
        Body(case Process of
                 local -> Tests;
                 spawn -> {spawn, Tests};
                 {spawn, Node} -> {spawn, Node, Tests}
             end)
    after
        attempt(cleanup_failed, fun() -> Cleanup(Resource) end)
    end.

attempt(Failure, Fun) ->
    try Fun()
    catch
        Class:Reason:Stack -> context_error(Failure, Class, Reason, Stack)
    end.

context_error(Failure, Class, Reason, Stack) ->
    throw({context_error, Failure, {Class, Reason, Stack}}).

%% One setup after the other; when one fails, those before it are cleaned up.
many_setups(List, T) ->
    Triples = [case Entry of
                   {Tag, S, C} when is_atom(Tag), is_function(S, 0), is_function(C, 1) -> {Tag, S, C};
                   {Tag, S} when is_atom(Tag), is_function(S, 0) -> {Tag, S, fun(_) -> ok end};
                   _ -> bad(T)
               end || Entry <- List],
    {fun() -> set_up(Triples, []) end,
     fun(Resources) -> clean_up(lists:reverse(lists:zip(Triples, Resources))) end}.

set_up([{Tag, S, _} = Triple | Rest], Done) ->
    try S() of
        Resource -> set_up(Rest, [{Triple, Resource} | Done])
    catch
        Class:Reason:Stack ->
            clean_up(Done),
            throw({Tag, {Class, Reason, Stack}})
    end;
set_up([], Done) ->
    [Resource || {_, Resource} <- lists:reverse(Done)].

clean_up([{{Tag, _, C}, Resource} | Rest]) ->
    try C(Resource) of
        _ -> clean_up(Rest)
    catch
        Class:Reason:Stack -> throw({Tag, {Class, Reason, Stack}})
    end;
clean_up([]) ->
    ok.

%%% -------------------------------------------------------- modules and files

module_tests(Module, Options) ->
    Exports = try Module:module_info(exports)
              catch error:undef -> throw({module_not_found, Module})
              end,
    Own = [Test || {Function, 0} <- Exports, Test <- test_of(Module, Function)],
    All = Own ++ companion_tests(Module, Options),
    case lists:member({eunit_wrapper_, 1}, Exports) of
        true -> {generator, fun() -> Module:eunit_wrapper_(All) end};
        false -> All
    end.

test_of(Module, Function) ->
    Name = atom_to_list(Function),
    case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
        {true, _} -> [{test, Module, Function}];
        {_, true} -> [{generator, Module, Function}];
        _ -> []
    end.

%% The tests of m are those of m_tests too.
companion_tests(Module, Options) ->
    Name = atom_to_list(Module),
    case lists:suffix("_tests", Name) orelse proplists:get_bool(exact_execution, Options) of
        true -> [];
        false ->
            Companion = list_to_atom(Name ++ "_tests"),
            try [{"module '" ++ Name ++ "_tests'", module_tests(Companion, Options)}]
            catch throw:{module_not_found, Companion} -> []
            end
    end.

file_tests(File) ->
    case filename:extension(File) of
        ".beam" ->
            Path = case {filelib:is_regular(File), code:where_is_file(File)} of
                       {false, Found} when Found =/= non_existing -> Found;
                       _ -> File
                   end,
            loaded_tests(Path);
        _ ->
            eunit_lib:consult_file(File)
    end.

loaded_tests(File) ->
    Module = list_to_atom(filename:basename(File, ".beam")),
    filelib:is_regular(File) orelse
        throw({file_read_error, {undefined, "extracting module name failed", File}}),
    {setup,
     fun() ->
             code:purge(Module),
             {module, Module} = code:load_abs(filename:rootname(File)),
             ok
     end,
     {module, Module}}.

dir_tests(Dir) ->
    Names = [filename:basename(File, ".beam") || File <- eunit_lib:list_dir(Dir),
                                                 filename:extension(File) =:= ".beam"],
    %% A companion module runs with the module it belongs to.
    Alone = [Name || Name <- Names, not (lists:suffix("_tests", Name) andalso
                                         lists:member(lists:sublist(Name, length(Name) - 6), Names))],
    [loaded_tests(filename:join(Dir, Name ++ ".beam")) || Name <- lists:sort(Alone)].
