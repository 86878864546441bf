%% file: files and directories.
%%
%% Questions and changes by name go straight to prim_file, which is native: there is no file server. A file that is
%% opened raw is a record of prim_file's, served in the process that opened it; any other is a process
%% (file_io_server) that speaks the I/O protocol. Files opened with `ram' are raw files without a name.
%%
%% Differences from OTP: names are always encoded in UTF-8; list_dir/1 sorts; read_ahead changes nothing
%% that can be seen; `compressed' is not supported.
-module(file).

-export([format_error/1, get_cwd/0, get_cwd/1, set_cwd/1, delete/1, delete/2, rename/2, make_dir/1, del_dir/1,
         del_dir_r/1, list_dir/1, list_dir_all/1, read_file_info/1, read_file_info/2, write_file_info/2,
         write_file_info/3, altname/1, read_link_info/1, read_link_info/2, read_link/1, read_link_all/1,
         make_link/2, make_symlink/2, read_file/1, read_file/2, write_file/2, write_file/3, raw_read_file_info/1,
         raw_write_file_info/2]).
-export([open/2, close/1, advise/4, allocate/3, read/2, write/2, pread/2, pread/3, pwrite/2, pwrite/3,
         read_line/1, position/2, truncate/1, datasync/1, sync/1, copy/2, copy/3, copy_opened/3, sendfile/2,
         sendfile/5, pid2name/1, ipread_s32bu_p32bu/3]).
-export([consult/1, path_consult/2, eval/1, eval/2, path_eval/2, path_eval/3, path_open/3, script/1, script/2,
         path_script/2, path_script/3, change_owner/2, change_owner/3, change_group/2, change_mode/2,
         change_time/2, change_time/3]).
-export([native_name_encoding/0]).

-export_type([date_time/0, fd/0, file_info/0, filename/0, filename_all/0, io_device/0, mode/0, name/0, name_all/0,
              posix/0]).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid,
                    gid}).
-record(file_descriptor, {module, data}).

-type filename() :: string().
-type filename_all() :: string() | binary().
-type name() :: string() | atom() | [any()].
-type name_all() :: name() | binary().
-type file_info() :: #file_info{}.
-type fd() :: #file_descriptor{}.
-type io_device() :: pid() | fd().
-type date_time() :: calendar:datetime().
-type posix() :: atom().
-type mode() :: read | write | append | exclusive | raw | binary | {delayed_write, non_neg_integer(), non_neg_integer()}
              | delayed_write | {read_ahead, pos_integer()} | read_ahead | compressed | {encoding, term()} | sync.

-spec native_name_encoding() -> latin1 | utf8.
native_name_encoding() -> erlang:nif_error(undef).

%% ---- by name ----

get_cwd() -> prim_file:get_cwd().
get_cwd(Drive) -> named(Drive, fun prim_file:get_cwd/1).
set_cwd(Name) -> named(Name, fun prim_file:set_cwd/1).
delete(Name) -> named(Name, fun prim_file:delete/1).
delete(Name, Options) when is_list(Options) -> delete(Name).
make_dir(Name) -> named(Name, fun prim_file:make_dir/1).
del_dir(Name) -> named(Name, fun prim_file:del_dir/1).
list_dir(Name) -> named(Name, fun prim_file:list_dir/1).
list_dir_all(Name) -> named(Name, fun prim_file:list_dir_all/1).
altname(Name) -> named(Name, fun prim_file:altname/1).
read_link(Name) -> named(Name, fun prim_file:read_link/1).
read_link_all(Name) -> named(Name, fun prim_file:read_link_all/1).
read_file(Name) -> named(Name, fun prim_file:read_file/1).
%% Since OTP 27.
read_file(Name, Options) when is_list(Options) -> read_file(Name).
rename(From, To) -> named(From, To, fun prim_file:rename/2).
make_link(Old, New) -> named(Old, New, fun prim_file:make_link/2).
make_symlink(Old, New) -> named(Old, New, fun prim_file:make_symlink/2).

read_link_info(Name) -> read_link_info(Name, []).
read_link_info(Name, Options) when is_list(Options) ->
    named(Name, fun(N) -> prim_file:read_link_info(N, Options) end).

read_file_info(File) -> read_file_info(File, []).
read_file_info(Device, Options) when is_pid(Device), is_list(Options) ->
    request(Device, {read_handle_info, Options});
read_file_info(#file_descriptor{module = Module} = Handle, Options) when is_list(Options) ->
    Module:read_handle_info(Handle, Options);
read_file_info(Name, Options) when is_list(Options) ->
    named(Name, fun(N) -> prim_file:read_file_info(N, Options) end).

write_file_info(Name, #file_info{} = Info) -> write_file_info(Name, Info, []).
write_file_info(Name, #file_info{} = Info, Options) when is_list(Options) ->
    named(Name, fun(N) -> prim_file:write_file_info(N, Info, Options) end).

raw_read_file_info(Name) -> read_file_info(Name, [raw]).
raw_write_file_info(Name, #file_info{} = Info) -> write_file_info(Name, Info, [raw]).

change_mode(Name, Mode) when is_integer(Mode) -> write_file_info(Name, #file_info{mode = Mode}).
change_owner(Name, Owner) when is_integer(Owner) -> write_file_info(Name, #file_info{uid = Owner}).
change_owner(Name, Owner, Group) when is_integer(Owner), is_integer(Group) ->
    write_file_info(Name, #file_info{uid = Owner, gid = Group}).
change_group(Name, Group) when is_integer(Group) -> write_file_info(Name, #file_info{gid = Group}).

-define(IS_TIME(Y, Mo, D, H, Mi, S),
        is_integer(Y), is_integer(Mo), is_integer(D), is_integer(H), is_integer(Mi), is_integer(S)).
change_time(Name, {{Y, Mo, D}, {H, Mi, S}} = Time) when ?IS_TIME(Y, Mo, D, H, Mi, S) ->
    write_file_info(Name, #file_info{mtime = Time}).
change_time(Name, {{AY, AMo, AD}, {AH, AMi, AS}} = Accessed, {{Y, Mo, D}, {H, Mi, S}} = Modified)
  when ?IS_TIME(AY, AMo, AD, AH, AMi, AS), ?IS_TIME(Y, Mo, D, H, Mi, S) ->
    write_file_info(Name, #file_info{atime = Accessed, mtime = Modified}).

del_dir_r(Name) ->
    case read_link_info(Name) of
        {ok, #file_info{type = directory}} ->
            %% What cannot be deleted shows when the directory itself is.
            case list_dir_all(Name) of
                {ok, Entries} -> lists:foreach(fun(Entry) -> del_dir_r(filename:join(Name, Entry)) end, Entries);
                {error, _} -> ok
            end,
            del_dir(Name);
        {ok, _} ->
            delete(Name);
        {error, _} = Error ->
            Error
    end.

write_file(Name, Data) ->
    case {flat_name(Name), as_binary(Data)} of
        {{error, _} = Error, _} -> Error;
        {_, {error, _} = Error} -> Error;
        {Flat, Binary} -> prim_file:write_file(Flat, Binary)
    end.

write_file(Name, Data, Modes) when is_list(Modes) ->
    case as_binary(Data) of
        {error, _} = Error ->
            Error;
        Binary ->
            case open(Name, [binary, write | Modes]) of
                {ok, Handle} ->
                    Written = write(Handle, Binary),
                    Closed = close(Handle),
                    case Written of
                        ok -> Closed;
                        _ -> Written
                    end;
                Error ->
                    Error
            end
    end.

named(Name, Action) ->
    case flat_name(Name) of
        {error, _} = Error -> Error;
        Flat -> Action(Flat)
    end.

named(One, Other, Action) ->
    named(One, fun(FlatOne) -> named(Other, fun(FlatOther) -> Action(FlatOne, FlatOther) end) end).

%% A name is a binary, or a deep list of characters and atoms.
flat_name(Name) when is_binary(Name) -> Name;
flat_name(Name) ->
    try flat_name(Name, [])
    catch throw:badarg -> {error, badarg}
    end.

flat_name([Char | Rest], After) when is_integer(Char) -> [Char | flat_name(Rest, After)];
flat_name([Part | Rest], After) -> flat_name(Part, flat_name(Rest, After));
flat_name([], After) -> After;
flat_name(Atom, After) when is_atom(Atom) -> atom_to_list(Atom) ++ After;
flat_name(_, _) -> throw(badarg).

as_binary(Data) when is_binary(Data) -> Data;
as_binary(Data) ->
    try iolist_to_binary(Data)
    catch error:Reason -> {error, Reason}
    end.

%% ---- open files ----

open(Item, Modes) when is_list(Modes) ->
    case {lists:member(raw, Modes), lists:member(ram, Modes)} of
        {true, true} -> erlang:error(badarg, [Item, Modes]);
        {false, true} -> prim_file:open(Item, read_as(Modes));
        {true, false} -> named(Item, fun(Name) -> open_raw(Name, Modes) end);
        {false, false} ->
            case lists:keyfind(error, 1, [Mode || Mode <- Modes, is_tuple(Mode)]) of
                {error, _} = Error -> Error;
                _ -> named(Item, fun(Name) -> file_io_server:start(self(), Name, Modes) end)
            end
    end;
open(Item, Mode) ->
    open(Item, modes(Mode)).

%% Compressed files are layers of processes above the file: OTP's own, where it is installed; else they are not
%% supported, and prim_file says so.
open_raw(Name, Modes) ->
    IsCompressed = lists:member(compressed, Modes) orelse lists:member(compressed_one, Modes),
    case IsCompressed andalso code:ensure_loaded(raw_file_io) of
        {module, _} -> raw_file_io:open(Name, Modes);
        _ ->
            case delay(Modes) of
                none -> prim_file:open(Name, read_as(Modes));
                {Size, Time} -> erlscope_delayed_file:open(Name, read_as(Modes), Size, Time);
                badarg -> {error, badarg}
            end
    end.

%% After how many bytes, or milliseconds, what was written goes to the file.
delay([]) -> none;
delay([delayed_write | _]) -> {64 * 1024, 2000};
delay([{delayed_write, Size, Time} | _]) when is_integer(Size), Size >= 0, is_integer(Time), Time >= 0 ->
    {Size, Time};
delay([{delayed_write, _, _} | _]) -> badarg;
delay([_ | Modes]) -> delay(Modes).

modes(read) -> [read];
modes(write) -> [write];
modes(read_write) -> [read, write];
modes({binary, Mode}) when is_atom(Mode) -> [binary | modes(Mode)];
modes({character, Mode}) when is_atom(Mode) -> modes(Mode);
modes(_) -> [{error, badarg}].

%% Raw files give lists unless asked for binaries; prim_file knows that by a mode of its own.
read_as(Modes) ->
    case lists:member(binary, Modes) of
        true -> Modes;
        false -> ['$lists' | Modes]
    end.

close(Device) when is_pid(Device) ->
    case request(Device, close) of
        {error, terminated} -> ok;
        Reply -> Reply
    end;
close(#file_descriptor{module = Module} = Handle) -> Module:close(Handle);
close(_) -> {error, badarg}.

-define(IS_DEVICE(Device), (is_pid(Device) orelse is_atom(Device))).
-define(IS_SIZE(Size), is_integer(Size), Size >= 0).

read(Device, Size) when ?IS_DEVICE(Device), ?IS_SIZE(Size) -> io_result(io:request(Device, {get_chars, latin1, '', Size}));
read(#file_descriptor{module = Module} = Handle, Size) when ?IS_SIZE(Size) -> Module:read(Handle, Size);
read(_, _) -> {error, badarg}.

read_line(Device) when ?IS_DEVICE(Device) -> io_result(io:request(Device, {get_line, latin1, ''}));
read_line(#file_descriptor{module = Module} = Handle) -> Module:read_line(Handle);
read_line(_) -> {error, badarg}.

io_result(Data) when is_list(Data); is_binary(Data) -> {ok, Data};
io_result(Other) -> Other.

write(Device, Data) when ?IS_DEVICE(Device) ->
    case as_binary(Data) of
        {error, _} = Error -> Error;
        Binary -> io:request(Device, {put_chars, latin1, Binary})
    end;
write(#file_descriptor{module = Module} = Handle, Data) -> Module:write(Handle, Data);
write(_, _) -> {error, badarg}.

pread(Device, At, Size) when is_pid(Device), ?IS_SIZE(Size) -> request(Device, {pread, At, Size});
pread(#file_descriptor{module = Module} = Handle, At, Size) when ?IS_SIZE(Size) -> Module:pread(Handle, At, Size);
pread(_, _, _) -> {error, badarg}.

pread(Device, Places) when is_pid(Device), is_list(Places) -> pread_each(Device, Places, []);
pread(#file_descriptor{module = Module} = Handle, Places) when is_list(Places) -> Module:pread(Handle, Places);
pread(_, _) -> {error, badarg}.

pread_each(_, [], Found) -> {ok, lists:reverse(Found)};
pread_each(Device, [{At, Size} | Places], Found) when ?IS_SIZE(Size) ->
    case pread(Device, At, Size) of
        {ok, Data} -> pread_each(Device, Places, [Data | Found]);
        eof -> pread_each(Device, Places, [eof | Found]);
        {error, _} = Error -> Error
    end;
pread_each(_, _, _) -> {error, badarg}.

pwrite(Device, At, Data) when is_pid(Device) -> request(Device, {pwrite, At, Data});
pwrite(#file_descriptor{module = Module} = Handle, At, Data) -> Module:pwrite(Handle, At, Data);
pwrite(_, _, _) -> {error, badarg}.

pwrite(Device, Places) when is_pid(Device), is_list(Places) -> pwrite_each(Device, Places, 0);
pwrite(#file_descriptor{module = Module} = Handle, Places) when is_list(Places) -> Module:pwrite(Handle, Places);
pwrite(_, _) -> {error, badarg}.

pwrite_each(_, [], _) -> ok;
pwrite_each(Device, [{At, Data} | Places], Done) ->
    case pwrite(Device, At, Data) of
        ok -> pwrite_each(Device, Places, Done + 1);
        {error, Reason} -> {error, {Done, Reason}}
    end;
pwrite_each(_, _, _) -> {error, badarg}.

position(Device, At) when is_pid(Device) -> request(Device, {position, At});
position(#file_descriptor{module = Module} = Handle, At) -> Module:position(Handle, At);
position(_, _) -> {error, badarg}.

truncate(Device) when is_pid(Device) -> request(Device, truncate);
truncate(#file_descriptor{module = Module} = Handle) -> Module:truncate(Handle);
truncate(_) -> {error, badarg}.

sync(Device) when is_pid(Device) -> request(Device, sync);
sync(#file_descriptor{module = Module} = Handle) -> Module:sync(Handle);
sync(_) -> {error, badarg}.

datasync(Device) when is_pid(Device) -> request(Device, datasync);
datasync(#file_descriptor{module = Module} = Handle) -> Module:datasync(Handle);
datasync(_) -> {error, badarg}.

advise(Device, Offset, Length, Advice) when is_pid(Device) -> request(Device, {advise, Offset, Length, Advice});
advise(#file_descriptor{module = Module} = Handle, Offset, Length, Advice) ->
    Module:advise(Handle, Offset, Length, Advice);
advise(_, _, _, _) -> {error, badarg}.

allocate(Device, Offset, Length) when is_pid(Device) -> request(Device, {allocate, Offset, Length});
allocate(#file_descriptor{module = Module} = Handle, Offset, Length) -> Module:allocate(Handle, Offset, Length).

%% A block whose size and place stand somewhere else in the file.
ipread_s32bu_p32bu(File, At, Max) when is_atom(Max) -> ipread_s32bu_p32bu(File, At, 16#7FFFFFFF);
ipread_s32bu_p32bu(_, _, Max) when is_integer(Max), Max >= 1 bsl 31 -> {error, einval};
ipread_s32bu_p32bu(File, At, Max) when ?IS_SIZE(Max) ->
    case pread(File, At, 8) of
        {ok, Header} -> indirect(File, iolist_to_binary(Header), Max);
        Other -> Other
    end;
ipread_s32bu_p32bu(_, _, _) -> {error, badarg}.

indirect(_, <<0:32, Place:32>>, _) -> {ok, {0, Place, eof}};
indirect(File, <<Size:32, Place:32>>, Max) when Size =< Max ->
    case pread(File, Place, Size) of
        {ok, Data} -> {ok, {Size, Place, Data}};
        eof -> {ok, {Size, Place, eof}};
        Error -> Error
    end;
indirect(_, _, _) -> eof.

pid2name(Device) when is_pid(Device) ->
    case process_info(Device, dictionary) of
        {dictionary, Dictionary} ->
            case lists:keyfind('$file_name', 1, Dictionary) of
                {_, Name} -> {ok, Name};
                false -> undefined
            end;
        undefined ->
            undefined
    end.

request(Device, Request) ->
    Ref = monitor(process, Device),
    Device ! {file_request, self(), Ref, Request},
    receive
        {file_reply, Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, _, _, _} ->
            {error, terminated}
    end.

%% ---- copying ----

copy(Source, Target) -> copy_from(Source, Target, infinity).

copy(Source, Target, Length) when is_integer(Length), Length >= 0; is_atom(Length) -> copy_from(Source, Target, Length);
copy(_, _, _) -> {error, badarg}.

-define(IS_OPEN(File), (is_pid(File) orelse is_record(File, file_descriptor))).

copy_from(Source, Target, Length) when ?IS_OPEN(Source) -> copy_to(Source, Target, Length);
%% Nobody sees a file that is only open while it is copied: it needs no process.
copy_from(Source, Target, Length) ->
    {Name, Modes} = name_and_modes(Source),
    %% A name that is none is told before anything is opened or made.
    case {flat_name(Name), ?IS_OPEN(Target) orelse flat_name(element(1, name_and_modes(Target)))} of
        {{error, _} = Error, _} -> Error;
        {_, {error, _} = Error} -> Error;
        {Flat, _} ->
            case open(Flat, [read, raw, binary | Modes]) of
                {ok, Handle} ->
                    Result = copy_to(Handle, Target, Length),
                    _ = close(Handle),
                    Result;
                {error, _} = Error ->
                    Error
            end
    end.

copy_to(Source, Target, Length) when ?IS_OPEN(Target) -> copied(Source, Target, Length, 0);
copy_to(Source, Target, Length) ->
    {Name, Modes} = name_and_modes(Target),
    case open(Name, [write, raw, binary | Modes]) of
        {ok, Handle} ->
            Result = copied(Source, Handle, Length, 0),
            Closed = close(Handle),
            case {Result, Closed} of
                {{ok, _}, {error, _}} -> Closed;
                _ -> Result
            end;
        {error, _} = Error ->
            Error
    end.

name_and_modes({Name, Modes}) when is_list(Modes) -> {Name, Modes};
name_and_modes(Name) -> {Name, []}.

copy_opened(Source, Target, Length)
  when ?IS_OPEN(Source), ?IS_OPEN(Target), is_integer(Length), Length >= 0;
       ?IS_OPEN(Source), ?IS_OPEN(Target), is_atom(Length) ->
    copied(Source, Target, Length, 0);
copy_opened(_, _, _) -> {error, badarg}.

copied(_, _, 0, Done) -> {ok, Done};
copied(Source, Target, Length, Done) ->
    %% An atom is greater than any number.
    Wanted = min(Length, 65536),
    case read(Source, Wanted) of
        {ok, Data} ->
            Size = iolist_size(Data),
            case write(Target, Data) of
                ok when Size < Wanted -> {ok, Done + Size};
                ok when is_atom(Length) -> copied(Source, Target, Length, Done + Size);
                ok -> copied(Source, Target, Length - Size, Done + Size);
                {error, _} = Error -> Error
            end;
        eof -> {ok, Done};
        {error, _} = Error -> Error
    end.

%% To a function, as far as there are no sockets.
sendfile(Name, Send) ->
    case open(Name, [read, raw, binary]) of
        {ok, Handle} ->
            Result = sendfile(Handle, Send, 0, 0, []),
            _ = close(Handle),
            Result;
        {error, _} = Error ->
            Error
    end.

sendfile(#file_descriptor{} = Handle, Send, Offset, Bytes, Options)
  when is_function(Send, 1), is_integer(Offset), is_integer(Bytes), is_list(Options) ->
    Chunk = min(proplists:get_value(chunk_size, Options, 1 bsl 20), 1 bsl 20),
    if
        not is_integer(Chunk) -> {error, badarg};
        Bytes < 0 -> {error, einval};
        true ->
            {ok, Before} = position(Handle, cur),
            case position(Handle, {bof, Offset}) of
                {ok, _} ->
                    Left = case Bytes of 0 -> infinity; _ -> Bytes end,
                    Result = sent(Handle, Send, Left, Chunk, 0),
                    _ = position(Handle, {bof, Before}),
                    Result;
                Error ->
                    Error
            end
    end;
sendfile(#file_descriptor{}, Socket, _, _, _) when is_port(Socket); is_tuple(Socket) ->
    erlang:nif_error({unsupported, {file, sendfile, 5}});
sendfile(_, _, _, _, _) -> {error, badarg}.

sent(_, _, 0, _, Done) -> {ok, Done};
sent(Handle, Send, Left, Chunk, Done) ->
    case read(Handle, min(Left, Chunk)) of
        {ok, Data} ->
            Size = iolist_size(Data),
            case Send(Data) of
                ok when is_atom(Left) -> sent(Handle, Send, Left, Chunk, Done + Size);
                ok -> sent(Handle, Send, Left - Size, Chunk, Done + Size);
                Other -> Other
            end;
        eof -> {ok, Done};
        Error -> Error
    end.

%% ---- files of Erlang terms and expressions ----

consult(Name) -> opened(Name, fun consult_device/1).

path_consult(Path, Name) -> path_opened(Path, Name, fun consult_device/1).

eval(Name) -> eval(Name, erl_eval:new_bindings()).
eval(Name, Bindings) -> opened(Name, fun(Device) -> evaluated(Device, ignore, Bindings) end).

path_eval(Path, Name) -> path_eval(Path, Name, erl_eval:new_bindings()).
path_eval(Path, Name, Bindings) ->
    path_opened(Path, Name, fun(Device) -> evaluated(Device, ignore, Bindings) end).

script(Name) -> script(Name, erl_eval:new_bindings()).
script(Name, Bindings) -> opened(Name, fun(Device) -> evaluated(Device, return, Bindings) end).

path_script(Path, Name) -> path_script(Path, Name, erl_eval:new_bindings()).
path_script(Path, Name, Bindings) ->
    path_opened(Path, Name, fun(Device) -> evaluated(Device, return, Bindings) end).

opened(Name, Action) ->
    case open(Name, [read]) of
        {ok, Device} ->
            set_encoding(Device),
            Result = Action(Device),
            _ = close(Device),
            Result;
        Error ->
            Error
    end.

path_opened(Path, Name, Action) ->
    case path_open(Path, Name, [read]) of
        {ok, Device, Full} ->
            set_encoding(Device),
            Result = Action(Device),
            _ = close(Device),
            case Result of
                ok -> {ok, Full};
                {ok, Value} -> {ok, Value, Full};
                Error -> Error
            end;
        Error ->
            Error
    end.

path_open(Path, Name, Modes) ->
    case flat_name(Name) of
        {error, _} = Error -> Error;
        Flat ->
            case filename:pathtype(Flat) of
                relative -> first_open(Path, Flat, Modes);
                _ ->
                    case open(Name, Modes) of
                        {ok, Device} -> {ok, Device, Name};
                        Error -> Error
                    end
            end
    end.

first_open([], _, _) -> {error, enoent};
first_open([Dir | Path], Name, Modes) ->
    case flat_name(Dir) of
        {error, _} = Error -> Error;
        Flat ->
            Full = case Flat of
                       "." -> Name;
                       _ -> filename:join(Flat, Name)
                   end,
            case open(Full, Modes) of
                {ok, Device} -> {ok, Device, Full};
                {error, Reason} when Reason =:= enoent; Reason =:= enotdir -> first_open(Path, Name, Modes);
                Error -> Error
            end
    end.

consult_device(Device) -> consult_device(Device, 1, []).

consult_device(Device, Line, Terms) ->
    case io:read(Device, '', Line) of
        {ok, Term, Next} -> consult_device(Device, Next, [Term | Terms]);
        {error, Error, _} -> {error, Error};
        {eof, _} -> {ok, lists:reverse(Terms)}
    end.

evaluated(Device, Wanted, Bindings) -> evaluated(Device, Wanted, 1, none, [], Bindings).

%% Goes on after an error, and tells the first one.
evaluated(Device, Wanted, Line, Last, Errors, Bindings) ->
    case io:parse_erl_exprs(Device, '', Line) of
        {ok, Exprs, Next} ->
            try erl_eval:exprs(Exprs, Bindings) of
                {value, Value, NewBindings} -> evaluated(Device, Wanted, Next, {value, Value}, Errors, NewBindings)
            catch
                Class:Reason:Stack ->
                    Error = {Next, ?MODULE, {Class, Reason, Stack}},
                    evaluated(Device, Wanted, Next, Last, [Error | Errors], Bindings)
            end;
        {error, Error, Next} ->
            evaluated(Device, Wanted, Next, Last, [Error | Errors], Bindings);
        {eof, End} ->
            case {lists:reverse(Errors), Wanted, Last} of
                {[First | _], _, _} -> {error, First};
                {[], ignore, _} -> ok;
                {[], return, {value, Value}} -> {ok, Value};
                {[], return, none} -> {error, {End, ?MODULE, undefined_script}}
            end
    end.

%% The encoding that a comment in one of the first two lines names; UTF-8 without.
set_encoding(Device) ->
    Lines = [Line || Line <- [io:get_line(Device, ''), io:get_line(Device, '')], is_list(Line)],
    _ = position(Device, bof),
    Encoding = case [Name || [$% | _] = Line <- [string:trim(Line, leading) || Line <- Lines],
                             Name <- coding(Line)] of
                   ["latin-1" | _] -> latin1;
                   _ -> unicode
               end,
    io:setopts(Device, [{encoding, Encoding}]).

coding(Line) ->
    case string:find(Line, "coding") of
        "coding" ++ [Sign | Rest] when Sign =:= $:; Sign =:= $= ->
            Name = string:trim(Rest, leading, " \t"),
            [string:lowercase(lists:takewhile(fun is_name_char/1, Name))];
        "coding" ++ Rest -> coding(Rest);
        _ -> []
    end.

is_name_char(C) -> C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z orelse C >= $0 andalso C =< $9 orelse C =:= $-.

%% ---- errors ----

format_error({_, ?MODULE, undefined_script}) -> "no value returned from script";
format_error({Line, ?MODULE, {Class, Reason, Stack}}) ->
    io_lib:format("~w: evaluation failed with reason ~w:~w and stacktrace ~w", [Line, Class, Reason, Stack]);
format_error({Line, ?MODULE, {Reason, Stack}}) ->
    io_lib:format("~w: evaluation failed with reason ~w and stacktrace ~w", [Line, Reason, Stack]);
format_error({Line, Module, Reason}) -> io_lib:format("~w: ~ts", [Line, Module:format_error(Reason)]);
format_error(badarg) -> "bad argument";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error(terminated) -> "the file server process is terminated";
format_error(Reason) -> erl_posix_msg:message(Reason).
