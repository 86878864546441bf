%% Doubles every integer, and adds a function.
-module(doubling).
-export([parse_transform/2]).

parse_transform(Forms, _Options) ->
    {Before, [Eof]} = lists:split(length(Forms) - 1, Forms),
    {attribute, Anno, _, _} = lists:keyfind(module, 3, [F || F <- Forms, element(1, F) =:= attribute]),
    [Module | Rest] = doubled(lists:dropwhile(fun(F) -> element(3, F) =:= file end, Before)),
    [Module, {attribute, Anno, seen, length(Before) > 3} | Rest]
        ++ [{function, Anno, added, 1,
             [{clause, Anno, [{var, Anno, 'X'}], [],
               [{op, Anno, '+', {var, Anno, 'X'}, {integer, Anno, 1}}]}]},
            Eof].

doubled({integer, Anno, N}) -> {integer, Anno, 2 * N};
doubled({attribute, _, _, _} = Form) -> Form;
doubled(Tuple) when is_tuple(Tuple), tuple_size(Tuple) > 1, is_atom(element(1, Tuple)) ->
    [Tag, Anno | Parts] = tuple_to_list(Tuple),
    list_to_tuple([Tag, Anno | [doubled(Part) || Part <- Parts]]);
doubled(List) when is_list(List) ->
    case io_lib:printable_list(List) of
        true -> List;
        false -> [doubled(Part) || Part <- List]
    end;
doubled(Other) -> Other.
