%% The macros of EUnit, written from its user's guide: shipped with Erlscope and used where no
%% OTP installation has this file.
%%
%% What finds the tests: EUnit exports every `*_test/0` and `*_test_/0` of the module, and adds
%% `test/0`, by a parse transform that is requested below; Erlscope's runner knows the names
%% `eunit_autoexport` and `eunit_striptests` and does the same without running a transform.

-ifndef(EUNIT_HRL).
-define(EUNIT_HRL, true).

%% Which of TEST/NOTEST and DEBUG/NODEBUG holds: the positive one wins.
-ifdef(TEST).
-undef(NOTEST).
-endif.
-ifdef(DEBUG).
-undef(NODEBUG).
-endif.

%% Unless NOTEST is set, including this header turns testing on, and assertions with it.
-ifdef(NOTEST).
-undef(EUNIT).
-else.
-ifndef(TEST).
-define(TEST, true).
-endif.
-ifndef(EUNIT).
-define(EUNIT, true).
-endif.
-ifndef(ASSERT).
-define(ASSERT, true).
-endif.
-endif.

-include_lib("stdlib/include/assert.hrl").

%% EUNIT_NOAUTO: the module exports its tests by hand.
-ifndef(EUNIT_NOAUTO).
-ifdef(NOTEST).
-compile({parse_transform, eunit_striptests}).
-else.
-compile({parse_transform, eunit_autoexport}).
-endif.
-endif.

%% ---- Utilities; a module may have its own of the same name ----------------------------------

%% Binds a name for one expression.
-ifndef(LET).
-define(LET(Name, Value, Body), begin ((fun(Name) -> (Body) end)(Value)) end).
-endif.

-ifndef(IF).
-define(IF(Condition, Yes, No),
        begin
            (case (Condition) of
                 true -> (Yes);
                 false -> (No)
             end)
        end).
-endif.

-ifndef(MATCHES).
-define(MATCHES(Pattern, Expr),
        begin
            (case (Expr) of
                 Pattern -> true;
                 _ -> false
             end)
        end).
-endif.

%% A process that EUnit started has a group leader that runs EUnit's own code.
-ifndef(UNDER_EUNIT).
-define(UNDER_EUNIT,
        (?MATCHES({current_function, {eunit_proc, _, _}},
                  erlang:process_info(erlang:group_leader(), current_function)))).
-endif.

%% What the running test has printed so far.
-ifndef(capturedOutput).
-define(capturedOutput,
        case ?UNDER_EUNIT of
            false -> "";
            true -> eunit_proc:get_output()
        end).
-endif.

%% ---- Test objects: a line number, and a fun that runs the test ------------------------------

-define(_test(Expr), {?LINE, fun() -> (Expr) end}).
-define(_assert(Condition), ?_test(?assert(Condition))).
-define(_assertNot(Condition), ?_assert(not (Condition))).
-define(_assertMatch(Pattern, Expr), ?_test(?assertMatch(Pattern, Expr))).
-define(_assertNotMatch(Pattern, Expr), ?_test(?assertNotMatch(Pattern, Expr))).
-define(_assertEqual(Expected, Expr), ?_test(?assertEqual(Expected, Expr))).
-define(_assertNotEqual(Unexpected, Expr), ?_test(?assertNotEqual(Unexpected, Expr))).
-define(_assertException(Class, Reason, Expr), ?_test(?assertException(Class, Reason, Expr))).
-define(_assertError(Reason, Expr), ?_assertException(error, Reason, Expr)).
-define(_assertExit(Reason, Expr), ?_assertException(exit, Reason, Expr)).
-define(_assertThrow(Reason, Expr), ?_assertException(throw, Reason, Expr)).
-define(_assertNotException(Class, Reason, Expr),
        ?_test(?assertNotException(Class, Reason, Expr))).

%% ---- Commands of the operating system -------------------------------------------------------

-define(_cmd_(Command), (eunit_lib:command(Command))).

%% What a failed command says. `Facts` comes after the three that are always there.
-define(ERLSCOPE_COMMAND_FAILED(Name, Command, Facts),
        erlang:error({Name, [{module, ?MODULE}, {line, ?LINE}, {command, (Command)} | Facts]})).

-define(cmdStatus(Status, Command),
        begin
            ((fun() ->
                  case ?_cmd_(Command) of
                      {(Status), X__Output} ->
                          X__Output;
                      {X__Status, _} ->
                          ?ERLSCOPE_COMMAND_FAILED(command_failed, Command,
                                                   [{expected_status, (Status)},
                                                    {status, X__Status}])
                  end
              end)())
        end).
-define(cmd(Command), ?cmdStatus(0, Command)).
-define(_cmdStatus(Status, Command), ?_test(?cmdStatus(Status, Command))).
-define(_cmd(Command), ?_test(?cmd(Command))).

-ifdef(NOASSERT).
-define(assertCmdStatus(Status, Command), ok).
-define(assertCmdOutput(Output, Command), ok).
-else.
-define(assertCmdStatus(Status, Command),
        begin
            ((fun() ->
                  case ?_cmd_(Command) of
                      {(Status), _} ->
                          ok;
                      {X__Status, _} ->
                          ?ERLSCOPE_COMMAND_FAILED(assertCmd_failed, Command,
                                                   [{expected_status, (Status)},
                                                    {status, X__Status}])
                  end
              end)())
        end).
-define(assertCmdOutput(Output, Command),
        begin
            ((fun() ->
                  case ?_cmd_(Command) of
                      {_, (Output)} ->
                          ok;
                      {_, X__Output} ->
                          ?ERLSCOPE_COMMAND_FAILED(assertCmdOutput_failed, Command,
                                                   [{expected_output, (Output)},
                                                    {output, X__Output}])
                  end
              end)())
        end).
-endif.
-define(assertCmd(Command), ?assertCmdStatus(0, Command)).
-define(_assertCmdStatus(Status, Command), ?_test(?assertCmdStatus(Status, Command))).
-define(_assertCmd(Command), ?_test(?assertCmd(Command))).
-define(_assertCmdOutput(Output, Command), ?_test(?assertCmdOutput(Output, Command))).

%% ---- Debugging: prints on the console, whatever the test's output goes to --------------------

-ifdef(NODEBUG).

-define(debugMsg(Text), ok).
-define(debugHere, ok).
-define(debugFmt(Format, Args), ok).
-define(debugVal(Expr), (Expr)).
-define(debugValAll(Expr), (Expr)).
-define(debugTime(Text, Expr), (Expr)).

-else.

-ifndef(EUNIT_DEBUG_VAL_DEPTH).
-define(EUNIT_DEBUG_VAL_DEPTH, 15).
-endif.

-define(debugMsg(Text),
        begin
            io:fwrite(user, <<"~ts:~w:~w: ~ts\n">>, [?FILE, ?LINE, self(), Text]),
            ok
        end).
-define(debugHere, (?debugMsg("<-"))).
-define(debugFmt(Format, Args), (?debugMsg(io_lib:format((Format), (Args))))).
-define(debugVal(Expr), ?debugVal(Expr, ?EUNIT_DEBUG_VAL_DEPTH)).
-define(debugVal(Expr, Depth),
        begin
            ((fun(X__Shown) ->
                  ?debugFmt(<<"~ts = ~tP">>, [(??Expr), X__Shown, Depth]),
                  X__Shown
              end)(Expr))
        end).
-define(debugTime(Text, Expr),
        begin
            ((fun() ->
                  {X__Start, _} = statistics(wall_clock),
                  X__Timed = (Expr),
                  {X__Stop, _} = statistics(wall_clock),
                  ?debugFmt(<<"~ts: ~.3f s">>, [(Text), (X__Stop - X__Start) / 1000]),
                  X__Timed
              end)())
        end).

-endif.

-endif.
