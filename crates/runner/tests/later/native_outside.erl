%% Native records of other modules: exported or not, imported or named in full.
%% EEP 79; the reference manual of OTP 29, "Native Records". A module that is not loaded is loaded, as calls do it.
-module(native_outside).
-export([main/0]).
-import_record(native_shapes, [vector, local, quad]).

main() ->
    show(built, [#vector{}, #native_shapes:vector{y = 2}, #vector{} =:= native_shapes:vector(), #quad{a = 1, c = 3}]),
    V = #vector{x = 0},
    show(used, [V#vector.y, V#native_shapes:vector.x, V#_.z, V#vector{z = new}, V#_{x = 1, y = 2}]),
    show(refused, [caught(F) || F <- [fun() -> #local{x = 1, y = 2} end, fun() -> #native_shapes:unknown{} end, fun() -> #no_module:r{} end,
                                      fun() -> #quad{q = 1} end, fun() -> #quad{a = 1, q = 1} end, fun() -> #quad{} end,
                                      fun() -> #quad{a = 1} end, fun() -> V#vector{q = 1} end, fun() -> V#quad.a end]]),
    L = native_shapes:local(1, 2),
    show(private, [caught(F) || F <- [fun() -> L#local.x end, fun() -> L#local{x = 2} end, fun() -> L#_.x end, fun() -> L#_{x = 2} end]]),
    show(private_shape, [case R of
                             #local{x = X} -> {entered, X};
                             #_{x = X, y = Y} -> {any, X, Y};
                             #local{} -> named;
                             #_{} -> record
                         end || R <- [L, V, native_shapes:bump(L), #quad{a = 1, c = 2}]]),
    show(tests, {is_record(L), is_record(L, local), is_record(L, native_shapes, local), is_record(L, native_outside, local), is_record(V, local)}),
    show(guards, [guard(R) || R <- [V, L, {vector, 1}]]).

guard(R) when R#vector.y =:= 1 -> vector;
guard(R) when R#local.x =:= 1 -> entered;
guard(R) when is_record(R, local) -> named;
guard(_) -> none.

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

caught(F) ->
    try F() catch Class:Reason:Stack -> {Class, Reason, element(1, hd(Stack))} end.
%> built: [#native_shapes:vector{x = 10,y = 1,z = 5},#native_shapes:vector{x = 10,y = 2,z = 5},true,#native_shapes:quad{a = 1,b = 2,c = 3}]
%> used: [1,0,5,#native_shapes:vector{x = 0,y = 1,z = new},#native_shapes:vector{x = 1,y = 2,z = 5}]
%> refused: [{error,{badrecord,{native_shapes,local}},native_outside},{error,{badrecord,{native_shapes,unknown}},native_outside},{error,{badrecord,{no_module,r}},native_outside},{error,{badfield,{{native_shapes,quad},q}},native_outside},{error,{badfield,{{native_shapes,quad},q}},native_outside},{error,{novalue,{{native_shapes,quad},a}},native_outside},{error,{novalue,{{native_shapes,quad},c}},native_outside},{error,{badfield,{{native_shapes,vector},q}},native_outside},{error,{badrecord,#native_shapes:vector{x = 0,y = 1,z = 5}},native_outside}]
%> private: [{error,{badrecord,#native_shapes:local{x = 1,y = 2}},native_outside},{error,{badrecord,#native_shapes:local{x = 1,y = 2}},native_outside},{error,{badrecord,#native_shapes:local{x = 1,y = 2}},native_outside},{error,{badrecord,#native_shapes:local{x = 1,y = 2}},native_outside}]
%> private_shape: [named,{any,0,1},named,record]
%> tests: {true,true,true,false,false}
%> guards: [vector,named,none]
