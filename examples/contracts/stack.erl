%% A stack with contracts.
-module(stack).
-export([push/2, pop/1, sum/1]).

-pre("pop(S) -> S =/= []").
-post("push(X, S) = R -> hd(R) =:= X andalso length(R) =:= length(S) + 1").
-pure([push/2, pop/1]).
-sdecreases("sum(S) -> S").

push(X, S) -> [X | S].

pop([X | S]) -> {X, S}.

sum([]) -> 0;
sum([X | S]) -> X + sum(S).
