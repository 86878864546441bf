%% filename: names of files, taken apart and put together.
%%
%% A name is a string (nested, with atoms in it, if need be), an atom or a binary; the result is a binary if
%% a binary takes part. Names are those of Unix: the Machine is a Unix system on every host.
-module(filename).

-export([absname/1, absname/2, absname_join/2, append/2, basedir/2, basedir/3, basename/1, basename/2,
         dirname/1, extension/1, flatten/1, join/1, join/2, nativename/1, pathtype/1, rootname/1,
         rootname/2, split/1, validate/1]).

-type name() :: file:name_all().

%% ---- strings and binaries ----

-spec flatten(name()) -> string() | binary().
flatten(Name) when is_binary(Name) -> Name;
flatten(Name) -> flatten(Name, []).

flatten([], Tail) -> Tail;
flatten([Head | Rest], Tail) when is_list(Head) -> flatten(Head, flatten(Rest, Tail));
flatten([Head | Rest], Tail) when is_atom(Head) -> atom_to_list(Head) ++ flatten(Rest, Tail);
flatten([Head | Rest], Tail) -> [Head | flatten(Rest, Tail)];
flatten(Atom, Tail) when is_atom(Atom) -> atom_to_list(Atom) ++ Tail.

to_binary(Name) when is_binary(Name) -> Name;
to_binary(Name) ->
    case unicode:characters_to_binary(flatten(Name), unicode, file:native_name_encoding()) of
        Bin when is_binary(Bin) -> Bin;
        {error, _, _} -> erlang:error(badarg)
    end.

%% ---- putting together ----

-spec join([name()]) -> string() | binary().
join([Name]) when is_list(Name) -> trimmed(normal(flatten(Name), []));
join([Name]) when is_binary(Name) -> list_to_binary(join([binary_to_list(Name)]));
join([Name]) when is_atom(Name) -> join([atom_to_list(Name)]);
join([Name1, Name2 | Rest]) -> join([join(Name1, Name2) | Rest]).

-spec join(name(), name()) -> string() | binary().
join(Name1, Name2) when is_atom(Name1) -> join(atom_to_list(Name1), Name2);
join(Name1, Name2) when is_atom(Name2) -> join(Name1, atom_to_list(Name2));
join(Name1, Name2) when is_list(Name1), is_list(Name2) -> join_flat(flatten(Name1), flatten(Name2));
join(Name1, Name2)
  when is_binary(Name1), is_list(Name2); is_list(Name1), is_binary(Name2);
       is_binary(Name1), is_binary(Name2) ->
    Bytes1 = binary_to_list(to_binary(Name1)),
    Bytes2 = binary_to_list(to_binary(Name2)),
    list_to_binary(join_flat(Bytes1, Bytes2)).

join_flat(_Name1, [$/ | _] = Name2) -> trimmed(normal(Name2, []));
join_flat(Name1, []) -> trimmed(normal(Name1, []));
join_flat(Name1, Name2) -> trimmed(normal(Name2, with_slash(normal(Name1, [])))).

%% The characters in reverse, without repeated slashes and without "." between slashes.
normal([$/ | Chars], Acc) -> normal(Chars, with_slash(Acc));
normal([Char | Chars], Acc) when is_integer(Char) -> normal(Chars, [Char | Acc]);
normal([], Acc) -> Acc.

with_slash([$/ | _] = Acc) -> Acc;
with_slash([$., $/ | Acc]) -> [$/ | Acc];
with_slash(Acc) -> [$/ | Acc].

trimmed([$/]) -> "/";
trimmed([$/ | Acc]) -> lists:reverse(Acc);
trimmed(Acc) -> lists:reverse(Acc).

%% Nothing is normalised.
-spec append(name(), name()) -> string() | binary().
append(Dir, Name) when is_binary(Dir); is_binary(Name) ->
    <<(to_binary(Dir))/binary, $/, (to_binary(Name))/binary>>;
append(Dir, Name) -> Dir ++ [$/ | Name].

-spec absname(name()) -> string() | binary().
absname(Name) ->
    {ok, Cwd} = file:get_cwd(),
    absname(Name, Cwd).

-spec absname(name(), name()) -> string() | binary().
absname(Name, Dir) when is_binary(Name), is_list(Dir) -> absname(Name, to_binary(Dir));
absname(Name, Dir) when is_list(Name), is_binary(Dir) -> absname(to_binary(Name), Dir);
absname(Name, Dir) ->
    case pathtype(Name) of
        relative -> absname_join(Dir, Name);
        absolute -> join([flatten(Name)])
    end.

-spec absname_join(name(), name()) -> string() | binary().
absname_join(Dir, Name) -> join(Dir, flatten(Name)).

-spec nativename(name()) -> string() | binary().
nativename(Name) -> join([Name]).

-spec pathtype(name()) -> absolute | relative.
pathtype(Name) when is_atom(Name) -> pathtype(atom_to_list(Name));
pathtype(<<$/, _/binary>>) -> absolute;
pathtype([$/ | _]) -> absolute;
pathtype([Head | Rest]) when is_list(Head) -> pathtype(Head ++ Rest);
pathtype([Head | Rest]) when is_atom(Head) -> pathtype(atom_to_list(Head) ++ Rest);
pathtype(Name) when is_list(Name); is_binary(Name) -> relative.

%% ---- taking apart ----

-spec split(name()) -> [string() | binary()].
split(<<$/, _/binary>> = Name) -> [<<"/">> | parts(Name)];
split(Name) when is_binary(Name) -> parts(Name);
split(Name) ->
    case flatten(Name) of
        [$/ | _] = Flat -> ["/" | split(Flat, [], [])];
        Flat -> split(Flat, [], [])
    end.

parts(Name) -> [Part || Part <- binary:split(Name, <<"/">>, [global]), Part =/= <<>>].

split([$/ | Chars], [], Parts) -> split(Chars, [], Parts);
split([$/ | Chars], Part, Parts) -> split(Chars, [], [lists:reverse(Part) | Parts]);
split([Char | Chars], Part, Parts) when is_integer(Char) -> split(Chars, [Char | Part], Parts);
split([], [], Parts) -> lists:reverse(Parts);
split([], Part, Parts) -> lists:reverse(Parts, [lists:reverse(Part)]).

%% In a string one slash at the end is passed over, in a binary all are.
-spec basename(name()) -> string() | binary().
basename(Name) when is_binary(Name) ->
    case parts(Name) of
        [] -> <<>>;
        Parts -> lists:last(Parts)
    end;
basename(Name) -> last_part(flatten(Name)).

last_part(Flat) ->
    case lists:reverse(Flat) of
        [$/ | Reversed] -> until_slash(Reversed, []);
        Reversed -> until_slash(Reversed, [])
    end.

%% The characters before the first slash, turned round.
until_slash([Char | Chars], Acc) when is_integer(Char), Char =/= $/ -> until_slash(Chars, [Char | Acc]);
until_slash([$/ | _], Acc) -> Acc;
until_slash([], Acc) -> Acc.

-spec basename(name(), name()) -> string() | binary().
basename(Name, Ext) when is_binary(Name), is_list(Ext); is_list(Name), is_binary(Ext) ->
    basename(to_binary(Name), to_binary(Ext));
basename(Name, Ext) when is_binary(Name), is_binary(Ext) ->
    Base = basename(Name),
    case byte_size(Base) - byte_size(Ext) of
        Size when Size >= 0 ->
            %% A name with slashes at its end has no extension.
            Start = byte_size(Name) - byte_size(Base),
            case Name of
                <<_:Start/binary, Root:Size/binary, Ext/binary>> -> Root;
                _ -> Base
            end;
        _ -> Base
    end;
basename(Name, Ext) ->
    FlatName = flatten(Name),
    FlatExt = flatten(Ext),
    case is_list(FlatExt) andalso FlatExt =/= [] andalso lists:suffix(FlatExt, FlatName) of
        true ->
            Root = lists:sublist(FlatName, length(FlatName) - length(FlatExt)),
            until_slash(lists:reverse(Root), []);
        false -> last_part(FlatName)
    end.

-spec dirname(name()) -> string() | binary().
dirname(Name) when is_binary(Name) ->
    list_to_binary(dirname(binary_to_list(Name)));
dirname(Name) ->
    Flat = flatten(Name),
    case without_slashes(after_slash(lists:reverse(Flat))) of
        [] when hd(Flat) =:= $/ -> "/";
        [] -> ".";
        Reversed -> lists:reverse(Reversed)
    end.

after_slash([$/ | Chars]) -> Chars;
after_slash([Char | Chars]) when is_integer(Char) -> after_slash(Chars);
after_slash([]) -> [].

without_slashes([$/ | Chars]) -> without_slashes(Chars);
without_slashes(Chars) -> Chars.

%% From the last dot of the last part on; a dot that begins the part does not count.
-spec extension(name()) -> string() | binary().
extension(Name) when is_binary(Name) -> list_to_binary(extension(binary_to_list(Name)));
extension(Name) ->
    case until_slash(lists:reverse(flatten(Name)), []) of
        [] -> [];
        [_ | Part] -> from_last_dot(Part)
    end.

from_last_dot(Part) ->
    {Reversed, Before} = lists:splitwith(fun(C) -> C =/= $. end, lists:reverse(Part)),
    case Before of
        [] -> [];
        [$. | _] -> [$. | lists:reverse(Reversed)]
    end.

-spec rootname(name()) -> string() | binary().
rootname(Name) when is_binary(Name) -> list_to_binary(rootname(binary_to_list(Name)));
rootname(Name) ->
    Flat = flatten(Name),
    Part = until_slash(lists:reverse(Flat), []),
    Ext = case Part of
              [$. | Rest] when length(Part) < length(Flat) -> from_last_dot(Rest);
              _ -> from_last_dot(Part)
          end,
    lists:sublist(Flat, length(Flat) - length(Ext)).

-spec rootname(name(), name()) -> string() | binary().
rootname(Name, Ext) when is_binary(Name); is_binary(Ext) ->
    Bytes = binary_to_list(to_binary(Name)),
    list_to_binary(rootname(Bytes, binary_to_list(to_binary(Ext))));
rootname(Name, Ext) -> without_ext(flatten(Name), flatten(Ext), []).

%% An extension that is a whole part of the name stays.
without_ext(Ext, Ext, [$/ | _] = Acc) -> lists:reverse(Acc, Ext);
without_ext(Ext, Ext, Acc) -> lists:reverse(Acc);
without_ext([Char | Chars], Ext, Acc) when is_integer(Char) -> without_ext(Chars, Ext, [Char | Acc]);
without_ext([], _Ext, Acc) -> lists:reverse(Acc).

%% ---- validity ----

%% No empty name, no NUL, and only characters that the encoding of names has.
-spec validate(name()) -> boolean().
validate(Name) when is_binary(Name) -> Name =/= <<>> andalso binary:match(Name, <<0>>) =:= nomatch;
validate(Name) when is_list(Name); is_atom(Name) ->
    try flatten(Name) of
        [] -> false;
        Chars ->
            Encoding = file:native_name_encoding(),
            lists:all(fun(Char) -> valid_char(Char, Encoding) end, Chars)
    catch
        error:_ -> false
    end.

valid_char(Char, _) when not is_integer(Char); Char < 1 -> false;
valid_char(Char, latin1) -> Char =< 255;
valid_char(Char, utf8) -> Char < 16#110000 andalso not (Char >= 16#D800 andalso Char =< 16#DFFF).

%% ---- directories of users ----

-type base_type() :: user_cache | user_config | user_data | user_log | site_config | site_data.

-spec basedir(base_type(), string() | binary()) -> string() | binary() | [string() | binary()].
basedir(Type, Application)
  when is_atom(Type), is_list(Application); is_atom(Type), is_binary(Application) ->
    basedir(Type, Application, #{}).

-spec basedir(base_type(), string() | binary(), map()) ->
          string() | binary() | [string() | binary()].
basedir(Type, Application, Options)
  when is_atom(Type), is_map(Options), is_list(Application);
       is_atom(Type), is_map(Options), is_binary(Application) ->
    System = case Options of
                 #{os := Os} when Os =:= linux; Os =:= darwin; Os =:= windows -> Os;
                 #{} -> linux
             end,
    Name = join(basedir_name(System, Application, Options)),
    case {Type, base(System, Type)} of
        {user_log, Base} when System =:= linux -> join([Base, Name, "log"]);
        {user_log, Base} when System =:= windows -> join([Base, Name, "Logs"]);
        {user_cache, Base} when System =:= windows -> join([Base, Name, "Cache"]);
        {site_config, Bases} -> [join([Base, Name]) || Base <- Bases];
        {site_data, Bases} -> [join([Base, Name]) || Base <- Bases];
        {_, Base} -> join([Base, Name])
    end.

basedir_name(windows, Application, #{author := Author, version := Version}) ->
    [Author, Application, Version];
basedir_name(windows, Application, #{author := Author}) -> [Author, Application];
basedir_name(_, Application, #{version := Version}) -> [Application, Version];
basedir_name(_, Application, _) -> [Application].

base(linux, user_data) -> getenv("XDG_DATA_HOME", fun() -> at_home(".local/share") end);
base(linux, user_config) -> getenv("XDG_CONFIG_HOME", fun() -> at_home(".config") end);
base(linux, user_cache) -> getenv("XDG_CACHE_HOME", fun() -> at_home(".cache") end);
base(linux, user_log) -> getenv("XDG_CACHE_HOME", fun() -> at_home(".cache") end);
base(linux, site_data) ->
    string:lexemes(getenv("XDG_DATA_DIRS", fun() -> "/usr/local/share/:/usr/share/" end), ":");
base(linux, site_config) -> string:lexemes(getenv("XDG_CONFIG_DIRS", fun() -> "/etc/xdg" end), ":");
base(darwin, user_cache) -> at_home("Library/Caches");
base(darwin, user_log) -> at_home("Library/Logs");
base(darwin, Type) when Type =:= user_data; Type =:= user_config ->
    at_home("Library/Application Support");
base(darwin, Type) when Type =:= site_data; Type =:= site_config -> ["/Library/Application Support"];
base(windows, Type) when Type =:= site_data; Type =:= site_config -> [];
base(windows, user_config) -> getenv("APPDATA", fun() -> at_home("Roaming") end);
base(windows, Type) when Type =:= user_data; Type =:= user_cache; Type =:= user_log ->
    case getenv("APPDATA", fun() -> none end) of
        none -> at_home("Local");
        AppData -> getenv("LOCALAPPDATA", fun() -> AppData end)
    end.

getenv(Name, Default) ->
    case os:getenv(Name) of
        false -> Default();
        "" -> Default();
        Value -> Value
    end.

at_home(Dir) ->
    case os:getenv("HOME") of
        false ->
            {ok, [[Home]]} = init:get_argument(home),
            join(Home, Dir);
        Home -> join(Home, Dir)
    end.
