%% The functions of the maps module.
%% inputs: changes(int, int), merged(list({atom, int}), list({atom, int})), nested(int), optional(one(1; none))
-module(map_library).
-export([changes/2, merged/2, nested/1, optional/1]).

changes(A, B) ->
    M1 = maps:put(a, A, #{b => B, c => 0}),
    M2 = maps:remove(c, M1),
    M3 = maps:update_with(b, fun(V) -> V * 2 end, M2),
    Doubled = maps:get(b, M3),
    HasC = maps:is_key(c, M3),
    {maps:get(a, M3), Doubled, HasC}.

merged(L1, L2) ->
    M1 = maps:from_list(L1),
    M2 = maps:from_list(L2),
    M = maps:merge(M1, M2),
    Common = maps:with(maps:keys(M1), M2),
    A = maps:get(a, M, none),
    {A, map_size(Common)}.

nested(N) ->
    Config = #{db => #{host => "h", port => N}, log => #{level => info}},
    #{db := #{port := Port} = Db} = Config,
    New = Config#{db := Db#{port := Port + 1}},
    #{db := #{port := P2, host := H}, log := #{level := L}} = New,
    {P2, H, L}.

optional(V) ->
    Base = #{x => 1},
    M = case V of
        none -> Base;
        _ -> Base#{y => V}
    end,
    case M of
        #{y := Y, x := X} -> {both, X + Y};
        #{x := X} -> {only, X}
    end.
