%% Assertions as macros, from the EUnit user's guide: shipped with Erlscope and used where no
%% OTP installation has this file.
%%
%% Each assertion evaluates its expression once, inside a fun, and answers `ok` or raises an error
%% `{Name, Facts}` whose facts are the property list that EUnit's documentation shows. The
%% macros that begin with ERLSCOPE_ are not part of OTP's interface.

-ifndef(ASSERT_HRL).
-define(ASSERT_HRL, true).

%% NODEBUG without DEBUG switches assertions off; ASSERT overrides everything.
-ifdef(NODEBUG).
-ifndef(DEBUG).
-ifndef(NOASSERT).
-define(NOASSERT, true).
-endif.
-endif.
-endif.
-ifdef(ASSERT).
-undef(NOASSERT).
-endif.

-ifdef(NOASSERT).

-define(assert(Condition), ok).
-define(assert(Condition, Comment), ok).
-define(assertNot(Condition), ok).
-define(assertNot(Condition, Comment), ok).
-define(assertMatch(Pattern, Expr), ok).
-define(assertMatch(Pattern, Expr, Comment), ok).
-define(assertNotMatch(Pattern, Expr), ok).
-define(assertNotMatch(Pattern, Expr, Comment), ok).
-define(assertEqual(Expected, Expr), ok).
-define(assertEqual(Expected, Expr, Comment), ok).
-define(assertNotEqual(Unexpected, Expr), ok).
-define(assertNotEqual(Unexpected, Expr, Comment), ok).
-define(assertException(Class, Reason, Expr), ok).
-define(assertException(Class, Reason, Expr, Comment), ok).
-define(assertNotException(Class, Reason, Expr), ok).
-define(assertNotException(Class, Reason, Expr, Comment), ok).

-else.

%% How every assertion fails. `Note` is the comment, as a list of at most one fact.
-define(ERLSCOPE_FAIL(Name, Note, Facts),
        erlang:error({Name, [{module, ?MODULE}, {line, ?LINE}] ++ Note ++ Facts})).
-define(ERLSCOPE_NOTE(Comment), [{comment, (Comment)}]).

%% `Wanted` and `Opposite` are computed, so that a compiler which sees a constant condition has
%% no clause to call unreachable.
-define(ERLSCOPE_CONDITION(Condition, Text, Expected, Note),
        begin
            ((fun() ->
                  X__Wanted = is_process_alive(self()) =:= Expected,
                  X__Opposite = not X__Wanted,
                  case (Condition) of
                      X__Wanted ->
                          ok;
                      X__Opposite ->
                          ?ERLSCOPE_FAIL(assert, Note,
                                         [{expression, Text},
                                          {expected, Expected},
                                          {value, X__Opposite}]);
                      X__Other ->
                          ?ERLSCOPE_FAIL(assert, Note,
                                         [{expression, Text},
                                          {expected, Expected},
                                          {not_boolean, X__Other}])
                  end
              end)())
        end).
-define(assert(Condition),
        ?ERLSCOPE_CONDITION(Condition, (??Condition), true, [])).
-define(assert(Condition, Comment),
        ?ERLSCOPE_CONDITION(Condition, (??Condition), true, ?ERLSCOPE_NOTE(Comment))).
-define(assertNot(Condition),
        ?ERLSCOPE_CONDITION(Condition, (??Condition), false, [])).
-define(assertNot(Condition, Comment),
        ?ERLSCOPE_CONDITION(Condition, (??Condition), false, ?ERLSCOPE_NOTE(Comment))).

%% `Pattern` may have a guard: it is everything before the arrow of a clause.
-define(ERLSCOPE_MATCH(Pattern, Expr, PatternText, ExprText, Note),
        begin
            ((fun() ->
                  case (Expr) of
                      Pattern ->
                          ok;
                      X__Value ->
                          ?ERLSCOPE_FAIL(assertMatch, Note,
                                         [{expression, ExprText},
                                          {pattern, PatternText},
                                          {value, X__Value}])
                  end
              end)())
        end).
-define(assertMatch(Pattern, Expr),
        ?ERLSCOPE_MATCH(Pattern, Expr, (??Pattern), (??Expr), [])).
-define(assertMatch(Pattern, Expr, Comment),
        ?ERLSCOPE_MATCH(Pattern, Expr, (??Pattern), (??Expr), ?ERLSCOPE_NOTE(Comment))).

-define(ERLSCOPE_NO_MATCH(Pattern, Expr, PatternText, ExprText, Note),
        begin
            ((fun() ->
                  X__Value = (Expr),
                  case X__Value of
                      Pattern ->
                          ?ERLSCOPE_FAIL(assertNotMatch, Note,
                                         [{expression, ExprText},
                                          {pattern, PatternText},
                                          {value, X__Value}]);
                      _ ->
                          ok
                  end
              end)())
        end).
-define(assertNotMatch(Pattern, Expr),
        ?ERLSCOPE_NO_MATCH(Pattern, Expr, (??Pattern), (??Expr), [])).
-define(assertNotMatch(Pattern, Expr, Comment),
        ?ERLSCOPE_NO_MATCH(Pattern, Expr, (??Pattern), (??Expr), ?ERLSCOPE_NOTE(Comment))).

-define(ERLSCOPE_EQUAL(Expected, Expr, ExprText, Note),
        begin
            ((fun() ->
                  X__Expected = (Expected),
                  case (Expr) of
                      X__Expected ->
                          ok;
                      X__Value ->
                          ?ERLSCOPE_FAIL(assertEqual, Note,
                                         [{expression, ExprText},
                                          {expected, X__Expected},
                                          {value, X__Value}])
                  end
              end)())
        end).
-define(assertEqual(Expected, Expr),
        ?ERLSCOPE_EQUAL(Expected, Expr, (??Expr), [])).
-define(assertEqual(Expected, Expr, Comment),
        ?ERLSCOPE_EQUAL(Expected, Expr, (??Expr), ?ERLSCOPE_NOTE(Comment))).

-define(ERLSCOPE_NOT_EQUAL(Unexpected, Expr, ExprText, Note),
        begin
            ((fun() ->
                  X__Unexpected = (Unexpected),
                  case (Expr) of
                      X__Unexpected ->
                          ?ERLSCOPE_FAIL(assertNotEqual, Note,
                                         [{expression, ExprText},
                                          {value, X__Unexpected}]);
                      _ ->
                          ok
                  end
              end)())
        end).
-define(assertNotEqual(Unexpected, Expr),
        ?ERLSCOPE_NOT_EQUAL(Unexpected, Expr, (??Expr), [])).
-define(assertNotEqual(Unexpected, Expr, Comment),
        ?ERLSCOPE_NOT_EQUAL(Unexpected, Expr, (??Expr), ?ERLSCOPE_NOTE(Comment))).

%% The text of what was expected, as documented: a tuple of class and pattern.
-define(ERLSCOPE_EXCEPTION_TEXT(ClassText, ReasonText),
        "{ " ++ ClassText ++ " , " ++ ReasonText ++ " , [...] }").

-define(ERLSCOPE_EXCEPTION(Class, Reason, Expr, Texts, Note),
        begin
            ((fun() ->
                  {X__ClassText, X__ReasonText, X__ExprText} = Texts,
                  X__Facts = [{expression, X__ExprText},
                              {pattern,
                               ?ERLSCOPE_EXCEPTION_TEXT(X__ClassText, X__ReasonText)}],
                  try (Expr) of
                      X__Value ->
                          ?ERLSCOPE_FAIL(assertException, Note,
                                         X__Facts ++ [{unexpected_success, X__Value}])
                  catch
                      Class:Reason ->
                          ok;
                      X__Class:X__Reason:X__Stack ->
                          ?ERLSCOPE_FAIL(assertException, Note,
                                         X__Facts ++
                                             [{unexpected_exception,
                                               {X__Class, X__Reason, X__Stack}}])
                  end
              end)())
        end).
-define(assertException(Class, Reason, Expr),
        ?ERLSCOPE_EXCEPTION(Class, Reason, Expr, {(??Class), (??Reason), (??Expr)}, [])).
-define(assertException(Class, Reason, Expr, Comment),
        ?ERLSCOPE_EXCEPTION(Class, Reason, Expr, {(??Class), (??Reason), (??Expr)},
                            ?ERLSCOPE_NOTE(Comment))).

%% Any exception but the one described is as good as none.
-define(ERLSCOPE_NO_EXCEPTION(Class, Reason, Expr, Texts, Note),
        begin
            ((fun() ->
                  {X__ClassText, X__ReasonText, X__ExprText} = Texts,
                  try (Expr) of
                      _ ->
                          ok
                  catch
                      X__Class:X__Reason:X__Stack ->
                          case X__Class of
                              Class ->
                                  case X__Reason of
                                      Reason ->
                                          ?ERLSCOPE_FAIL(
                                            assertNotException, Note,
                                            [{expression, X__ExprText},
                                             {pattern,
                                              ?ERLSCOPE_EXCEPTION_TEXT(
                                                 X__ClassText, X__ReasonText)},
                                             {unexpected_exception,
                                              {X__Class, X__Reason, X__Stack}}]);
                                      _ ->
                                          ok
                                  end;
                              _ ->
                                  ok
                          end
                  end
              end)())
        end).
-define(assertNotException(Class, Reason, Expr),
        ?ERLSCOPE_NO_EXCEPTION(Class, Reason, Expr, {(??Class), (??Reason), (??Expr)}, [])).
-define(assertNotException(Class, Reason, Expr, Comment),
        ?ERLSCOPE_NO_EXCEPTION(Class, Reason, Expr, {(??Class), (??Reason), (??Expr)},
                               ?ERLSCOPE_NOTE(Comment))).

-endif.

-define(assertError(Reason, Expr), ?assertException(error, Reason, Expr)).
-define(assertError(Reason, Expr, Comment), ?assertException(error, Reason, Expr, Comment)).
-define(assertExit(Reason, Expr), ?assertException(exit, Reason, Expr)).
-define(assertExit(Reason, Expr, Comment), ?assertException(exit, Reason, Expr, Comment)).
-define(assertThrow(Reason, Expr), ?assertException(throw, Reason, Expr)).
-define(assertThrow(Reason, Expr, Comment), ?assertException(throw, Reason, Expr, Comment)).

-endif.
