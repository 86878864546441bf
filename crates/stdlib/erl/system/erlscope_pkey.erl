%% Signatures and encryption with public keys, for crypto: RSA (RFC 8017: PKCS #1 v1.5, PSS, OAEP), DSA and ECDSA
%% (FIPS 186), EdDSA. Errors are thrown as {crypto_error, Class, Argument, Text}; crypto knows the arguments.
%%
%% X9.31 padding, and keys in engines, are not supported.
-module(erlscope_pkey).

-export([sign/5, verify/6, crypt/6, public_key/2]).

-import(erlscope_keys, [number/1]).

%% ---- signatures ----

sign(Algorithm, Type, Data, Key, Options) ->
    {Digest, Hash} = digest(Algorithm, Type, Data),
    Settings = sign_options(Algorithm, Options, 5),
    case Algorithm of
        rsa -> rsa_sign(Digest, Hash, Settings, rsa_private(Key, 4));
        dss -> dss_sign(Digest, dss_key(Key, 4, "Couldn't get DSA private key"));
        ecdsa -> ecdsa_sign(Digest, Key);
        eddsa -> eddsa_sign(Digest, Key)
    end.

verify(Algorithm, Type, Data, Signature, Key, Options) ->
    {Digest, Hash} = digest(Algorithm, Type, Data),
    Settings = sign_options(Algorithm, Options, 6),
    is_binary(Signature) orelse bad(4, "Expected a binary"),
    case Algorithm of
        rsa -> rsa_verify(Digest, Hash, Signature, Settings, rsa_public(Key, 5));
        dss -> dss_verify(Digest, Signature, dss_key(Key, 5, "Couldn't get DSA public key"));
        ecdsa -> ecdsa_verify(Digest, Signature, Key);
        eddsa -> eddsa_verify(Digest, Signature, Key)
    end.

%% What is signed, and the name of the hash that it is of.
digest(Algorithm, Type, Data) ->
    lists:member(Algorithm, [rsa, dss, ecdsa, eddsa]) orelse bad(1, "Bad algorithm"),
    Hash = if
               Algorithm =:= eddsa -> none;
               Algorithm =:= rsa, Type =:= none -> none;
               true -> known_hash(Type, 2)
           end,
    case Data of
        {digest, Digest0} ->
            Digest = try iolist_to_binary(Digest0) catch error:_ -> bad(3, "Bad 2nd element in list") end,
            Hash =:= none orelse byte_size(Digest) =:= hash_size(Hash) orelse bad(3, "Bad binary size for the algorithm"),
            {Digest, Hash};
        {_, _} ->
            bad(3, "Expected 'digest' as head");
        _ when is_tuple(Data) ->
            bad(3, "Bad list");
        _ ->
            Bytes = try iolist_to_binary(Data) catch error:_ -> bad(3, "Expected a binary or a list") end,
            case Hash of
                none -> {Bytes, none};
                _ -> {erlscope_native:hash(Hash, Bytes), Hash}
            end
    end.

known_hash(Type, Argument) ->
    case is_atom(Type) andalso erlscope_native:hash(Type, <<>>) of
        Sum when is_binary(Sum) -> Type;
        _ -> bad(Argument, "Bad digest type")
    end.

hash_size(Hash) -> byte_size(erlscope_native:hash(Hash, <<>>)).

%% #{padding, salt_length, mgf1}
sign_options(Algorithm, Options, Argument) ->
    is_list(Options) orelse bad(Argument, "Expected a list"),
    Options =:= [] orelse Algorithm =:= rsa orelse bad(Argument, "Only RSA supports Options"),
    lists:foldl(fun(Option, Settings) -> sign_option(Option, Settings, Argument) end,
                #{padding => rsa_pkcs1_padding, salt_length => -2, mgf1 => default}, Options).

sign_option({rsa_mgf1_md, Hash}, Settings, Argument) when is_atom(Hash) -> Settings#{mgf1 := known_hash(Hash, Argument)};
sign_option({rsa_mgf1_md, _}, _, Argument) -> bad(Argument, "Atom expected as argument to option rsa_mgf1_md");
sign_option({rsa_padding, Padding}, Settings, Argument) ->
    Padding =:= rsa_x931_padding andalso unsupported(Padding),
    lists:member(Padding, [rsa_pkcs1_padding, rsa_pkcs1_pss_padding, rsa_no_padding])
        orelse bad(Argument, "Bad value in option rsa_padding"),
    Settings#{padding := Padding};
sign_option({rsa_pss_saltlen, Length}, Settings, Argument) ->
    is_integer(Length) andalso Length >= -2 orelse bad(Argument, "Bad value in option rsa_pss_saltlen"),
    Settings#{salt_length := Length};
sign_option({_, _}, _, Argument) -> bad(Argument, "Bad option");
sign_option(_, _, Argument) -> bad(Argument, "Expects only two-tuples in the list").

%% ---- RSA ----

rsa_private([E, N, D | _], Argument) -> rsa_key(E, N, D, Argument, "Couldn't get RSA private key");
rsa_private(_, Argument) -> bad(Argument, "Couldn't get RSA private key").

rsa_public([E, N | _], Argument) -> rsa_key(E, N, E, Argument, "Couldn't get RSA public key");
rsa_public(_, Argument) -> bad(Argument, "Couldn't get RSA public key").

%% {Modulus, exponent to use, bytes}
rsa_key(E, N, Exponent, Argument, Complaint) ->
    try {number(E), number(N), number(Exponent)} of
        {_, Modulus, Power} when Modulus > 0 -> {Modulus, Power, byte_size(binary:encode_unsigned(Modulus))};
        _ -> bad(Argument, Complaint)
    catch
        error:_ -> bad(Argument, Complaint)
    end.

%% The operation itself: error, if the number is too large.
rsa(Bytes, {N, Exponent, Size}) ->
    case number(Bytes) of
        Number when Number < N -> <<(erlscope_native:mod_pow(Number, Exponent, N)):Size/unit:8>>;
        _ -> error
    end.

rsa_sign(Digest, Hash, #{padding := Padding} = Settings, {N, _, Size} = Key) ->
    Encoded = case Padding of
                  rsa_pkcs1_padding -> pkcs1(1, <<(digest_info(Hash))/binary, Digest/binary>>, Size);
                  rsa_no_padding when byte_size(Digest) =:= Size -> Digest;
                  rsa_no_padding -> error;
                  rsa_pkcs1_pss_padding when Hash =:= none -> error;
                  rsa_pkcs1_pss_padding -> pss(Digest, Hash, Settings, N)
              end,
    case Encoded =/= error andalso rsa(Encoded, Key) of
        Signature when is_binary(Signature) -> Signature;
        _ -> failed("Can't EVP_PKEY_sign")
    end.

rsa_verify(Digest, Hash, Signature, #{padding := Padding} = Settings, {N, _, Size} = Key) ->
    case byte_size(Signature) =:= Size andalso rsa(Signature, Key) of
        Encoded when is_binary(Encoded) ->
            case Padding of
                rsa_pkcs1_padding -> Encoded =:= pkcs1(1, <<(digest_info(Hash))/binary, Digest/binary>>, Size);
                rsa_no_padding -> Encoded =:= Digest;
                rsa_pkcs1_pss_padding when Hash =:= none -> false;
                rsa_pkcs1_pss_padding -> is_pss(Encoded, Digest, Hash, Settings, N)
            end;
        _ ->
            false
    end.

%% 0, the kind of block, filling, 0, the text.
pkcs1(Kind, Text, Size) ->
    Length = Size - byte_size(Text) - 3,
    case Kind of
        _ when Length < 8 -> error;
        1 -> <<0, 1, (binary:copy(<<255>>, Length))/binary, 0, Text/binary>>;
        2 -> <<0, 2, (not_zero(Length, <<>>))/binary, 0, Text/binary>>
    end.

not_zero(Length, Bytes) when byte_size(Bytes) >= Length -> binary:part(Bytes, 0, Length);
not_zero(Length, Bytes) ->
    More = << <<Byte>> || <<Byte>> <= erlscope_native:random_bytes(Length), Byte =/= 0 >>,
    not_zero(Length, <<Bytes/binary, More/binary>>).

%% The text of such a block, or error.
from_pkcs1(Kind, <<0, Kind, Rest/binary>>) ->
    case binary:match(Rest, <<0>>) of
        {At, 1} when At >= 8 ->
            <<Filling:At/binary, 0, Text/binary>> = Rest,
            case Kind =:= 2 orelse Filling =:= binary:copy(<<255>>, At) of
                true -> Text;
                false -> error
            end;
        _ ->
            error
    end;
from_pkcs1(_, _) ->
    error.

%% The beginning of a DER-encoded DigestInfo.
digest_info(none) -> <<>>;
digest_info(Hash) ->
    Oid = case Hash of
              %% As OTP's library has it; MD4's own ends with 4.
              md4 -> <<16#2A864886F70D0203:64>>;
              md5 -> <<16#2A864886F70D0205:64>>;
              ripemd160 -> <<16#2B24030201:40>>;
              sha -> <<16#2B0E03021A:40>>;
              sha256 -> nist_hash(1);
              sha384 -> nist_hash(2);
              sha512 -> nist_hash(3);
              sha224 -> nist_hash(4);
              sha3_224 -> nist_hash(7);
              sha3_256 -> nist_hash(8);
              sha3_384 -> nist_hash(9);
              sha3_512 -> nist_hash(10);
              _ -> failed("Can't EVP_PKEY_CTX_set_signature_md")
          end,
    Size = hash_size(Hash),
    Length = byte_size(Oid),
    <<16#30, (Length + Size + 8), 16#30, (Length + 4), 6, Length, Oid/binary, 5, 0, 4, Size>>.

nist_hash(Number) -> <<16#6086480165030402:64, Number>>.

mgf1(Hash, Seed, Length) -> mgf1(Hash, Seed, Length, 0, <<>>).

mgf1(_, _, Length, _, Mask) when byte_size(Mask) >= Length -> binary:part(Mask, 0, Length);
mgf1(Hash, Seed, Length, Count, Mask) ->
    mgf1(Hash, Seed, Length, Count + 1, <<Mask/binary, (erlscope_native:hash(Hash, [Seed, <<Count:32>>]))/binary>>).

mask_hash(default, Hash) -> Hash;
mask_hash(Mask, _) -> Mask.

%% One bit less than the modulus; a modulus of 8n+1 bits has a whole byte less.
pss_size(N) ->
    Bits = length(integer_to_list(N, 2)) - 1,
    {(Bits + 7) div 8, (8 - Bits rem 8) rem 8}.

pss(Digest, Hash, #{salt_length := Wanted, mgf1 := Mask}, N) ->
    {Size, Unused} = pss_size(N),
    HashSize = byte_size(Digest),
    Length = case Wanted of
                 -1 -> HashSize;
                 -2 -> Size - HashSize - 2;
                 _ -> Wanted
             end,
    case Size - HashSize - Length - 2 of
        Zeros when Zeros >= 0, Length >= 0 ->
            Salt = erlscope_native:random_bytes(Length),
            Sum = erlscope_native:hash(Hash, [<<0:64>>, Digest, Salt]),
            Block = <<0:Zeros/unit:8, 1, Salt/binary>>,
            Masked = crypto:exor(Block, mgf1(mask_hash(Mask, Hash), Sum, byte_size(Block))),
            <<_:Unused, Kept/bitstring>> = Masked,
            Encoded = <<0:Unused, Kept/bitstring, Sum/binary, 16#BC>>,
            Whole = byte_size(binary:encode_unsigned(N)) - Size,
            <<0:Whole/unit:8, Encoded/binary>>;
        _ ->
            error
    end.

is_pss(Encoded0, Digest, Hash, #{salt_length := Wanted, mgf1 := Mask}, N) ->
    {Size, Unused} = pss_size(N),
    HashSize = byte_size(Digest),
    BlockSize = Size - HashSize - 1,
    Whole = byte_size(Encoded0) - Size,
    case Encoded0 of
        <<0:Whole/unit:8, Masked:BlockSize/binary, Sum:HashSize/binary, 16#BC>> when BlockSize > 0 ->
            <<First:Unused, _/bitstring>> = Masked,
            <<_:Unused, Kept/bitstring>> = crypto:exor(Masked, mgf1(mask_hash(Mask, Hash), Sum, BlockSize)),
            case {First, after_zeros(<<0:Unused, Kept/bitstring>>)} of
                {0, {salt, Salt}} ->
                    Fits = case Wanted of
                               -1 -> byte_size(Salt) =:= HashSize;
                               -2 -> true;
                               _ -> byte_size(Salt) =:= Wanted
                           end,
                    Fits andalso erlscope_native:hash(Hash, [<<0:64>>, Digest, Salt]) =:= Sum;
                _ ->
                    false
            end;
        _ ->
            false
    end.

after_zeros(<<0, Rest/binary>>) -> after_zeros(Rest);
after_zeros(<<1, Salt/binary>>) -> {salt, Salt};
after_zeros(_) -> none.

%% ---- encryption with RSA ----

crypt(Algorithm, Text, Key0, Options, IsPrivate, IsEncrypt) ->
    lists:member(Algorithm, [rsa, dss, ecdsa, eddsa]) orelse bad(1, "Bad algorithm"),
    is_binary(Text) orelse bad(2, "Binary expected"),
    Algorithm =:= rsa orelse throw({crypto_error, notsup, undefined, "Can't initiate encrypt/decrypt"}),
    Key = case IsPrivate of
              true -> rsa_private(Key0, 3);
              false -> rsa_public(Key0, 3)
          end,
    #{padding := Padding} = Settings = crypt_options(Options),
    %% Who signs and who checks a signature has no such padding.
    Padding =:= rsa_pkcs1_oaep_padding andalso IsPrivate =:= IsEncrypt andalso failed("Couldn't set rsa padding"),
    Result = case IsEncrypt of
                 true ->
                     case to_block(Padding, Text, IsPrivate, Settings, Key) of
                         Block when is_binary(Block) -> rsa(Block, Key);
                         _ -> error
                     end;
                 false ->
                     case byte_size(Text) =< element(3, Key) andalso rsa(Text, Key) of
                         Block when is_binary(Block) -> from_block(Padding, Block, IsPrivate, Settings, Key);
                         _ -> error
                     end
             end,
    Result =/= error orelse failed("Couldn't get the result"),
    Result.

to_block(rsa_pkcs1_padding, Text, true, _, {_, _, Size}) -> pkcs1(1, Text, Size);
to_block(rsa_pkcs1_padding, Text, false, _, {_, _, Size}) -> pkcs1(2, Text, Size);
to_block(rsa_no_padding, Text, _, _, {_, _, Size}) when byte_size(Text) =:= Size -> Text;
to_block(rsa_pkcs1_oaep_padding, Text, false, Settings, {_, _, Size}) -> oaep(Text, Settings, Size);
to_block(_, _, _, _, _) -> error.

from_block(rsa_pkcs1_padding, Block, true, _, _) -> from_pkcs1(2, Block);
from_block(rsa_pkcs1_padding, Block, false, _, _) -> from_pkcs1(1, Block);
from_block(rsa_no_padding, Block, _, _, _) -> Block;
from_block(rsa_pkcs1_oaep_padding, Block, true, Settings, _) -> from_oaep(Block, Settings);
from_block(_, _, _, _, _) -> error.

oaep(Text, #{hash := Hash, mgf1 := Mask0, label := Label}, Size) ->
    Mask = mask_hash(Mask0, Hash),
    HashSize = hash_size(Hash),
    case Size - byte_size(Text) - 2 * HashSize - 2 of
        Zeros when Zeros >= 0 ->
            Data = <<(erlscope_native:hash(Hash, Label))/binary, 0:Zeros/unit:8, 1, Text/binary>>,
            Seed = erlscope_native:random_bytes(HashSize),
            Masked = crypto:exor(Data, mgf1(Mask, Seed, byte_size(Data))),
            <<0, (crypto:exor(Seed, mgf1(Mask, Masked, HashSize)))/binary, Masked/binary>>;
        _ ->
            error
    end.

from_oaep(Block, #{hash := Hash, mgf1 := Mask0, label := Label}) ->
    Mask = mask_hash(Mask0, Hash),
    HashSize = hash_size(Hash),
    Sum = erlscope_native:hash(Hash, Label),
    case Block of
        <<0, MaskedSeed:HashSize/binary, Masked/binary>> ->
            Seed = crypto:exor(MaskedSeed, mgf1(Mask, Masked, HashSize)),
            case crypto:exor(Masked, mgf1(Mask, Seed, byte_size(Masked))) of
                <<Sum:HashSize/binary, Rest/binary>> ->
                    case after_zeros(Rest) of
                        {salt, Text} -> Text;
                        none -> error
                    end;
                _ ->
                    error
            end;
        _ ->
            error
    end.

crypt_options(Padding) when is_atom(Padding), Padding =/= [] -> crypt_options([{rsa_padding, Padding}]);
crypt_options(Options) ->
    is_list(Options) orelse bad(4, "Expected a list"),
    lists:foldl(fun crypt_option/2, #{padding => rsa_pkcs1_padding, hash => sha, mgf1 => default, label => <<>>}, Options).

crypt_option({Name, Padding}, Settings) when Name =:= rsa_padding; Name =:= rsa_pad ->
    Padding =:= rsa_x931_padding andalso unsupported(Padding),
    lists:member(Padding, [rsa_pkcs1_padding, rsa_pkcs1_oaep_padding, rsa_no_padding])
        orelse bad(4, "Bad padding type in option rsa_padding"),
    Settings#{padding := Padding};
crypt_option({rsa_oaep_md, Hash}, Settings) when is_atom(Hash) -> Settings#{hash := known_hash(Hash, 4)};
crypt_option({rsa_oaep_md, _}, _) ->
    throw({crypto_error, notsup, 4, "Atom expected as argument to option rsa_oaep_md"});
crypt_option({rsa_mgf1_md, Hash}, Settings) when is_atom(Hash) -> Settings#{mgf1 := known_hash(Hash, 4)};
crypt_option({rsa_mgf1_md, _}, _) -> bad(4, "Atom expected as argument to option rsa_mgf1_md");
crypt_option({rsa_oaep_label, Label}, Settings) when is_binary(Label) -> Settings#{label := Label};
crypt_option({rsa_oaep_label, _}, _) -> bad(4, "Binary expected for option rsa_oaep_label");
crypt_option({signature_md, Hash}, Settings) when is_atom(Hash) ->
    _ = known_hash(Hash, 4),
    Settings;
crypt_option({signature_md, _}, _) -> bad(4, "Atom expected as argument to option signature_md");
crypt_option({_, _}, _) -> bad(4, "Unknown option");
crypt_option(_, _) -> bad(4, "Expect only two-tuples in the list").

%% ---- DSA ----

dss_key([P, Q, G, Key], Argument, Complaint) ->
    try {number(P), number(Q), number(G), number(Key)}
    catch error:_ -> bad(Argument, Complaint)
    end;
dss_key(_, Argument, Complaint) ->
    bad(Argument, Complaint).

dss_sign(Digest, {P, Q, G, X} = Key) ->
    K = 1 + erlscope_keys:below(Q - 1),
    R = erlscope_native:mod_pow(G, K, P) rem Q,
    S = erlscope_curves:inverse(K, Q) * (leading(Digest, Q) + X * R) rem Q,
    case R =:= 0 orelse S =:= 0 of
        true -> dss_sign(Digest, Key);
        false -> two_numbers(R, S)
    end.

dss_verify(Digest, Signature, {P, Q, G, Y}) ->
    case from_two_numbers(Signature) of
        {R, S} when R > 0, R < Q, S > 0, S < Q ->
            W = erlscope_curves:inverse(S, Q),
            First = erlscope_native:mod_pow(G, leading(Digest, Q) * W rem Q, P),
            Second = erlscope_native:mod_pow(Y, R * W rem Q, P),
            First * Second rem P rem Q =:= R;
        _ ->
            false
    end.

%% As many of the first bits of a digest as the order has.
leading(Digest, Order) ->
    Bits = length(integer_to_list(Order, 2)),
    case bit_size(Digest) - Bits of
        More when More > 0 -> number(Digest) bsr More;
        _ -> number(Digest)
    end.

%% ---- ECDSA ----

ecdsa_key([Key, Parameters], Argument, Complaint) ->
    case erlscope_curves:curve(Parameters) of
        undefined -> bad(Argument, Complaint);
        Curve -> {Key, Curve}
    end;
ecdsa_key(_, Argument, Complaint) ->
    bad(Argument, Complaint).

ecdsa_sign(Digest, Key) ->
    {Private, Curve} = ecdsa_key(Key, 4, "Couldn't get ECDSA private key"),
    X = try number(Private) catch error:_ -> bad(4, "Couldn't get ECDSA private key") end,
    ecdsa_sign(Digest, X, erlscope_curves:order(Curve), Curve).

ecdsa_sign(Digest, X, Order, Curve) ->
    K = 1 + erlscope_keys:below(Order - 1),
    {Coordinate, _} = erlscope_curves:multiply(K, generator, Curve),
    R = Coordinate rem Order,
    S = erlscope_curves:inverse(K, Order) * (leading(Digest, Order) + X * R) rem Order,
    case R =:= 0 orelse S =:= 0 of
        true -> ecdsa_sign(Digest, X, Order, Curve);
        false -> two_numbers(R, S)
    end.

ecdsa_verify(Digest, Signature, Key) ->
    {Public, Curve} = ecdsa_key(Key, 5, "Couldn't get ECDSA public key"),
    Order = erlscope_curves:order(Curve),
    Bytes = if is_integer(Public) -> binary:encode_unsigned(Public); true -> Public end,
    Point = case is_binary(Bytes) andalso erlscope_curves:decode(Bytes, Curve) of
                {_, _} = Decoded -> Decoded;
                _ -> bad(5, "Couldn't get ECDSA public key")
            end,
    case from_two_numbers(Signature) of
        {R, S} when R > 0, R < Order, S > 0, S < Order ->
            W = erlscope_curves:inverse(S, Order),
            First = erlscope_curves:multiply(leading(Digest, Order) * W rem Order, generator, Curve),
            Second = erlscope_curves:multiply(R * W rem Order, Point, Curve),
            case erlscope_curves:add(First, Second, Curve) of
                {Coordinate, _} -> Coordinate rem Order =:= R;
                infinity -> false
            end;
        _ ->
            false
    end.

%% ---- two numbers in DER ----

two_numbers(R, S) ->
    Numbers = <<(der_number(R))/binary, (der_number(S))/binary>>,
    <<16#30, (der_length(byte_size(Numbers)))/binary, Numbers/binary>>.

der_number(Number) ->
    Bytes = case binary:encode_unsigned(Number) of
                <<1:1, _/bitstring>> = Negative -> <<0, Negative/binary>>;
                Positive -> Positive
            end,
    <<2, (der_length(byte_size(Bytes)))/binary, Bytes/binary>>.

der_length(Length) when Length < 128 -> <<Length>>;
der_length(Length) ->
    Bytes = binary:encode_unsigned(Length),
    <<1:1, (byte_size(Bytes)):7, Bytes/binary>>.

%% Only what would be encoded in the same way is accepted.
from_two_numbers(Signature) ->
    case Signature of
        <<16#30, 1:1, Count:7, Length:Count/unit:8, Rest:Length/binary>> when Count > 0 -> numbers(Rest, Signature);
        <<16#30, Length, Rest:Length/binary>> when Length < 128 -> numbers(Rest, Signature);
        _ -> error
    end.

numbers(<<2, SizeR, R:SizeR/unit:8, 2, SizeS, S:SizeS/unit:8>>, Signature) when SizeR < 128, SizeS < 128 ->
    case two_numbers(R, S) of
        Signature -> {R, S};
        _ -> error
    end;
numbers(_, _) ->
    error.

%% ---- EdDSA ----

eddsa_key([Key, Curve], Argument, Complaint) when is_binary(Key), Curve =:= ed25519;
                                                  is_binary(Key), Curve =:= ed448 ->
    byte_size(Key) =:= erlscope_edwards:key_size(Curve) orelse bad(Argument, Complaint),
    {Key, Curve};
eddsa_key(_, Argument, Complaint) ->
    bad(Argument, Complaint).

eddsa_sign(Text, Key) ->
    {Private, Curve} = eddsa_key(Key, 4, "Couldn't get EDDSA private key"),
    erlscope_edwards:sign(Curve, Private, Text).

eddsa_verify(Text, Signature, Key) ->
    {Public, Curve} = eddsa_key(Key, 5, "Couldn't get EDDSA public key"),
    erlscope_edwards:verify(Curve, Public, Text, Signature).

%% ---- from private to public ----

public_key(rsa, [E, N | _]) -> [number(E), number(N)];
public_key(dss, [P0, Q, G0, X]) ->
    {P, G} = {number(P0), number(G0)},
    [P, number(Q), G, erlscope_native:mod_pow(G, number(X), P)].

%% ---- errors ----

-spec bad(integer(), string()) -> no_return().
bad(Argument, Complaint) -> throw({crypto_error, badarg, Argument, Complaint}).

-spec failed(string()) -> no_return().
failed(Complaint) -> throw({crypto_error, error, undefined, Complaint}).

-spec unsupported(term()) -> no_return().
unsupported(What) -> throw({unsupported, What}).
