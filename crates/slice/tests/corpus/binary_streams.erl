%% Binaries that are built up and taken apart in loops, by generators and over processes.
%% inputs: pairs(list({nat, nat})), frames(list(nat)), relay(nat, nat, binary), rewrite(binary), chunks(binary, nat), effects(nat, nat), headers(list(nat)), bad(any)
-module(binary_streams).
-export([pairs/1, frames/1, relay/3, rewrite/1, chunks/2, effects/2, headers/1, bad/1]).

-record(head, {version, kind, size}).

pairs(L) ->
    Bin = << <<K:8, V:16>> || {K, V} <- L >>,
    Keys = [K || <<K, _:16>> <= Bin],
    Values = [V || <<_, V:16>> <= Bin],
    Swapped = << <<V:16, K>> || <<K, V:16>> <= Bin >>,
    Sum = total(Swapped, 0),
    {Keys, Values, Sum}.

total(<<V:16, _, Rest/binary>>, Sum) -> total(Rest, Sum + V);
total(<<>>, Sum) -> Sum.

frames(Ns) ->
    Stream = lists:foldl(fun(N, Acc) -> <<Acc/binary, 1:4, (N rem 3):4, N:8>> end, <<>>, Ns),
    count(Stream, 0, 0).

count(<<Version:4, Kind:4, N:8, Rest/binary>>, Kinds, Sum) ->
    Next = Kinds + Kind * Version,
    count(Rest, Next, Sum + N);
count(<<>>, Kinds, Sum) ->
    {Kinds, Sum}.

relay(A, B, Data) ->
    Self = self(),
    Pid = spawn(fun() -> server(Self) end),
    Pid ! {packet, <<A:8, B:8, Data/binary>>},
    Answer = receive {answer, Back} -> Back after 1000 -> none end,
    Pid ! stop,
    Answer.

server(Client) ->
    receive
        {packet, <<A:8, B:8, Data/binary>>} ->
            Length = byte_size(Data),
            Client ! {answer, <<B:8, A:8, Length:16>>},
            server(Client);
        stop -> ok
    end.

rewrite(Bin) ->
    Out = << <<(if B > 127 -> 255; true -> B end)>> || <<B>> <= Bin >>,
    High = << <<1:1>> || <<B>> <= Out, B =:= 255 >>,
    Bits = bit_size(High),
    First = case Out of <<F, _/binary>> -> F; <<>> -> none end,
    {Bits, First}.

chunks(Bin, N) ->
    Size = 1 + N rem 4,
    split(Bin, Size, []).

split(Bin, Size, Acc) ->
    case Bin of
        <<Chunk:Size/binary, Rest/binary>> ->
            Sum = lists:sum(binary_to_list(Chunk)),
            split(Rest, Size, [Sum | Acc]);
        Last ->
            {byte_size(Last), lists:reverse(Acc)}
    end.

effects(A, B) ->
    put(calls, 0),
    Bin = <<(noted(A)):8, (noted(B)):8>>,
    <<X, _>> = Bin,
    Calls = get(calls),
    {X, Calls}.

noted(X) ->
    put(calls, get(calls) + 1),
    X.

headers(Ns) ->
    Heads = [<<1:3, (N rem 32):5, N:16>> || N <- Ns],
    Parsed = [parse(H) || H <- Heads],
    Kinds = [Kind || #head{kind = Kind} <- Parsed],
    Sizes = lists:sum([Size || #head{size = Size} <- Parsed]),
    {Kinds, Sizes}.

parse(<<V:3, K:5, Size:16>>) -> #head{version = V, kind = K, size = Size}.

bad(X) ->
    R = try [B || <<B>> <= X] of
        [] -> empty;
        [First | _] -> First
    catch
        error:{bad_generator, What} -> {bad, What}
    end,
    S = try length([B || <<B:4>> <= X]) catch _:_ -> none end,
    {R, S}.
