%% Arguments as PropEr makes them from specs: main([Directory, Number | Functions]), each function as
%% "m:f/1". One file a function, one list of arguments a line; sizes grow as PropEr's do.
-module(inputs_judge).
-export([main/1]).

-define(MOST_SIZE, 42).
%% For one function: milliseconds, and words of memory. Some types never come to an end.
-define(TIME, 20000).
-define(MEMORY, 30000000).

main([Directory, Number | Functions]) ->
    lists:foreach(fun(Text) -> apart(fun() -> function(Directory, list_to_integer(Number), Text) end) end,
                  Functions).

%% In a process of its own, with what PropEr keeps.
apart(Work) ->
    Limited = fun() ->
                      process_flag(trap_exit, true),
                      Work()
              end,
    Limit = #{size => ?MEMORY, kill => true, error_logger => false},
    {Pid, Monitor} = spawn_opt(Limited, [monitor, {max_heap_size, Limit}]),
    receive
        {'DOWN', Monitor, process, Pid, _} -> ok
    after ?TIME ->
            exit(Pid, kill),
            receive {'DOWN', Monitor, process, Pid, _} -> ok end
    end,
    catch proper_typeserver:stop().

function(Directory, Number, Text) ->
    [Module, Rest] = string:split(Text, ":"),
    [Name, Arity] = string:split(Rest, "/"),
    Function = {list_to_atom(Module), list_to_atom(Name), list_to_integer(Arity)},
    proper:global_state_init_size_seed(?MOST_SIZE, {1, 2, 3}),
    catch proper_typeserver:start(),
    case catch proper_typeserver:create_spec_test(Function, infinity, undefined) of
        {ok, {forall, Type, _}} ->
            Lines = [arguments(Type, 1 + (N - 1) * ?MOST_SIZE div Number) || N <- lists:seq(1, Number)],
            File = filename:join(Directory, lists:flatten([Module, $-, Name, $-, Arity, ".txt"])),
            ok = file:write_file(File, unicode:characters_to_binary(Lines));
        _ ->
            ok
    end.

arguments(Type, Size) ->
    put('$size', Size),
    case catch proper_gen:safe_generate(Type) of
        {ok, Instance} -> io_lib:format("~w~n", [proper_gen:clean_instance(Instance)]);
        _ -> []
    end.
