-module(cases_erl_anno).
-export([cases/0]).

-import(arb, [list/2, elements/1, freq/1, int/2, tuple/1, bool/0, compose/2]).

cases() ->
    Line = freq([{5, int(0, 9)}, {1, int(-3, 0)}]),
    Location = freq([{1, Line}, {1, tuple([Line, int(0, 5)])}]),
    File = elements(["a.erl", <<"b.erl">>, "", x]),
    Text = elements(["abc", "a\nb", "\n\n", "", y]),
    Anno = fun() ->
               lists:foldl(fun(F, A) -> try F(A) catch error:_ -> A end end, arb:pick([1, {2, 3}, 7]),
                           [fun(A) -> erl_anno:set_file(File(), A) end || rand:uniform(2) =:= 1] ++
                           [fun(A) -> erl_anno:set_text(Text(), A) end || rand:uniform(2) =:= 1] ++
                           [fun(A) -> erl_anno:set_generated((bool())(), A) end || rand:uniform(2) =:= 1] ++
                           [fun(A) -> erl_anno:set_record((bool())(), A) end || rand:uniform(3) =:= 1])
           end,
    [{column, [Anno]}, {end_location, [Anno]}, {file, [Anno]}, {from_term, [Anno]}, {generated, [Anno]},
     {is_anno, [freq([{2, Anno}, {1, Location}, {1, list(elements([{location, 1}, {file, x}, {file, "a"}, {generated, false}, {record, true}]), 3)}])]},
     {line, [Anno]}, {location, [Anno]}, {new, [Location]}, {record, [Anno]}, {set_file, [File, Anno]}, {set_generated, [bool(), Anno]},
     {set_line, [Line, Anno]}, {set_location, [Location, Anno]}, {set_record, [bool(), Anno]}, {set_text, [Text, Anno]},
     {text, [Anno]}, {to_term, [Anno]}].
