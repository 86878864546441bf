%% The process behind a file that was not opened raw: serves file requests and
%% the I/O protocol on a raw file, which it owns. It ends with its owner.
%%
%% Input is read in blocks and decoded by the file's encoding; `buffer' holds
%% bytes that were read but not used. Whatever moves the position gives the
%% buffer up first. When the file itself fails, that is answered and the process
%% ends with the reason.
-module(file_io_server).

-export([start/3, start_link/3, format_error/1]).

-export([init/4]).

-record(state, {handle, owner, monitor, buffer = <<>>, read_mode = list, encoding = latin1,
                eof = false, failed = none}).

-define(BLOCK, 4096).

start(Owner, File, Modes) -> await(spawn_monitor(?MODULE, init, [self(), Owner, File, Modes]), nolink).

start_link(Owner, File, Modes) ->
    await(spawn_monitor(?MODULE, init, [self(), Owner, File, Modes]), link).

await({Pid, Ref}, Linkage) ->
    receive
        {Pid, ok} ->
            Linkage =:= link andalso link(Pid),
            demonitor(Ref, [flush]),
            {ok, Pid};
        {Pid, {error, _} = Error} ->
            demonitor(Ref, [flush]),
            Error;
        {'DOWN', Ref, process, _, Reason} ->
            {error, Reason}
    end.

format_error({_, Module, Reason}) -> Module:format_error(Reason);
format_error(invalid_unicode) -> "cannot translate from UTF-8";
format_error(Reason) -> erl_posix_msg:message(Reason).

init(Starter, Owner, File, Modes) ->
    put('$file_name', File),
    case encoding(Modes, latin1) of
        {error, Reason} = Error ->
            Starter ! {self(), Error},
            exit(Reason);
        Encoding ->
            %% Lists or binaries is this process's business.
            Raw = [raw, binary | [Mode || Mode <- Modes, is_raw_mode(Mode)]],
            case file:open(File, Raw) of
                {ok, Handle} ->
                    Starter ! {self(), ok},
                    loop(#state{handle = Handle, owner = Owner, monitor = monitor(process, Owner),
                                read_mode = case lists:member(binary, Modes) of true -> binary; false -> list end,
                                encoding = Encoding});
                {error, Reason} = Error ->
                    Starter ! {self(), Error},
                    exit(Reason)
            end
    end.

is_raw_mode(list) -> false;
is_raw_mode(binary) -> false;
is_raw_mode({encoding, _}) -> false;
is_raw_mode(raw) -> false;
is_raw_mode(_) -> true.

%% The last one that is given.
encoding([{encoding, Name} | Modes], _) ->
    case encoding(Name) of
        {error, _} = Error -> Error;
        Encoding -> encoding(Modes, Encoding)
    end;
encoding([latin1 | Modes], _) -> encoding(Modes, latin1);
encoding([unicode | Modes], _) -> encoding(Modes, unicode);
encoding([_ | Modes], Encoding) -> encoding(Modes, Encoding);
encoding([], Encoding) -> Encoding.

encoding(latin1) -> latin1;
encoding(utf8) -> unicode;
encoding(unicode) -> unicode;
encoding(utf16) -> {utf16, big};
encoding(utf32) -> {utf32, big};
encoding({Utf, Endian} = Encoding) when Utf =:= utf16 orelse Utf =:= utf32, Endian =:= big orelse Endian =:= little ->
    Encoding;
encoding(_) -> {error, badarg}.

loop(#state{monitor = Ref, handle = Handle} = State) ->
    receive
        {file_request, From, ReplyAs, close} ->
            From ! {file_reply, ReplyAs, file:close(Handle)};
        {file_request, From, ReplyAs, Request} ->
            {Reply, NewState} = file_request(Request, State),
            From ! {file_reply, ReplyAs, Reply},
            go_on(NewState);
        {io_request, From, ReplyAs, Request} ->
            {Reply, NewState} = io_request(Request, State),
            From ! {io_reply, ReplyAs, Reply},
            go_on(NewState);
        {'DOWN', Ref, process, _, Reason} ->
            file:close(Handle),
            exit(Reason);
        _ ->
            loop(State)
    end.

go_on(#state{failed = none} = State) -> loop(State);
go_on(#state{failed = Reason}) -> exit(Reason).

%%% ------------------------------------------------------------- file requests

file_request({position, At}, #state{buffer = Buffer} = State) ->
    Target = case At of
                 {cur, Offset} -> {cur, Offset - byte_size(Buffer)};
                 cur -> {cur, -byte_size(Buffer)};
                 _ -> At
             end,
    case file:position(State#state.handle, Target) of
        {error, _} = Error -> {Error, State};
        Moved -> {Moved, State#state{buffer = <<>>, eof = false}}
    end;
%% Where the file is, which may be after what was read ahead.
file_request(truncate, State) -> at_position(fun file:truncate/1, State#state{buffer = <<>>});
file_request(sync, State) -> at_position(fun file:sync/1, State);
file_request(datasync, State) -> at_position(fun file:datasync/1, State);
%% Both move the position.
file_request({pread, At, N}, State) ->
    case file_request({position, At}, State) of
        {{ok, _}, Moved} ->
            {Data, NewState} = chars(N, latin1, Moved),
            {case Data of
                 _ when is_list(Data); is_binary(Data) -> {ok, Data};
                 _ -> Data
             end, NewState};
        Failed -> Failed
    end;
file_request({pwrite, At, Bytes}, State) ->
    case file_request({position, At}, State) of
        {{ok, _}, Moved} -> put_chars(latin1, Bytes, Moved);
        Failed -> Failed
    end;
file_request({advise, Offset, Length, Advice}, State) ->
    at_position(fun(H) -> file:advise(H, Offset, Length, Advice) end, State);
file_request({allocate, Offset, Length}, State) ->
    at_position(fun(H) -> file:allocate(H, Offset, Length) end, State);
file_request({read_handle_info, Options}, #state{handle = Handle} = State) ->
    {file:read_file_info(Handle, Options), State};
file_request(Unknown, State) ->
    {{error, {request, Unknown}}, State}.

at_position(Action, #state{handle = Handle, buffer = Buffer} = State) ->
    byte_size(Buffer) > 0 andalso file:position(Handle, {cur, -byte_size(Buffer)}),
    NewState = State#state{buffer = <<>>, eof = false},
    case Action(Handle) of
        {error, Reason} = Error -> {Error, NewState#state{failed = Reason}};
        Done -> {Done, NewState}
    end.

more(N, #state{handle = Handle, buffer = Buffer} = State) ->
    case file:read(Handle, N) of
        {ok, Data} -> {ok, State#state{buffer = <<Buffer/binary, Data/binary>>}};
        eof -> {eof, State};
        {error, Reason} = Error -> {Error, State#state{failed = Reason}}
    end.

%% A line as a binary; a carriage return before the line break is dropped.
line(#state{buffer = Buffer} = State) ->
    case binary:split(Buffer, <<"\n">>) of
        [Line, Rest] ->
            {{ok, with_break(Line)}, State#state{buffer = Rest}};
        [_] ->
            case more(?BLOCK, State) of
                {ok, NewState} -> line(NewState);
                {eof, #state{buffer = <<>>} = NewState} -> {eof, NewState};
                {eof, NewState} -> {{ok, Buffer}, NewState#state{buffer = <<>>}};
                {Error, NewState} -> {Error, NewState}
            end
    end.

with_break(<<>>) -> <<"\n">>;
with_break(Line) ->
    Size = byte_size(Line) - 1,
    case Line of
        <<Start:Size/binary, "\r">> -> <<Start/binary, "\n">>;
        _ -> <<Line/binary, "\n">>
    end.

%%% --------------------------------------------------------------- I/O protocol

io_request({put_chars, Encoding, Chars}, State) -> put_chars(Encoding, Chars, State);
io_request({put_chars, Encoding, M, F, A}, State) ->
    case catch apply(M, F, A) of
        Chars when is_list(Chars); is_binary(Chars) -> put_chars(Encoding, Chars, State);
        _ -> {{error, F}, State}
    end;
io_request({get_line, Encoding, _}, State) ->
    case line(State) of
        {{ok, Line}, NewState} -> decoded(Line, Encoding, NewState);
        Other -> Other
    end;
io_request({get_chars, Encoding, _, N}, State) -> chars(N, Encoding, State);
io_request({get_until, _, _, M, F, A}, State) -> until(M, F, A, [], State);
io_request({setopts, Options}, State) when is_list(Options) -> set_options(Options, State);
io_request(getopts, #state{read_mode = Mode, encoding = Encoding} = State) ->
    {[{binary, Mode =:= binary}, {encoding, Encoding}], State};
io_request({get_geometry, _}, State) -> {{error, enotsup}, State};
io_request({requests, Requests}, State) -> in_turn(Requests, {ok, State});
io_request({put_chars, Chars}, State) -> put_chars(latin1, Chars, State);
io_request({put_chars, M, F, A}, State) -> io_request({put_chars, latin1, M, F, A}, State);
io_request({get_line, Prompt}, State) -> io_request({get_line, latin1, Prompt}, State);
io_request({get_chars, Prompt, N}, State) -> io_request({get_chars, latin1, Prompt, N}, State);
io_request({get_until, Prompt, M, F, A}, State) -> io_request({get_until, latin1, Prompt, M, F, A}, State);
io_request(_, State) -> {{error, request}, State}.

in_turn([Request | Requests], {_, State}) ->
    case io_request(Request, State) of
        {{error, _}, _} = Failed -> Failed;
        Result -> in_turn(Requests, Result)
    end;
in_turn([], Result) ->
    Result.

put_chars(latin1, Chars, #state{encoding = latin1} = State) ->
    at_position(fun(H) -> file:write(H, Chars) end, State);
put_chars(From, Chars, #state{encoding = To} = State) ->
    case catch unicode:characters_to_binary(Chars, From, To) of
        Binary when is_binary(Binary) -> at_position(fun(H) -> file:write(H, Binary) end, State);
        {Wrong, _, _} when Wrong =:= error; Wrong =:= incomplete ->
            {{error, {no_translation, From, To}}, State#state{failed = no_translation}};
        _ -> {{error, {put_chars, From, Chars}}, State}
    end.

%% N characters, which may be more bytes.
chars(0, Encoding, State) ->
    decoded(<<>>, Encoding, State);
chars(N, Encoding, #state{buffer = Buffer, encoding = FileEncoding} = State) ->
    case complete(Buffer, FileEncoding) of
        {error, _} ->
            {{error, {read, file_io_server, invalid_unicode}}, State};
        {Chars, Incomplete} when length(Chars) >= N ->
            {Wanted, Rest} = lists:split(N, Chars),
            Bytes = unicode:characters_to_binary(Rest, unicode, FileEncoding),
            answer(Wanted, Encoding, State#state{buffer = <<Bytes/binary, Incomplete/binary>>});
        {Chars, _} ->
            case more(max(?BLOCK, N), State) of
                {ok, NewState} -> chars(N, Encoding, NewState);
                {eof, NewState} when Chars =:= [] -> {eof, NewState};
                {eof, NewState} -> answer(Chars, Encoding, NewState#state{buffer = <<>>});
                {Error, NewState} -> {Error, NewState}
            end
    end.

%% The whole characters of the bytes, and the bytes after them.
complete(Bytes, Encoding) ->
    case unicode:characters_to_list(Bytes, Encoding) of
        Chars when is_list(Chars) -> {Chars, <<>>};
        {incomplete, Chars, Rest} -> {Chars, Rest};
        {error, _, _} -> {error, invalid}
    end.

decoded(Bytes, Encoding, #state{encoding = FileEncoding} = State) ->
    case unicode:characters_to_list(Bytes, FileEncoding) of
        Chars when is_list(Chars) -> answer(Chars, Encoding, State);
        _ -> {{error, {read, file_io_server, invalid_unicode}}, State}
    end.

answer(Chars, latin1, #state{read_mode = list} = State) ->
    case lists:any(fun(Char) -> Char > 255 end, Chars) of
        true -> {{error, {no_translation, unicode, latin1}}, State#state{failed = no_translation}};
        false -> {Chars, State}
    end;
answer(Chars, _, #state{read_mode = list} = State) ->
    {Chars, State};
answer(Chars, Encoding, State) ->
    case unicode:characters_to_binary(Chars, unicode, Encoding) of
        Binary when is_binary(Binary) -> {Binary, State};
        _ -> {{error, {no_translation, unicode, Encoding}}, State#state{failed = no_translation}}
    end.

until(M, F, A, Continuation, #state{encoding = Encoding} = State) ->
    {Data, NewState} =
        case line(State) of
            {{ok, Line}, S} -> {unicode:characters_to_list(Line, Encoding), S};
            Other -> Other
        end,
    case Data of
        {error, _} -> {Data, NewState};
        _ ->
            case catch apply(M, F, [Continuation, Data | A]) of
                {done, Result, Rest} -> {Result, handed_back(Rest, NewState)};
                {more, Next} -> until(M, F, A, Next, NewState);
                _ -> {{error, F}, NewState}
            end
    end.

handed_back(Chars, #state{buffer = Buffer, encoding = Encoding} = State) when is_list(Chars), Chars =/= [] ->
    Bytes = unicode:characters_to_binary(Chars, unicode, Encoding),
    State#state{buffer = <<Bytes/binary, Buffer/binary>>};
handed_back(_, State) ->
    State.

set_options([binary | Options], State) -> set_options(Options, State#state{read_mode = binary});
set_options([list | Options], State) -> set_options(Options, State#state{read_mode = list});
set_options([{binary, true} | Options], State) -> set_options(Options, State#state{read_mode = binary});
set_options([{binary, false} | Options], State) -> set_options(Options, State#state{read_mode = list});
set_options([{encoding, Name} | Options], State) ->
    case encoding(Name) of
        {error, _} = Error -> {Error, State};
        Encoding -> set_options(Options, State#state{encoding = Encoding})
    end;
set_options([], State) -> {ok, State};
set_options(_, State) -> {{error, enotsup}, State}.
