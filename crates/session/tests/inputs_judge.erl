%% Arguments as PropEr makes them from specs: main([Directory, Number | Functions]), each function as
%% "m:f/1". One file a function, one list of arguments a line; sizes grow as PropEr's do.
-module(inputs_judge).
-export([main/1]).

-define(MOST_SIZE, 42).

main([Directory, Number | Functions]) ->
    process_flag(trap_exit, true),
    lists:foreach(fun(Text) -> function(Directory, list_to_integer(Number), Text) end, Functions).

function(Directory, Number, Text) ->
    [Module, Rest] = string:split(Text, ":"),
    [Name, Arity] = string:split(Rest, "/"),
    Function = {list_to_atom(Module), list_to_atom(Name), list_to_integer(Arity)},
    %% What it knows of types is gone after one that it cannot read.
    catch proper_typeserver:stop(),
    proper:global_state_init_size_seed(?MOST_SIZE, {1, 2, 3}),
    catch proper_typeserver:start(),
    case catch proper_typeserver:create_spec_test(Function, infinity, undefined) of
        {ok, {forall, Type, _}} ->
            Lines = [arguments(Type, 1 + (N - 1) * ?MOST_SIZE div Number) || N <- lists:seq(1, Number)],
            File = filename:join(Directory, lists:flatten([Module, $-, Name, $-, Arity, ".txt"])),
            ok = file:write_file(File, Lines);
        _ ->
            ok
    end.

arguments(Type, Size) ->
    put('$size', Size),
    case catch proper_gen:safe_generate(Type) of
        {ok, Instance} -> io_lib:format("~w~n", [proper_gen:clean_instance(Instance)]);
        _ -> []
    end.
