%% Assertions. A failed assertion is an error {Kind, Properties}; the properties
%% tell module, line, the text of the expression, and what came out. Variables
%% begin with X__ to stay clear of those in the caller's expressions.
-ifndef(ASSERT_HRL).
-define(ASSERT_HRL, true).

%% Assertions are off with NOASSERT, or with NODEBUG unless DEBUG is defined;
%% ASSERT turns them on again.
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

-define(assert(Expr), ok).
-define(assert(Expr, Comment), ok).
-define(assertNot(Expr), ok).
-define(assertNot(Expr, Comment), ok).
-define(assertMatch(Pattern, Expr), ok).
-define(assertMatch(Pattern, Expr, Comment), ok).
-define(assertNotMatch(Pattern, Expr), ok).
-define(assertNotMatch(Pattern, Expr, Comment), ok).
-define(assertEqual(Expected, Expr), ok).
-define(assertEqual(Expected, Expr, Comment), ok).
-define(assertNotEqual(Unexpected, Expr), ok).
-define(assertNotEqual(Unexpected, Expr, Comment), ok).
-define(assertException(Class, Term, Expr), ok).
-define(assertException(Class, Term, Expr, Comment), ok).
-define(assertNotException(Class, Term, Expr), ok).
-define(assertNotException(Class, Term, Expr, Comment), ok).

-else.

-define(ASSERT__FAILED(Kind, Comment, Properties),
        erlang:error({Kind, [{module, ?MODULE}, {line, ?LINE} | Comment ++ Properties]})).

%% Truth that the compiler cannot see through, so that it does not warn.
-define(ASSERT__TRUE, erlang:is_pid(erlang:self())).

-define(ASSERT__BOOLEAN(Expr, Text, Expected, Comment),
        begin
            ((fun() ->
                      X__X = (?ASSERT__TRUE =:= Expected),
                      case (Expr) of
                          X__X -> ok;
                          X__V ->
                              ?ASSERT__FAILED(assert, Comment,
                                              [{expression, Text},
                                               {expected, Expected},
                                               case not X__X of
                                                   X__V -> {value, not Expected};
                                                   _ -> {not_boolean, X__V}
                                               end])
                      end
              end)())
        end).

-define(assert(Expr), ?ASSERT__BOOLEAN(Expr, (??Expr), true, [])).
-define(assert(Expr, Comment), ?ASSERT__BOOLEAN(Expr, (??Expr), true, [{comment, (Comment)}])).
-define(assertNot(Expr), ?ASSERT__BOOLEAN(Expr, (??Expr), false, [])).
-define(assertNot(Expr, Comment), ?ASSERT__BOOLEAN(Expr, (??Expr), false, [{comment, (Comment)}])).

-define(ASSERT__MATCH(Pattern, Expr, PatternText, Text, Comment),
        begin
            ((fun() ->
                      case (Expr) of
                          Pattern -> ok;
                          X__V ->
                              ?ASSERT__FAILED(assertMatch, Comment,
                                              [{expression, Text}, {pattern, PatternText}, {value, X__V}])
                      end
              end)())
        end).

-define(assertMatch(Pattern, Expr), ?ASSERT__MATCH(Pattern, Expr, (??Pattern), (??Expr), [])).
-define(assertMatch(Pattern, Expr, Comment),
        ?ASSERT__MATCH(Pattern, Expr, (??Pattern), (??Expr), [{comment, (Comment)}])).

-define(ASSERT__NOT_MATCH(Pattern, Expr, PatternText, Text, Comment),
        begin
            ((fun() ->
                      X__V = (Expr),
                      case X__V of
                          Pattern ->
                              ?ASSERT__FAILED(assertNotMatch, Comment,
                                              [{expression, Text}, {pattern, PatternText}, {value, X__V}]);
                          _ -> ok
                      end
              end)())
        end).

-define(assertNotMatch(Pattern, Expr), ?ASSERT__NOT_MATCH(Pattern, Expr, (??Pattern), (??Expr), [])).
-define(assertNotMatch(Pattern, Expr, Comment),
        ?ASSERT__NOT_MATCH(Pattern, Expr, (??Pattern), (??Expr), [{comment, (Comment)}])).

-define(ASSERT__EQUAL(Expected, Expr, Text, Comment),
        begin
            ((fun() ->
                      X__X = (Expected),
                      case (Expr) of
                          X__X -> ok;
                          X__V ->
                              ?ASSERT__FAILED(assertEqual, Comment,
                                              [{expression, Text}, {expected, X__X}, {value, X__V}])
                      end
              end)())
        end).

-define(assertEqual(Expected, Expr), ?ASSERT__EQUAL(Expected, Expr, (??Expr), [])).
-define(assertEqual(Expected, Expr, Comment),
        ?ASSERT__EQUAL(Expected, Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT__NOT_EQUAL(Unexpected, Expr, Text, Comment),
        begin
            ((fun() ->
                      X__X = (Unexpected),
                      case (Expr) of
                          X__X ->
                              ?ASSERT__FAILED(assertNotEqual, Comment, [{expression, Text}, {value, X__X}]);
                          _ -> ok
                      end
              end)())
        end).

-define(assertNotEqual(Unexpected, Expr), ?ASSERT__NOT_EQUAL(Unexpected, Expr, (??Expr), [])).
-define(assertNotEqual(Unexpected, Expr, Comment),
        ?ASSERT__NOT_EQUAL(Unexpected, Expr, (??Expr), [{comment, (Comment)}])).

-define(ASSERT__EXCEPTION(Class, Term, Expr, PatternText, Text, Comment),
        begin
            ((fun() ->
                      try (Expr) of
                          X__V ->
                              ?ASSERT__FAILED(assertException, Comment,
                                              [{expression, Text}, {pattern, PatternText},
                                               {unexpected_success, X__V}])
                      catch
                          Class:Term -> ok;
                          X__C:X__T:X__S ->
                              ?ASSERT__FAILED(assertException, Comment,
                                              [{expression, Text}, {pattern, PatternText},
                                               {unexpected_exception, {X__C, X__T, X__S}}])
                      end
              end)())
        end).

-define(ASSERT__EXCEPTION_TEXT(ClassText, TermText), "{ " ++ ClassText ++ " , " ++ TermText ++ " , [...] }").

-define(assertException(Class, Term, Expr),
        ?ASSERT__EXCEPTION(Class, Term, Expr, ?ASSERT__EXCEPTION_TEXT((??Class), (??Term)), (??Expr), [])).
-define(assertException(Class, Term, Expr, Comment),
        ?ASSERT__EXCEPTION(Class, Term, Expr, ?ASSERT__EXCEPTION_TEXT((??Class), (??Term)), (??Expr),
                           [{comment, (Comment)}])).

-define(ASSERT__NOT_EXCEPTION(Class, Term, Expr, PatternText, Text, Comment),
        begin
            ((fun() ->
                      try (Expr) of
                          _ -> ok
                      catch
                          X__C:X__T:X__S ->
                              case X__C of
                                  Class ->
                                      case X__T of
                                          Term ->
                                              ?ASSERT__FAILED(assertNotException, Comment,
                                                              [{expression, Text}, {pattern, PatternText},
                                                               {unexpected_exception, {X__C, X__T, X__S}}]);
                                          _ -> ok
                                      end;
                                  _ -> ok
                              end
                      end
              end)())
        end).

-define(assertNotException(Class, Term, Expr),
        ?ASSERT__NOT_EXCEPTION(Class, Term, Expr, ?ASSERT__EXCEPTION_TEXT((??Class), (??Term)), (??Expr), [])).
-define(assertNotException(Class, Term, Expr, Comment),
        ?ASSERT__NOT_EXCEPTION(Class, Term, Expr, ?ASSERT__EXCEPTION_TEXT((??Class), (??Term)), (??Expr),
                               [{comment, (Comment)}])).

-endif.

-define(assertError(Term, Expr), ?assertException(error, Term, Expr)).
-define(assertError(Term, Expr, Comment), ?assertException(error, Term, Expr, Comment)).
-define(assertExit(Term, Expr), ?assertException(exit, Term, Expr)).
-define(assertExit(Term, Expr, Comment), ?assertException(exit, Term, Expr, Comment)).
-define(assertThrow(Term, Expr), ?assertException(throw, Term, Expr)).
-define(assertThrow(Term, Expr, Comment), ?assertException(throw, Term, Expr, Comment)).

-endif.
