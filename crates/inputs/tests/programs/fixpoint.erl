-module(fixpoint).
%% Applies a function until nothing changes.
-export([main/2]).
-spec main(fun((integer()) -> integer()), integer()) -> term().
main(F, X) -> go(F, X, [], 0).

go(_, _, _, 12) -> gives_up;
go(F, X, Seen, N) ->
    case F(X) of
        X when N =:= 0 -> fixed_at_once;
        X when N =:= 1 -> fixed_soon;
        X -> fixed;
        Y when Y > 1000 -> escapes;
        Y when Y < -1000 -> falls;
        Y ->
            case lists:member(Y, Seen) of
                true when N > 1 -> long_cycle;
                true -> cycle;
                false -> go(F, Y, [X | Seen], N + 1)
            end
    end.
