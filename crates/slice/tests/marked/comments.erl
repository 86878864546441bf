%% About the file.

-module(comments).
-export([kept/1, gone/1]).

%% What stands before a function is about it,

% also across empty lines.
-spec kept(integer()) -> integer().

kept(X) -> % one more
    Y = X + 1,
    ‹io:format("~p~n", [Y])›,
    «Y».

%%% A part of the file of which nothing is left

%% This goes with what it is about,

% and so does this.

-spec gone(integer()) -> integer().
%% Here, too.
gone(‹X›) -> ‹X - 1›.
