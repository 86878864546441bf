%% Macros that are longer than the module that uses them: their tokens are far behind its end.
% Line 0 of a long comment that only takes up room, so that places in this file are large.
% Line 1 of a long comment that only takes up room, so that places in this file are large.
% Line 2 of a long comment that only takes up room, so that places in this file are large.
% Line 3 of a long comment that only takes up room, so that places in this file are large.
% Line 4 of a long comment that only takes up room, so that places in this file are large.
% Line 5 of a long comment that only takes up room, so that places in this file are large.
% Line 6 of a long comment that only takes up room, so that places in this file are large.
% Line 7 of a long comment that only takes up room, so that places in this file are large.
% Line 8 of a long comment that only takes up room, so that places in this file are large.
% Line 9 of a long comment that only takes up room, so that places in this file are large.
% Line 10 of a long comment that only takes up room, so that places in this file are large.
% Line 11 of a long comment that only takes up room, so that places in this file are large.
% Line 12 of a long comment that only takes up room, so that places in this file are large.
% Line 13 of a long comment that only takes up room, so that places in this file are large.
% Line 14 of a long comment that only takes up room, so that places in this file are large.
% Line 15 of a long comment that only takes up room, so that places in this file are large.
% Line 16 of a long comment that only takes up room, so that places in this file are large.
% Line 17 of a long comment that only takes up room, so that places in this file are large.
% Line 18 of a long comment that only takes up room, so that places in this file are large.
% Line 19 of a long comment that only takes up room, so that places in this file are large.
% Line 20 of a long comment that only takes up room, so that places in this file are large.
% Line 21 of a long comment that only takes up room, so that places in this file are large.
% Line 22 of a long comment that only takes up room, so that places in this file are large.
% Line 23 of a long comment that only takes up room, so that places in this file are large.
% Line 24 of a long comment that only takes up room, so that places in this file are large.
% Line 25 of a long comment that only takes up room, so that places in this file are large.
% Line 26 of a long comment that only takes up room, so that places in this file are large.
% Line 27 of a long comment that only takes up room, so that places in this file are large.
% Line 28 of a long comment that only takes up room, so that places in this file are large.
% Line 29 of a long comment that only takes up room, so that places in this file are large.
% Line 30 of a long comment that only takes up room, so that places in this file are large.
% Line 31 of a long comment that only takes up room, so that places in this file are large.
% Line 32 of a long comment that only takes up room, so that places in this file are large.
% Line 33 of a long comment that only takes up room, so that places in this file are large.
% Line 34 of a long comment that only takes up room, so that places in this file are large.
% Line 35 of a long comment that only takes up room, so that places in this file are large.
% Line 36 of a long comment that only takes up room, so that places in this file are large.
% Line 37 of a long comment that only takes up room, so that places in this file are large.
% Line 38 of a long comment that only takes up room, so that places in this file are large.
% Line 39 of a long comment that only takes up room, so that places in this file are large.
-define(CLAMP(X), case X of
    N when N > 100 -> 100;
    N when N < 0 -> 0;
    N -> N
end).
-define(LIMIT, 10).
-define(NEXT(F, X, Acc), F(X - 1, [X rem ?LIMIT | Acc])).
-define(BYTE(X), (X):8).
-define(AGE(X), age => X).
