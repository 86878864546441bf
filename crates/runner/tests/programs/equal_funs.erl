%% Funs of different functions of a module are different, whatever their numbers are in their functions.
-module(equal_funs).
-export([main/0]).
neg(X) -> -X.
id(X) -> X.
a() -> fun neg/1.
b() -> fun id/1.
c() -> fun(X) -> X end.
d() -> fun(X) -> X + 1 end.
e(Y) -> fun(X) -> X + Y end.
main() ->
    Funs = [a(), b(), c(), d(), e(1), e(2)],
    io:format("~w~n", [[F =:= G || F <- Funs, G <- Funs]]),
    io:format("~w~n", [[a() =:= a(), c() =:= c(), e(1) =:= e(1), c() == d(), fun neg/1 =:= a()]]),
    io:format("~w~n", [[length(lists:usort(Funs)), maps:size(maps:from_list([{F, 1} || F <- Funs]))]]),
    io:format("~w~n", [[(binary_to_term(term_to_binary(F)))(5) || F <- Funs]]).
