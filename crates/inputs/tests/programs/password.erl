-module(password).
%% How good a password is.
-export([main/1]).
-spec main(string()) -> atom().
main("password") -> forbidden;
main("12345678") -> forbidden;
main(P) when length(P) < 8 -> short;
main(P) ->
    Classes = [c || F <- [fun lower/1, fun upper/1, fun digit/1, fun sign/1], lists:any(F, P)],
    case {length(Classes), repeats(P)} of
        {4, false} when length(P) >= 12 -> excellent;
        {4, _} -> good;
        {3, false} -> fair;
        {_, true} -> repetitive;
        {1, _} -> weak;
        _ -> poor
    end.

lower(C) -> C >= $a andalso C =< $z.
upper(C) -> C >= $A andalso C =< $Z.
digit(C) -> C >= $0 andalso C =< $9.
sign(C) -> lists:member(C, "!?$%&#").
repeats([A, A, A | _]) -> true;
repeats([_ | T]) -> repeats(T);
repeats([]) -> false.
