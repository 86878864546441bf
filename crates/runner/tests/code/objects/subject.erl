-module(subject).
-export([value/1]).
-record(r, {a = 1, b}).
value(X) -> #r{b = helper(X)}.
helper(X) -> [Y || Y <- lists:seq(1, X), Y > 0].
