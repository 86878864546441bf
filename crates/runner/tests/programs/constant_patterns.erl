%% Patterns without variables: a map stands for every map that has its keys, a number in a binary must fit.
-module(constant_patterns).
-export([main/0]).

main() ->
    [tuple({m, #{a => 1}}), tuple({m, <<-1:17>>}), tuple({m, 1}), tuple({1.0, "x"}), list([#{b => 2}]), list([{#{}}]),
     map(#{k => #{z => 1}}), self() ! {m, #{a => 1}},
     receive {m, #{}} -> got after 0 -> late end].

tuple({m, #{b := 1}}) -> with_b;
tuple({m, #{}}) -> a_map;
tuple({m, <<-1:17>>}) -> minus_one;
tuple({m, 1}) -> one;
tuple({1.0, "x"}) -> constant;
tuple(_) -> other.

list([#{a := _}]) -> with_a;
list([#{}]) -> a_map;
list([{#{}}]) -> in_tuple.

map(#{k := #{}}) -> nested.
