%% The examples of chapters 9 and 10.4, with the bound of find/2 corrected.
-module(thesis).
-export([sums/1, task_list/1, g1/0, g2/1, g3/0, g4/0, area/1, mutual/1, lex/2, printed/1, slow/1]).
-export([spec_and_timeout/1, nested_pure/1]).
-include_lib("edbc/include/edbc.hrl").

%% Mutual recursion: what goes down is compared with the innermost call that is not over.
?SDECREASES(?P(1)).
mutual(0) -> even;
mutual(N) -> other(N).
other(N) when N > 100 -> mutual(N + 1);
other(N) -> mutual(N - 1).

?DECREASES([?P(1), ?P(2)]).
lex(0, 0) -> done;
lex(A, 0) -> lex(A - 1, 0);
lex(A, B) when B > 50 -> lex(A - 1, B + 1);
lex(A, B) -> lex(A, B - 1).

%% A postcondition that prints does not act on anything.
printed(N) -> N + 1.
?POST(fun() -> io:format("printed(~p) = ~p~n", [?P(1), ?R]), ?R > ?P(1) end).

?EXPECTED_TIME(fun() -> 10 + (length(?P(1)) div 2) * 300 end).
task_list(L) -> [task(N) || N <- L].
task(N) when N rem 2 =:= 0 -> timer:sleep(100), N;
task(N) -> timer:sleep(200), N.

%% A time limit together with a spec, which EDBC's reports cannot tell.
?TIMEOUT(fun() -> length(?P(1)) * 50 end).
-spec spec_and_timeout([integer()]) -> [integer()].
spec_and_timeout(L) -> [task(N) || N <- L].

?TIMEOUT(fun() -> 100 end).
slow(N) -> loop(N).
loop(0) -> done;
loop(N) -> loop(N - 1).

%% Purity: what is pure answers.
?PURE.
g1() -> lists:map(fun(X) -> X + 1 end, [1, 2]).
?PURE.
g2(M) -> M:abs(-1).
?PURE.
g3() -> lists:foreach(fun(X) -> put(X, 1) end, [a]).
?PURE.
g4() -> lists:foldl(fun(X, Sum) -> X + Sum end, 0, [1, 2, 3]).
?PURE.
area({square, Side}) -> Side * Side;
area({circle, Radius}) -> 3 * Radius * Radius.
?PURE.
nested_pure(0) -> g4();
nested_pure(N) -> nested_pure(N - 1).

-spec sums([integer()]) -> {integer(), non_neg_integer()}.
sums(L) -> {lists:sum(L), if hd(L) < 0 -> hd(L); true -> length(L) end}.

%! mutual(7): even
%! mutual(101): sdecreases callee
%! lex(2, 3): done
%! lex(2, 60): decreases callee
%! printed(2): 3
%! task_list([1,2]): [1,2]
%! task_list([1,1]): expected_time callee
%! spec_and_timeout([]): []
%! spec_and_timeout([2]): timeout callee
%! spec_and_timeout(x): spec caller
%! slow(10): done
%! slow(9000000): timeout callee
%! g1(): [2,3]
%! g2(erlang): 1
%! g3(): pure callee
%! g4(): 6
%! area({square, 3}): 9
%! nested_pure(3): 6
%! sums([1,2]): {3,2}
%! sums([-1,2]): spec callee
