-module(cases_filename).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [list/2, elements/1, freq/1, const/1, compose/2]).

cases() ->
    Flat = freq([{3, list(elements("ab./"), 7)}, {2, list(elements(["/", "a", "..", ".", "b.erl", ".x"]), 5)},
                 {1, elements(["/usr/lib/a.b.c", "", "/", "//", "a/", ".", "..", "./a", "a//", "/.b", ".b", [229, $/, 955]])}]),
    Plain = compose(fun lists:flatten/1, Flat),
    Name = freq([{4, Plain}, {1, Flat}, {1, compose(fun list_to_atom/1, Plain)},
                 {3, compose(fun unicode:characters_to_binary/1, Plain)}, {1, list(Plain, 3)}]),
    Ext = elements([".erl", "", ".b", "b", "/", <<".erl">>, <<"b">>, 'x', ".x", "/.x"]),
    Cases =
    [{absname, [Name]}, {absname, [Name, elements(["/a/b", <<"/c">>, "d"])]}, {absname_join, [Name, Name]},
     {append, [Name, Name]}, {basename, [Name]}, {basename, [Name, Ext]}, {dirname, [Name]}, {extension, [Name]},
     {flatten, [Name]}, {join, [list(Name, 4)]}, {join, [Name, Name]}, {nativename, [Name]}, {pathtype, [Name]},
     {rootname, [Name]}, {rootname, [Name, Ext]}, {split, [Name]},
     {validate, [freq([{3, Name}, {1, list(elements([0, $a, 16#D900, 16#10FFFF]), 3)}])]}],
    %% Improper lists of characters and atoms are taken as names more often than in OTP.
    [{F, Args, [any_error, {wrong, 0}]} || {F, Args} <- Cases].

skipped() -> [{basedir, 2}, {basedir, 3}].

scripts() ->
    [{"base directories", 1, fun(Lib) ->
         M = Lib(filename),
         [catch case Opts of none -> M:basedir(T, A); _ -> M:basedir(T, A, Opts) end
          || T <- [user_cache, user_config, user_data, user_log, site_config, site_data],
             A <- ["app", <<"app">>],
             Opts <- [none, #{}, #{version => "1.0"}, #{os => windows, author => "me"}, #{os => darwin},
                      #{os => windows}, #{os => linux, version => <<"2">>}]]
     end}].
