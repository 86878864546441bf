-module(cases_proplists).
-export([cases/0]).

-import(arb, [list/2, key/0, atom/0, tuple/1, freq/1, elements/1, term/1, map/2]).

cases() ->
    Entry = freq([{3, atom()}, {4, tuple([atom(), elements([true, false, 1, "ab", [x], foo])])},
                  {1, tuple([key(), term(1)])}, {1, tuple([atom(), key(), key()])}, {1, term(1)},
                  {1, tuple([atom()])}]),
    L = list(Entry, 8),
    Aliases = list(tuple([atom(), atom()]), 3),
    Expansions = list(tuple([freq([{1, atom()}, {1, tuple([atom(), elements([true, false, 1])])}]), list(Entry, 3)]), 3),
    Stages = list(freq([{1, tuple([elements([aliases, negations]), Aliases])},
                        {1, tuple([elements([expand]), Expansions])}]), 3),
    [{append_values, [atom(), L]}, {compact, [L]}, {delete, [atom(), L]}, {expand, [Expansions, L]},
     {from_map, [map(key(), key())]}, {get_all_values, [atom(), L]}, {get_bool, [atom(), L]},
     {get_keys, [L]}, {get_value, [atom(), L]}, {get_value, [atom(), L, term(1)]},
     {is_defined, [atom(), L]}, {lookup, [atom(), L]}, {lookup_all, [atom(), L]},
     {lookup, [key(), L]}, {normalize, [L, Stages]}, {property, [Entry]}, {property, [key(), key()]},
     {split, [L, list(atom(), 3)]}, {substitute_aliases, [Aliases, L]},
     {substitute_negations, [Aliases, L]}, {to_map, [L]}, {to_map, [L, Stages]}, {unfold, [L]}].
