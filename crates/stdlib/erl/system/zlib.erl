%% zlib: compression. Streams are native. All that can be read is given at once: safeInflate/2 never says `continue'.
%% The level of memory and the strategy change nothing.
-module(zlib).

-export([open/0, close/1, set_controlling_process/2, deflateInit/1, deflateInit/2, deflateInit/6, deflateSetDictionary/2,
         deflateReset/1, deflateParams/3, deflate/2, deflate/3, deflateEnd/1, inflateInit/1, inflateInit/2,
         inflateInit/3, inflateSetDictionary/2, inflateReset/1, inflate/2, inflate/3, inflateEnd/1, inflateChunk/1,
         inflateChunk/2, safeInflate/2, getBufSize/1, setBufSize/2, inflateGetDictionary/1, crc32/1, crc32/2, crc32/3,
         adler32/2, adler32/3, crc32_combine/4, adler32_combine/4, compress/1, uncompress/1, zip/1, unzip/1, gzip/1,
         gunzip/1]).

-export_type([zstream/0]).

-type zstream() :: reference().

-define(WINDOW, 15).

open() -> erlscope_native:zlib_open().
close(Z) -> erlscope_native:zlib_close(Z).
set_controlling_process(Z, Pid) -> erlscope_native:zlib_give(Z, Pid).

deflateInit(Z) -> deflateInit(Z, default).
deflateInit(Z, Level) -> deflateInit(Z, Level, deflated, ?WINDOW, 8, default).
deflateInit(Z, Level, deflated, Window, Memory, Strategy)
  when is_integer(Memory), Memory >= 1, Memory =< 9 ->
    check_strategy(Strategy),
    erlscope_native:zlib_deflate_init(Z, level(Level), window(Window));
deflateInit(Z, Level, Method, Window, Memory, Strategy) ->
    erlang:error(badarg, [Z, Level, Method, Window, Memory, Strategy]).

level(none) -> 0;
level(best_speed) -> 1;
level(best_compression) -> 9;
level(default) -> -1;
level(Level) when is_integer(Level), Level >= 0, Level =< 9 -> Level;
level(_) -> erlang:error(bad_compression_level).

window(Bits) when is_integer(Bits), Bits >= 8, Bits < 48; is_integer(Bits), Bits >= -15, Bits =< -8 -> Bits;
window(_) -> erlang:error(bad_windowbits).

check_strategy(Strategy) ->
    lists:member(Strategy, [default, filtered, huffman_only, rle, 0, 1, 2, 3])
        orelse erlang:error(bad_compression_strategy).

deflateSetDictionary(Z, Dictionary) -> erlscope_native:zlib_dictionary(Z, Dictionary).
deflateReset(Z) -> erlscope_native:zlib_reset(Z).
deflateParams(Z, Level, Strategy) ->
    check_strategy(Strategy),
    erlscope_native:zlib_level(Z, level(Level)).
deflate(Z, Data) -> deflate(Z, Data, none).
deflate(Z, Data, Flush) ->
    lists:member(Flush, [none, sync, full, finish]) orelse erlang:error(bad_flush_mode),
    as_list(erlscope_native:zlib_deflate(Z, Data, Flush)).
deflateEnd(Z) -> erlscope_native:zlib_end(Z).

inflateInit(Z) -> inflateInit(Z, ?WINDOW).
inflateInit(Z, Window) -> inflateInit(Z, Window, cut).
inflateInit(Z, Window, AtEnd) when AtEnd =:= cut; AtEnd =:= reset; AtEnd =:= error ->
    erlscope_native:zlib_inflate_init(Z, window(Window), AtEnd);
inflateInit(_, _, _) -> erlang:error(bad_eos_behavior).

inflateSetDictionary(Z, Dictionary) ->
    _ = erlscope_native:zlib_dictionary(Z, Dictionary),
    ok.
inflateGetDictionary(_) -> erlscope_native:unsupported("zlib:inflateGetDictionary/1").
inflateReset(Z) -> erlscope_native:zlib_reset(Z).
inflateEnd(Z) -> erlscope_native:zlib_end(Z).

inflate(Z, Data) -> inflate(Z, Data, []).
inflate(Z, Data, Options) ->
    case erlscope_native:zlib_inflate(Z, Data) of
        {need_dictionary, Adler, Output} ->
            case lists:member({exception_on_need_dict, false}, Options) of
                true -> {need_dictionary, Adler, as_list(Output)};
                false -> erlang:error({need_dictionary, Adler})
            end;
        Output ->
            as_list(Output)
    end.

safeInflate(Z, Data) ->
    case inflate(Z, Data, [{exception_on_need_dict, false}]) of
        {need_dictionary, _, _} = Needed -> Needed;
        Output -> {finished, Output}
    end.

inflateChunk(Z) -> inflateChunk(Z, []).
inflateChunk(Z, Data) -> inflate(Z, Data).

%% Sizes of buffers do not matter.
getBufSize(_) -> 4000.
setBufSize(_, Size) when is_integer(Size), Size > 0 -> ok.

as_list(<<>>) -> [];
as_list(Output) -> [Output].

crc32(_) -> erlscope_native:unsupported("zlib:crc32/1").
crc32(_, Data) -> erlang:crc32(Data).
crc32(_, Start, Data) -> erlang:crc32(Start, Data).
adler32(_, Data) -> erlang:adler32(Data).
adler32(_, Start, Data) -> erlang:adler32(Start, Data).
crc32_combine(_, One, Other, Size) -> erlang:crc32_combine(One, Other, Size).
adler32_combine(_, One, Other, Size) -> erlang:adler32_combine(One, Other, Size).

%% ---- all at once ----

compress(Data) -> deflated(Data, ?WINDOW).
zip(Data) -> deflated(Data, -?WINDOW).
gzip(Data) -> deflated(Data, 16 + ?WINDOW).

uncompress(Data) ->
    try iolist_size(Data) of
        Size when Size < 8 -> erlang:error(data_error);
        _ -> inflated(Data, ?WINDOW, cut)
    catch
        _:_ -> erlang:error(badarg)
    end.
unzip(Data) -> inflated(Data, -?WINDOW, cut).
gunzip(Data) -> inflated(Data, 16 + ?WINDOW, reset).

deflated(Data, Window) ->
    opened(fun(Z) ->
                   deflateInit(Z, default, deflated, Window, 8, default),
                   Output = deflate(Z, Data, finish),
                   deflateEnd(Z),
                   iolist_to_binary(Output)
           end).

inflated(Data, Window, AtEnd) ->
    opened(fun(Z) ->
                   inflateInit(Z, Window, AtEnd),
                   Output = inflate(Z, Data),
                   inflateEnd(Z),
                   iolist_to_binary(Output)
           end).

opened(Action) ->
    Z = open(),
    try Action(Z)
    after close(Z)
    end.
