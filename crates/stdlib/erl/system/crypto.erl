%% crypto: hashes, message authentication codes and random bytes. Random bytes come from the World's seed: a run with the
%% same seed gives the same, so they are for testing programs, not for secrets. Of ciphers there is AES (ECB, CBC and CTR,
%% of whole texts); keys and signatures are not supported.
%%
%% The states of hashes and codes in progress are terms that hold what was given so far.
-module(crypto).

-export([start/0, stop/0, info_lib/0, info_fips/0, supports/0, supports/1, version/0]).
-export([hash/2, hash_init/1, hash_update/2, hash_final/1, hash_equals/2, hash_info/1]).
-export([mac/3, mac/4, macN/4, macN/5, mac_init/2, mac_init/3, mac_update/2, mac_final/1, mac_finalN/2, pbkdf2_hmac/5]).
-export([strong_rand_bytes/1, strong_rand_range/1, rand_uniform/2, rand_seed/0, rand_seed/1, rand_seed_s/0,
         rand_seed_alg/1, rand_seed_alg/2, rand_seed_alg_s/1, rand_seed_alg_s/2, rand_plugin_next/1, rand_plugin_uniform/1, rand_plugin_uniform/2, rand_cache_plugin_next/1,
         rand_plugin_aes_next/1, rand_plugin_aes_jump/1, rand_plugin_aes_jump_2pow20/1]).
-export([exor/2, bytes_to_integer/1, mod_pow/3]).
-export([crypto_one_time/4, crypto_one_time/5, crypto_one_time_aead/6, crypto_one_time_aead/7, crypto_init/3,
         crypto_init/4, crypto_update/2, crypto_final/1, sign/4, sign/5, verify/5, verify/6, generate_key/2,
         generate_key/3, compute_key/4, public_encrypt/4, private_decrypt/4, private_encrypt/4, public_decrypt/4]).

-define(BAD(Args, Number, What), erlang:error({badarg, {"crypto", 0}, What}, Args,
                                              [{error_info, #{erl_function_arg_num => Number}}])).

start() -> ok.
stop() -> ok.
version() -> "5.1.2".
info_lib() -> [{<<"erlscope">>, 0, <<"erlscope">>}].
info_fips() -> not_supported.

supports() -> [{hashs, supports(hashs)}, {ciphers, supports(ciphers)}, {public_keys, []}, {macs, supports(macs)}, {curves, []},
               {rsa_opts, []}].
supports(hashs) -> [sha, sha224, sha256, sha384, sha512, md5];
supports(macs) -> [hmac];
supports(ciphers) ->
    [aes_128_ecb, aes_192_ecb, aes_256_ecb, aes_128_cbc, aes_192_cbc, aes_256_cbc, aes_128_ctr, aes_192_ctr, aes_256_ctr];
supports(Type) when Type =:= public_keys; Type =:= curves; Type =:= rsa_opts -> [].

%% ---- hashes ----

hash(Type, Data) ->
    Bytes = iolist_to_binary(Data),
    case erlscope_native:hash(Type, Bytes) of
        undefined ->
            known_elsewhere(Type) andalso unsupported("hash/2", Type),
            ?BAD([Type, Bytes], 1, "Bad digest type");
        Sum ->
            Sum
    end.

%% What OTP may have and we have not.
known_elsewhere(Type) ->
    lists:member(Type, [md4, ripemd160, sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256, blake2b, blake2s]).

hash_init(Type) ->
    _ = hash(Type, <<>>),
    {hash_state, Type, []}.

hash_update({hash_state, Type, Parts}, Data) -> {hash_state, Type, [Parts | iolist_to_binary(Data)]}.

hash_final({hash_state, Type, Parts}) -> hash(Type, Parts).

hash_equals(One, Other) when is_binary(One), is_binary(Other), byte_size(One) =:= byte_size(Other) -> One =:= Other;
hash_equals(One, Other) -> erlang:error(badarg, [One, Other]).

hash_info(Type) ->
    Block = case Type of
                sha384 -> 128;
                sha512 -> 128;
                _ -> 64
            end,
    #{size => byte_size(hash(Type, <<>>)), block_size => Block, type => 0}.

%% ---- message authentication codes ----

mac(Type, _Key, _Data) -> unsupported("mac/3", Type).

mac(hmac, Hash, Key, Data) ->
    case erlscope_native:hmac(Hash, Key, Data) of
        undefined ->
            known_elsewhere(Hash) andalso unsupported("mac/4", Hash),
            ?BAD([hmac, Hash, Key, Data], 2, "Bad digest algorithm for HMAC");
        Code ->
            Code
    end;
mac(Type, _, _, _) -> unsupported("mac/4", Type).

macN(Type, _Key, _Data, _Length) -> unsupported("macN/4", Type).
macN(Type, Hash, Key, Data, Length) -> shortened(mac(Type, Hash, Key, Data), Length).

mac_init(Type, _Key) -> unsupported("mac_init/2", Type).
mac_init(hmac, Hash, Key) ->
    _ = mac(hmac, Hash, Key, <<>>),
    {mac_state, Hash, iolist_to_binary(Key), []};
mac_init(Type, _, _) -> unsupported("mac_init/3", Type).

mac_update({mac_state, Hash, Key, Parts}, Data) -> {mac_state, Hash, Key, [Parts | iolist_to_binary(Data)]}.

mac_final({mac_state, Hash, Key, Parts}) -> mac(hmac, Hash, Key, Parts).

mac_finalN(State, Length) -> shortened(mac_final(State), Length).

shortened(Code, Length) -> binary_part(Code, 0, Length).

pbkdf2_hmac(Hash, Password, Salt, Iterations, Length) ->
    case erlscope_native:pbkdf2_hmac(Hash, Password, Salt, Iterations, Length) of
        undefined -> ?BAD([Hash, Password, Salt, Iterations, Length], 1, "Bad digest type");
        Key -> Key
    end.

%% ---- random ----

%% Bits of the numbers of the generators that work with a cache, and with AES.
-define(CACHE_BITS, 56).
-define(AES_BITS, 58).

strong_rand_bytes(Count) -> erlscope_native:random_bytes(Count).

strong_rand_range(Range) when is_integer(Range), Range > 0 ->
    %% Bits enough to make the uneven rest not matter.
    Size = byte_size(binary:encode_unsigned(Range)) + 8,
    binary:encode_unsigned(binary:decode_unsigned(strong_rand_bytes(Size)) rem Range);
strong_rand_range(Range) when is_binary(Range) -> strong_rand_range(binary:decode_unsigned(Range)).

rand_uniform(From, To) when is_integer(From), is_integer(To), From < To ->
    From + binary:decode_unsigned(strong_rand_range(To - From)).

rand_seed() -> rand:seed(rand_seed_s()).
rand_seed(Seed) when is_binary(Seed) -> ok.
rand_seed_s() -> rand_seed_alg_s(crypto).
rand_seed_alg(Algorithm) -> rand:seed(rand_seed_alg_s(Algorithm)).
rand_seed_alg(Algorithm, Seed) -> rand:seed(rand_seed_alg_s(Algorithm, Seed)).
rand_seed_alg_s({Handler, _} = State) when is_map(Handler) -> State;
rand_seed_alg_s({Algorithm, State}) when is_atom(Algorithm) -> {rand_handler(Algorithm), State};
rand_seed_alg_s(crypto) -> {rand_handler(crypto), no_seed};
rand_seed_alg_s(crypto_cache) ->
    %% Whole words, and two more than fit.
    Word = (?CACHE_BITS + 7) div 8,
    Bytes = (rand_cache_size() + 2 * Word - 1) div Word * Word,
    {rand_handler(crypto_cache), {?CACHE_BITS, Bytes, <<>>}}.
rand_seed_alg_s(crypto_aes, Seed) ->
    <<Beginning:64, _:6, Fixed:12, Third:58, Second:58, First:58>> = hash(sha256, [Seed, <<"Xoroshiro928">>]),
    Counter = rand:exro928_seed([First, Second, Third | rand:seed58(13, Beginning)]),
    {rand_handler(crypto_aes), {hash(sha256, Seed), (rand_cache_size() + 31) div 16, Fixed, Counter}}.

rand_handler(crypto) ->
    #{type => crypto, bits => 64, next => fun ?MODULE:rand_plugin_next/1,
      uniform => fun ?MODULE:rand_plugin_uniform/1, uniform_n => fun ?MODULE:rand_plugin_uniform/2};
rand_handler(crypto_cache) ->
    #{type => crypto_cache, bits => ?CACHE_BITS, next => fun ?MODULE:rand_cache_plugin_next/1};
rand_handler(crypto_aes) ->
    #{type => crypto_aes, bits => ?AES_BITS, next => fun ?MODULE:rand_plugin_aes_next/1,
      jump => fun ?MODULE:rand_plugin_aes_jump/1}.

rand_cache_size() ->
    case application:get_env(crypto, rand_cache_size) of
        {ok, Size} when is_integer(Size), Size >= 0 -> Size;
        _ -> 1024
    end.

rand_cache_plugin_next({Bits, Bytes, <<>>}) -> rand_cache_plugin_next({Bits, Bytes, strong_rand_bytes(Bytes)});
rand_cache_plugin_next({Bits, Bytes, Cache}) ->
    <<Number:Bits, Rest/binary>> = Cache,
    {Number, {Bits, Bytes, Rest}}.

%% Numbers are the last bits of encrypted values of a counter, which is a generator with a long period. Some
%% are made at a time: a list of them that ends with the state they were made from, and the counter after it.
rand_plugin_aes_next([Number | Rest]) -> {Number, Rest};
rand_plugin_aes_next({Key, Words, Fixed, Counter}) -> aes_numbers(Key, Words, Fixed, Counter);
rand_plugin_aes_next({Key, Words, Fixed, _, Counter}) -> aes_numbers(Key, Words, Fixed, Counter).

aes_numbers(Key, Words, Fixed, Counter) ->
    {Blocks, Next} = counted(Words, Fixed, Counter, <<>>),
    Encrypted = erlscope_native:aes(ecb, Key, <<>>, Blocks, true),
    Numbers = [Number || <<_:(128 - ?AES_BITS), Number:?AES_BITS>> <= Encrypted],
    [First | Rest] = lists:foldr(fun(Number, Tail) -> [Number | Tail] end, {Key, Words, Fixed, Counter, Next}, Numbers),
    {First, Rest}.

counted(0, _, Counter, Blocks) -> {Blocks, Counter};
counted(Words, Fixed, Counter, Blocks) ->
    {{Low, High}, Next} = rand:exro928_next(Counter),
    counted(Words - 1, Fixed, Next, <<Blocks/binary, Fixed:12, High:58, Low:58>>).

rand_plugin_aes_jump({#{type := crypto_aes} = Handler, State}) ->
    {Handler, aes_jump(fun rand:exro928_jump_2pow512/1, 0, State)}.
rand_plugin_aes_jump_2pow20(State) -> aes_jump(fun rand:exro928_jump_2pow20/1, 0, State).

%% The counter is ahead of the numbers by those that are left.
aes_jump(Jump, Left, [_ | Rest]) -> aes_jump(Jump, Left + 1, Rest);
aes_jump(Jump, Left, {Key, Words, Fixed, Base, _}) ->
    {Key, Words, Fixed, skipped(Words - Left, Jump(Base))};
aes_jump(Jump, 0, {Key, Words, Fixed, Base}) -> {Key, Words, Fixed, Jump(Base)}.

skipped(0, Counter) -> Counter;
skipped(Count, Counter) -> skipped(Count - 1, rand:exro928_next_state(Counter)).

rand_plugin_next(Seed) ->
    <<Number:64>> = strong_rand_bytes(8),
    {Number, Seed}.

rand_plugin_uniform(State) ->
    <<Number:53, _:3>> = strong_rand_bytes(7),
    {Number * math:pow(2, -53), State}.

rand_plugin_uniform(Max, State) -> {rand_uniform(0, Max) + 1, State}.

%% ---- numbers ----

exor(One, Other) ->
    Left = iolist_to_binary(One),
    Right = iolist_to_binary(Other),
    Size = byte_size(Left),
    case byte_size(Right) of
        Size ->
            <<A:Size/unit:8>> = Left,
            <<B:Size/unit:8>> = Right,
            <<(A bxor B):Size/unit:8>>;
        _ ->
            erlang:error(badarg, [One, Other])
    end.

bytes_to_integer(Bytes) -> binary:decode_unsigned(Bytes).

mod_pow(Base, Exponent, Modulus) ->
    case power(number(Base), number(Exponent), number(Modulus), 1) of
        0 -> error;
        Result -> binary:encode_unsigned(Result)
    end.

number(Bytes) when is_binary(Bytes) -> binary:decode_unsigned(Bytes);
number(Number) when is_integer(Number) -> Number.

power(_, 0, Modulus, Result) -> Result rem Modulus;
power(Base, Exponent, Modulus, Result) when Exponent band 1 =:= 1 ->
    power(Base * Base rem Modulus, Exponent bsr 1, Modulus, Result * Base rem Modulus);
power(Base, Exponent, Modulus, Result) -> power(Base * Base rem Modulus, Exponent bsr 1, Modulus, Result).

%% ---- ciphers ----

crypto_one_time(Cipher, Key, Data, Options) -> one_time(Cipher, Key, <<>>, Data, Options, [Cipher, Key, Data, Options]).
crypto_one_time(Cipher, Key, Iv, Data, Options) ->
    one_time(Cipher, Key, Iv, Data, Options, [Cipher, Key, Iv, Data, Options]).

one_time(Cipher, Key, Iv, Data, Options, Arguments) ->
    {Mode, KeySize} = case aes_kind(Cipher) of
                          undefined ->
                              known_cipher(Cipher) andalso unsupported("crypto_one_time", Cipher),
                              cipher_error(badarg, "Unknown cipher", cipher, Arguments);
                          Kind ->
                              Kind
                      end,
    KeyBytes = as_binary(Key, "Bad key", key, Arguments),
    byte_size(KeyBytes) =:= KeySize orelse cipher_error(badarg, "Bad key size", key, Arguments),
    IvBytes = as_binary(Iv, "Bad iv type", iv, Arguments),
    Mode =:= ecb orelse byte_size(IvBytes) =:= 16 orelse cipher_error(badarg, "Bad iv size", iv, Arguments),
    {Encrypt, Padding} = cipher_options(Options, Arguments),
    Bytes = as_binary(Data, "expected binary as data", data, Arguments),
    case {Mode, Encrypt} of
        {ctr, _} ->
            erlscope_native:aes(ctr, KeyBytes, IvBytes, Bytes, Encrypt);
        {_, true} ->
            erlscope_native:aes(Mode, KeyBytes, IvBytes, padded(Bytes, Padding, Arguments), true);
        {_, false} ->
            byte_size(Bytes) rem 16 =:= 0 orelse Padding =:= undefined
                orelse cipher_error(error, "Can't finalize", undefined, Arguments),
            unpadded(erlscope_native:aes(Mode, KeyBytes, IvBytes, Bytes, false), Padding, Arguments)
    end.

aes_kind(aes_128_ecb) -> {ecb, 16};
aes_kind(aes_192_ecb) -> {ecb, 24};
aes_kind(aes_256_ecb) -> {ecb, 32};
aes_kind(aes_128_cbc) -> {cbc, 16};
aes_kind(aes_192_cbc) -> {cbc, 24};
aes_kind(aes_256_cbc) -> {cbc, 32};
aes_kind(aes_128_ctr) -> {ctr, 16};
aes_kind(aes_192_ctr) -> {ctr, 24};
aes_kind(aes_256_ctr) -> {ctr, 32};
aes_kind(_) -> undefined.

%% Ciphers that OTP's has and this does not.
known_cipher(Cipher) ->
    lists:member(Cipher, [aes_cbc, aes_ctr, aes_ecb, aes_128_cfb8, aes_192_cfb8, aes_256_cfb8, aes_128_cfb128,
                          aes_192_cfb128, aes_256_cfb128, aes_128_ofb, aes_192_ofb, aes_256_ofb, aes_cfb8, aes_cfb128,
                          blowfish_cbc, blowfish_cfb64, blowfish_ecb, blowfish_ofb64, chacha20, des_cbc, des_cfb,
                          des_ecb, des_ede3_cbc, des_ede3_cfb, rc2_cbc, rc4]).

%% Whether to encrypt, and how the last block is filled.
cipher_options(Encrypt, _) when is_boolean(Encrypt) -> {Encrypt, undefined};
cipher_options(Options, Arguments) ->
    try {proplists:get_value(encrypt, Options, true), proplists:get_value(padding, Options, undefined)} of
        {Encrypt, Padding} when is_boolean(Encrypt) ->
            case lists:member(Padding, [undefined, none, zero, random, pkcs_padding]) of
                true -> {Encrypt, Padding};
                false -> cipher_error(badarg, "Bad 'padding' option", options, Arguments)
            end;
        _ ->
            cipher_error(badarg, "Bad 'encrypt' option", options, Arguments)
    catch
        error:_ -> cipher_error(badarg, "Options are not a boolean or a proper list", options, Arguments)
    end.

padded(Data, Padding, Arguments) ->
    Missing = 16 - byte_size(Data) rem 16,
    case Padding of
        %% What is not a whole block is left out.
        undefined -> Data;
        pkcs_padding -> <<Data/binary, (binary:copy(<<Missing>>, Missing))/binary>>;
        _ when Missing =:= 16 -> Data;
        zero -> <<Data/binary, 0:Missing/unit:8>>;
        random -> <<Data/binary, (strong_rand_bytes(Missing))/binary>>;
        none -> cipher_error(error, "Padding 'none' but unfilled last block", undefined, Arguments)
    end.

unpadded(<<>>, pkcs_padding, Arguments) -> cipher_error(error, "Can't finalize", undefined, Arguments);
unpadded(Data, pkcs_padding, Arguments) ->
    Count = binary:last(Data),
    Kept = byte_size(Data) - Count,
    case Data of
        <<Clear:Kept/binary, Filling/binary>> when Count >= 1, Count =< 16 ->
            case binary:copy(<<Count>>, Count) of
                Filling -> Clear;
                _ -> cipher_error(error, "Can't finalize", undefined, Arguments)
            end;
        _ ->
            cipher_error(error, "Can't finalize", undefined, Arguments)
    end;
unpadded(Data, _, _) -> Data.

as_binary(Data, Complaint, Name, Arguments) ->
    try iolist_to_binary(Data)
    catch error:_ -> cipher_error(badarg, Complaint, Name, Arguments)
    end.

%% OTP's names the line of its own source, too.
cipher_error(Class, Text, Name, Arguments) ->
    Number = case {Name, length(Arguments)} of
                 {cipher, _} -> 1;
                 {key, _} -> 2;
                 {iv, 5} -> 3;
                 {data, Count} -> Count - 1;
                 {options, Count} -> Count;
                 _ -> undefined
             end,
    erlang:error({Class, {"api_ng.c", 0}, Text}, Arguments, [{error_info, #{erl_function_arg_num => Number}}]).

%% ---- what is missing ----

crypto_one_time_aead(Cipher, _, _, _, _, _) -> unsupported("crypto_one_time_aead/6", Cipher).
crypto_one_time_aead(Cipher, _, _, _, _, _, _) -> unsupported("crypto_one_time_aead/7", Cipher).
crypto_init(Cipher, _, _) -> unsupported("crypto_init/3", Cipher).
crypto_init(Cipher, _, _, _) -> unsupported("crypto_init/4", Cipher).
crypto_update(_, _) -> unsupported("crypto_update/2", cipher).
crypto_final(_) -> unsupported("crypto_final/1", cipher).
sign(Algorithm, _, _, _) -> unsupported("sign/4", Algorithm).
sign(Algorithm, _, _, _, _) -> unsupported("sign/5", Algorithm).
verify(Algorithm, _, _, _, _) -> unsupported("verify/5", Algorithm).
verify(Algorithm, _, _, _, _, _) -> unsupported("verify/6", Algorithm).
generate_key(Type, _) -> unsupported("generate_key/2", Type).
generate_key(Type, _, _) -> unsupported("generate_key/3", Type).
compute_key(Type, _, _, _) -> unsupported("compute_key/4", Type).
public_encrypt(Algorithm, _, _, _) -> unsupported("public_encrypt/4", Algorithm).
private_decrypt(Algorithm, _, _, _) -> unsupported("private_decrypt/4", Algorithm).
private_encrypt(Algorithm, _, _, _) -> unsupported("private_encrypt/4", Algorithm).
public_decrypt(Algorithm, _, _, _) -> unsupported("public_decrypt/4", Algorithm).

unsupported(Function, What) ->
    erlscope_native:unsupported(lists:flatten(io_lib:format("crypto:~s: ~tp is not supported", [Function, What]))).
