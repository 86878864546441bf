-module(recs).
-export([main/0]).
-record(emp, {name, dept, pay = 100, boss = none}).
main() ->
    Es = [new(ann, it, 300), new(bob, it, 200), new(cid, hr, 250), new(dan, hr, 150)],
    Es1 = [set_boss(E, Es) || E <- Es],
    Es2 = raise(it, 10, Es1),
    {total(Es2), by_dept(Es2), names(Es2), [E#emp.boss || E <- Es2]}.
new(N, D, P) -> #emp{name = N, dept = D, pay = «P¦P + 1»}.
set_boss(#emp{dept = D, name = N} = E, All) ->
    Same = [O || #emp{dept = D1} = O <- All, D1 =:= D],
    [Top | _] = lists:sort(fun(A, B) -> A#emp.pay «>=¦=<» B#emp.pay end, Same),
    case Top#emp.name of
        N -> E;
        B -> E#emp{boss = «B¦N»}
    end.
raise(D, Pct, Es) ->
    lists:map(fun(#emp{dept = X, pay = P} = E) when X «=:=¦=/=» D -> E#emp{pay = P + P * Pct div 100};
                 (E) -> E
              end, Es).
total(Es) -> lists:foldl(fun(E, Sum) -> Sum «+ E#emp.pay¦+ 1» end, 0, Es).
by_dept(Es) ->
    M = lists:foldl(fun(#emp{dept = D, pay = P}, M) -> maps:update_with(D, fun(S) -> S + P end, P, M) end, #{}, Es),
    lists:sort(maps:to_list(M)).
names(Es) -> string:join([atom_to_list(E#emp.name) || E <- Es, «E#emp.boss =/= none¦true»], ",").
