%% Native records as values: order, the external format, hashes, text, and the module `records`.
%% EEP 79 (order), the documentation of OTP 29's module `records`; the external format by OTP's own tests:
%% 67, number of fields, 1 if exported, module, name, names of fields, values.
-module(native_values).
-export([main/0]).
-export_record([exp]).
-record #a{x = 1, y = 2}.
-record #bb{a = 1, b = 2}.
-record #c{x, y = 0, z = []}.
-record #exp{a = 1, b}.

main() ->
    R = #a{},
    show(order, [[R > T || T <- [42, 4.2, atom, make_ref(), fun main/0, self(), {a, b, c}]], [R < T || T <- [#{}, [], [a], <<"abc">>]]]),
    show(equality, {R =:= #a{x = 1}, R == #a{x = 1.0}, R =:= #a{x = 1.0}, R =/= #bb{}, R == {a, 1, 2}}),
    show(sorted, lists:sort([#c{x = 1}, #bb{a = 2}, #bb{}, #a{x = 0}, R, made(aaa, z, false, []), made(native_values, a, true, [{x, 0}]),
                             made(native_values, a, false, [{b, 0}, {a, 0}]), made(native_values, a, false, [{a, 0}, {b, 9}]),
                             made(native_values, a, false, [{z, 0}])])),
    show(by_definition, made(native_values, r, false, [{b, 0}, {a, 10}]) < made(native_values, r, false, [{b, 10}, {a, 5}])),
    show(external, [binary_to_term(term_to_binary(T)) =:= T || T <- [R, [#bb{a = R}, native_shapes:local(1, {R})], native_shapes:vector(), made(m, e, true, [])]]),
    show(bytes, term_to_binary(#exp{b = x}, [{minor_version, 2}])),
    show(read, binary_to_term(<<131, 67, 2:32, 0, 119, 1, "m", 119, 1, "r", 119, 1, "f", 119, 1, "g", 97, 1, 106>>)),
    show(not_read, [caught(fun() -> binary_to_term(B) end)
                    || B <- [<<131, 67, 1:32, 2, 119, 1, "m", 119, 1, "r", 119, 1, "f", 97, 1>>, <<131, 67, 1:32, 0, 97, 1, 119, 1, "r", 119, 1, "f", 97, 1>>,
                             <<131, 67, 2:32, 0, 119, 1, "m", 119, 1, "r", 119, 1, "f", 119, 1, "f", 97, 1, 97, 1>>, <<131, 67, 1:32, 0, 119, 1, "m", 119, 1, "r">>]]),
    show(hashes, {erlang:phash2(R) =:= erlang:phash2(made(native_values, a, false, [{x, 1}, {y, 2}])), erlang:phash2(R) =:= erlang:phash2(#a{y = 3})}),
    io:format("~p~n~p~n", [#c{x = "text", z = [<<"binary">>, #{k => #bb{}}]}, #c{x = lists:seq(1, 30), y = #bb{a = lists:duplicate(12, word), b = long_atom_that_takes_room}}]),
    io:format("~P ~W ~tw~n", [#c{x = [1, 2, 3, 4]}, 4, #c{x = [1, 2, 3, 4]}, 4, #a{x = 'ö'}]),
    io:format("~ts~n", [io_lib:format("~0p", [#c{x = "text"}])]),
    erlang:display(#c{x = "text", y = R}),
    show(parts, [records:get(x, R), records:get_module(R), records:get_name(R), records:get_field_names(#c{x = 1}), records:is_exported(R), records:is_exported(#exp{b = 1})]),
    show(no_parts, [caught(F) || F <- [fun() -> records:get(q, R) end, fun() -> records:get(x, {}) end, fun() -> records:get_module(#{}) end, fun() -> records:get_name(1) end,
                                       fun() -> records:get_field_names({x, y}) end, fun() -> records:is_exported({x, y}) end]]),
    show(made, [made(test, a, true, [{z, 3}, {x, 1}]), made(native_values, a, false, [{x, 1}, {y, 2}]) =:= R]),
    show(not_made, [caught(F) || F <- [fun() -> made(42, b, false, []) end, fun() -> made(m, 42, false, []) end, fun() -> made(m, b, false, [{a, 1}, {a, 1}]) end,
                                       fun() -> made(m, b, false, {a}) end, fun() -> made(m, b, false, [{{bad, key}, 1}]) end, fun() -> made(m, b, maybe_so, []) end,
                                       fun() -> records:create(m, b, [], bad) end, fun() -> records:create(m, b, [], #{}) end,
                                       fun() -> records:create(m, b, [], #{is_exported => true, extra => key}) end]]),
    show(changed, [records:update(R, native_values, a, #{x => new}), records:update(R, native_values, a, #{})]),
    show(not_changed, [caught(F) || F <- [fun() -> records:update(R, native_values, a, not_a_map) end, fun() -> records:update(R, native_values, a, #{q => 1}) end,
                                          fun() -> records:update(R, native_values, a, #{{really, bad} => 1}) end, fun() -> records:update(x, native_values, a, #{}) end,
                                          fun() -> records:update(R, native_values, b, #{}) end]]),
    show(definitions, [records:get_definition(native_values, N) || N <- [a, c, exp]]),
    show(no_definition, [caught(fun() -> records:get_definition(M, N) end) || {M, N} <- [{native_values, none}, {no_module, a}, {1, a}, {a, 2}]]).

made(Module, Name, IsExported, Fields) -> records:create(Module, Name, Fields, #{is_exported => IsExported}).

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

caught(F) ->
    try F() catch error:Reason -> Reason end.
%> order: [[true,true,true,true,true,true,true],[true,true,true,true]]
%> equality: {true,true,false,true,false}
%> sorted: [#aaa:z{},#native_values:a{z = 0},#native_values:a{a = 0,b = 9},#native_values:a{b = 0,a = 0},#native_values:a{x = 0,y = 2},#native_values:a{x = 1,y = 2},#native_values:a{x = 0},#native_values:bb{a = 1,b = 2},#native_values:bb{a = 2,b = 2},#native_values:c{x = 1,y = 0,z = []}]
%> by_definition: true
%> external: [true,true,true,true]
%> bytes: <<131,67,0,0,0,2,1,119,13,110,97,116,105,118,101,95,118,97,108,117,101,115,119,3,101,120,112,119,1,97,119,1,98,97,1,119,1,120>>
%> read: #m:r{f = 1,g = []}
%> not_read: [badarg,badarg,badarg,badarg]
%> hashes: {true,false}
%> #native_values:c{x = "text",y = 0,
%>                  z = [<<"binary">>,#{k => #native_values:bb{a = 1,b = 2}}]}
%> #native_values:c{
%>     x = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,
%>          27,28,29,30],
%>     y = #native_values:bb{
%>             a = [word,word,word,word,word,word,word,word,word,word,word,word],
%>             b = long_atom_that_takes_room},
%>     z = []}
%> #native_values:c{x = [1|...],y = 0,...} #native_values:c{x = [1|...],y = 0,...} #native_values:a{x = ö,y = 2}
%> #native_values:c{x = "text",y = 0,z = []}
%> #native_values:c{x="text",y=#native_values:a{x=1,y=2},z=[]}
%> parts: [1,native_values,a,[x,y,z],false,true]
%> no_parts: [badarg,badarg,badarg,badarg,{badrecord,{x,y}},{badrecord,{x,y}}]
%> made: [#test:a{z = 3,x = 1},true]
%> not_made: [{badrecord,b},{badrecord,42},badarg,badarg,{badfield,{{m,b},{bad,key}}},badarg,{badmap,bad},badarg,badarg]
%> changed: [#native_values:a{x = new,y = 2},#native_values:a{x = 1,y = 2}]
%> not_changed: [{badmap,not_a_map},{badfield,{{native_values,a},q}},{badfield,{{native_values,a},{really,bad}}},{badrecord,x},{badrecord,b}]
%> definitions: [{#{is_exported => false},[{x,1},{y,2}]},{#{is_exported => false},[x,{y,0},{z,[]}]},{#{is_exported => true},[{a,1},b]}]
%> no_definition: [badarg,badarg,badarg,badarg]
