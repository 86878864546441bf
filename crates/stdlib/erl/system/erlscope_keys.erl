%% Keys for crypto: made, and agreed on by two. RSA, Diffie-Hellman, elliptic curves, SRP (RFC 2945, RFC 5054).
%% All that is random comes from erlscope_native:random_bytes/1, and so from the World's seed.
-module(erlscope_keys).

-export([generate/3, compute/4, below/1, number/1]).

number(Number) when is_integer(Number) -> Number;
number(Bytes) when is_binary(Bytes) -> binary:decode_unsigned(Bytes).

%% A number from 0 to one below this. Bits enough to make the uneven rest not matter.
below(Limit) ->
    Size = byte_size(binary:encode_unsigned(Limit)) + 8,
    binary:decode_unsigned(erlscope_native:random_bytes(Size)) rem Limit.

%% ---- making ----

generate(dh, [P, G], Private) -> generate(dh, [P, G, 0], Private);
generate(dh, [P0, G0, Length], Private) ->
    {P, G} = {number(P0), number(G0)},
    P >= 1 bsl 511 orelse throw({crypto_error, error, undefined, "Can't generate DH key pair"}),
    X = case Private of
            undefined when Length > 0 -> below(1 bsl Length);
            undefined -> 1 + below(P - 2);
            _ -> number(Private)
        end,
    {unsigned(erlscope_native:mod_pow(G, X, P)), unsigned(X)};
generate(rsa, {Bits, Exponent}, undefined) ->
    is_integer(Bits) andalso Bits >= 0 orelse throw({crypto_error, badarg, 2, "Can't get unsigned int"}),
    Bits >= 256 orelse throw({crypto_error, badarg, 2, "Can't be < 256"}),
    Bits >= 512 orelse throw({crypto_error, error, undefined, "Can't set params"}),
    E = number(Exponent),
    E > 1 andalso E band 1 =:= 1
        orelse throw({crypto_error, error, undefined, "Can't generate RSA key-pair"}),
    {P, Q} = two_primes(Bits, E),
    N = P * Q,
    D = inverse(E, (P - 1) * (Q - 1) div gcd(P - 1, Q - 1)),
    Private = [unsigned(Number) || Number <- [E, N, D, P, Q, D rem (P - 1), D rem (Q - 1), inverse(Q, P)]],
    {lists:sublist(Private, 2), Private};
generate(Type, Curve, Private) when Type =:= eddh; Type =:= eddsa ->
    Bytes = erlscope_edwards:key_size(Curve),
    Key = case Private of
              undefined -> erlscope_native:random_bytes(Bytes);
              _ -> bytes(Private)
          end,
    byte_size(Key) =:= Bytes orelse throw({crypto_error, error, 2, "Can't EVP_PKEY_new_raw_private_key"}),
    {erlscope_edwards:public_key(Curve, Key), Key};
generate(ecdh, Parameters, Private) ->
    Curve = case erlscope_curves:curve(Parameters) of
                undefined when Private =:= undefined -> throw({crypto_error, badarg, 1, "Couldn't get Curve definition"});
                _ -> curve(Parameters)
            end,
    Order = erlscope_curves:order(Curve),
    Size = byte_size(unsigned(Order)),
    X = case Private of
            undefined -> 1 + below(Order - 1);
            _ -> number(Private)
        end,
    X =/= 0 orelse throw({crypto_error, badarg, 2, "peer priv key must not be 0"}),
    case erlscope_curves:multiply(X, generator, Curve) of
        infinity -> throw({crypto_error, error, 2, "Couldn't get EC key"});
        Point -> {erlscope_curves:encode(Point, Curve), <<X:Size/unit:8>>}
    end;
generate(srp, {host, [Verifier, Generator, Prime, Version]}, Private0) ->
    Private = if Private0 =:= undefined -> erlscope_native:random_bytes(32); true -> bytes(Private0) end,
    Factor = srp_multiplier(Version, Generator, Prime),
    P = number(Prime),
    Public = (Factor * number(Verifier) + power(Generator, Private, P)) rem P,
    {unsigned(Public), Private};
generate(srp, {user, [Generator, Prime, _]}, Private0) ->
    Private = if Private0 =:= undefined -> erlscope_native:random_bytes(32); true -> Private0 end,
    {unsigned(power(Generator, Private, number(Prime))), Private}.

bytes(Number) when is_integer(Number) -> unsigned(Number);
bytes(Bytes) -> Bytes.

unsigned(Number) -> binary:encode_unsigned(Number).

power(Base, Exponent, Modulus) -> erlscope_native:mod_pow(number(Base), number(Exponent), Modulus).

%% Primes whose product has so many bits, the larger first.
two_primes(Bits, E) ->
    {P, Q} = {prime((Bits + 1) div 2, E), prime(Bits div 2, E)},
    case unsigned_bits(P * Q) of
        Bits when P > Q -> {P, Q};
        Bits when Q > P -> {Q, P};
        _ -> two_primes(Bits, E)
    end.

unsigned_bits(Number) -> length(integer_to_list(Number, 2)).

%% One that E is invertible modulo one less of. The first two bits are set, so that products of two do not lose any.
prime(Bits, E) ->
    Candidate = below(1 bsl Bits) bor (3 bsl (Bits - 2)) bor 1,
    case is_prime(Candidate) andalso gcd(E, Candidate - 1) of
        1 -> Candidate;
        _ -> prime(Bits, E)
    end.

is_prime(Number) ->
    Small = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103],
    lists:all(fun(Prime) -> Number rem Prime =/= 0 end, Small) andalso miller_rabin(Number, 20).

miller_rabin(_, 0) -> true;
miller_rabin(Number, Rounds) ->
    {Odd, Twos} = without_twos(Number - 1, 0),
    Witness = 2 + below(Number - 3),
    squares(erlscope_native:mod_pow(Witness, Odd, Number), Twos, Number) andalso miller_rabin(Number, Rounds - 1).

%% Whether one of the squares is -1, or the first of them 1.
squares(1, _, _) -> true;
squares(Power, Twos, Number) -> minus_one(Power, Twos, Number).

minus_one(_, 0, _) -> false;
minus_one(Power, _, Number) when Power =:= Number - 1 -> true;
minus_one(Power, Twos, Number) -> minus_one(Power * Power rem Number, Twos - 1, Number).

without_twos(Number, Twos) when Number band 1 =:= 0 -> without_twos(Number bsr 1, Twos + 1);
without_twos(Number, Twos) -> {Number, Twos}.

gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).

%% By Euclid, of numbers that have no common factor.
inverse(A, M) -> inverse(A rem M, M, 1, 0, M).

inverse(0, _, _, Result, M) -> ((Result rem M) + M) rem M;
inverse(A, B, X, Y, M) -> inverse(B rem A, A, Y - B div A * X, X, M).

curve(Parameters) ->
    case erlscope_curves:curve(Parameters) of
        undefined -> throw({crypto_error, error, 2, "Bad curve def. Expect 5-tuple.", "ec.c"});
        Curve -> Curve
    end.

%% ---- agreeing ----

compute(dh, Others, My, [Prime, _]) ->
    P = number(Prime),
    Public = number(Others),
    Public > 1 andalso Public < P - 1 orelse throw({crypto_error, error, undefined, "Can't get result size"}),
    unsigned(power(Public, My, P));
compute(eddh, Others, My, Curve) ->
    Size = erlscope_edwards:key_size(Curve),
    byte_size(My) =:= Size orelse throw({crypto_error, badarg, 3, "Not a valid raw private key"}),
    byte_size(Others) =:= Size orelse throw({crypto_error, badarg, 2, "Not a raw public peer key"}),
    case erlscope_edwards:exchange(Curve, Others, My) of
        <<0:Size/unit:8>> -> throw({crypto_error, error, undefined, "Can't EVP_PKEY_derive"});
        Secret -> Secret
    end;
compute(ecdh, Others, My, Parameters) ->
    Curve = curve(Parameters),
    is_integer(My) orelse is_binary(My) orelse throw({crypto_error, badarg, 1, "Bad peer public key; binary expected"}),
    Point = case erlscope_curves:decode(bytes(Others), Curve) of
                error -> throw({crypto_error, error, undefined, "Can't do fromdata"});
                Decoded -> Decoded
            end,
    <<4, Coordinates/binary>> = erlscope_curves:encode(erlscope_curves:multiply(number(My), Point, Curve), Curve),
    binary:part(Coordinates, 0, byte_size(Coordinates) div 2);
compute(srp, HostPublic, {UserPublic, UserPrivate}, {user, [DerivedKey, Prime, Generator, Version | Scrambler0]}) ->
    P = number(Prime),
    Scrambler = srp_scrambler(Version, UserPublic, HostPublic, Prime, Scrambler0),
    Factor = srp_multiplier(Version, Generator, Prime),
    Base = number(HostPublic) - Factor * power(Generator, DerivedKey, P),
    Exponent = number(UserPrivate) + Scrambler * number(DerivedKey),
    unsigned(erlscope_native:mod_pow(((Base rem P) + P) rem P, Exponent, P));
compute(srp, UserPublic, {HostPublic, HostPrivate}, {host, [Verifier, Prime, Version | Scrambler0]}) ->
    P = number(Prime),
    Scrambler = srp_scrambler(Version, UserPublic, HostPublic, Prime, Scrambler0),
    Base = number(UserPublic) * power(Verifier, Scrambler, P) rem P,
    unsigned(power(Base, HostPrivate, P)).

srp_multiplier('6a', Generator, Prime) -> number(erlscope_native:hash(sha, [Prime, srp_padded(Generator, Prime)]));
srp_multiplier('6', _, _) -> 3;
srp_multiplier('3', _, _) -> 1.

srp_scrambler(_, _, _, _, [Scrambler]) -> number(Scrambler);
srp_scrambler('3', _, HostPublic, _, []) ->
    <<First:32, _/binary>> = erlscope_native:hash(sha, bytes(HostPublic)),
    First;
srp_scrambler(_, UserPublic, HostPublic, Prime, []) ->
    number(erlscope_native:hash(sha, [srp_padded(UserPublic, Prime), srp_padded(HostPublic, Prime)])).

srp_padded(Number, Prime) ->
    Size = byte_size(Prime),
    <<(number(Number)):Size/unit:8>>.
