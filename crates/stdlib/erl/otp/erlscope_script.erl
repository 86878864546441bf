%% Configurations that are programs: `rebar.config.script`, `NAME.app.src.script`.
%%
%% They see what rebar3 shows them: its application, the module `rebar3`, the directory of the script, and the
%% bindings `CONFIG` and `SCRIPT`. Programs of the system are not there for them.
-module(erlscope_script).

-export([config/2, resource/2]).

%% The terms that a script makes of those of a configuration, as text.
config(Config, Script) ->
    put('$erlscope_programs', absent),
    _ = application:load({application, rebar, [{description, "rebar3"}, {vsn, "3.19.0"}, {modules, [rebar3]},
                                               {registered, []}, {applications, [kernel, stdlib]}, {env, []}]}),
    _ = code:ensure_loaded(rebar3),
    Path = filename:absname(Script),
    _ = file:set_cwd(filename:dirname(Path)),
    case file:consult(filename:join(filename:dirname(Path), filename:basename(Config))) of
        {ok, Terms} -> made(Terms, Path);
        {error, enoent} -> made([], Path);
        {error, Error} -> {error, words(file:format_error(Error))}
    end.

made(Terms, Path) ->
    case file:script(Path, [{'CONFIG', Terms}, {'SCRIPT', Path}]) of
        {ok, New} when is_list(New) ->
            {ok, unicode:characters_to_binary([io_lib:format("~tp.~n", [Term]) || Term <- New])};
        {ok, _} -> {error, <<"its value is no list">>};
        {error, Error} -> {error, words(file:format_error(Error))}
    end.

words(Text) -> unicode:characters_to_binary(Text).

%% What the script beside a resource file makes of it; the file as it is if there is none.
resource(File, Given) ->
    Script = File ++ ".script",
    case filelib:is_regular(Script) andalso file:script(Script, [{'CONFIG', [Given]}, {'SCRIPT', Script}]) of
        {ok, [New | _]} -> New;
        {ok, New} when is_tuple(New) -> New;
        _ -> Given
    end.
