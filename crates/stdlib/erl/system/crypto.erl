%% crypto: hashes, message authentication codes and random bytes. Random bytes come from the World's seed: a run with the
%% same seed gives the same, so they are for testing programs, not for secrets. Ciphers, keys and signatures are not
%% supported.
%%
%% The states of hashes and codes in progress are terms that hold what was given so far.
-module(crypto).

-export([start/0, stop/0, info_lib/0, info_fips/0, supports/0, supports/1, version/0]).
-export([hash/2, hash_init/1, hash_update/2, hash_final/1, hash_equals/2, hash_info/1]).
-export([mac/3, mac/4, macN/4, macN/5, mac_init/2, mac_init/3, mac_update/2, mac_final/1, mac_finalN/2, pbkdf2_hmac/5]).
-export([strong_rand_bytes/1, strong_rand_range/1, rand_uniform/2, rand_seed/0, rand_seed/1, rand_seed_s/0,
         rand_seed_alg/1, rand_seed_alg_s/1, rand_plugin_next/1, rand_plugin_uniform/1, rand_plugin_uniform/2]).
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

supports() -> [{hashs, supports(hashs)}, {ciphers, []}, {public_keys, []}, {macs, supports(macs)}, {curves, []},
               {rsa_opts, []}].
supports(hashs) -> [sha, sha224, sha256, sha384, sha512, md5];
supports(macs) -> [hmac];
supports(Type) when Type =:= ciphers; Type =:= public_keys; Type =:= curves; Type =:= rsa_opts -> [].

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
rand_seed_alg_s(crypto) ->
    {#{type => crypto, bits => 64, next => fun ?MODULE:rand_plugin_next/1,
       uniform => fun ?MODULE:rand_plugin_uniform/1, uniform_n => fun ?MODULE:rand_plugin_uniform/2},
     no_seed};
rand_seed_alg_s(Algorithm) -> unsupported("rand_seed_alg_s/1", Algorithm).

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

%% ---- what is missing ----

crypto_one_time(Cipher, _, _, _) -> unsupported("crypto_one_time/4", Cipher).
crypto_one_time(Cipher, _, _, _, _) -> unsupported("crypto_one_time/5", Cipher).
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
