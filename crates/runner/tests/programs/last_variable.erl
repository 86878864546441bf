%% A variable that is bound and given at once: the call before it is the last one of the function, which is in no
%% stack trace then, and needs no stack however often it is done.
-module(last_variable).
-export([main/0, id/1]).

main() ->
    Fails = [fun plain/0, fun of_a_case/0, fun twice/0, fun handed_on/0, fun unused/0, fun used_before/0,
             fun in_try/0, fun sum_of_no_numbers/0],
    [io:format("~p~n", [trace_of(Fail)]) || Fail <- Fails],
    count(3000000).

trace_of(Fail) ->
    try Fail()
    catch
        Class:Reason:Stack ->
            {Class, Reason, [{Name, arity(Args)} || {_, Name, Args, _} <- lists:takewhile(fun is_ours/1, Stack)]}
    end.

is_ours({_, Name, _, _}) -> Name =/= trace_of.

arity(Args) when is_list(Args) -> length(Args);
arity(Arity) -> Arity.

plain() -> X = fails(), X.
of_a_case() -> X = case id(1) of 1 -> fails(); Y -> Y end, X.
twice() -> X = _Y = fails(), X.
handed_on() -> X = fails(), Y = X, Y.
unused() -> _X = fails().
used_before() -> X = id(1), Y = fails(), {X, Y}.
in_try() -> try X = fails(), X after id(1) end.
sum_of_no_numbers() -> X = lists:sum([1, a]), X.

%% It could come back, as far as a compiler knows.
fails() ->
    case ?MODULE:id(oops) of
        oops -> error(oops);
        Other -> Other
    end.
id(X) -> X.

count(0) -> done;
count(N) -> Result = count(N - 1), Result.
