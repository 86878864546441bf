%% Applications whose sources are on the code path and that nobody has built: their resource file is
%% src/NAME.app.src.
-module(erlscope_app).

-export([source_resource/1, built_resource/2]).

%% The resource file among the sources of an application on the code path, which a build
%% would make the one in ebin of.
source_resource(Name) ->
    Files = [filename:join([filename:dirname(Dir), "src", Name ++ ".app.src"])
             || Dir <- code:get_path(), filename:basename(Dir) =:= "ebin"],
    case lists:filter(fun filelib:is_regular/1, Files) of
        [File | _] -> File;
        [] -> non_existing
    end.

%% What a build makes of it: the modules are those whose sources are there. A version that is to be
%% asked of a tool (`git` and the like) is not known.
built_resource(File, Given) -> built(File, erlscope_script:resource(File, Given)).

built(File, {application, Name, Given}) when is_list(Given) ->
    Sources = filelib:wildcard("**/*.erl", filename:dirname(File)),
    Modules = [list_to_atom(filename:basename(Source, ".erl")) || Source <- Sources],
    Version = case lists:keyfind(vsn, 1, Given) of
                  {vsn, [_ | _] = Text} -> Text;
                  _ -> "0"
              end,
    Rest = [Entry || Entry <- Given, not lists:member(element(1, Entry), [modules, vsn])],
    {application, Name, [{vsn, Version}, {modules, lists:sort(Modules)} | Rest]};
built(_, Other) ->
    Other.
