%% Keys, signatures and secrets, which are random, as questions that can be asked on either side: {Function, Arguments,
%% Answer}, with the same answer on both.
-module(crypto_made).
-export([main/0]).

%% RFC 2409, second group.
-define(PRIME, 16#FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF).

main() ->
    lists:foreach(fun(Question) -> io:format("~w,~n", [Question]) end, lists:append([rsa(), dss(), curves(), dh(), srp()])).

text() -> <<"a text that is signed">>.

rsa() ->
    {Public, Private} = crypto:generate_key(rsa, {512, 65537}),
    {Larger, Secret} = crypto:generate_key(rsa, {1024, 3}),
    Pss = [{rsa_padding, rsa_pkcs1_pss_padding}],
    Oaep = [{rsa_padding, rsa_pkcs1_oaep_padding}],
    [{verify, [rsa, Hash, text(), crypto:sign(rsa, Hash, text(), Private), Public], true} || Hash <- [md5, sha, sha224, sha256]]
        ++ [{verify, [rsa, sha256, text(), crypto:sign(rsa, sha256, text(), Secret, Options), Larger, Options], true}
            || Options <- [Pss, [{rsa_pss_saltlen, -1} | Pss], [{rsa_pss_saltlen, 7} | Pss], [{rsa_mgf1_md, sha} | Pss]]]
        ++ [{verify, [rsa, sha, <<"other">>, crypto:sign(rsa, sha, text(), Private, Pss), Public, Pss], false}]
        ++ [{private_decrypt, [rsa, crypto:public_encrypt(rsa, text(), Larger, Options), Secret, Options], text()}
            || Options <- [rsa_pkcs1_padding, Oaep, [{rsa_oaep_md, sha256} | Oaep], [{rsa_oaep_label, <<"label">>} | Oaep],
                           [{rsa_mgf1_md, sha224} | Oaep]]]
        ++ [{sign, [rsa, sha, text(), Private], crypto:sign(rsa, sha, text(), Private)},
            {privkey_to_pubkey, [rsa, Private], [binary:decode_unsigned(Number) || Number <- Public]}].

dss() ->
    P = 16#DE0044AF5C5BD5731836A465B27D421DD7F6CEE1DC615EA02AC47435888B2D433B71F37F1CBB22BEF2DE84E7771F3BD43A86157ED6DC3D245D4DE2433F2FF585FC05CDE507634005AFD675CE5C1D2BBB64D5DC9F59A0FC7ABFF71FFE9C010B799440EBF7E63CE9EB55A39CFB9EE192271092A3E13D8403A5A29DF27AE4F27ED3,
    Q = 16#F4FE6239EDA02E4FF622A99EE82BFF6AEBC7FF835E2957EE63B6504F,
    G = 16#C3F05ED41E4958C64CF915256EB0AEA7F78B19E8BA7CF26323C521F220F99F2D65F054CED6FBE839C65509895B90249DAD12FE6A4745EAC1EBFAC7C440C9ED3E55AD160BFCD05FA626E71B8DFBCDD56CFF7F7B467DA33D69A9B761A41203EC79B85ADC8E57C2B567BF2E76A1DF15CDE58DEC9A6A9D48F62AB34B06272CFC701E,
    X = 1 + binary:decode_unsigned(crypto:strong_rand_bytes(19)),
    Y = binary:decode_unsigned(crypto:mod_pow(G, X, P)),
    Signature = crypto:sign(dss, sha, text(), [P, Q, G, X]),
    [{verify, [dss, sha, text(), Signature, [P, Q, G, Y]], true},
     {verify, [dss, sha, <<"other">>, Signature, [P, Q, G, Y]], false}].

curves() ->
    Named = [secp256r1, secp384r1, secp521r1, secp256k1, secp224r1, secp160k1, brainpoolP256r1, brainpoolP512t1, prime239v2],
    lists:append([on_curve(Curve) || Curve <- Named])
        ++ lists:append([exchange(eddh, Curve) || Curve <- [x25519, x448]])
        ++ lists:append([edwards(Curve) || Curve <- [ed25519, ed448]]).

on_curve(Curve) ->
    {Public, Private} = crypto:generate_key(ecdh, Curve),
    Signature = crypto:sign(ecdsa, sha256, text(), [Private, Curve]),
    [{verify, [ecdsa, sha256, text(), Signature, [Public, Curve]], true},
     {verify, [ecdsa, sha256, <<"other">>, Signature, [Public, Curve]], false},
     {verify, [ecdsa, sha512, text(), crypto:sign(ecdsa, sha512, text(), [Private, Curve]), [Public, Curve]], true}
     | exchange(ecdh, Curve)].

exchange(Type, Curve) ->
    {Public, Private} = crypto:generate_key(Type, Curve),
    {Others, Secret} = crypto:generate_key(Type, Curve),
    Shared = crypto:compute_key(Type, Others, Private, Curve),
    [{compute_key, [Type, Public, Secret, Curve], Shared},
     {compute_key, [Type, Others, Private, Curve], Shared},
     {generate_key, [Type, Curve, Private], {Public, Private}}].

edwards(Curve) ->
    {Public, Private} = crypto:generate_key(eddsa, Curve),
    Signature = crypto:sign(eddsa, none, text(), [Private, Curve]),
    [{sign, [eddsa, none, text(), [Private, Curve]], Signature},
     {verify, [eddsa, none, text(), Signature, [Public, Curve]], true},
     {verify, [eddsa, none, <<"other">>, Signature, [Public, Curve]], false},
     {generate_key, [eddsa, Curve, Private], {Public, Private}}].

dh() ->
    Parameters = [?PRIME, 2],
    {Public, Private} = crypto:generate_key(dh, Parameters),
    {Others, Secret} = crypto:generate_key(dh, Parameters),
    Shared = crypto:compute_key(dh, Others, Private, Parameters),
    [{compute_key, [dh, Public, Secret, Parameters], Shared},
     {compute_key, [dh, Others, Private, Parameters], Shared}].

%% Both sides of an exchange get the same.
srp() ->
    Prime = binary:encode_unsigned(?PRIME),
    Derived = crypto:hash(sha, <<"password">>),
    Verifier = crypto:mod_pow(2, Derived, ?PRIME),
    lists:append([srp(Version, Prime, Derived, Verifier) || Version <- ['3', '6', '6a']]).

srp(Version, Prime, Derived, Verifier) ->
    {UserPublic, UserPrivate} = crypto:generate_key(srp, {user, [<<2>>, Prime, Version]}),
    {HostPublic, HostPrivate} = crypto:generate_key(srp, {host, [Verifier, <<2>>, Prime, Version]}),
    Key = crypto:compute_key(srp, HostPublic, {UserPublic, UserPrivate}, {user, [Derived, Prime, <<2>>, Version]}),
    [{compute_key, [srp, UserPublic, {HostPublic, HostPrivate}, {host, [Verifier, Prime, Version]}], Key}].
