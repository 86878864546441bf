%% Checks the files named in a list (with `basic_validation`, or another option that says how far
%% to compile) and writes what the compiler says: one line a file ("= index") and one a finding ("severity line column module code").
-module(judge).
-export([main/0]).

main() ->
    try
        run(),
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~p~n", [{Class, Reason, Stack}]),
            halt(1)
    end.

run() ->
    process_flag(trap_exit, true),
    [List, Output, Depth] = init:get_plain_arguments(),
    {ok, Bytes} = file:read_file(List),
    Files = [binary_to_list(Line) || Line <- binary:split(Bytes, <<"\n">>, [global, trim_all])],
    Jobs = lists:zip(lists:seq(0, length(Files) - 1), Files),
    Queue = spawn_link(fun() -> queue(Jobs) end),
    Self = self(),
    Workers = [spawn_link(fun() -> worker(Queue, Self, list_to_atom(Depth), []) end)
               || _ <- lists:seq(1, erlang:system_info(schedulers))],
    Results = lists:append([receive
                                {done, W, R} -> R;
                                {'EXIT', W, Reason} when Reason =/= normal -> exit(Reason)
                            end || W <- Workers]),
    ok = file:write_file(Output, [Text || {_, Text} <- lists:keysort(1, Results)]).

queue([]) ->
    receive {next, From} -> From ! none, queue([]) end;
queue([Job | Jobs]) ->
    receive {next, From} -> From ! Job, queue(Jobs) end.

worker(Queue, Parent, Depth, Done) ->
    Queue ! {next, self()},
    receive
        none -> Parent ! {done, self(), Done};
        {Index, File} -> worker(Queue, Parent, Depth, [{Index, judge(Index, File, Depth)} | Done])
    end.

judge(Index, Line, Depth) ->
    [File | Includes] = string:split(Line, "\t", all),
    Options = [return, Depth | [{i, Dir} || Dir <- Includes]],
    Found = try compile:file(File, Options) of
                {ok, _, Warnings} -> found(File, warning, Warnings);
                {ok, _, _, Warnings} -> found(File, warning, Warnings);
                {error, Errors, Warnings} ->
                    found(File, error, Errors) ++ found(File, warning, Warnings);
                error -> ["error 0 0 compile unknown\n"]
            catch
                _:_ -> ["error 0 0 compile crash\n"]
            end,
    [io_lib:format("= ~w~n", [Index]), Found].

found(File, Severity, PerFile) ->
    [begin
         {Place, Module, Descriptor} =
             case Info of
                 {P, M, D} -> {P, M, D};
                 {M, D} -> {none, M, D}
             end,
         {Line, Column} = case Place of
                              {L, C} -> {L, C};
                              L when is_integer(L) -> {L, 0};
                              none -> {0, 0}
                          end,
         Own = filename:basename(Name) =:= filename:basename(File),
         io_lib:format("~s ~w ~w ~w ~s ~s~n",
                       [Severity, Line, Column, Module, code(Descriptor), Own])
     end || {Name, Infos} <- PerFile, Info <- Infos].

code(Descriptor) when is_tuple(Descriptor), is_atom(element(1, Descriptor)) ->
    atom_to_list(element(1, Descriptor));
code(Descriptor) when is_atom(Descriptor) ->
    atom_to_list(Descriptor);
code(_) ->
    "text".
