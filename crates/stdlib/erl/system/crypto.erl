%% crypto: hashes, message authentication codes, ciphers, keys, signatures and random bytes. Random bytes come from the
%% World's seed: a run with the same seed gives the same, so they are for testing programs, not for secrets.
%%
%% Ciphers are in erlscope_cipher, signatures and encryption with public keys in erlscope_pkey, making keys in
%% erlscope_keys. Missing are engines, FIPS mode, curves over binary fields and X9.31 padding.
%%
%% The states of hashes and codes in progress are terms that hold what was given so far.
-module(crypto).

-export([start/0, stop/0, info_lib/0, info_fips/0, enable_fips_mode/1, supports/0, supports/1, version/0]).
-export([hash/2, hash_init/1, hash_update/2, hash_final/1, hash_equals/2, hash_info/1]).
-export([mac/3, mac/4, macN/4, macN/5, mac_init/2, mac_init/3, mac_update/2, mac_final/1, mac_finalN/2, pbkdf2_hmac/5]).
-export([strong_rand_bytes/1, strong_rand_range/1, rand_uniform/2, rand_seed/0, rand_seed/1, rand_seed_s/0,
         rand_seed_alg/1, rand_seed_alg/2, rand_seed_alg_s/1, rand_seed_alg_s/2, rand_plugin_next/1, rand_plugin_uniform/1, rand_plugin_uniform/2, rand_cache_plugin_next/1,
         rand_plugin_aes_next/1, rand_plugin_aes_jump/1, rand_plugin_aes_jump_2pow20/1]).
-export([exor/2, bytes_to_integer/1, mod_pow/3]).
-export([cipher_info/1, crypto_one_time/4, crypto_one_time/5, crypto_one_time_aead/6, crypto_one_time_aead/7,
         crypto_init/3, crypto_init/4, crypto_update/2, crypto_final/1, crypto_get_data/1, crypto_dyn_iv_init/3,
         crypto_dyn_iv_update/3]).
-export([sign/4, sign/5, verify/5, verify/6, generate_key/2, generate_key/3, compute_key/4, privkey_to_pubkey/2,
         public_encrypt/4, private_decrypt/4, private_encrypt/4, public_decrypt/4, ec_curves/0, ec_curve/1]).
-export([format_error/2]).

-define(BAD(Args, Number, What), erlang:error({badarg, {"hash.c", 0}, What}, Args,
                                              [{error_info, #{erl_function_arg_num => Number}}])).

start() -> ok.
stop() -> ok.
version() -> "5.1.2".
info_lib() -> [{<<"erlscope">>, 0, <<"erlscope">>}].
info_fips() -> not_supported.

enable_fips_mode(false) -> true;
enable_fips_mode(true) -> false.

supports() -> [{Type, supports(Type)} || Type <- [hashs, ciphers, public_keys, macs, curves, rsa_opts]].

supports(hashs) -> known_hashes();
supports(macs) -> [cmac, hmac, poly1305];
supports(ciphers) -> erlscope_cipher:names();
supports(public_keys) -> [rsa, dss, dh, ecdsa, ecdh, eddsa, eddh, srp];
supports(curves) -> erlscope_curves:names() ++ [ed25519, ed448, x25519, x448];
supports(rsa_opts) ->
    [rsa_pkcs1_pss_padding, rsa_pss_saltlen, rsa_mgf1_md, rsa_pkcs1_oaep_padding, rsa_oaep_label, rsa_oaep_md, signature_md,
     rsa_pkcs1_padding, rsa_no_padding].

known_hashes() ->
    [blake2s, blake2b, sha3_512, sha3_384, sha3_256, sha3_224, sha512, sha384, sha256, sha224, sha, ripemd160, md5, md4].

%% ---- hashes ----

hash(Type, Data) ->
    Bytes = iolist_to_binary(Data),
    case erlscope_native:hash(Type, Bytes) of
        undefined -> ?BAD([Type, Bytes], 1, "Bad digest type");
        Sum -> Sum
    end.

hash_init(Type) ->
    _ = hash(Type, <<>>),
    {hash_state, Type, []}.

hash_update({hash_state, Type, Parts}, Data) -> {hash_state, Type, [Parts | iolist_to_binary(Data)]}.

hash_final({hash_state, Type, Parts}) -> hash(Type, Parts).

hash_equals(One, Other) when is_binary(One), is_binary(Other), byte_size(One) =:= byte_size(Other) -> One =:= Other;
hash_equals(One, Other) -> erlang:error(badarg, [One, Other]).

%% Size, size of a block, and what OTP's library calls its type.
hash_info(Type) ->
    {Size, Block, Number} =
        case Type of
            md4 -> {16, 64, 257};
            md5 -> {16, 64, 4};
            ripemd160 -> {20, 64, 117};
            sha -> {20, 64, 64};
            sha224 -> {28, 64, 675};
            sha256 -> {32, 64, 672};
            sha384 -> {48, 128, 673};
            sha512 -> {64, 128, 674};
            sha3_224 -> {28, 144, 1096};
            sha3_256 -> {32, 136, 1097};
            sha3_384 -> {48, 104, 1098};
            sha3_512 -> {64, 72, 1099};
            blake2b -> {64, 128, 1056};
            blake2s -> {32, 64, 1057};
            _ -> erlang:error(badarg, [Type])
        end,
    #{size => Size, block_size => Block, type => Number}.

%% ---- message authentication codes ----

mac(poly1305, Key, Data) -> code(poly1305, undefined, Key, Data, [poly1305, Key, Data]).

mac(Type, SubType, Key, Data) -> code(Type, SubType, Key, Data, [Type, SubType, Key, Data]).

macN(Type, Key, Data, Length) -> shortened(mac(Type, Key, Data), Length).
macN(Type, SubType, Key, Data, Length) -> shortened(mac(Type, SubType, Key, Data), Length).

mac_init(poly1305, Key) ->
    _ = code(poly1305, undefined, Key, <<>>, [poly1305, Key]),
    {mac_state, poly1305, undefined, iolist_to_binary(Key), []}.
mac_init(Type, SubType, Key) ->
    _ = code(Type, SubType, Key, <<>>, [Type, SubType, Key]),
    {mac_state, Type, SubType, iolist_to_binary(Key), []}.

mac_update({mac_state, Type, SubType, Key, Parts}, Data) ->
    {mac_state, Type, SubType, Key, [Parts | iolist_to_binary(Data)]}.

mac_final({mac_state, Type, SubType, Key, Parts} = State) -> code(Type, SubType, Key, Parts, [State]).

mac_finalN(State, Length) -> shortened(mac_final(State), Length).

shortened(Code, Length) -> binary_part(Code, 0, Length).

code(hmac, Hash, Key, Data, Arguments) ->
    case is_atom(Hash) andalso erlscope_native:hmac(Hash, Key, Data) of
        Code when is_binary(Code) -> Code;
        _ -> mac_error(badarg, 2, "Bad digest algorithm for HMAC", Arguments)
    end;
code(cmac, Cipher, Key, Data, Arguments) ->
    Bytes = iolist_to_binary(Key),
    case erlscope_cipher:mac_cipher(Cipher, byte_size(Bytes)) of
        undefined -> mac_error(badarg, 2, "Unknown cipher", Arguments);
        bad_key -> mac_error(badarg, 3, "Bad key size", Arguments);
        unsupported -> unsupported({cmac, Cipher});
        Known -> erlscope_native:cmac(Known, Bytes, Data)
    end;
code(poly1305, _, Key, Data, Arguments) ->
    case iolist_size(Key) of
        32 -> erlscope_native:poly1305(Key, Data);
        _ -> mac_error(badarg, 3, "Bad key length", Arguments)
    end;
code(_, _, _, _, Arguments) ->
    mac_error(badarg, 1, "Unknown mac algorithm", Arguments).

mac_error(Class, Number, Text, Arguments) ->
    erlang:error({Class, {"mac.c", 0}, Text}, Arguments, [{error_info, #{erl_function_arg_num => Number}}]).

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

strong_rand_range(Range) when is_integer(Range), Range > 0 -> binary:encode_unsigned(erlscope_keys:below(Range));
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
    {Encrypted, _} = erlscope_native:cipher(aes, ecb, Key, <<>>, Blocks, true),
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
    Number = fun erlscope_keys:number/1,
    case erlscope_native:mod_pow(Number(Base), Number(Exponent), Number(Modulus)) of
        0 -> <<>>;
        Result -> binary:encode_unsigned(Result)
    end.

%% ---- ciphers ----

cipher_info(Cipher) ->
    case erlscope_cipher:info(Cipher) of
        undefined -> erlang:error(badarg, [Cipher]);
        Info -> Info
    end.

crypto_one_time(Cipher, Key, Data, Options) ->
    attempt("api_ng.c", [Cipher, Key, Data, Options], fun cipher_argument/2,
            fun() -> erlscope_cipher:one_time(Cipher, Key, <<>>, Data, Options) end).

crypto_one_time(Cipher, Key, Iv, Data, Options) ->
    attempt("api_ng.c", [Cipher, Key, Iv, Data, Options], fun cipher_argument/2,
            fun() -> erlscope_cipher:one_time(Cipher, Key, Iv, Data, Options) end).

crypto_one_time_aead(Cipher, Key, Iv, Text, More, true) ->
    Length = case lists:member(Cipher, [aes_ccm, aes_128_ccm, aes_192_ccm, aes_256_ccm]) of
                 true -> 12;
                 false ->
                     lists:member(Cipher, [aes_gcm, aes_128_gcm, aes_192_gcm, aes_256_gcm, chacha20_poly1305])
                         orelse error({badarg, "Not an AEAD cipher"}),
                     16
             end,
    attempt("aead.c", [Cipher, Key, Iv, Text, More, true], fun(6, _) -> undefined; (7, _) -> 6; (N, _) -> N end,
            fun() -> erlscope_cipher:aead(Cipher, Key, Iv, Text, More, Length, true) end).

crypto_one_time_aead(Cipher, Key, Iv, Text, More, Tag, Encrypt) ->
    attempt("aead.c", [Cipher, Key, Iv, Text, More, Tag, Encrypt],
            fun() -> erlscope_cipher:aead(Cipher, Key, Iv, Text, More, Tag, Encrypt) end).

crypto_init(Cipher, Key, Options) ->
    attempt("api_ng.c", [Cipher, Key, Options], fun cipher_argument/2,
            fun() -> erlscope_cipher:init(Cipher, Key, <<>>, Options) end).

crypto_init(Cipher, Key, Iv, Options) ->
    attempt("api_ng.c", [Cipher, Key, Iv, Options], fun cipher_argument/2,
            fun() -> erlscope_cipher:init(Cipher, Key, Iv, Options) end).

crypto_update(State, Data) ->
    attempt("api_ng.c", [State, Data], fun cipher_argument/2, fun() -> erlscope_cipher:update(State, Data) end).

crypto_final(State) ->
    attempt("api_ng.c", [State], fun cipher_argument/2, fun() -> erlscope_cipher:final(State) end).

crypto_get_data(State) ->
    attempt("api_ng.c", [State], fun cipher_argument/2, fun() -> erlscope_cipher:data(State) end).

%% As with OpenSSL from 3.0 on.
crypto_dyn_iv_init(Cipher, Key, Options) ->
    erlang:error({notsup, {"api_ng.c", 0}, "Dynamic IV is not supported for libcrypto versions >= 3.0"},
                 [Cipher, Key, Options]).
crypto_dyn_iv_update(State, Data, Iv) ->
    erlang:error({notsup, {"api_ng.c", 0}, "Dynamic IV is not supported for libcrypto versions >= 3.0"},
                 [State, Data, Iv]).

cipher_argument(cipher, _) -> 1;
cipher_argument(state, _) -> 1;
cipher_argument(key, _) -> 2;
cipher_argument(iv, Count) when Count >= 4 -> 3;
cipher_argument(data, 2) -> 2;
cipher_argument(data, Count) -> Count - 1;
cipher_argument(options, Count) -> Count;
cipher_argument(_, _) -> undefined.

%% ---- signatures, encryption with public keys ----

sign(Algorithm, Type, Data, Key) -> sign(Algorithm, Type, Data, Key, []).
sign(Algorithm0, Type0, Data, Key, Options) ->
    {Algorithm, Type} = as_signed(Algorithm0, Type0, Data),
    attempt("pkey.c", [Algorithm0, Type0, Data, Key, Options],
            fun() -> erlscope_pkey:sign(Algorithm, Type, Data, Key, Options) end).

verify(Algorithm, Type, Data, Signature, Key) -> verify(Algorithm, Type, Data, Signature, Key, []).
verify(Algorithm0, Type0, Data, Signature, Key, Options) ->
    {Algorithm, Type} = as_signed(Algorithm0, Type0, Data),
    attempt("pkey.c", [Algorithm0, Type0, Data, Signature, Key, Options],
            fun() -> erlscope_pkey:verify(Algorithm, Type, Data, Signature, Key, Options) end).

%% OTP takes this for another algorithm, too, which then is none.
as_signed(dss, none, Digest) -> {sha, {digest, Digest}};
as_signed(Algorithm, Type, _) -> {Algorithm, Type}.

public_encrypt(Algorithm, Text, Key, Options) -> pkey_crypt(Algorithm, Text, Key, Options, false, true).
private_decrypt(Algorithm, Text, Key, Options) -> pkey_crypt(Algorithm, Text, Key, Options, true, false).
private_encrypt(Algorithm, Text, Key, Options) -> pkey_crypt(Algorithm, Text, Key, Options, true, true).
public_decrypt(Algorithm, Text, Key, Options) -> pkey_crypt(Algorithm, Text, Key, Options, false, false).

pkey_crypt(Algorithm, Text, Key, Options, IsPrivate, IsEncrypt) ->
    attempt("pkey.c", [Algorithm, Text, Key, Options],
            fun() -> erlscope_pkey:crypt(Algorithm, Text, Key, Options, IsPrivate, IsEncrypt) end).

privkey_to_pubkey(Algorithm, Key) when Algorithm =:= rsa; Algorithm =:= dss ->
    try erlscope_pkey:public_key(Algorithm, Key)
    catch error:_ -> {error, not_found}
    end;
privkey_to_pubkey(ecdsa, _) ->
    {error, notsup}.

%% ---- keys ----

generate_key(Type, Parameters) -> generate_key(Type, Parameters, undefined).

generate_key(ecdh, Curve, Private) when Curve =:= x448; Curve =:= x25519 -> generate_key(eddh, Curve, Private);
generate_key(Type, Parameters, Private) when Type =:= eddh, Parameters =:= x448;
                                             Type =:= eddh, Parameters =:= x25519;
                                             Type =:= eddsa, Parameters =:= ed448;
                                             Type =:= eddsa, Parameters =:= ed25519;
                                             Type =:= dh; Type =:= rsa; Type =:= srp ->
    make_key(Type, Parameters, Private);
generate_key(ecdh, Curve, Private) ->
    known_elsewhere(Curve) andalso unsupported(Curve),
    make_key(ecdh, Curve, Private).

make_key(Type, Parameters, Private) ->
    File = if Type =:= ecdh -> "ec.c"; true -> key_file(Type) end,
    attempt(File, [Type, Parameters, Private], fun() -> erlscope_keys:generate(Type, Parameters, Private) end).

compute_key(ecdh, Others, My, Curve) when Curve =:= x448; Curve =:= x25519 -> compute_key(eddh, Others, My, Curve);
compute_key(Type, Others, My, Parameters) when Type =:= dh; Type =:= srp; Type =:= eddh; Type =:= ecdh ->
    known_elsewhere(Parameters) andalso unsupported(Parameters),
    attempt(key_file(Type), [Type, Others, My, Parameters],
            fun() -> erlscope_keys:compute(Type, Others, My, Parameters) end).

key_file(dh) -> "dh.c";
key_file(rsa) -> "rsa.c";
key_file(ecdh) -> "ecdh.c";
key_file(srp) -> "srp.c";
key_file(_) -> "evp.c".

ec_curves() -> supports(curves) -- [x25519, x448].

ec_curve(Curve) ->
    case erlscope_curves:term(Curve) of
        undefined ->
            known_elsewhere(Curve) andalso unsupported(Curve),
            erlang:error(function_clause);
        Term -> Term
    end.

%% Curves over binary fields.
known_elsewhere(Curve) ->
    lists:member(Curve, [wtls1, wtls3, wtls4, wtls5, wtls10, wtls11, ipsec3, ipsec4])
        orelse is_atom(Curve)
        andalso lists:any(fun(Begin) -> lists:prefix(Begin, atom_to_list(Curve)) end, ["sect", "c2pnb", "c2tnb"]).

%% ---- errors ----

attempt(File, Arguments, Do) -> attempt(File, Arguments, fun(Number, _) -> Number end, Do).

%% OTP's names the line of its own source, too.
attempt(File, Arguments, ArgumentNumber, Do) ->
    try Do()
    catch
        throw:{crypto_error, Class, Number, Text, Where} ->
            erlang:error({Class, {Where, 0}, Text}, Arguments, [{error_info, #{erl_function_arg_num => Number}}]);
        throw:{crypto_error, Class, What, Text} ->
            Number = ArgumentNumber(What, length(Arguments)),
            erlang:error({Class, {File, 0}, Text}, Arguments, [{error_info, #{erl_function_arg_num => Number}}]);
        throw:{unsupported, What} ->
            unsupported(What)
    end.

-spec unsupported(term()) -> no_return().
unsupported(What) ->
    erlscope_native:unsupported(lists:flatten(io_lib:format("crypto: ~tp is not supported", [What]))).

%% What was thrown, for erl_error.
format_error({_, {File, _}, Text}, [{_, _, _, Info} | _]) ->
    Cause = proplists:get_value(error_info, Info, #{}),
    case maps:get(erl_function_arg_num, Cause, undefined) of
        undefined -> #{general => Text, reason => [File]};
        Number -> #{Number => Text}
    end.
