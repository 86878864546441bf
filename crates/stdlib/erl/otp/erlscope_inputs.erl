%% What generated inputs need when they are run: funs that answer by a table, and stand-ins for
%% processes, ports and references, the same for the same number within one process.
-module(erlscope_inputs).

-export([make/3, process/1, port/1, reference/1]).
-export([sequence/2, server/3, outcome/3, stay/3]).

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
%% {'$call', Server, Request}, {'$cast', Server, Message} and {'$info', Server, Message} send
%% messages; at the end of a sequence with such calls the server has taken all of them.
sequence(Module, Calls) ->
    Results = sequence(Module, Calls, 1, #{}),
    case [Server || {Sending, Server, _} <- Calls, is_sending(Sending)] of
        [] -> Results;
        [Server | _] -> Results#{server => settled(Server)}
    end.

is_sending(Name) -> Name =:= '$call' orelse Name =:= '$cast' orelse Name =:= '$info'.

%% Whether a server still serves when it has taken the messages that were sent to it.
settled(Server) ->
    try sys:get_state(Server, infinity) of
        _ -> serves
    catch
        exit:_ -> ended
    end.

sequence(_, [], _, Results) -> Results;
sequence(Module, [Call | Calls], N, Results) ->
    [Name | Args] = tuple_to_list(Call),
    case lists:all(fun(Arg) -> is_there(Arg, Results) end, Args) of
        true ->
            Result = made(Module, Name, [given(Arg, Results) || Arg <- Args]),
            sequence(Module, Calls, N + 1, Results#{N => Result});
        false ->
            sequence(Module, Calls, N + 1, Results)
    end.

made(_, '$call', [Server, Request]) -> gen_server:call(Server, Request);
made(_, '$cast', [Server, Message]) -> gen_server:cast(Server, Message);
made(_, '$info', [Server, Message]) -> Server ! Message, ok;
made(Module, Name, Args) -> apply(Module, Name, Args).

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

%% Makes a call and stays, as a shell does: what it is linked to or owns is not lost.
stay(Module, Name, Args) ->
    apply(Module, Name, Args),
    wait().

%% Starts a server and stays, so that it has somebody to be linked to.
server(Module, Function, Args) ->
    erlscope_native:finish(apply(Module, Function, Args)),
    wait().

%% A fun of so many arguments.
make(0, Table, Others) -> fun() -> answer([], Table, Others) end;
make(1, Table, Others) ->
    fun(A1) -> answer([A1], Table, Others) end;
make(2, Table, Others) ->
    fun(A1, A2) -> answer([A1, A2], Table, Others) end;
make(3, Table, Others) ->
    fun(A1, A2, A3) -> answer([A1, A2, A3], Table, Others) end;
make(4, Table, Others) ->
    fun(A1, A2, A3, A4) -> answer([A1, A2, A3, A4], Table, Others) end;
make(5, Table, Others) ->
    fun(A1, A2, A3, A4, A5) -> answer([A1, A2, A3, A4, A5], Table, Others) end;
make(6, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6) -> answer([A1, A2, A3, A4, A5, A6], Table, Others) end;
make(7, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7) -> answer([A1, A2, A3, A4, A5, A6, A7], Table, Others) end;
make(8, Table, Others) ->
    fun(A1, A2, A3, A4,
        A5, A6, A7, A8) ->
        answer([A1, A2, A3, A4,
        A5, A6, A7, A8], Table, Others)
    end;
make(9, Table, Others) ->
    fun(A1, A2, A3, A4, A5,
        A6, A7, A8, A9) ->
        answer([A1, A2, A3, A4, A5,
        A6, A7, A8, A9], Table, Others)
    end;
make(10, Table, Others) ->
    fun(A1, A2, A3, A4, A5,
        A6, A7, A8, A9, A10) ->
        answer([A1, A2, A3, A4, A5,
        A6, A7, A8, A9, A10], Table, Others)
    end;
make(11, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6,
        A7, A8, A9, A10, A11) ->
        answer([A1, A2, A3, A4, A5, A6,
        A7, A8, A9, A10, A11], Table, Others)
    end;
make(12, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6,
        A7, A8, A9, A10, A11, A12) ->
        answer([A1, A2, A3, A4, A5, A6,
        A7, A8, A9, A10, A11, A12], Table, Others)
    end;
make(13, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7,
        A8, A9, A10, A11, A12, A13) ->
        answer([A1, A2, A3, A4, A5, A6, A7,
        A8, A9, A10, A11, A12, A13], Table, Others)
    end;
make(14, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7,
        A8, A9, A10, A11, A12, A13, A14) ->
        answer([A1, A2, A3, A4, A5, A6, A7,
        A8, A9, A10, A11, A12, A13, A14], Table, Others)
    end;
make(15, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8,
        A9, A10, A11, A12, A13, A14, A15) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8,
        A9, A10, A11, A12, A13, A14, A15], Table, Others)
    end;
make(16, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8,
        A9, A10, A11, A12, A13, A14, A15, A16) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8,
        A9, A10, A11, A12, A13, A14, A15, A16], Table, Others)
    end;
make(17, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9,
        A10, A11, A12, A13, A14, A15, A16, A17) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8, A9,
        A10, A11, A12, A13, A14, A15, A16, A17], Table, Others)
    end;
make(18, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9,
        A10, A11, A12, A13, A14, A15, A16, A17, A18) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8, A9,
        A10, A11, A12, A13, A14, A15, A16, A17, A18], Table, Others)
    end;
make(19, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10,
        A11, A12, A13, A14, A15, A16, A17, A18, A19) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10,
        A11, A12, A13, A14, A15, A16, A17, A18, A19], Table, Others)
    end;
make(20, Table, Others) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10,
        A11, A12, A13, A14, A15, A16, A17, A18, A19, A20) ->
        answer([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10,
        A11, A12, A13, A14, A15, A16, A17, A18, A19, A20], Table, Others)
    end.
