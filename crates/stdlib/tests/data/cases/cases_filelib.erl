-module(cases_filelib).
-export([checks/0, scripts/0, skipped/0]).

%% All of it is in scripts/0.
skipped() -> filelib:module_info(exports).

%% Where OTP fails.
checks() ->
    [{"nested braces", fun(Lib) ->
         M = Lib(filelib),
         ["/usr", "/var"] =:= M:wildcard("/{us,{v,w}a}r")
     end}].

%% A small tree of files, in which everything is tried.
scripts() ->
    [{"a tree of files", 1, fun(Lib) ->
         Dir = "/tmp/stdlib_filelib_" ++ os:getpid(),
         os:cmd("rm -rf " ++ Dir),
         Files = ["a.erl", "b.erl", ".hidden", "src/c.erl", "src/d.hrl", "src/sub/e.erl", "ebin/c.beam",
                  "x[1].txt", "x{2}.txt", "weird*name", "deep/er/est/f.erl", "src/sub/g.yrl"],
         M = Lib(filelib),
         Ensured = [begin
                        File = filename:join(Dir, F),
                        Ok = M:ensure_dir(File),
                        ok = file:write_file(File, F),
                        Ok
                    end || F <- Files],
         ok = file:make_symlink("../src", filename:join(Dir, "ebin/link")),
         ok = file:make_symlink("loop", filename:join(Dir, "loop")),
         {ok, Cwd} = file:get_cwd(),
         ok = file:set_cwd(Dir),
         try
             Wild = [{P, catch_error(fun() -> M:wildcard(P) end), catch_error(fun() -> M:wildcard(P, "src") end),
                      catch_error(fun() -> M:wildcard(P, "./src", file) end)} || P <- patterns()],
             Absolute = [M:wildcard(Dir ++ "/" ++ P) || P <- ["*", "src/*.erl", "**/*.erl", "src/.."]],
             Asked = [[F, M:is_dir(F), M:is_file(F), M:is_regular(F), M:file_size(F), M:last_modified(F) =:= 0,
                       M:is_dir(F, file), M:is_file(F, file), M:is_regular(F, prim_file), M:file_size(F, file)]
                      || F <- ["a.erl", "src", "none", <<"b.erl">>, 'a.erl', "", "ebin/link", "loop"]],
             Folded = [lists:sort(M:fold_files(".", Re, Rec, fun(F, Acc) -> [F | Acc] end, []))
                       || Re <- [".*\\.erl$", "", "^c"], Rec <- [true, false]],
             Sources = [M:find_source(F) || F <- ["ebin/c.beam", "a.erl", Dir ++ "/ebin/c.beam", "src/sub/g.erl"]] ++
                       [M:find_file("c.erl", "ebin"), M:find_file("x", "ebin"), M:find_source("c.beam", "ebin", [{".beam", ".erl", [{"ebin", "src"}]}]),
                        M:find_file("c.erl", "ebin", [{"ebin", "src"}])],
             Safe = [{P, M:safe_relative_path(P, Dir)} || P <- ["a/b", "../x", "a/../b", "a/../../b", "/abs", ".", "", "ebin/link/c.erl",
                                                               "ebin/link/../x", "loop/a", <<"a/../b">>, <<"../x">>]],
             Made = [M:ensure_path("new/path/here"), M:ensure_path("a.erl/x"), M:ensure_dir("new/other/file"), M:is_dir("new/other"),
                     M:ensure_dir("/")],
             {Ensured, Wild, Absolute, Asked, Folded, Sources, Safe, Made}
         after
             file:set_cwd(Cwd),
             os:cmd("rm -rf " ++ Dir)
         end
     end}].

patterns() ->
    ["*", "*.erl", "./*.erl", "**", "**/*.erl", "src/*", "src/**", "src/../*.erl", "*/../*.erl", "{a,b}.erl", "{src,ebin}/*",
     "[ab].erl", "[^a].erl", "x\\[1\\].txt", "x\\{2\\}.txt", "weird\\*name", "weird*", "?.erl", "[a-b].*", "[]]*", "[", "{a", "a}",
     "src/sub/..", "src//sub/*", "*/*", "*/*/*", "**/sub/*", "src/sub/", "none/*", ".", "..", ".*", "{*.erl,x*}", "a.{erl,hrl}",
     "s*c", "*[1]*", "deep/**/f.erl", "**/e*", "src/{c,d}.{erl,hrl}", "a,b", "x[1-", "[b-a]x", "\\a.erl", "a.erl\\", ""].

catch_error(F) -> try F() catch C:R -> {C, R} end.
