-module(versions).
%% Which of two versions is newer.
-export([main/2]).
-spec main(string(), string()) -> term().
main(A, B) ->
    case {parse(A), parse(B)} of
        {error, error} -> {error, both};
        {error, _} -> {error, first};
        {_, error} -> {error, second};
        {V, V} -> same;
        {{X, _, _}, {Y, _, _}} when X > Y + 1 -> much_newer;
        {V, W} when V > W -> newer;
        {{X, Y, 0}, {X, Y, Z}} when Z > 0 -> patched;
        _ -> older
    end.

parse(Text) ->
    case string:lexemes(Text, ".") of
        [A, B, C] -> numbers([A, B, C]);
        [A, B] -> numbers([A, B, "0"]);
        _ -> error
    end.

numbers(Texts) ->
    case [list_to_integer(T) || T <- Texts, lists:all(fun(C) -> C >= $0 andalso C =< $9 end, T)] of
        [A, B, C] -> {A, B, C};
        _ -> error
    end.
