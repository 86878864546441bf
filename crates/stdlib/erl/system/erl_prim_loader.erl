%% erl_prim_loader: files as the code loader sees them, here those of the file system and nothing else.
-module(erl_prim_loader).

-export([get_file/1, get_path/0, set_path/1, get_cwd/0, get_cwd/1, list_dir/1, read_file/1, read_file_info/1,
         read_link_info/1]).

get_file(Name) ->
    case prim_file:read_file(Name) of
        {ok, Bytes} -> {ok, Bytes, Name};
        {error, _} -> error
    end.

get_path() -> {ok, erlscope_native:code_path()}.
set_path(Path) -> erlscope_native:code_set_path(Path).

get_cwd() -> or_error(prim_file:get_cwd()).
get_cwd(Drive) -> or_error(prim_file:get_cwd(Drive)).
list_dir(Name) -> or_error(prim_file:list_dir(Name)).
read_file(Name) -> or_error(prim_file:read_file(Name)).
read_file_info(Name) -> or_error(prim_file:read_file_info(Name)).
read_link_info(Name) -> or_error(prim_file:read_link_info(Name)).

or_error({error, _}) -> error;
or_error(Found) -> Found.
