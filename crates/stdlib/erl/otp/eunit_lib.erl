%% Helpers of EUnit: texts of exceptions and errors, strings, commands, files.
-module(eunit_lib).

-export([format_exception/1, format_exception/2, format_error/1, format_error/2, format_stacktrace/1,
         format_exit_term/1, is_string/1, is_not_test/1, fun_parent/1, uniq/1,
         command/1, command/2, command/3, list_dir/1, consult_file/1, split_node/1]).

-define(DEPTH, 20).

%%% ---------------------------------------------------------------------- texts

format_exception(Exception) -> format_exception(Exception, ?DEPTH).

format_exception({Class, Term, Stack}, Depth) when is_atom(Class), is_list(Stack) ->
    case is_stack(Stack) of
        true -> [format_stacktrace(Stack), io_lib:format("**~w:", [Class]), io_lib:format("~tP\n", [Term, Depth])];
        false -> io_lib:format("~tP\n", [Term, Depth])
    end;
format_exception(Term, Depth) ->
    io_lib:format("~tP\n", [Term, Depth]).

format_exit_term({Reason, [_ | _] = Stack} = Term) ->
    case is_stack(Stack) of
        true -> io_lib:format("~tP~ts", [Reason, 15, format_stacktrace(Stack)]);
        false -> io_lib:format("~tP", [Term, 15])
    end;
format_exit_term(Term) ->
    io_lib:format("~tP", [Term, 15]).

is_stack(Stack) ->
    lists:all(fun({M, F, A, L}) -> is_atom(M) andalso is_atom(F) andalso (is_integer(A) orelse is_list(A))
                                       andalso is_list(L);
                 ({M, F, A}) -> is_atom(M) andalso is_atom(F) andalso (is_integer(A) orelse is_list(A));
                 (_) -> false
              end, Stack).

format_stacktrace([]) -> "";
format_stacktrace([First | Rest]) ->
    [frame("in function", First) | [frame("in call from", Frame) || Frame <- Rest]].

frame(Where, {M, F, A}) -> frame(Where, {M, F, A, []});
frame(Where, {M, F, A, Location}) when is_integer(A) ->
    io_lib:format("~ts ~w:~tw/~w~ts\n", [Where, M, F, A, place(Location)]);
frame(Where, {M, F, Args, Location}) ->
    io_lib:format("~ts  called as ~ts\n",
                  [frame(Where, {M, F, length(Args), Location}), called(M, F, Args)]).

place(Location) ->
    case {lists:keyfind(file, 1, Location), lists:keyfind(line, 1, Location)} of
        {{_, File}, {_, Line}} -> io_lib:format(" (~ts, line ~w)", [File, Line]);
        _ -> ""
    end.

called(erlang, F, Args) ->
    Shown = [io_lib:format("~tP", [Arg, 15]) || Arg <- Args],
    case {is_operator(F, length(Args)), Shown} of
        {true, [A]} -> io_lib:format("~ts ~ts", [F, A]);
        {true, [A, B]} -> io_lib:format("~ts ~ts ~ts", [A, F, B]);
        _ -> io_lib:format("~tw(~ts)", [F, lists:join(",", Shown)])
    end;
called(_, F, Args) ->
    io_lib:format("~tw(~ts)", [F, lists:join(",", [io_lib:format("~tP", [Arg, 15]) || Arg <- Args])]).

is_operator(F, A) ->
    erl_internal:arith_op(F, A) orelse erl_internal:bool_op(F, A) orelse erl_internal:comp_op(F, A)
        orelse erl_internal:list_op(F, A) orelse erl_internal:send_op(F, A).

format_error(Error) -> format_error(Error, ?DEPTH).

format_error({bad_test, Term}, Depth) ->
    problem("bad test descriptor", "~tP", [Term, Depth]);
format_error({bad_generator, {{M, F, A}, Term}}, Depth) ->
    problem(io_lib:format("result from generator ~w:~tw/~w is not a test", [M, F, A]), "~tP", [Term, Depth]);
format_error({generator_failed, {{M, F, A}, Exception}}, Depth) ->
    problem(io_lib:format("test generator ~w:~tw/~w failed", [M, F, A]),
            "~ts", [format_exception(Exception, Depth)]);
format_error({no_such_function, {M, F, A}}, _) ->
    problem(io_lib:format("no such function: ~w:~tw/~w", [M, F, A]), "", []);
format_error({module_not_found, Module}, _) ->
    problem("test module not found", "~tp", [Module]);
format_error({application_not_found, App}, _) ->
    problem("application not found", "~w", [App]);
format_error({file_read_error, {_, Text, File}}, _) ->
    problem("error reading file", "~ts: ~ts", [Text, File]);
format_error({setup_failed, Exception}, Depth) ->
    problem("context setup failed", "~ts", [format_exception(Exception, Depth)]);
format_error({cleanup_failed, Exception}, Depth) ->
    problem("context cleanup failed", "~ts", [format_exception(Exception, Depth)]);
format_error({{bad_instantiator, {{M, F, A}, Term}}, _}, Depth) ->
    problem(io_lib:format("result from instantiator ~w:~tw/~w is not a test", [M, F, A]), "~tP", [Term, Depth]);
format_error({instantiation_failed, Exception}, Depth) ->
    problem("instantiation of subtests failed", "~ts", [format_exception(Exception, Depth)]);
format_error(Other, Depth) ->
    problem("error", "~tP", [Other, Depth]).

problem(Title, Format, Args) ->
    io_lib:format("*** ~ts ***\n~ts\n\n", [Title, io_lib:format("**" ++ Format, Args)]).

%%% ---------------------------------------------------------------------- terms

is_string([Char | Chars]) when is_integer(Char), Char >= 0, Char =< 16#10FFFF -> is_string(Chars);
is_string([]) -> true;
is_string(_) -> false.

%% Results that show that the function meant to be a plain test.
is_not_test(Term) when Term =:= ok; Term =:= error; is_boolean(Term); Term =:= undefined -> true;
is_not_test({Tag, _}) when Tag =:= ok; Tag =:= error; Tag =:= 'EXIT' -> true;
is_not_test([N | _]) when is_number(N) -> true;
is_not_test(Term) ->
    is_number(Term) orelse is_binary(Term) orelse is_pid(Term) orelse is_port(Term) orelse is_reference(Term).

%% The named function around a fun.
fun_parent(Fun) ->
    {module, M} = erlang:fun_info(Fun, module),
    {name, N} = erlang:fun_info(Fun, name),
    case erlang:fun_info(Fun, type) of
        {type, external} ->
            {arity, A} = erlang:fun_info(Fun, arity),
            {M, N, A};
        {type, local} ->
            [$- | Text] = atom_to_list(N),
            [Name, Arity | _] = string:split(Text, "/", trailing) ++ ["0"],
            {Digits, _} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Arity),
            {M, list_to_atom(Name), list_to_integer(Digits)}
    end.

uniq([X, X | Rest]) -> uniq([X | Rest]);
uniq([X | Rest]) -> [X | uniq(Rest)];
uniq([]) -> [].

%%% ------------------------------------------------------------ outside world

%% {Status, Output} of a command.
command(Cmd) -> command(Cmd, "").

command(Cmd, Dir) -> command(Cmd, Dir, []).

command(Cmd, Dir, Env) ->
    Cd = case Dir of "" -> []; _ -> [{cd, Dir}] end,
    Set = case Env of [] -> []; _ -> [{env, Env}] end,
    Port = open_port({spawn, Cmd}, Cd ++ Set ++ [stream, exit_status, use_stdio, stderr_to_stdout, in, eof]),
    collect(Port, []).

collect(Port, Output) ->
    receive
        {Port, {data, Data}} ->
            collect(Port, [Data | Output]);
        {Port, eof} ->
            Port ! {self(), close},
            receive
                {Port, {exit_status, Status}} ->
                    {Status, unicode:characters_to_list(lists:flatten(lists:reverse(Output)))}
            end
    end.

list_dir(Dir) ->
    case file:list_dir(Dir) of
        {ok, Files} -> Files;
        {error, Reason} -> throw({file_read_error, {Reason, file:format_error(Reason), Dir}})
    end.

consult_file(File) ->
    case file:path_consult([""] ++ code:get_path(), File) of
        {ok, Terms, _} -> Terms;
        {error, Reason} -> throw({file_read_error, {Reason, file:format_error(Reason), File}})
    end.

split_node(Node) when is_atom(Node) ->
    case string:split(atom_to_list(Node), "@") of
        [Name, Host] -> {list_to_atom(Name), list_to_atom(Host)};
        [Name] -> {list_to_atom(Name), list_to_atom(net_adm:localhost())}
    end.
