%% Calls of library functions, by name, by variable and by apply.
%% inputs: sorted(list(int)), call(one(max; min), list(int)), applied(int, int)
-module(remote_calls).
-export([sorted/1, call/2, applied/2, double/1]).

sorted(L) ->
    S = lists:sort(L),
    R = lists:reverse(S),
    Max = case R of [M | _] -> M; [] -> none end,
    Unique = lists:usort(L),
    {Max, length(Unique)}.

call(F, L) ->
    Mod = lists,
    Input = [0 | L],
    Result = Mod:F(Input),
    Other = length(L),
    {F, Result, Other}.

applied(A, B) ->
    Args = [A, B],
    Max = apply(erlang, max, Args),
    Min = apply(fun erlang:min/2, Args),
    Twice = ?MODULE:double(Max),
    Twice - Min.

double(X) ->
    Y = X + X,
    Y.
