%% filelib: questions about files, and searches for them, on top of the module file.
%%
%% The functions with one more argument ask another module (erl_prim_loader, or one with the same
%% functions). Names are those of Unix (see filename).
%%
%% A wildcard is a list of patterns, one for each part of the name. Leading parts without special characters
%% are joined to the directory where the search starts; from there on directories are listed and their
%% entries matched. A name found is kept twice, as it is known to the system and as it is shown: relative to
%% the directory of the search.
-module(filelib).

-export([compile_wildcard/1, ensure_dir/1, ensure_path/1, file_size/1, file_size/2, find_file/2,
         find_file/3, find_source/1, find_source/2, find_source/3, fold_files/5, fold_files/6,
         is_dir/1, is_dir/2, is_file/1, is_file/2, is_regular/1, is_regular/2, last_modified/1,
         last_modified/2, safe_relative_path/2, wildcard/1, wildcard/2, wildcard/3]).

%% The first fields of the record of kernel/include/file.hrl, by position.
-define(SIZE(Info), element(2, Info)).
-define(TYPE(Info), element(3, Info)).
-define(MTIME(Info), element(6, Info)).

-type name() :: file:name_all().

%% ---- questions ----

-spec is_dir(name()) -> boolean().
is_dir(Name) -> type(Name, file) =:= directory.

-spec is_dir(name(), module()) -> boolean().
is_dir(Name, Mod) when is_atom(Mod) -> type(Name, Mod) =:= directory.

-spec is_file(name()) -> boolean().
is_file(Name) -> is_file(Name, file).

-spec is_file(name(), module()) -> boolean().
is_file(Name, Mod) when is_atom(Mod) ->
    Type = type(Name, Mod),
    Type =:= regular orelse Type =:= directory.

-spec is_regular(name()) -> boolean().
is_regular(Name) -> type(Name, file) =:= regular.

-spec is_regular(name(), module()) -> boolean().
is_regular(Name, Mod) when is_atom(Mod) -> type(Name, Mod) =:= regular.

type(Name, Mod) ->
    case info(Name, Mod) of
        {ok, Info} -> ?TYPE(Info);
        _ -> none
    end.

info(Name, erl_prim_loader) -> ok_or_error(erl_prim_loader:read_file_info(Name));
info(Name, Mod) -> Mod:read_file_info(Name).

link_info(Name, erl_prim_loader) -> ok_or_error(erl_prim_loader:read_link_info(Name));
link_info(Name, Mod) -> Mod:read_link_info(Name).

list_dir(Name, erl_prim_loader) -> ok_or_error(erl_prim_loader:list_dir(Name));
list_dir(Name, Mod) -> Mod:list_dir(Name).

ok_or_error(error) -> {error, erl_prim_loader};
ok_or_error(Ok) -> Ok.

-spec last_modified(name()) -> file:date_time() | 0.
last_modified(Name) -> last_modified(Name, file).

-spec last_modified(name(), module()) -> file:date_time() | 0.
last_modified(Name, Mod) when is_atom(Mod) ->
    case info(Name, Mod) of
        {ok, Info} -> ?MTIME(Info);
        _ -> 0
    end.

-spec file_size(name()) -> non_neg_integer().
file_size(Name) -> file_size(Name, file).

-spec file_size(name(), module()) -> non_neg_integer().
file_size(Name, Mod) when is_atom(Mod) ->
    case info(Name, Mod) of
        {ok, Info} -> ?SIZE(Info);
        _ -> 0
    end.

%% ---- making directories ----

-spec ensure_dir(name()) -> ok | {error, file:posix()}.
ensure_dir("/") -> ok;
ensure_dir(Name) -> ensure_path(filename:dirname(Name)).

-spec ensure_path(name()) -> ok | {error, file:posix()}.
ensure_path("/") -> ok;
ensure_path(Path) ->
    case is_dir(Path) of
        true -> ok;
        false ->
            case filename:dirname(Path) of
                Path -> {error, einval};
                Parent ->
                    _ = ensure_path(Parent),
                    make_dir(Path)
            end
    end.

%% Another process may have made it meanwhile.
make_dir(Path) ->
    case file:make_dir(Path) of
        {error, eexist} = Error ->
            case is_dir(Path) of
                true -> ok;
                false -> Error
            end;
        Result -> Result
    end.

%% ---- going through directories ----

-spec fold_files(name(), string(), boolean(), fun((name(), Acc) -> Acc), Acc) -> Acc.
fold_files(Dir, RegExp, Recursive, Fun, Acc) -> fold_files(Dir, RegExp, Recursive, Fun, Acc, file).

-spec fold_files(name(), string(), boolean(), fun((name(), Acc) -> Acc), Acc, module()) -> Acc.
fold_files(Dir, RegExp, Recursive, Fun, Acc, Mod) when is_atom(Mod) ->
    {ok, Compiled} = re:compile(RegExp, [unicode]),
    Matches = fun(Name) ->
                  %% A name that is not Unicode comes as a binary and is matched as bytes.
                  Re = if
                           is_binary(Name) -> RegExp;
                           true -> Compiled
                       end,
                  try re:run(Name, Re, [{capture, none}]) =:= match
                  catch _:_ -> false
                  end
              end,
    fold_dir(Dir, Matches, Recursive, Fun, Acc, Mod).

fold_dir(Dir, Matches, Recursive, Fun, Acc, Mod) ->
    case list_dir(Dir, Mod) of
        {ok, Names} ->
            lists:foldl(fun(Name, Acc1) ->
                            fold_entry(Name, Dir, Matches, Recursive, Fun, Acc1, Mod)
                        end, Acc, Names);
        {error, _} -> Acc
    end.

fold_entry(Name, Dir, Matches, Recursive, Fun, Acc, Mod) ->
    FullName = filename:join(Dir, Name),
    case type(FullName, Mod) of
        regular ->
            case Matches(Name) of
                true -> Fun(FullName, Acc);
                false -> Acc
            end;
        directory when Recursive -> fold_dir(FullName, Matches, Recursive, Fun, Acc, Mod);
        _ -> Acc
    end.

%% ---- wildcards ----

-spec wildcard(string()) -> [string()].
wildcard(Wildcard) when is_list(Wildcard) ->
    try found(Wildcard, ".", file)
    catch error:{badpattern, _} = Reason -> erlang:error(Reason)
    end.

-spec wildcard(string(), string() | module()) -> [string()].
wildcard(Wildcard, Dir) when is_list(Wildcard), is_list(Dir) ->
    try found(Wildcard, Dir, file)
    catch error:{badpattern, _} = Reason -> erlang:error(Reason)
    end;
wildcard(Wildcard, Mod) when is_list(Wildcard), is_atom(Mod) ->
    try found(Wildcard, ".", Mod)
    catch error:{badpattern, _} = Reason -> erlang:error(Reason)
    end.

-spec wildcard(string(), string(), module()) -> [string()].
wildcard(Wildcard, Dir, Mod) when is_list(Wildcard), is_list(Dir), is_atom(Mod) ->
    try found(Wildcard, Dir, Mod)
    catch error:{badpattern, _} = Reason -> erlang:error(Reason)
    end.

-spec compile_wildcard(string()) -> {compiled_wildcard, term()}.
compile_wildcard(Wildcard) when is_list(Wildcard) ->
    try {compiled_wildcard, compile(Wildcard)}
    catch error:{badpattern, _} = Reason -> erlang:error(Reason)
    end.

found(Wildcard, Dir, Mod) ->
    Start = case compile(Wildcard) of
                {relative, Patterns} -> {Dir, ""};
                {absolute, Root, Patterns} -> {Root, Root}
            end,
    {Base, Rest} = over_literals(Patterns, Start),
    Names = case Rest of
                [] -> [Base || element(1, link_info(element(1, Base), Mod)) =:= ok];
                _ -> search([Base], Rest, Mod)
            end,
    lists:sort([Shown || {_, Shown} <- Names]).

over_literals([Pattern | Patterns], Base) ->
    case lists:all(fun is_integer/1, Pattern) of
        true -> over_literals(Patterns, below(Base, Pattern));
        false -> {Base, [Pattern | Patterns]}
    end;
over_literals([], Base) -> {Base, []}.

%% The entry of a directory. A search that starts at "." does not show it.
below({Dir, Shown}, Name) -> {filename:join(Dir, Name), shown(Shown, Name)}.

shown("", Name) -> filename:join([Name]);
shown(".", Name) -> Name;
shown(Shown, Name) -> filename:join(Shown, Name).

search(Bases, [], _Mod) -> Bases;
search(Bases, [[double_star] | Patterns], Mod) ->
    lists:append([search_below(Base, Patterns, Mod) || Base <- Bases]);
search(Bases, [".." | Patterns], Mod) ->
    Dirs = [below(Base, "..") || {Dir, _} = Base <- Bases, is_dir(Dir, Mod)],
    search(Dirs, Patterns, Mod);
search(Bases, [Pattern | Patterns], Mod) ->
    Found = [below(Base, Name) || Base <- Bases, Name <- entries(Base, Mod), matches(Pattern, Name)],
    search(Found, Patterns, Mod).

%% At any depth: the names that match the next pattern, and what is found from there on.
search_below(Base, Patterns, Mod) ->
    lists:append([search_at(below(Base, Name), Name, Patterns, Mod) || Name <- entries(Base, Mod)]).

search_at(Found, _Name, [], Mod) -> [Found | search_below(Found, [], Mod)];
search_at(Found, Name, [Pattern | Rest] = Patterns, Mod) ->
    case matches(Pattern, Name) of
        true -> search([Found], Rest, Mod) ++ search_below(Found, Patterns, Mod);
        false -> search_below(Found, Patterns, Mod)
    end.

entries({Dir, _}, Mod) ->
    case list_dir(Dir, Mod) of
        {ok, Names} -> Names;
        _ -> []
    end.

%% A pattern is a list of characters, `any`, `star`, `{one_of, Chars}` and, at its end, `double_star` (which
%% matches what is left) or `{alternatives, Patterns}`.
matches([], Name) -> Name =:= [];
matches([star | Pattern], Name) -> matches_from(Pattern, Name);
matches([double_star], _Name) -> true;
matches([{alternatives, Patterns}], Name) ->
    lists:any(fun(Pattern) -> matches(Pattern, Name) end, Patterns);
matches([any | Pattern], [_ | Name]) -> matches(Pattern, Name);
matches([{one_of, Chars} | Pattern], [Char | Name]) ->
    ordsets:is_element(Char, Chars) andalso matches(Pattern, Name);
matches([Char | Pattern], [Char | Name]) -> matches(Pattern, Name);
matches(_, _) -> false.

matches_from([], _Name) -> true;
matches_from(Pattern, [_ | Rest] = Name) -> matches(Pattern, Name) orelse matches_from(Pattern, Rest);
matches_from(Pattern, []) -> matches(Pattern, []).

%% ---- reading wildcards ----

compile(Wildcard) ->
    [First | Rest] = Parts = filename:split(Wildcard),
    case filename:pathtype(First) of
        relative -> {relative, [pattern(Part) || Part <- Parts]};
        absolute -> {absolute, First, [pattern(Part) || Part <- Rest]}
    end.

pattern(Part) ->
    {Pattern, []} = pattern(unescaped(Part), outside, []),
    Pattern.

%% A character after a backslash stands for itself; a backslash at the end, for nothing.
unescaped([$\\, Char | Chars]) -> [{char, Char} | unescaped(Chars)];
unescaped("\\") -> [];
unescaped([Char | Chars]) -> [Char | unescaped(Chars)];
unescaped([]) -> [].

%% Reads up to the end, or, within braces, up to a comma or the closing brace.
pattern([], outside, Acc) -> {lists:reverse(Acc), []};
pattern([], inside, _Acc) -> erlang:error({badpattern, missing_delimiter});
pattern([Char | _] = Chars, inside, Acc) when Char =:= $,; Char =:= $} -> {lists:reverse(Acc), Chars};
pattern([$? | Chars], Where, Acc) -> pattern(Chars, Where, [any | Acc]);
pattern("**", Where, Acc) -> pattern([], Where, [double_star | Acc]);
pattern([$*, $* | Chars], Where, Acc) -> pattern(Chars, Where, [star | Acc]);
pattern([$* | Chars], Where, Acc) -> pattern(Chars, Where, [star | Acc]);
pattern([$[ | Chars], Where, Acc) ->
    case one_of(Chars) of
        {Set, Rest} -> pattern(Rest, Where, [{one_of, Set} | Acc]);
        none -> pattern(Chars, Where, [$[ | Acc])
    end;
pattern([${ | Chars], Where, Acc) ->
    {Alternatives, Rest} = alternatives(Chars, []),
    {Tail, Rest1} = pattern(Rest, Where, []),
    {lists:reverse(Acc, [{alternatives, [with_tail(Pattern, Tail) || Pattern <- Alternatives]}]), Rest1};
pattern([{char, Char} | Chars], Where, Acc) -> pattern(Chars, Where, [Char | Acc]);
pattern([Char | Chars], Where, Acc) -> pattern(Chars, Where, [Char | Acc]).

%% Alternatives are always at the end of a pattern.
with_tail([{alternatives, Patterns}], Tail) ->
    [{alternatives, [with_tail(Pattern, Tail) || Pattern <- Patterns]}];
with_tail([Elem | Pattern], Tail) -> [Elem | with_tail(Pattern, Tail)];
with_tail([], Tail) -> Tail.

alternatives(Chars, Acc) ->
    case pattern(Chars, inside, []) of
        {Pattern, [$, | Rest]} -> alternatives(Rest, [Pattern | Acc]);
        {Pattern, [$} | Rest]} -> {lists:reverse(Acc, [Pattern]), Rest}
    end.

%% A closing bracket that comes first belongs to the set.
one_of([$] | Chars]) -> one_of(Chars, [$]]);
one_of(Chars) -> one_of(Chars, []).

one_of([Low, $-, High | Chars], Set) when is_integer(Low), is_integer(High), Low =< High ->
    one_of(Chars, ordsets:union(lists:seq(Low, High), Set));
one_of([$] | Chars], Set) -> {Set, Chars};
one_of([{char, Char} | Chars], Set) -> one_of(Chars, ordsets:add_element(Char, Set));
one_of([Char | Chars], Set) -> one_of(Chars, ordsets:add_element(Char, Set));
one_of([], _Set) -> none.

%% ---- searching for sources ----

-type dir_rule() :: {ObjectDir :: string(), SourceDir :: string()}.
-type suffix_rule() :: {ObjectExt :: string(), SourceExt :: string(), [dir_rule()]}.

-spec find_file(string(), string()) -> {ok, string()} | {error, not_found}.
find_file(Name, Dir) -> find_file(Name, Dir, []).

-spec find_file(string(), string(), [dir_rule()]) -> {ok, string()} | {error, not_found}.
find_file(Name, Dir, []) -> find_file(Name, Dir, search_rules());
find_file(Name, Dir, Rules) -> by_dir_rules([Rule || {_, _} = Rule <- Rules], Name, Dir).

-spec find_source(string()) -> {ok, string()} | {error, not_found}.
find_source(Name) -> find_source(filename:basename(Name), filename:dirname(Name)).

-spec find_source(string(), string()) -> {ok, string()} | {error, not_found}.
find_source(Name, Dir) -> find_source(Name, Dir, []).

-spec find_source(string(), string(), [suffix_rule()]) -> {ok, string()} | {error, not_found}.
find_source(Name, Dir, []) -> find_source(Name, Dir, search_rules());
find_source(Name, Dir, Rules) ->
    Ext = filename:extension(Name),
    Root = filename:rootname(Name, Ext),
    by_suffix_rules([Rule || {RuleExt, _, _} = Rule <- Rules, RuleExt =:= Ext], Root, Dir).

by_suffix_rules([{_, SourceExt, DirRules} | Rules], Root, Dir) ->
    Here = {"", ""},
    case by_dir_rules([Here | [Rule || Rule <- DirRules, Rule =/= Here]], Root ++ SourceExt, Dir) of
        {ok, File} -> {ok, File};
        {error, not_found} -> by_suffix_rules(Rules, Root, Dir)
    end;
by_suffix_rules([], _Root, _Dir) -> {error, not_found}.

by_dir_rules([{From, To} | Rules], Name, Dir) ->
    case lists:suffix(From, Dir) andalso existing(replaced_end(Dir, From, To), Name) of
        {ok, File} -> {ok, File};
        false -> by_dir_rules(Rules, Name, Dir)
    end;
by_dir_rules([], _Name, _Dir) -> {error, not_found}.

replaced_end(Dir, From, To) -> lists:sublist(Dir, length(Dir) - length(From)) ++ To.

existing(Dir, Name) ->
    File = filename:join(Dir, Name),
    case is_regular(File) of
        true -> {ok, File};
        false ->
            case [Found || Found <- wildcard(File), is_regular(Found)] of
                [Found | _] -> {ok, Found};
                [] -> false
            end
    end.

search_rules() ->
    case application:get_env(kernel, source_search_rules) of
        {ok, [_ | _] = Rules} -> Rules;
        {ok, []} -> default_rules();
        undefined -> default_rules()
    end.

default_rules() ->
    Erlang = [{"ebin", "src"}, {"ebin", "esrc"}, {"ebin", "src/*"}, {"ebin", "esrc/*"}],
    C = [{"priv", "c_src"}, {"priv", "src"}, {"bin", "c_src"}, {"bin", "src"}, {"", "src"}],
    Asn1 = [{"ebin", "src"}, {"ebin", "asn1"}],
    [{".beam", ".erl", Erlang}, {".erl", ".yrl", []}, {"", ".src", Erlang}, {".so", ".c", C},
     {".o", ".c", C}, {"", ".c", C}, {"", ".in", Erlang ++ C}, {".beam", ".asn1", Asn1}, {"", ""}]
        ++ Erlang.

%% ---- paths that do not leave a directory ----

%% Follows the links on the way; `unsafe` if the path could lead out of Dir.
-spec safe_relative_path(name(), name()) -> unsafe | name().
safe_relative_path(Path, Dir) ->
    case filename:pathtype(Path) of
        relative -> safe_parts(filename:split(Path), Dir, [], "");
        _ -> unsafe
    end.

safe_parts([Part | Parts], Dir, Links, Acc) ->
    case without_dots(join(Acc, Part)) of
        unsafe -> unsafe;
        Safe ->
            case file:read_link(join(Dir, Safe)) of
                {ok, Target} ->
                    case lists:member(Target, Links) orelse
                         safe_parts(filename:split(Target), Dir, [Target | Links], Acc) of
                        true -> unsafe;
                        unsafe -> unsafe;
                        NewAcc -> safe_parts(Parts, Dir, [], NewAcc)
                    end;
                {error, _} -> safe_parts(Parts, Dir, Links, Safe)
            end
    end;
safe_parts([], _Dir, _Links, Acc) -> Acc.

join([], Path) -> Path;
join(Left, Right) -> filename:join(Left, Right).

without_dots(Path) ->
    case filename:pathtype(Path) of
        relative -> without_dots(filename:split(Path), []);
        _ -> unsafe
    end.

without_dots([Part | Parts], Acc) when Part =:= "."; Part =:= <<".">> -> without_dots(Parts, Acc);
without_dots([Part | _], []) when Part =:= ".."; Part =:= <<"..">> -> unsafe;
without_dots([Part | Parts], [_ | Acc]) when Part =:= ".."; Part =:= <<"..">> ->
    without_dots(Parts, Acc);
without_dots([Part | Parts], Acc) -> without_dots(Parts, [Part | Acc]);
without_dots([], []) -> [];
without_dots([], Acc) -> filename:join(lists:reverse(Acc)).
