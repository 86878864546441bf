%% A native record keeps the definition that it was made by, whatever is loaded later.
%% The reference manual of OTP 29, "Native Records", "Capturing of the Record Definition" and "Hot Code Updating".
-module(native_upgrade).
-export([main/0]).

main() ->
    load("-module(upgraded). -export([make/0, update/1]). -export_record([rec]). -record #rec{a, b}. "
         "make() -> #rec{a = 1, b = 2}. update(R) -> R."),
    Old = upgraded:make(),
    show(old, [Old, #upgraded:rec{a = 0, b = 0}]),
    load("-module(upgraded). -compile(nowarn_undefined_field). -export([make/0, update/1]). -record #rec{b, new = 0}. "
         "make() -> #rec{b = 1}. "
         "update(#rec{new = _} = Already) -> Already; update(#rec{a = A, b = B}) -> #rec{b = {A, B}}."),
    New = upgraded:make(),
    show(new, [New, upgraded:update(Old), upgraded:update(New), upgraded:update(upgraded:update(Old))]),
    show(kept, [Old#upgraded:rec.a, Old#upgraded:rec{a = changed}, records:is_exported(Old), records:is_exported(New)]),
    show(no_longer, [caught(fun() -> #upgraded:rec{b = 1} end), caught(fun() -> New#upgraded:rec.b end)]),
    show(different, Old < New),
    false = code:purge(upgraded),
    true = code:delete(upgraded),
    show(deleted, [Old#_.b, caught(fun() -> #upgraded:rec{b = 1} end), caught(fun() -> records:get_definition(upgraded, rec) end)]).

load(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Module, Binary} = compile:forms(forms(Tokens, []), [return_errors]),
    _ = code:purge(Module),
    {module, Module} = code:load_binary(Module, "upgraded.erl", Binary).

forms([], []) -> [];
forms([{dot, _} = Dot | Tokens], Form) ->
    {ok, Parsed} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    [Parsed | forms(Tokens, [])];
forms([Token | Tokens], Form) -> forms(Tokens, [Token | Form]).

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

caught(F) ->
    try F() catch error:Reason -> Reason end.
%> old: [#upgraded:rec{a = 1,b = 2},#upgraded:rec{a = 0,b = 0}]
%> new: [#upgraded:rec{b = 1,new = 0},#upgraded:rec{b = {1,2},new = 0},#upgraded:rec{b = 1,new = 0},#upgraded:rec{b = {1,2},new = 0}]
%> kept: [1,#upgraded:rec{a = changed,b = 2},true,false]
%> no_longer: [{badrecord,{upgraded,rec}},{badrecord,#upgraded:rec{b = 1,new = 0}}]
%> different: false
%> deleted: [2,{badrecord,{upgraded,rec}},badarg]
