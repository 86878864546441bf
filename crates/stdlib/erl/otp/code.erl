%% Modules and where they come from. The code path, the loaded modules and the
%% search for a module are the runtime's (see NATIVES.md); directories are
%% looked at through file functions.
-module(code).

-export([ensure_loaded/1, ensure_modules_loaded/1, load_file/1, load_abs/1, load_abs/2, load_binary/3,
         atomic_load/1, prepare_loading/1, finish_loading/1,
         is_loaded/1, all_loaded/0, all_available/0, which/1, get_object_code/1, module_md5/1,
         module_status/0, module_status/1, modified_modules/0,
         delete/1, purge/1, soft_purge/1,
         get_path/0, set_path/1, add_path/1, add_patha/1, add_pathz/1,
         add_paths/1, add_pathsa/1, add_pathsz/1, add_paths/2, add_pathsa/2, add_pathsz/2, add_path/2, add_patha/2, add_pathz/2,
         del_paths/1, del_path/1, replace_path/2, where_is_file/1, where_is_file/2,
         root_dir/0, lib_dir/0, lib_dir/1, lib_dir/2, compiler_dir/0, priv_dir/1,
         stick_dir/1, unstick_dir/1, stick_mod/1, unstick_mod/1, is_sticky/1,
         get_mode/0, objfile_extension/0, is_module_native/1, rehash/0, clash/0, get_doc/1,
         start_link/0, set_primary_archive/4]).

-export_type([load_ret/0, load_error_rsn/0]).

-type load_error_rsn() :: badfile | nofile | not_purged | on_load_failure | sticky_directory.
-type load_ret() :: {module, module()} | {error, load_error_rsn()}.

%%% ------------------------------------------------------------------- loading

ensure_loaded(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> {module, Module};
        false -> load_file(Module)
    end.

ensure_modules_loaded(Modules) when is_list(Modules) ->
    all([{Module, ensure_loaded(Module)} || Module <- Modules]).

all(Results) ->
    case [{Module, Reason} || {Module, {error, Reason}} <- Results] of
        [] -> ok;
        Failed -> {error, Failed}
    end.

load_file(Module) when is_atom(Module) -> loaded(Module, erlscope_native:code_load(Module)).

loaded(File, Answer) ->
    case erlscope_code:finish(Answer) of
        {error, Reason} = Error when Reason =/= nofile, Reason =/= on_load_failure ->
            erlscope_code:loading_failed(File, Reason),
            Error;
        Other ->
            Other
    end.

load_abs(File) -> load_abs(File, list_to_atom(filename:basename(File))).

load_abs(File, Module) when is_atom(Module) ->
    loaded(File, erlscope_native:code_load_file(Module, filename:absname(chars(File)))).

load_binary(Module, File, Binary)
  when is_atom(Module), (is_list(File) orelse is_atom(File)), is_binary(Binary) ->
    case erlang:module_loaded(Module) of
        true -> purge(Module);
        false -> ok
    end,
    loaded(File, erlscope_native:code_load_binary(Module, chars(File), Binary)).

atomic_load(Modules) ->
    all([case Entry of
             {Module, File, Binary} -> {Module, load_binary(Module, File, Binary)};
             Module -> {Module, load_file(Module)}
         end || Entry <- Modules]).

prepare_loading(Modules) -> {ok, Modules}.

finish_loading(Prepared) -> atomic_load(Prepared).

is_loaded(Module) when is_atom(Module) ->
    case lists:keyfind(Module, 1, all_loaded()) of
        {_, File} -> {file, File};
        false -> false
    end.

all_loaded() -> erlscope_native:code_loaded().

all_available() ->
    Loaded = all_loaded(),
    Names = maps:from_list([{atom_to_list(Module), {File, true}} || {Module, File} <- Loaded]),
    Found = lists:foldl(fun(Dir, Acc) ->
                                lists:foldl(fun(File, A) ->
                                                    Name = filename:basename(File, ".beam"),
                                                    case A of
                                                        #{Name := _} -> A;
                                                        _ -> A#{Name => {filename:join(Dir, File), false}}
                                                    end
                                            end, Acc, filelib:wildcard("*.beam", Dir))
                        end, Names, get_path()),
    [{Name, File, IsLoaded} || {Name, {File, IsLoaded}} <- lists:sort(maps:to_list(Found))].

which(Module) when is_atom(Module) ->
    case is_loaded(Module) of
        {file, File} -> File;
        false -> erlscope_native:code_which(Module)
    end.

%% Modules that were never compiled have object code, too: made from their forms.
get_object_code(Module) when is_atom(Module) ->
    case erlscope_native:code_object(Module) of
        error ->
            case ensure_loaded(Module) of
                {module, _} ->
                    File = which(Module),
                    {Module, compile:object(erlscope_native:code_forms(Module), File), File};
                {error, _} ->
                    error
            end;
        Object ->
            Object
    end.

module_md5(Binary) ->
    case beam_lib:md5(Binary) of
        {ok, {_, Md5}} -> Md5;
        _ -> undefined
    end.

module_status() -> [{Module, module_status(Module)} || {Module, _} <- all_loaded()].

module_status(Modules) when is_list(Modules) -> [{Module, module_status(Module)} || Module <- Modules];
module_status(Module) ->
    case is_loaded(Module) of
        false -> not_loaded;
        {file, File} when is_list(File), File =/= [] ->
            case filelib:is_regular(File) of
                true -> loaded;
                false -> removed
            end;
        _ -> loaded
    end.

modified_modules() -> [Module || {Module, modified} <- module_status()].

delete(Module) when is_atom(Module) ->
    not erlang:check_old_code(Module) andalso erlscope_native:code_delete(Module).

purge(Module) when is_atom(Module) -> erlscope_code:purge(Module).

soft_purge(Module) when is_atom(Module) -> erlscope_code:soft_purge(Module).

%%% ---------------------------------------------------------------------- path

get_path() -> erlscope_native:code_path().

set_path(Path) when is_list(Path) ->
    Dirs = [chars(Dir) || Dir <- Path],
    case lists:all(fun is_directory/1, Dirs) of
        true ->
            erlscope_native:code_set_path(Dirs),
            true;
        false ->
            {error, bad_directory}
    end.

add_path(Dir) -> add_pathz(Dir).

add_pathz(Dir) -> add(Dir, last).

add_patha(Dir) -> add(Dir, first).

add(Dir0, Where) ->
    Dir = filename:flatten(chars(Dir0)),
    case is_directory(Dir) of
        true ->
            Others = lists:delete(Dir, get_path()),
            erlscope_native:code_set_path(case {Where, lists:member(Dir, get_path())} of
                                              {first, _} -> [Dir | Others];
                                              {last, true} -> get_path();
                                              {last, false} -> Others ++ [Dir]
                                          end),
            true;
        false ->
            {error, bad_directory}
    end.

%% Since OTP 26: whether a directory is cached makes no difference here.
add_path(Dir, _) -> add_path(Dir).
add_patha(Dir, _) -> add_patha(Dir).
add_pathz(Dir, _) -> add_pathz(Dir).
add_paths(Dirs, _) -> add_paths(Dirs).
add_pathsa(Dirs, _) -> add_pathsa(Dirs).
add_pathsz(Dirs, _) -> add_pathsz(Dirs).

del_paths(Dirs) -> lists:foreach(fun(Dir) -> del_path(Dir) end, Dirs).

add_paths(Dirs) -> add_pathsz(Dirs).

add_pathsz(Dirs) ->
    lists:foreach(fun add_pathz/1, Dirs).

add_pathsa(Dirs) ->
    lists:foreach(fun add_patha/1, Dirs).

del_path(Name) when is_list(Name); is_atom(Name) ->
    case [Dir || Dir <- get_path(), is_named(chars(Name), Dir)] of
        [Dir | _] ->
            erlscope_native:code_set_path(lists:delete(Dir, get_path())),
            true;
        [] ->
            false
    end.

%% The new directory must be one of the same application.
replace_path(Name0, Dir0) ->
    {Name, Dir} = {chars(Name0), chars(Dir0)},
    case {is_directory(Dir), application_of(Dir) =:= Name} of
        {true, true} ->
            Path = get_path(),
            New = case lists:splitwith(fun(D) -> not is_named(Name, D) end, Path) of
                      {Before, [_ | After]} -> Before ++ [Dir | After];
                      {_, []} -> [Dir | Path]
                  end,
            erlscope_native:code_set_path(New),
            true;
        {false, _} ->
            {error, bad_directory};
        {true, false} ->
            {error, bad_name}
    end.

chars(Name) when is_atom(Name) -> atom_to_list(Name);
chars(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
chars(Name) -> Name.

is_directory(".") -> true;
is_directory(Dir) -> filelib:is_dir(Dir).

%% A name is a directory of the path, or an application with one there.
is_named(Name, Dir) ->
    Name =:= Dir orelse application_of(Dir) =:= Name.

%% "foo" for ".../foo-1.2/ebin", ".../foo/ebin" and ".../foo-1.2".
application_of(Dir) ->
    Base = case filename:basename(Dir) of
               "ebin" -> filename:basename(filename:dirname(Dir));
               Other -> Other
           end,
    case string:split(Base, "-", trailing) of
        [Name, [Digit | _]] when Digit >= $0, Digit =< $9 -> Name;
        _ -> Base
    end.

where_is_file(File) -> where_is_file(get_path(), File).

where_is_file([Dir | Dirs], File) ->
    Path = filename:join(Dir, File),
    case filelib:is_regular(Path) of
        true when Dir =:= "." -> chars(File);
        true -> Path;
        false -> where_is_file(Dirs, File)
    end;
where_is_file([], _) ->
    non_existing.

root_dir() -> erlscope_native:code_root_dir().

lib_dir() -> filename:join(root_dir(), "lib").

lib_dir({Name, _Version}) -> lib_dir(Name);
lib_dir(Name0) ->
    Name = chars(Name0),
    case [Dir || Dir <- get_path(), filename:basename(Dir) =:= "ebin", application_of(Dir) =:= Name] of
        [Dir | _] -> filename:dirname(Dir);
        [] ->
            %% A checkout may have another name than the application in it.
            case erlscope_app:source_resource(Name) of
                non_existing -> {error, bad_name};
                File -> filename:dirname(filename:dirname(File))
            end
    end.

lib_dir(Name, Sub) when is_atom(Sub) ->
    case lib_dir(Name) of
        {error, _} = Error -> Error;
        Dir -> filename:join(Dir, atom_to_list(Sub))
    end.

compiler_dir() -> lib_dir(compiler).

priv_dir(Name) -> lib_dir(Name, priv).

%%% ------------------------------------------------------------- the remainder

stick_dir(_) -> ok.
unstick_dir(_) -> ok.
stick_mod(_) -> true.
unstick_mod(_) -> true.
is_sticky(_) -> false.

get_mode() -> interactive.

objfile_extension() -> ".beam".

is_module_native(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> false;
        false -> undefined
    end.

rehash() -> ok.

clash() ->
    Files = lists:append([[filename:join(Dir, File) || File <- filelib:wildcard("*.beam", Dir)]
                          || Dir <- get_path()]),
    Names = [filename:basename(File) || File <- Files],
    Double = lists:usort(Names -- lists:usort(Names)),
    [begin
         [First | Hidden] = [File || File <- Files, filename:basename(File) =:= Name],
         [io:format("** ~ts hides ~ts~n", [First, Other]) || Other <- Hidden]
     end || Name <- Double],
    io:format("** Found ~w name clashes in code paths~n", [length(Double)]).

get_doc(_) -> {error, missing}.

start_link() -> ignore.

set_primary_archive(_, _, _, _) -> ok.
