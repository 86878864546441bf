%% Command lines of the usual file commands, done without starting anything: on the files that the program may reach.
%%
%% A line is commands with && ; and newlines between them; words may be quoted, and patterns (* ?) stand for files. Redirections
%% to /dev/null and 2>&1 are understood. Anything else (pipes, variables, other programs or options) is not known here.
-module(erlscope_cmd).

-export([run/1]).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid,
                    gid}).

%% {ok, Output}, or unknown if there is something in the line that this is not for.
run(Line) ->
    try sequence(commands(words(Line)), [])
    catch throw:unknown -> unknown
    end.

sequence([], Output) -> {ok, lists:flatten(lists:reverse(Output))};
sequence([{Command, Next} | More], Output) ->
    {Words, Shown} = redirected(Command),
    {Status, Text} = command(Words),
    Kept = case Shown of
               all -> Text;
               none -> ""
           end,
    case {Status, Next} of
        {failed, 'and'} -> {ok, lists:flatten(lists:reverse([Kept | Output]))};
        _ -> sequence(More, [Kept | Output])
    end.

%% ---- reading ----

%% Words as {word, Text, IsPattern}, and what stands between commands.
words(Line) -> words(Line, none, []).

words([], Word, Words) -> lists:reverse(ended(Word, Words));
words([$&, $& | T], Word, Words) -> words(T, none, ['and' | ended(Word, Words)]);
words([C | T], Word, Words) when C =:= $;; C =:= $\n -> words(T, none, [then | ended(Word, Words)]);
words([$2, $>, $&, $1 | T], none, Words) -> words(T, none, [both | Words]);
words([$2, $> | T], none, Words) -> words(T, none, [errors_to | Words]);
words([$> | T], Word, Words) when Word =:= none -> words(T, none, [output_to | Words]);
words([C | T], Word, Words) when C =:= $\s; C =:= $\t -> words(T, none, ended(Word, Words));
words([$' | T], Word, Words) -> quoted($', T, Word, Words);
words([$" | T], Word, Words) -> quoted($", T, Word, Words);
words([$\\, C | T], Word, Words) -> words(T, added(C, false, Word), Words);
words([C | T], Word, Words) when C =:= $*; C =:= $? -> words(T, added(C, true, Word), Words);
words([C | T], Word, Words) ->
    case lists:member(C, "|&<>$`(){}[]!#~") of
        true -> throw(unknown);
        false -> words(T, added(C, false, Word), Words)
    end.

quoted(Q, [Q | T], Word, Words) -> words(T, begun(Word), Words);
quoted($", [C | _], _, _) when C =:= $$; C =:= $`; C =:= $\\ -> throw(unknown);
quoted(Q, [C | T], Word, Words) -> quoted(Q, T, added(C, false, Word), Words);
quoted(_, [], _, _) -> throw(unknown).

begun(none) -> {[], false};
begun(Word) -> Word.

added(C, Pattern, none) -> {[C], Pattern};
added(C, Pattern, {Text, Is}) -> {[C | Text], Is orelse Pattern}.

ended(none, Words) -> Words;
ended({Text, Pattern}, Words) -> [{word, lists:reverse(Text), Pattern} | Words].

commands(Words) ->
    case lists:splitwith(fun(Word) -> Word =/= 'and' andalso Word =/= then end, Words) of
        {[], []} -> [];
        {[], [then | More]} -> commands(More);
        {Command, []} -> [{Command, last}];
        {Command, [Next | More]} -> [{Command, Next} | commands(More)]
    end.

%% The words of a command, patterns expanded, and whether its output is shown.
redirected(Command) -> redirected(Command, [], all).

redirected([], Words, Shown) -> {lists:reverse(Words), Shown};
redirected([both | More], Words, Shown) -> redirected(More, Words, Shown);
redirected([To, {word, "/dev/null", _} | More], Words, Shown) when To =:= output_to; To =:= errors_to ->
    redirected(More, Words, case To of output_to -> none; _ -> Shown end);
redirected([{word, Text, true} | More], Words, Shown) ->
    case filelib:wildcard(Text) of
        [] -> redirected(More, [Text | Words], Shown);
        Files -> redirected(More, lists:reverse(Files) ++ Words, Shown)
    end;
redirected([{word, Text, false} | More], Words, Shown) -> redirected(More, [Text | Words], Shown);
redirected(_, _, _) -> throw(unknown).

%% ---- commands: {ok | failed, Output} ----

command(["true" | _]) -> {ok, ""};
command([":" | _]) -> {ok, ""};
command(["false" | _]) -> {failed, ""};
command(["pwd"]) -> {ok, Dir} = file:get_cwd(), {ok, Dir ++ "\n"};
command(["echo", "-n" | Words]) -> {ok, lists:join($\s, Words)};
command(["echo" | Words]) -> {ok, [lists:join($\s, Words), $\n]};
command(["sleep", Time]) ->
    try timer:sleep(trunc(1000 * number(Time))) of
        ok -> {ok, ""}
    catch error:_ -> throw(unknown)
    end;
command(["rm" | Words]) ->
    {Options, Files} = options(Words, "rRfd"),
    each(Files, fun(File) -> removed(File, lists:member($r, Options) orelse lists:member($R, Options),
                                     lists:member($f, Options)) end);
command(["rmdir" | Words]) ->
    {[], Files} = options(Words, ""),
    each(Files, fun(File) -> told(file:del_dir(File), "rmdir: failed to remove '~ts'", File) end);
command(["mkdir" | Words]) ->
    {Options, Dirs} = options(Words, "p"),
    each(Dirs, fun(Dir) ->
                       case Options of
                           [] -> told(file:make_dir(Dir), "mkdir: cannot create directory '~ts'", Dir);
                           _ -> told(filelib:ensure_dir(filename:join(Dir, "x")), "mkdir: cannot create directory '~ts'", Dir)
                       end
               end);
command(["touch" | Words]) ->
    {[], Files} = options(Words, ""),
    each(Files, fun(File) -> told(file:write_file(File, <<>>, [append]), "touch: cannot touch '~ts'", File) end);
command(["cat" | Words]) ->
    {[], Files} = options(Words, ""),
    each(Files, fun(File) ->
                        case file:read_file(File) of
                            {ok, Bytes} -> {ok, binary_to_list(Bytes)};
                            Error -> told(Error, "cat: ~ts", File)
                        end
                end);
command(["mktemp" | Words]) -> temporary(options(Words, "dtu"));
command(["cp" | Words]) ->
    {Options, Files} = options(Words, "rRafp"),
    onto(Files, fun(From, To) -> copied(From, To, Options =/= [] andalso Options =/= "f" andalso Options =/= "p") end);
command(["mv" | Words]) ->
    {_, Files} = options(Words, "f"),
    onto(Files, fun(From, To) -> told(file:rename(From, To), "mv: cannot stat '~ts'", From) end);
command(["ln" | Words]) ->
    {Options, Files} = options(Words, "sf"),
    onto(Files, fun(From, To) ->
                        [file:delete(To) || lists:member($f, Options)],
                        Made = case lists:member($s, Options) of
                                   true -> file:make_symlink(From, To);
                                   false -> file:make_link(From, To)
                               end,
                        told(Made, "ln: failed to create link '~ts'", To)
                end);
command(["chmod", Mode | Files]) ->
    Bits = try list_to_integer(Mode, 8) catch error:badarg -> throw(unknown) end,
    each(Files, fun(File) -> told(file:change_mode(File, Bits), "chmod: cannot access '~ts'", File) end);
command(["ls"]) -> command(["ls", "."]);
command(["ls", Dir]) when hd(Dir) =/= $- ->
    case file:list_dir(Dir) of
        {ok, Names} -> {ok, [[Name, $\n] || Name <- lists:sort(Names), hd(Name) =/= $.]};
        Error -> told(Error, "ls: cannot access '~ts'", Dir)
    end;
command(["which", Name]) ->
    case os:find_executable(Name) of
        false -> {failed, ""};
        Found -> {ok, Found ++ "\n"}
    end;
command(["hostname" | _]) -> {ok, Name} = inet:gethostname(), {ok, Name ++ "\n"};
command(_) -> throw(unknown).

number(Text) ->
    try list_to_integer(Text)
    catch error:badarg -> list_to_float(Text)
    end.

%% Single letters, all of them known, then what the command is about.
options(Words, Known) -> options(Words, Known, []).

options(["--" | Words], _, Options) -> {Options, Words};
options([[$- | [_ | _] = Letters] | Words], Known, Options) ->
    case Letters -- Known of
        [] -> options(Words, Known, Options ++ Letters);
        _ -> throw(unknown)
    end;
options(Words, _, Options) -> {Options, Words}.

each([], _) -> throw(unknown);
each(Files, Do) ->
    {Statuses, Texts} = lists:unzip([Do(File) || File <- Files]),
    {case lists:member(failed, Statuses) of true -> failed; false -> ok end, Texts}.

told(ok, _, _) -> {ok, ""};
told({error, Reason}, Format, File) ->
    {failed, io_lib:format(Format ++ ": ~ts~n", [File, capital(file:format_error(Reason))])}.

capital([C | T]) -> [string:to_upper(C) | T];
capital(Text) -> Text.

removed(File, Deep, Force) ->
    case file:read_link_info(File) of
        {ok, #file_info{type = directory}} when Deep ->
            {ok, Names} = file:list_dir_all(File),
            [removed(filename:join(File, Name), true, Force) || Name <- Names],
            told(file:del_dir(File), "rm: cannot remove '~ts'", File);
        {ok, #file_info{type = directory}} ->
            {failed, io_lib:format("rm: cannot remove '~ts': Is a directory~n", [File])};
        {ok, _} -> told(file:delete(File), "rm: cannot remove '~ts'", File);
        {error, enoent} when Force -> {ok, ""};
        Error -> told(Error, "rm: cannot remove '~ts'", File)
    end.

%% The last name is where the others go: a directory, or another name for the only one.
onto(Files, Do) when length(Files) >= 2 ->
    {From, [To]} = lists:split(length(Files) - 1, Files),
    IsDir = filelib:is_dir(To),
    case From of
        [_, _ | _] when not IsDir -> throw(unknown);
        _ -> each(From, fun(File) when IsDir -> Do(File, filename:join(To, filename:basename(File)));
                           (File) -> Do(File, To)
                        end)
    end;
onto(_, _) -> throw(unknown).

copied(From, To, Deep) ->
    case filelib:is_dir(From) of
        true when Deep ->
            _ = file:make_dir(To),
            {ok, Names} = file:list_dir_all(From),
            case Names of
                [] -> {ok, ""};
                _ -> each(Names, fun(Name) -> copied(filename:join(From, Name), filename:join(To, Name), true) end)
            end;
        true -> {failed, io_lib:format("cp: -r not specified; omitting directory '~ts'~n", [From])};
        false ->
            case file:copy(From, To) of
                {ok, _} ->
                    {ok, Info} = file:read_file_info(From),
                    _ = file:change_mode(To, Info#file_info.mode band 8#777),
                    {ok, ""};
                Error -> told(Error, "cp: cannot stat '~ts'", From)
            end
    end.

%% A name that is not taken, in the place of the last X's of a pattern.
temporary({Options, Words}) ->
    Pattern = case Words of
                  [] -> filename:join(os:getenv("TMPDIR", "/tmp"), "tmp.XXXXXXXXXX");
                  [Given] ->
                      case lists:member($t, Options) of
                          true -> filename:join(os:getenv("TMPDIR", "/tmp"), Given);
                          false -> Given
                      end;
                  _ -> throw(unknown)
              end,
    {Xs, Start} = lists:splitwith(fun(C) -> C =:= $X end, lists:reverse(Pattern)),
    case length(Xs) >= 3 of
        false -> {failed, io_lib:format("mktemp: too few X's in template '~ts'~n", [Pattern])};
        true ->
            Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            Random = [lists:nth(1 + Byte rem 62, Letters) || <<Byte>> <= erlscope_native:random_bytes(length(Xs))],
            Name = lists:reverse(Start) ++ Random,
            Made = case {lists:member($u, Options), lists:member($d, Options)} of
                       {true, _} -> ok;
                       {_, true} -> file:make_dir(Name);
                       _ -> file:write_file(Name, <<>>, [exclusive])
                   end,
            case Made of
                ok -> {ok, Name ++ "\n"};
                {error, eexist} -> temporary({Options, Words});
                Error -> told(Error, "mktemp: failed to create '~ts'", Name)
            end
    end.
