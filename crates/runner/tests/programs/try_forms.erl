%% Every form of try, and what runs when.
-module(try_forms).
-export([main/0]).
main() ->
    [io:format("~p: ~p~n", [F, try_it(F)]) || F <- [value, throw, error, exit, other]],
    nested(),
    catch_forms().

try_it(F) ->
    try do(F) of
        value -> {of_clause, value};
        Other -> {of_clause, Other}
    catch
        throw:T -> {caught, T};
        error:E -> {error, E};
        exit:{reason, R} -> {exit, R}
    after
        io:format("after ~p~n", [F])
    end.

do(value) -> value;
do(throw) -> throw(ball);
do(error) -> error(oops);
do(exit) -> exit({reason, leave});
do(other) -> other.

nested() ->
    R = try
            try error(inner)
            catch error:inner -> throw(outer)
            after io:format("inner after~n")
            end
        catch
            throw:X -> X
        after
            io:format("outer after~n")
        end,
    S = try (try 1 after throw(from_after) end) catch throw:Y -> Y end,
    Z = try try ok of ok -> error(in_of) catch error:in_of -> not_here end catch error:in_of -> of_is_not_protected end,
    io:format("~p ~p ~p~n", [R, S, Z]).

catch_forms() ->
    [catch throw(a), catch exit(b), element(1, catch error(c)), catch 1 + 1,
     try error(x, [y]) catch error:x:S -> element(3, hd(S)) end,
     try throw(1) catch C:V -> {C, V} end,
     (catch try throw(2) after ok end)].
