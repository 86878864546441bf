%% Contracts that are wrong themselves.
-module(wrong_contracts).
-compile([export_all, nowarn_export_all]).

-pre("raises(X) -> X / 0 > 1").
-pre("partial(0) -> true").
-pre("answers(_) -> maybe").
-pre("acts(X) -> put(x, X), true").
-pre("sends(_) -> self() ! hello, true").
-pre("endless(_) -> lists:foreach(fun(_) -> ok end, lists:seq(1, 100)), spin()").
-post("inside(N) = R -> R =:= inside(N)").
-expected_time("no_time(_) -> soon").

raises(X) -> X.
partial(X) -> X.
answers(X) -> X.
acts(X) -> X.
sends(X) -> X.
endless(X) -> X.
inside(N) -> N + 1.
no_time(X) -> X.
spin() -> spin().

%! raises(1): pre contract
%! partial(0): 0
%! partial(1): pre contract
%! answers(1): pre contract
%! acts(1): pre contract
%! sends(1): pre contract
%! endless(1): pre contract
%! inside(1): 2
%! no_time(1): expected_time contract
