%% Ciphers for crypto: which there are, texts in one part or in several, padding, authentication, and the errors that OTP
%% gives for wrong arguments. The ciphers themselves are native.
%%
%% A cipher in progress is a cell (erlscope_native:cell/1) that holds a #text{}.
-module(erlscope_cipher).

-export([names/0, info/1, init/4, update/2, final/1, data/1, one_time/5, aead/7, mac_cipher/2]).

%% rest: what does not fill a block yet, encrypting. held: the last block, decrypting with padding. size: bytes given.
-record(text, {cipher, mode, key, state, block, encrypt, padding, rest = <<>>, size = 0, padded = -1}).

%% Name, cipher, mode, sizes of key, initial vector and block, and what OTP's library calls its type.
table() ->
    [{chacha20, chacha20, stream, 32, 16, 1, undefined},
     {aes_256_ofb, aes, ofb, 32, 16, 1, 428},
     {aes_192_ofb, aes, ofb, 24, 16, 1, 424},
     {aes_128_ofb, aes, ofb, 16, 16, 1, 420},
     {blowfish_ecb, blowfish, ecb, 16, 0, 8, undefined},
     {blowfish_ofb64, blowfish, ofb, 16, 8, 1, undefined},
     {blowfish_cfb64, blowfish, cfb, 16, 8, 1, undefined},
     {blowfish_cbc, blowfish, cbc, 16, 8, 8, 91},
     {des_ede3_cfb, des_ede3, cfb, 24, 8, 1, 30},
     {des_ecb, des, ecb, 8, 0, 8, 29},
     {des_cfb, des, cfb, 8, 8, 1, 30},
     {des_cbc, des, cbc, 8, 8, 8, 31},
     {rc4, rc4, stream, 16, 0, 1, 5},
     {rc2_cbc, rc2, cbc, 16, 8, 8, 37},
     {aes_128_cbc, aes, cbc, 16, 16, 16, 419},
     {aes_192_cbc, aes, cbc, 24, 16, 16, 423},
     {aes_256_cbc, aes, cbc, 32, 16, 16, 427},
     {aes_128_cfb128, aes, cfb, 16, 16, 1, 421},
     {aes_192_cfb128, aes, cfb, 24, 16, 1, 425},
     {aes_256_cfb128, aes, cfb, 32, 16, 1, 429},
     {aes_128_cfb8, aes, cfb8, 16, 16, 1, 421},
     {aes_192_cfb8, aes, cfb8, 24, 16, 1, 425},
     {aes_256_cfb8, aes, cfb8, 32, 16, 1, 429},
     {aes_128_ecb, aes, ecb, 16, 0, 16, 418},
     {aes_192_ecb, aes, ecb, 24, 0, 16, 422},
     {aes_256_ecb, aes, ecb, 32, 0, 16, 426},
     {chacha20_poly1305, chacha20_poly1305, aead, 32, 12, 1, undefined},
     {aes_256_gcm, gcm, aead, 32, 12, 1, 901},
     {aes_256_ccm, ccm, aead, 32, 12, 1, 902},
     {aes_192_gcm, gcm, aead, 24, 12, 1, 898},
     {aes_192_ccm, ccm, aead, 24, 12, 1, 899},
     {aes_128_gcm, gcm, aead, 16, 12, 1, 895},
     {aes_128_ccm, ccm, aead, 16, 12, 1, 896},
     {aes_256_ctr, aes, ctr, 32, 16, 1, undefined},
     {aes_192_ctr, aes, ctr, 24, 16, 1, undefined},
     {aes_128_ctr, aes, ctr, 16, 16, 1, undefined},
     {des_ede3_cbc, des_ede3, cbc, 24, 8, 8, 44}].

names() ->
    [element(1, Entry) || Entry <- table()] ++ [aes_cbc, aes_ccm, aes_cfb128, aes_cfb8, aes_ctr, aes_ecb, aes_gcm].

%% The entry of a cipher with keys of this size: undefined, if there is no such cipher, bad_key if the size is wrong.
entry(Name, KeySize) ->
    Known = [Entry || Entry <- table(), element(1, Entry) =:= Name orelse is_family(Name, element(1, Entry))],
    case [Entry || Entry <- Known, fits(Entry, KeySize)] of
        [Entry | _] -> Entry;
        [] when Known =:= [] -> undefined;
        [] -> bad_key
    end.

%% The sizes of AES keys choose the cipher. Others are tried.
fits({_, Cipher, _, _, _, _, _}, _) when Cipher =:= rc4; Cipher =:= blowfish; Cipher =:= rc2; Cipher =:= des;
                                         Cipher =:= des_ede3 -> true;
fits(Entry, Size) -> element(4, Entry) =:= Size.

%% Whether the size of the key is right for one of those.
is_usable({_, rc4, _, _, _, _, _}, Size) -> Size >= 1;
is_usable({_, blowfish, _, _, _, _, _}, Size) -> Size >= 4 andalso Size =< 56;
is_usable({_, rc2, _, _, _, _, _}, Size) -> Size >= 1 andalso Size =< 128;
is_usable({_, _, _, KeySize, _, _, _}, Size) -> KeySize =:= Size.

%% aes_cbc stands for aes_128_cbc and others.
is_family(Family, Name) ->
    case {atom_to_list(Family), atom_to_list(Name)} of
        {"aes_" ++ Mode, "aes_" ++ [_, _, _, $_ | Mode]} -> lists:member(Family, families());
        _ -> false
    end.

families() -> [aes_cbc, aes_ccm, aes_cfb128, aes_cfb8, aes_ctr, aes_ecb, aes_gcm].

%% Of a family, the one with the shortest keys.
info(Name) ->
    First = case [Entry || Entry <- table(), is_family(Name, element(1, Entry))] of
                [] -> Name;
                Family -> element(1, hd(lists:keysort(4, Family)))
            end,
    case lists:keyfind(First, 1, table()) of
        {_, Cipher, Mode, Key, Iv, Block, Type} ->
            #{type => Type, key_length => Key, iv_length => Iv, block_size => Block, prop_aead => Mode =:= aead,
              mode => mode(Cipher, Mode)};
        false ->
            undefined
    end.

mode(gcm, _) -> gcm_mode;
mode(ccm, _) -> ccm_mode;
mode(_, ecb) -> ecb_mode;
mode(_, cbc) -> cbc_mode;
mode(_, ctr) -> ctr_mode;
mode(_, ofb) -> ofb_mode;
mode(_, cfb) -> cfb_mode;
mode(_, cfb8) -> cfb_mode;
mode(_, _) -> stream_cipher.

%% The block cipher for CMAC. (With another mode than CBC OTP's library gives something that is no CMAC.)
mac_cipher(Name, KeySize) ->
    case entry(Name, KeySize) of
        {_, Cipher, cbc, _, _, _, _} -> Cipher;
        undefined -> undefined;
        bad_key -> bad_key;
        _ -> unsupported
    end.

%% ---- texts ----

init(Name, Key, Iv, Options) ->
    choose(Name, Key),
    erlscope_native:cell(begin_text(Name, Key, Iv, Options)).

%% The key of a family chooses the cipher before anything is looked at.
choose(Name, Key) -> lists:member(Name, families()) andalso iolist_size(Key).

begin_text(Name, Key0, Iv0, Options) ->
    {Encrypt, Padding} = options(Options),
    Key = as_binary(Key0, "Bad key", key),
    is_atom(Name) orelse bad("Cipher id is not an atom", cipher),
    {_, Cipher, Mode, _, IvSize, Block, _} = Entry =
        case entry(Name, byte_size(Key)) of
            undefined -> bad("Unknown cipher", cipher);
            bad_key -> case lists:member(Name, families()) of
                           true -> bad("Unknown cipher", cipher);
                           false -> bad("Bad key size", key)
                       end;
            Known -> Known
        end,
    Mode =:= aead andalso bad("Missing arguments for this cipher", cipher),
    Iv = case IvSize of
             0 -> <<>>;
             _ -> as_binary(Iv0, "Bad iv type", iv)
         end,
    byte_size(Iv) =:= IvSize orelse bad("Bad iv size", iv),
    case is_usable(Entry, byte_size(Key)) of
        true -> ok;
        false when Cipher =:= des; Cipher =:= des_ede3 ->
            throw({crypto_error, error, key, "Can't initialize context, key_length"});
        %% OTP's library takes any, and fills or cuts it.
        false -> throw({unsupported, {Name, key_length, byte_size(Key)}})
    end,
    #text{cipher = Cipher, mode = Mode, key = Key, state = Iv, block = Block, encrypt = Encrypt, padding = Padding}.

update(Cell, Data) ->
    {Output, Text} = more(text(Cell), as_binary(Data, "expected binary", data)),
    erlscope_native:set_cell(Cell, Text),
    Output.

final(Cell) ->
    {Output, Text} = last(text(Cell)),
    erlscope_native:set_cell(Cell, Text),
    Output.

data(Cell) ->
    #text{size = Size, padded = Padded, padding = Padding, encrypt = Encrypt} = text(Cell),
    #{size => Size, padding_size => Padded, padding_type => Padding, encrypt => Encrypt}.

text(Cell) ->
    case erlscope_native:cell_value(Cell) of
        #text{} = Text -> Text;
        _ -> bad("Bad State", state)
    end.

one_time(Name, Key, Iv, Data, Options) ->
    choose(Name, Key),
    Bytes = as_binary(Data, "expected binary as data", data),
    {Output, Text} = more(begin_text(Name, Key, Iv, Options), Bytes),
    {Last, _} = last(Text),
    <<Output/binary, Last/binary>>.

%% What comes out when this goes in: whole blocks. Decrypting with padding, the last one is held back.
more(#text{rest = Rest, size = Size, block = Block} = Text, Data) ->
    All = <<Rest/binary, Data/binary>>,
    Whole = case Text of
                #text{block = 1} -> byte_size(All);
                #text{encrypt = false, padding = pkcs_padding} -> max(0, byte_size(All) - 1) div Block * Block;
                _ -> byte_size(All) div Block * Block
            end,
    <<Now:Whole/binary, Later/binary>> = All,
    {Output, State} = run(Text, Now),
    {Output, Text#text{state = State, rest = Later, size = Size + byte_size(Data)}}.

run(#text{cipher = Cipher, mode = Mode, key = Key, state = State, encrypt = Encrypt}, Data) ->
    erlscope_native:cipher(Cipher, Mode, Key, State, Data, Encrypt).

%% The last block, filled or stripped as the padding says.
last(#text{block = 1, padding = Padding} = Text) ->
    {<<>>, Text#text{padded = padded_size(Text, Padding)}};
last(#text{padding = undefined} = Text) ->
    {<<>>, Text#text{padded = padded_size(Text, undefined)}};
last(#text{encrypt = true, padding = Padding, rest = Rest, block = Block} = Text) ->
    Missing = Block - byte_size(Rest),
    Filled = case Padding of
                 pkcs_padding -> <<Rest/binary, (binary:copy(<<Missing>>, Missing))/binary>>;
                 _ when Rest =:= <<>> -> <<>>;
                 zero -> <<Rest/binary, 0:Missing/unit:8>>;
                 random -> <<Rest/binary, (erlscope_native:random_bytes(Missing))/binary>>;
                 none -> failed("Padding 'none' but unfilled last block")
             end,
    {Output, State} = run(Text, Filled),
    {Output, Text#text{state = State, rest = <<>>, padded = padded_size(Text, Padding)}};
last(#text{padding = pkcs_padding, rest = Rest, block = Block} = Text) ->
    byte_size(Rest) =:= Block orelse failed("Can't finalize"),
    {Clear, State} = run(Text, Rest),
    Count = binary:last(Clear),
    Kept = Block - Count,
    case Clear of
        <<Output:Kept/binary, Filling/binary>> when Count >= 1 ->
            Filling =:= binary:copy(<<Count>>, Count) orelse failed("Can't finalize"),
            {Output, Text#text{state = State, rest = <<>>}};
        _ ->
            failed("Can't finalize")
    end;
last(#text{rest = <<>>} = Text) ->
    {<<>>, Text};
last(_) ->
    failed("Can't finalize").

padded_size(#text{encrypt = false, padded = Before}, _) -> Before;
padded_size(#text{size = Size, block = Block}, Padding) ->
    case {Size rem Block, Padding} of
        {0, pkcs_padding} -> Block;
        {0, _} -> 0;
        {Over, _} -> Block - Over
    end.

%% Whether to encrypt, and how the last block is filled.
options(Encrypt) when is_boolean(Encrypt) -> {Encrypt, undefined};
options(Options) ->
    is_list(Options) andalso is_integer(catch length(Options))
        orelse bad("Options are not a boolean or a proper list", options),
    options(Options, default, default).

options([], Encrypt, Padding) ->
    Or = fun(default, Default) -> Default; (Value, _) -> Value end,
    {Or(Encrypt, true), Or(Padding, undefined)};
options([{encrypt, _} | _], Encrypt, _) when Encrypt =/= default ->
    bad("'encrypt' option is present more than once!", options);
options([{encrypt, Encrypt} | Options], _, Padding) when is_boolean(Encrypt) -> options(Options, Encrypt, Padding);
options([{encrypt, _} | _], _, _) -> bad("The 'encrypt' option must be a boolean!", options);
options([{padding, _} | _], _, Padding) when Padding =/= default ->
    bad("The 'padding' option is present more than once!", options);
options([{padding, Padding} | Options], Encrypt, _) ->
    case lists:member(Padding, [undefined, none, zero, random, pkcs_padding]) of
        true -> options(Options, Encrypt, Padding);
        false -> bad("Bad 'padding' option value", options)
    end;
options([{Other, _} | _], _, _) -> bad(lists:flatten(io_lib:format("Bad tag in option: ~w", [Other])), options);
options(_, _, _) -> bad("Options must be a property list!", options).

%% ---- with authentication ----

aead(Name, Key0, Iv0, Text0, More0, Tag0, Encrypt) ->
    choose(Name, Key0),
    is_boolean(Encrypt) orelse bad("Bad enc flag", 7),
    is_atom(Name) orelse bad("non-atom cipher type", 1),
    Key = as_binary(Key0, "non-binary key", 2),
    Iv = as_binary(Iv0, "non-binary iv", 3),
    Text = as_binary(Text0, "non-binary text", 4),
    More = as_binary(More0, "non-binary AAD", 5),
    Tag = case Encrypt of
              true when is_integer(Tag0), Tag0 >= 0, Tag0 < 1 bsl 32 -> Tag0;
              true -> bad("Bad Tag length", 6);
              false -> as_binary(Tag0, "non-binary Tag", 6)
          end,
    Cipher = case entry(Name, byte_size(Key)) of
                 {_, Known, aead, _, _, _, _} -> Known;
                 Missing when is_atom(Missing) -> bad("Unknown cipher or invalid key size", 1);
                 _ -> bad("Not aead cipher", 1)
             end,
    case erlscope_native:aead(Cipher, Key, Iv, Text, More, Tag, Encrypt) of
        {bad, iv} -> bad("Bad IV length", 3);
        {bad, tag} when Cipher =:= ccm -> bad("Can't set tag", 6);
        {bad, tag} when Encrypt -> failed("Can't get Tag");
        {bad, tag} -> error;
        Result -> Result
    end.

%% ---- errors ----
%% For crypto, which knows the arguments: what an argument is, or its number.

as_binary(Data, Complaint, What) ->
    try iolist_to_binary(Data)
    catch error:_ -> bad(Complaint, What)
    end.

-spec bad(string(), atom() | integer()) -> no_return().
bad(Complaint, What) -> throw({crypto_error, badarg, What, Complaint}).

-spec failed(string()) -> no_return().
failed(Complaint) -> throw({crypto_error, error, undefined, Complaint}).
