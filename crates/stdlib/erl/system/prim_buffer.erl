%% Buffers of bytes that are read from the front and written at the end: for OTP's layers above raw files.
%%
%% A buffer belongs to the process that made it, and is kept in its dictionary. Each write copies what is left: the
%% layers hold some tens of kilobytes at a time.
-module(prim_buffer).
-compile({no_auto_import, [size/1]}).

-export([new/0, size/1, wipe/1, read/2, read_iovec/2, write/2, skip/2, find_byte_index/2, try_lock/1, unlock/1]).

-define(KEY(Buffer), {?MODULE, Buffer}).

new() ->
    Buffer = make_ref(),
    put(?KEY(Buffer), <<>>),
    Buffer.

size(Buffer) -> byte_size(get(?KEY(Buffer))).

wipe(Buffer) ->
    put(?KEY(Buffer), <<>>),
    ok.

read(Buffer, Size) ->
    case get(?KEY(Buffer)) of
        <<Read:Size/binary, Rest/binary>> ->
            put(?KEY(Buffer), Rest),
            Read;
        _ ->
            erlang:error(badarg, [Buffer, Size])
    end.

read_iovec(Buffer, Size) -> [read(Buffer, Size)].

write(Buffer, Bytes) ->
    put(?KEY(Buffer), iolist_to_binary([get(?KEY(Buffer)) | Bytes])),
    ok.

skip(Buffer, Size) ->
    _ = read(Buffer, Size),
    ok.

find_byte_index(Buffer, Byte) ->
    case binary:match(get(?KEY(Buffer)), <<Byte>>) of
        {At, 1} -> {ok, At};
        nomatch -> not_found
    end.

%% Only its own process uses a buffer.
try_lock(_) -> acquired.
unlock(_) -> ok.
