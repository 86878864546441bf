%% EUnit: test macros. Including this file exports all test functions and
%% defines TEST and EUNIT, unless NOTEST is defined.
-ifndef(EUNIT_HRL).
-define(EUNIT_HRL, true).

-ifdef(TEST).
-undef(NOTEST).
-endif.

-ifdef(DEBUG).
-undef(NODEBUG).
-endif.

-ifdef(NOTEST).
-undef(EUNIT).
-else.
-ifndef(ASSERT).
-define(ASSERT, true).
-endif.
-ifndef(TEST).
-define(TEST, true).
-endif.
-ifndef(EUNIT).
-define(EUNIT, true).
-endif.
-endif.

-include_lib("stdlib/include/assert.hrl").

-ifndef(EUNIT_NOAUTO).
-ifdef(NOTEST).
-compile({parse_transform, eunit_striptests}).
-else.
-compile({parse_transform, eunit_autoexport}).
-endif.
-endif.

%%% Small expressions

-ifndef(LET).
-define(LET(X, Y, Z), begin ((fun(X) -> (Z) end)(Y)) end).
-endif.
-ifndef(IF).
-define(IF(Condition, Then, Else), begin (case (Condition) of true -> (Then); false -> (Else) end) end).
-endif.
-ifndef(MATCHES).
-define(MATCHES(Pattern, Expr), begin (case (Expr) of Pattern -> true; _ -> false end) end).
-endif.
-ifndef(UNDER_EUNIT).
-define(UNDER_EUNIT,
        (?MATCHES({current_function, {eunit_proc, _, _}},
                  erlang:process_info(erlang:group_leader(), current_function)))).
-endif.
-ifndef(capturedOutput).
-define(capturedOutput, (case ?UNDER_EUNIT of true -> eunit_proc:get_output(); false -> "" end)).
-endif.

%%% Test objects

-define(_test(Expr), {?LINE, fun() -> (Expr) end}).
-define(_assert(Expr), ?_test(?assert(Expr))).
-define(_assertNot(Expr), ?_test(?assertNot(Expr))).
-define(_assertMatch(Pattern, Expr), ?_test(?assertMatch(Pattern, Expr))).
-define(_assertNotMatch(Pattern, Expr), ?_test(?assertNotMatch(Pattern, Expr))).
-define(_assertEqual(Expected, Expr), ?_test(?assertEqual(Expected, Expr))).
-define(_assertNotEqual(Unexpected, Expr), ?_test(?assertNotEqual(Unexpected, Expr))).
-define(_assertException(Class, Term, Expr), ?_test(?assertException(Class, Term, Expr))).
-define(_assertNotException(Class, Term, Expr), ?_test(?assertNotException(Class, Term, Expr))).
-define(_assertError(Term, Expr), ?_test(?assertException(error, Term, Expr))).
-define(_assertExit(Term, Expr), ?_test(?assertException(exit, Term, Expr))).
-define(_assertThrow(Term, Expr), ?_test(?assertException(throw, Term, Expr))).

%%% Commands of the operating system

-define(EUNIT__COMMAND(Pattern, Cmd, Result, Failure),
        begin
            ((fun() ->
                      case eunit_lib:command(Cmd) of
                          Pattern -> Result;
                          X__Other -> erlang:error(Failure)
                      end
              end)())
        end).

-define(cmdStatus(Status, Cmd),
        ?EUNIT__COMMAND({(Status), X__Output}, Cmd, X__Output,
                        {command_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)},
                                          {expected_status, (Status)}, {status, element(1, X__Other)}]})).
-define(cmd(Cmd), ?cmdStatus(0, Cmd)).
-define(_cmdStatus(Status, Cmd), ?_test(?cmdStatus(Status, Cmd))).
-define(_cmd(Cmd), ?_test(?cmd(Cmd))).

-ifdef(NOASSERT).
-define(assertCmdStatus(Status, Cmd), ok).
-define(assertCmdOutput(Text, Cmd), ok).
-else.
-define(assertCmdStatus(Status, Cmd),
        ?EUNIT__COMMAND({(Status), _}, Cmd, ok,
                        {assertCmd_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)},
                                            {expected_status, (Status)}, {status, element(1, X__Other)}]})).
-define(assertCmdOutput(Text, Cmd),
        ?EUNIT__COMMAND({_, (Text)}, Cmd, ok,
                        {assertCmdOutput_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)},
                                                  {expected_output, (Text)}, {output, element(2, X__Other)}]})).
-endif.
-define(assertCmd(Cmd), ?assertCmdStatus(0, Cmd)).
-define(_assertCmdStatus(Status, Cmd), ?_test(?assertCmdStatus(Status, Cmd))).
-define(_assertCmd(Cmd), ?_test(?assertCmd(Cmd))).
-define(_assertCmdOutput(Text, Cmd), ?_test(?assertCmdOutput(Text, Cmd))).

%%% Output for debugging: always to the user, also when output is captured

-ifndef(EUNIT_DEBUG_VAL_DEPTH).
-define(EUNIT_DEBUG_VAL_DEPTH, 15).
-endif.

-ifdef(NODEBUG).
-define(debugMsg(Text), ok).
-define(debugHere, ok).
-define(debugFmt(Format, Args), ok).
-define(debugVal(Expr), (Expr)).
-define(debugVal(Expr, Depth), (Expr)).
-define(debugValAll(Expr), (Expr)).
-define(debugTime(Text, Expr), (Expr)).
-else.
-define(debugMsg(Text),
        begin
            io:fwrite(user, <<"~ts:~w:~w: ~ts\n">>, [?FILE, ?LINE, self(), Text]),
            ok
        end).
-define(debugHere, (?debugMsg("<-"))).
-define(debugFmt(Format, Args), (?debugMsg(io_lib:format((Format), (Args))))).
-define(debugVal(Expr, Depth),
        begin
            ((fun(X__V) ->
                      ?debugFmt(<<"~ts = ~tP">>, [(??Expr), X__V, Depth]),
                      X__V
              end)(Expr))
        end).
-define(debugVal(Expr), ?debugVal(Expr, ?EUNIT_DEBUG_VAL_DEPTH)).
-define(debugValAll(Expr),
        begin
            ((fun(X__V) ->
                      ?debugFmt(<<"~ts = ~tp">>, [(??Expr), X__V]),
                      X__V
              end)(Expr))
        end).
-define(debugTime(Text, Expr),
        begin
            ((fun() ->
                      {X__T0, _} = statistics(wall_clock),
                      X__V = (Expr),
                      {X__T1, _} = statistics(wall_clock),
                      ?debugFmt(<<"~ts: ~.3f s">>, [(Text), (X__T1 - X__T0) / 1000]),
                      X__V
              end)())
        end).
-endif.

-endif.
