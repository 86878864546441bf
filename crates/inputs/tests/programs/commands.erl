-module(commands).
%% A dispatcher over anything.
-export([main/1]).
main({login, User, Password}) when is_list(User), is_list(Password) ->
    case {User, Password} of
        {"admin", "secret"} -> {ok, admin};
        {"guest", _} -> {ok, guest};
        _ -> {error, denied}
    end;
main({set, Key, Value}) when is_atom(Key) -> {ok, {Key, Value}};
main({move, {X, Y}, by, {Dx, Dy}}) when is_integer(X), is_integer(Y) -> {ok, {X + Dx, Y + Dy}};
main([batch | Commands]) -> [main(Command) || Command <- Commands];
main(stop) -> stopped;
main(<<"raw:", Rest/binary>>) when byte_size(Rest) > 2 -> {raw, Rest};
main(_) -> {error, unknown}.
