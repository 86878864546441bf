-module(untyped).
%% No spec: what it takes has to be found out.
-export([main/2]).
main(Key, [{Key, {value, V}} | _]) when is_integer(V), V > 99 -> {large, V};
main(Key, [{Key, {value, V}} | _]) -> {found, V};
main(Key, [{Key, deleted} | _]) -> deleted;
main(Key, [_ | Rest]) -> main(Key, Rest);
main({default, V}, []) -> V;
main(_, []) -> not_found;
main(Key, #{index := Index} = Table) when is_map_key(Key, Index) ->
    case Index of
        #{Key := {alias, Other}} when Other =/= Key -> main(Other, Table);
        #{Key := {alias, _}} -> loop;
        #{Key := Position} -> Position
    end;
main(_, #{frozen := true}) -> frozen;
main(_, Table) when is_map(Table) -> no_index.
