%% What generated inputs need when they are run: funs that answer by a table, and stand-ins for
%% processes, ports and references, the same for the same number within one process.
-module(erlscope_inputs).

-export([make/3, process/1, port/1, reference/1]).
-export([sequence/2, server/3, outcome/3]).

%% What a fun answers: as the table says, else one of the others, by a hash of the arguments.
answer(Args, Table, Others) ->
    case Table of
        #{Args := Result} -> Result;
        #{} when tuple_size(Others) =:= 0 -> erlang:error(no_answer);
        #{} -> element(erlang:phash2(Args, tuple_size(Others)) + 1, Others)
    end.

process(Number) ->
    known({process, Number}, fun() -> spawn(fun wait/0) end).

wait() ->
    receive
        erlscope_inputs_stop -> ok
    end.

port(Number) ->
    known({port, Number}, fun() -> list_to_port("#Port<0." ++ integer_to_list(Number) ++ ">") end).

reference(Number) ->
    known({reference, Number}, fun() -> make_ref() end).

known(Key, Make) ->
    case get({?MODULE, Key}) of
        undefined ->
            Made = Make(),
            put({?MODULE, Key}, Made),
            Made;
        Known -> Known
    end.

%% Makes calls one after another: tuples of a function and its arguments. An argument
%% {'$result', N} is what the call N gave; a call that asks for what is not there is left out.
sequence(Module, Calls) -> sequence(Module, Calls, 1, #{}).

sequence(_, [], _, Results) -> Results;
sequence(Module, [Call | Calls], N, Results) ->
    [Name | Args] = tuple_to_list(Call),
    case lists:all(fun(Arg) -> is_there(Arg, Results) end, Args) of
        true ->
            Result = apply(Module, Name, [given(Arg, Results) || Arg <- Args]),
            sequence(Module, Calls, N + 1, Results#{N => Result});
        false ->
            sequence(Module, Calls, N + 1, Results)
    end.

is_there({'$result', N}, Results) -> is_map_key(N, Results);
is_there(_, _) -> true.

given({'$result', N}, Results) -> maps:get(N, Results);
given(Arg, _) -> Arg.

%% Ends with what a call comes to.
outcome(Module, Name, Args) ->
    exit(try apply(Module, Name, Args) of
        Value -> {returned, Value}
    catch
        Class:Reason -> {raised, Class, Reason}
    end).

%% Starts a server and stays, so that it has somebody to be linked to.
server(Module, Function, Args) ->
    erlscope_native:finish(apply(Module, Function, Args)),
    wait().

