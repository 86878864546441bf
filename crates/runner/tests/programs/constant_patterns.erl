%% Patterns without variables: a map stands for every map that has its keys, a number or a character in a binary must
%% fit, and expressions over numbers are computed.
-module(constant_patterns).
-export([main/0]).

main() ->
    [tuple({m, #{a => 1}}), tuple({m, <<-1:17>>}), tuple({m, 1}), tuple({1.0, "x"}), list([#{b => 2}]), list([{#{}}]),
     map(#{k => #{z => 1}}), self() ! {m, #{a => 1}},
     receive {m, #{}} -> got after 0 -> late end,
     [number(N) || N <- [-8, -9, 7, 1.5, 3]],
     [characters(C) || C <- [<<170>>, <<"ab", 170>>, <<"ab">>, <<208, 128>>]],
     [a || <<"\x{aaa}">> <= <<"\x{aaa}">>], [b || <<"\x{e5}">> <= <<"\x{e5}a">>],
     [F || <<(1 bsl 1023)/float, F>> <= <<(1 bsl 1023)/float, 1, (1 bsl 1022)/float, 2>>],
     try <<"\x{aaa}">> = <<"\x{aaa}">> catch error:Reason -> Reason end].

number(-(1 bsl 3)) -> minus_eight;
number(-(2 + 1) * 3) -> minus_nine;
number(bnot -(2 bsl 2)) -> seven;
number(+1.5) -> one_and_a_half;
number(_) -> other.

characters(<<"\x{aaa}">>) -> too_large;
characters(<<"ab\x{aaa}">>) -> too_large;
characters(<<"ab">>) -> ab;
characters(<<"\x{400}"/utf8>>) -> utf8;
characters(_) -> other.

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
