%% A text is a segment for each character.
-module(binary_text).
-export([f/2]).

f(‹Name›, N) ->
    Line = <<"n=", N:8, ";", ‹Name›:8>>,
    case Line of
        <<$n, _, Value:8, _/binary>> -> «Value»;
        _ -> ‹none›
    end.
