%% Native records of the module itself: building, access, updates, patterns, guards, and what goes wrong.
%% EEP 79; the reference manual of OTP 29, "Native Records".
-module(native_records).
-export([main/0, id/1]).
-compile(nowarn_undefined_field).

-record #empty{}.
-record #a{x, y}.
-record #b{x = none, y = none, z = none}.
-record #d{f = 3.5, l = [a, b, c], t = {a, 1 + 1}, m = #{a => 1 bsl 40}, n = not true, s = "text"}.
-record #order{zzzz = 0, true = 1, aaaa = 2, wwww = 3}.
-record #div{attr = 0}.
-record(#Seq{elements = []}).
-record #'with space'{'a field' = 1}.

main() ->
    show(building, [#empty{}, #a{x = 1, y = 2}, #a{y = id(2), x = id(1)}, #b{}, #b{y = id(1)}]),
    show(defaults, #d{f = 3.0}),
    show(order, #order{aaaa = #order{}}),
    show(names, [#div{}, #Seq{elements = [#div{attr = 1}]}, #'with space'{}]),
    A = id(#a{x = 1, y = #b{z = [deep]}}),
    show(access, {A#a.x, A#a.y#b.z, A#_.x, (A#_.y)#_.z}),
    show(update, [A#a{x = 2}, A#a{}, A#_{y = 0}, A#a.y#b{x = A}]),
    show(shared, A),
    show(evaluated, begin #a{y = say(second), x = say(first)}, (say(base))#_{x = say(1)} end),
    show(patterns, [pattern(id(R)) || R <- [#empty{}, #a{x = 0, y = 0}, #a{x = 1, y = 2}, #a{x = #div{attr = 7}, y = 1},
                                         #b{}, #b{x = 1, y = 2, z = 3}, #order{}, {a, 0, 0}, #{x => 0}, a]]),
    show(funs, [(fun(#a{x = X}) -> X; (#_{z = Z}) -> Z; (_) -> other end)(R) || R <- [A, #b{}, #empty{}]]),
    show(guards, [guard(id(R)) || R <- [A, #a{x = y, y = x}, #b{x = 1}, {a, 1, 2}, x]]),
    show(filters, [R || R <- [A, #b{}, {a, 1}], is_record(R), R#a.x =:= 1]),
    show(tests, [{is_record(R), is_record(R, a), is_record(R, native_records, a), is_record(R, id(a)), is_record(R, id(native_records), id(a)),
                  is_tuple(R), is_map(R)} || R <- [A, #b{}, {a, 1, 2}]]),
    show(sizes, [caught(fun() -> tuple_size(A) end), caught(fun() -> element(1, A) end), caught(fun() -> map_size(A) end)]),
    show(no_record, [caught(fun() -> (id(not_a_record))#b{x = 99} end), caught(fun() -> A#b{x = 99} end),
                     caught(fun() -> A#b.x end), caught(fun() -> (id({b, 1}))#b.x end), caught(fun() -> (id(x))#_.x end),
                     caught(fun() -> (id(x))#_{x = 1} end), caught(fun() -> A#b{} end)]),
    show(no_field, [caught(fun() -> #b{} end), caught(fun() -> (id(#b{}))#b.zoo end), caught(fun() -> (id(#b{}))#b{q = 1, r = 2} end),
                    caught(fun() -> (id(#b{}))#_.q end), caught(fun() -> (id(#b{}))#_{q = 1} end)]),
    %% Whoever names the module, even its own, is outside.
    show(from_outside, [caught(fun() -> #native_records:a{x = 1, y = 2} end), caught(fun() -> A#native_records:a.x end),
                        caught(fun() -> A#native_records:a{x = 1} end),
                        case A of #native_records:a{x = _} -> entered; #native_records:a{} -> named end]),
    show(thrown, try throw(A) catch throw:#a{x = X} -> X end),
    show(raised, caught(fun() -> #a{y = [_]} = A end)),
    show(in_trace, trace(fun() -> A#b.x end)),
    show(loop, lists:foldl(fun(_, #a{x = N, y = M} = R) -> R#a{x = N + 1, y = M - 1} end, #a{x = 0, y = 1000}, lists:seq(1, 1000))),
    Self = self(),
    spawn(fun() -> Self ! {got, A#a{x = sent}} end),
    show(received, receive {got, #a{x = sent} = Got} -> Got end),
    show(as_keys, [maps:get(#b{}, #{#b{} => found}), maps:get(#b{x = 1.0}, #{#b{x = 1} => found}, absent)]),
    T = ets:new(t, [set]),
    ets:insert(T, [{#b{}, one}, {#b{x = 1}, two}]),
    show(in_tables, {ets:lookup(T, #b{x = 1}), ets:match(T, {#b{}, '$1'}), ets:select(T, [{{'$1', two}, [], ['$1']}])}),
    O = ets:new(o, [ordered_set]),
    ets:insert(O, [{#b{x = 1}, int}, {{}, tuple}, {#{}, map}, {#b{x = 1.0}, float}]),
    show(ordered, ets:tab2list(O)).

id(X) -> X.

say(base) -> io:format("base~n"), #b{};
say(What) -> io:format("~p~n", [What]), What.

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

pattern(#empty{}) -> empty;
pattern(#a{x = 0, y = 0}) -> origin;
pattern(#a{x = #div{attr = N}}) -> {division, N};
pattern(#a{x = X, y = Y} = A) when X < Y -> {a, X, Y, A#a.y - 1};
pattern(#b{x = X, y = X, z = X}) -> {same, X};
pattern(#_{x = X, y = Y, z = Z}) -> {any, X, Y, Z};
pattern(#_{}) -> record;
pattern(_) -> none.

guard(R) when R#a.x =:= 1 -> one;
guard(R) when is_atom(R#a.x) -> atom;
guard(R) when R#a.x =:= 2; is_record(R, b), R#_.x =:= 1 -> b;
guard(R) when is_record(R) -> record;
guard(_) -> none.

caught(F) ->
    try F() catch Class:Reason -> {Class, Reason} end.

trace(F) ->
    try F() catch _:_:Stack -> [{M, N, is_integer(A)} || {M, N, A, _} <- lists:sublist(Stack, 2)] end.
%> building: [#native_records:empty{},#native_records:a{x = 1,y = 2},#native_records:a{x = 1,y = 2},#native_records:b{x = none,y = none,z = none},#native_records:b{x = none,y = 1,z = none}]
%> defaults: #native_records:d{f = 3.0,l = [a,b,c],t = {a,2},m = #{a => 1099511627776},n = false,s = [116,101,120,116]}
%> order: #native_records:order{zzzz = 0,true = 1,aaaa = #native_records:order{zzzz = 0,true = 1,aaaa = 2,wwww = 3},wwww = 3}
%> names: [#native_records:'div'{attr = 0},#native_records:'Seq'{elements = [#native_records:'div'{attr = 1}]},#native_records:'with space'{'a field' = 1}]
%> access: {1,[deep],1,[deep]}
%> update: [#native_records:a{x = 2,y = #native_records:b{x = none,y = none,z = [deep]}},#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}},#native_records:a{x = 1,y = 0},#native_records:b{x = #native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}},y = none,z = [deep]}]
%> shared: #native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}
%> first
%> second
%> 1
%> base
%> evaluated: #native_records:b{x = 1,y = none,z = none}
%> patterns: [empty,origin,{a,1,2,1},{division,7},{same,none},{any,1,2,3},record,none,none,none]
%> funs: [1,none,other]
%> guards: [one,atom,b,none,none]
%> filters: [#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}]
%> tests: [{true,true,true,true,true,false,false},{true,false,false,false,false,false,false},{false,false,false,true,false,true,false}]
%> sizes: [{error,badarg},{error,badarg},{error,{badmap,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}}]
%> no_record: [{error,{badrecord,not_a_record}},{error,{badrecord,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}},{error,{badrecord,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}},{error,{badrecord,{b,1}}},{error,{badrecord,x}},{error,{badrecord,x}},{error,{badrecord,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}}]
%> no_field: [#native_records:b{x = none,y = none,z = none},{error,{badfield,{{native_records,b},zoo}}},{error,{badfield,{{native_records,b},q}}},{error,{badfield,{{native_records,b},q}}},{error,{badfield,{{native_records,b},q}}}]
%> from_outside: [{error,{badrecord,{native_records,a}}},{error,{badrecord,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}},{error,{badrecord,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}},named]
%> thrown: 1
%> raised: {error,{badmatch,#native_records:a{x = 1,y = #native_records:b{x = none,y = none,z = [deep]}}}}
%> in_trace: [{native_records,'-main/0-fun-25-',true},{native_records,trace,true}]
%> loop: #native_records:a{x = 1000,y = 0}
%> received: #native_records:a{x = sent,y = #native_records:b{x = none,y = none,z = [deep]}}
%> as_keys: [found,absent]
%> in_tables: {[{#native_records:b{x = 1,y = none,z = none},two}],[[one]],[#native_records:b{x = 1,y = none,z = none}]}
%> ordered: [{{},tuple},{#native_records:b{x = 1.0,y = none,z = none},float},{#{},map}]
