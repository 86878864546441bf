%% The text that eunit:test prints: failures, and with verbose everything, then
%% a summary.
-module(eunit_tty).

-export([new/1, report/2, finish/1]).

-record(state, {verbose, silent, depth, indent = 0, open = #{}, pass = 0, fail = 0, skip = 0, cancel = 0}).

new(Options) ->
    State = #state{verbose = proplists:get_bool(verbose, Options),
                   silent = proplists:get_bool(no_tty, Options),
                   depth = proplists:get_value(print_depth, Options, 20)},
    State#state.verbose andalso
        write("======================== EUnit ========================\n", [], State),
    State.

report({status, Id, {progress, 'begin', {Type, Data}}}, #state{open = Open} = State) ->
    opened(Type, Data, State#state{open = Open#{Id => {Type, Data}}});
report({status, Id, Info}, #state{open = Open} = State) ->
    {Type, Data} = maps:get(Id, Open, {group, []}),
    Left = State#state{open = maps:remove(Id, Open)},
    case Info of
        {progress, 'end', {Status, More}} -> closed(Type, Status, Data ++ More, Left);
        {cancel, Reason} -> cancelled(Type, Reason, Data, is_map_key(Id, Open), Left)
    end.

opened(group, Data, #state{verbose = true, indent = Indent} = State) ->
    case title(Data) of
        none -> State;
        Title ->
            write("~s~ts\n", [blanks(Indent), Title], State),
            State#state{indent = Indent + 1}
    end;
opened(test, Data, #state{verbose = true} = State) ->
    test_line(Data, State),
    State;
opened(_, _, State) ->
    State.

closed(group, _, Data, #state{verbose = true, indent = Indent} = State) ->
    case title(Data) of
        none -> State;
        _ ->
            Time = proplists:get_value(time, Data, 0),
            Time > 0 andalso write("~s[done in ~.3f s]\n", [blanks(Indent), Time / 1000], State),
            State#state{indent = Indent - 1}
    end;
closed(group, _, _, State) ->
    State;
closed(test, ok, Data, #state{pass = Pass, verbose = Verbose} = State) ->
    Time = proplists:get_value(time, Data, 0),
    Verbose andalso Time > 0 andalso write("[~.3f s] ", [Time / 1000], State),
    Verbose andalso write("ok\n", [], State),
    State#state{pass = Pass + 1};
closed(test, {error, Exception}, Data, #state{fail = Fail, verbose = Verbose, depth = Depth} = State) ->
    Verbose orelse test_line(Data, State),
    write("*failed*\n~ts", [eunit_lib:format_exception(Exception, Depth)], State),
    case proplists:get_value(output, Data, <<>>) of
        <<Start:800/binary, _, _/binary>> -> write("  output:<<\"~ts\">>...\n\n", [Start], State);
        Output -> write("  output:<<\"~ts\">>\n\n", [Output], State)
    end,
    State#state{fail = Fail + 1};
closed(test, {skipped, Reason}, Data, #state{skip = Skip, verbose = Verbose} = State) ->
    Verbose orelse test_line(Data, State),
    Text = case Reason of
               {module_not_found, M} -> io_lib:format("missing module: ~w", [M]);
               {no_such_function, {M, F, A}} -> io_lib:format("no such function: ~w:~tw/~w", [M, F, A]);
               _ -> io_lib:format("~tp", [Reason])
           end,
    write("*did not run*\n::~ts\n", [Text], State),
    State#state{skip = Skip + 1}.

cancelled(group, Reason, Data, _, #state{cancel = Cancel, indent = Indent, verbose = Verbose} = State) ->
    Title = title(Data),
    Reason =:= undefined orelse (Verbose andalso Title =/= none) orelse
        write("~s~ts\n", [blanks(Indent), case Title of none -> "undefined"; _ -> Title end], State),
    case Reason of
        undefined -> ok;
        {blame, _} -> ok;
        _ -> write("~s~ts", [blanks(Indent), reason_text(Reason, State)], State)
    end,
    State#state{cancel = Cancel + 1, indent = max(0, Indent - 1)};
cancelled(test, Reason, Data, _, #state{cancel = Cancel, verbose = Verbose} = State) ->
    Verbose orelse test_line(Data, State),
    write("~ts", [reason_text(Reason, State)], State),
    State#state{cancel = Cancel + 1}.

reason_text(timeout, _) -> "*timed out*\n";
reason_text({timeout, #{stacktrace := Stack}}, _) -> ["*timed out*\n", eunit_lib:format_stacktrace(Stack)];
reason_text({blame, _}, _) -> "*cancelled because of subtask*\n";
reason_text({exit, Reason}, #state{depth = Depth}) ->
    io_lib:format("*unexpected termination of test process*\n::~tP\n\n", [Reason, Depth]);
reason_text({abort, Reason}, #state{depth = Depth}) ->
    eunit_lib:format_error(Reason, Depth);
reason_text(_, _) -> "*skipped*\n".

test_line(Data, #state{indent = Indent} = State) ->
    Line = case proplists:get_value(line, Data, 0) of 0 -> ""; N -> io_lib:format("~w:", [N]) end,
    Title = case title(Data) of none -> ""; T -> io_lib:format(" (~ts)", [T]) end,
    case proplists:get_value(source, Data) of
        {M, F, _} -> write("~s~ts:~ts ~ts~ts...", [blanks(Indent), M, Line, F, Title], State);
        _ -> write("~s~ts~ts...", [blanks(Indent), Line, Title], State)
    end.

title(Data) ->
    case proplists:get_value(desc, Data) of
        undefined -> none;
        <<>> -> none;
        "" -> none;
        Title -> Title
    end.

blanks(Indent) -> lists:duplicate(2 * max(0, Indent), $\s).

%% ok, or error when anything did not pass.
finish(#state{pass = Pass, fail = 0, skip = 0, cancel = 0, verbose = Verbose} = State) ->
    Pass > 0 andalso Verbose andalso bar(State),
    case Pass of
        0 -> write("  There were no tests to run.\n", [], State);
        1 -> write("  Test passed.\n", [], State);
        2 -> write("  2 tests passed.\n", [], State);
        _ -> write("  All ~w tests passed.\n", [Pass], State)
    end,
    ok;
finish(#state{pass = Pass, fail = Fail, skip = Skip, cancel = Cancel} = State) ->
    bar(State),
    write("  Failed: ~w.  Skipped: ~w.  Passed: ~w.\n", [Fail, Skip, Pass], State),
    Cancel > 0 andalso write("One or more tests were cancelled.\n", [], State),
    error.

bar(State) -> write("=======================================================\n", [], State).

write(_, _, #state{silent = true}) -> ok;
write(Format, Args, _) -> io:fwrite(Format, Args).
