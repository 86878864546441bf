%% os: the operating system. Environment variables and time are native; other programs cannot be started, but the usual
%% file commands are done here (erlscope_cmd).
-module(os).

-export([type/0, version/0, cmd/1, cmd/2, find_executable/1, find_executable/2, getenv/0, getenv/1, getenv/2, putenv/2,
         unsetenv/1, getpid/0, env/0, perf_counter/0, perf_counter/1, set_signal/2, system_time/0, system_time/1,
         timestamp/0]).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid,
                    gid}).

env() -> erlang:nif_error(undef).
getenv(_) -> erlang:nif_error(undef).
getpid() -> erlang:nif_error(undef).
putenv(_, _) -> erlang:nif_error(undef).
unsetenv(_) -> erlang:nif_error(undef).
perf_counter() -> erlang:nif_error(undef).
perf_counter(_) -> erlang:nif_error(undef).
system_time() -> erlang:nif_error(undef).
system_time(_) -> erlang:nif_error(undef).
timestamp() -> erlang:nif_error(undef).
set_signal(_, _) -> erlang:nif_error(undef).

type() -> erlang:system_info(os_type).

version() -> erlang:system_info(os_version).

getenv() -> [Name ++ "=" ++ Value || {Name, Value} <- os:env()].

getenv(Name, Default) ->
    try os:getenv(Name) of
        false -> Default;
        Value -> Value
    catch
        error:_ -> erlang:error(badarg, [Name, Default], [{error_info, #{module => erl_kernel_errors}}])
    end.

find_executable(Name) -> find_executable(Name, os:getenv("PATH", "")).

find_executable(Name, Path) ->
    Candidates = case filename:pathtype(Name) of
                     relative -> [filename:join(Dir, Name) || Dir <- directories(Path)];
                     _ -> [Name]
                 end,
    case lists:search(fun is_executable/1, Candidates) of
        {value, Found} -> Found;
        false -> false
    end.

is_executable(Name) ->
    case file:read_file_info(Name) of
        {ok, #file_info{type = regular, mode = Mode}} -> Mode band 8#111 =/= 0;
        _ -> false
    end.

%% Empty parts of a path mean the current directory.
directories(Path) -> [case Dir of "" -> "."; _ -> Dir end || Dir <- string:split(Path, ":", all)].

cmd(Command) -> done(Command, "os:cmd/1").

cmd(Command, _Options) -> done(Command, "os:cmd/2").

done(Command, Function) ->
    Line = try unicode:characters_to_list(if is_atom(Command) -> atom_to_list(Command); true -> Command end)
           catch error:_ -> error
           end,
    case is_list(Line) andalso erlscope_cmd:run(Line) of
        {ok, Output} -> Output;
        unknown -> case get('$erlscope_programs') of
                       absent -> "sh: 1: " ++ hd(string:lexemes(Line, " ") ++ [""]) ++ ": not found\n";
                       _ -> started(Function, Line)
                   end;
        false -> error(badarg)
    end.

started(Function, Line) ->
    case erlscope_native:run_program(spawn, Line, [stderr_to_stdout]) of
        {ok, _, Output} -> unicode:characters_to_list(Output);
        {error, Error} -> "sh: " ++ atom_to_list(Error) ++ "\n";
        refused -> unsupported(Function, Line)
    end.

unsupported(Function, Command) ->
    erlscope_native:unsupported(lists:flatten(io_lib:format("~s (~tp): other programs cannot be started",
                                                            [Function, Command]))).
