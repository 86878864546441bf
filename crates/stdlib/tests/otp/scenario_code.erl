%% Code paths, on OTP's module or on a copy of ours under another name.
-module(scenario_code).

-export([scenarios/0]).

m() ->
    case code:ensure_loaded(code_copy) of
        {module, M} -> M;
        _ -> code
    end.

short(Dir) when is_list(Dir) -> filename:basename(Dir);
short(Other) -> Other.

scenarios() ->
    [{lib_dir, fun() -> M = m(), [short(M:lib_dir(A)) || A <- [stdlib, "kernel", nobody]] ++ [short(M:lib_dir(stdlib, ebin)), short(M:priv_dir(stdlib)), M:priv_dir(nobody)] end},
     {which, fun() -> M = m(), [short(M:which(A)) || A <- [lists, ?MODULE, no_such_module]] end},
     {loaded, fun() -> M = m(), [M:is_loaded(no_such_module), element(1, M:is_loaded(lists)), M:ensure_loaded(lists), M:ensure_loaded(no_such_module), lists:keymember(lists, 1, M:all_loaded())] end},
     {paths, fun() -> M = m(), file:make_dir("pd"), file:make_dir("pd/app-1.0"), file:make_dir("pd/app-1.0/ebin"), D = "pd/app-1.0/ebin",
                      R = [M:add_patha(D), hd(M:get_path()) =:= D, M:add_pathz(D), hd(M:get_path()) =:= D, M:add_path("no/such"), short(M:lib_dir(app)), M:del_path(app), M:del_path(app), M:add_pathz(D), lists:last(M:get_path()) =:= D, M:replace_path(app, "pd"), lists:last(M:get_path()), M:del_path("pd")], R end},
     {where, fun() -> M = m(), [short(M:where_is_file("stdlib.app")), M:where_is_file("no.such")] end},
     {modes, fun() -> M = m(), [M:get_mode(), M:objfile_extension(), M:is_module_native(lists)] end},
     {ensure_modules, fun() -> M = m(), [M:ensure_modules_loaded([lists, maps]), M:ensure_modules_loaded([lists, no_such_module])] end}].
