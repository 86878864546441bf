%% Functions of releases after OTP 25, by the documentation of OTP 29. They can be called; what lists the functions
%% of a module does not name them, because the node says that it is OTP 25.
-module(later_functions).
-export([main/0]).

main() ->
    show(is_integer, [[erlang:is_integer(X, 1, 3) || X <- [0, 1, 3, 4, 1.0, a]], erlang:is_integer(1 bsl 70, 1, 1 bsl 71), caught(fun() -> erlang:is_integer(1, a, 2) end)]),
    show(iterators, [maps:to_list(maps:iterator(#{b => 1, a => 2, 1.0 => 3, 1 => 4}, Order)) || Order <- [ordered, reversed, fun(A, B) -> A > B end]]),
    show(undefined, lists:sort(maps:to_list(maps:iterator(#{b => 1, a => 2}, undefined)))),
    show(folded, maps:fold(fun(K, V, Acc) -> [{K, V} | Acc] end, [], maps:iterator(#{b => 1, a => 2}, ordered))),
    show(not_iterators, [caught(fun() -> maps:iterator(x, ordered) end), caught(fun() -> maps:iterator(#{}, x) end), caught(fun() -> maps:to_list(x) end)]),
    show(enumerated, [lists:enumerate(5, 2, [a, b, c]), lists:zip([1, 2], [a], trim), lists:zip([1], [a, b], {pad, {x, y}}), lists:zipwith(fun(A, B) -> A + B end, [1, 2], [1], trim)]),
    show(hex, [binary:encode_hex(<<1, 255>>, lowercase), binary:encode_hex(<<1, 255>>, uppercase), caught(fun() -> binary:encode_hex(<<>>, x) end)]),
    show(joined, [binary:join([<<"a">>, <<"b">>, <<>>], <<", ">>), binary:join([], <<",">>), binary:join([<<"a">>], <<",">>), caught(fun() -> binary:join([a], <<>>) end)]),
    Worker = spawn(fun() -> proc_lib:set_label({worker, 1}), receive stop -> ok end end),
    show(no_label, proc_lib:get_label(self())),
    show(labels, begin ok = proc_lib:set_label(main), timer:sleep(1), [proc_lib:get_label(self()), proc_lib:get_label(Worker)] end),
    Worker ! stop,
    timer:sleep(1),
    show(gone, proc_lib:get_label(Worker)),
    Self = self(),
    Sleeper = spawn(fun() -> Awake = erlang:hibernate(), receive X -> Self ! {Awake, X} end end),
    timer:sleep(1),
    Sleeper ! hello,
    show(hibernated, receive Answer -> Answer end),
    {ok, _} = timer:apply_after(1, fun() -> Self ! applied end),
    {ok, _} = timer:apply_after(2, fun(X) -> Self ! X end, [with_arguments]),
    show(timers, [receive One -> One end, receive Two -> Two end, timer:apply_after(1, fun(X) -> X end)]),
    show(unlisted, [F || {M, F} <- [{maps, {iterator, 2}}, {erlang, {is_record, 1}}, {erlang, {is_integer, 3}}, {erlang, {hibernate, 0}}, {proc_lib, {set_label, 1}}],
                        lists:member(F, M:module_info(exports))]),
    show(json, [iolist_to_binary(json:encode(#{a => [1, 2.5, null, true, <<"x">>]})), json:decode(<<"{\"a\": [1, 2.5e1, null, \"\\u00e9\"]}">>),
                iolist_to_binary(json:encode([{a, 1}, {b, [x]}], fun([{_, _} | _] = L, E) -> json:encode_key_value_list(L, E); (V, E) -> json:encode_value(V, E) end)),
                element(1, json:decode(<<"[1, 2] rest">>, acc, #{array_push => fun(E, Acc) -> [{E} | Acc] end})),
                caught(fun() -> json:decode(<<"[1,">>) end)]).

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

caught(F) ->
    try F() catch error:Reason -> Reason end.
%> is_integer: [[false,true,true,false,false,false],true,badarg]
%> iterators: [[{1,4},{1.0,3},{a,2},{b,1}],[{b,1},{a,2},{1.0,3},{1,4}],[{b,1},{a,2},{1.0,3},{1,4}]]
%> undefined: [{a,2},{b,1}]
%> folded: [{b,1},{a,2}]
%> not_iterators: [{badmap,x},badarg,{badmap,x}]
%> enumerated: [[{5,a},{7,b},{9,c}],[{1,a}],[{1,a},{x,b}],[2]]
%> hex: [<<48,49,102,102>>,<<48,49,70,70>>,badarg]
%> joined: [<<97,44,32,98,44,32>>,<<>>,<<97>>,badarg]
%> no_label: undefined
%> labels: [main,{worker,1}]
%> gone: undefined
%> hibernated: {ok,hello}
%> timers: [applied,with_arguments,{error,badarg}]
%> unlisted: []
%> json: [<<123,34,97,34,58,91,49,44,50,46,53,44,110,117,108,108,44,116,114,117,101,44,34,120,34,93,125>>,#{<<97>> => [1,25.0,null,<<195,169>>]},<<123,34,97,34,58,49,44,34,98,34,58,91,34,120,34,93,125>>,[{1},{2}],unexpected_end]
