%% What stands behind something that may fail.
%% inputs: after_check(int), checked(any), order(list(int)), assertion(int)
-module(failing_calls).
-export([after_check/1, checked/1, order/1, assertion/1]).

after_check(N) ->
    true = N > 0,
    X = N * 2,
    {ok, Y} = lookup(X),
    Y + X.

lookup(X) when X < 20 -> {ok, X + 1};
lookup(_) -> none.

checked(V) ->
    Valid = try validate(V) catch error:{invalid, What} -> {bad, What} end,
    case Valid of
        {bad, W} -> {rejected, W};
        Good -> {accepted, Good}
    end.

validate(V) when is_integer(V) -> V;
validate([H | _]) when is_integer(H) -> H;
validate(V) -> error({invalid, V}).

order(L) ->
    First = hd(L),
    Rest = tl(L),
    Max = lists:max(Rest),
    {First, Max}.

assertion(N) ->
    R = (catch begin
        N =:= 3 andalso error(three),
        check_even(N),
        N div 2
    end),
    case R of
        {'EXIT', {E, _}} -> {failed, E};
        Half -> Half
    end.

check_even(N) ->
    case N rem 2 of
        0 -> ok;
        _ -> error({odd, N})
    end.
