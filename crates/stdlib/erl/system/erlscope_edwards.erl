%% Curves 25519 and 448 for crypto: exchange of keys (RFC 7748) and signatures (RFC 8032).
%%
%% Points for signatures are {X, Y, Z} on ax^2 + y^2 = 1 + dx^2y^2; the sum of two is one formula that has no exceptions.
-module(erlscope_edwards).

-export([key_size/1, exchange/3, public_key/2, sign/3, verify/4]).

-define(P25519, (1 bsl 255 - 19)).
-define(P448, ((1 bsl 448) - (1 bsl 224) - 1)).

%% Bytes of a key.
key_size(x25519) -> 32;
key_size(ed25519) -> 32;
key_size(x448) -> 56;
key_size(ed448) -> 57.

%% ---- exchange of keys ----

public_key(x25519, Private) -> exchange(x25519, <<9, 0:31/unit:8>>, Private);
public_key(x448, Private) -> exchange(x448, <<5, 0:55/unit:8>>, Private);
public_key(Curve, Private) ->
    {Scalar, _} = expanded(Curve, Private),
    encode(Curve, multiply(Scalar, base(Curve), Curve)).

exchange(Curve, Public, Private) ->
    Size = key_size(Curve),
    <<Number:Size/unit:8-little>> = Public,
    {P, A24, Bits} = case Curve of
                         x25519 -> {?P25519, 121665, 255};
                         x448 -> {?P448, 39081, 448}
                     end,
    U = (Number band (1 bsl Bits - 1)) rem P,
    Result = ladder(Bits - 1, clamped(Curve, Private), U, {1, 0, U, 1}, A24, P),
    <<Result:Size/unit:8-little>>.

clamped(x25519, <<Number:256/little>>) -> Number band (1 bsl 254 - 8) bor (1 bsl 254);
clamped(x448, <<Number:448/little>>) -> Number band (1 bsl 448 - 4) bor (1 bsl 447).

%% Montgomery's: one difference is always that of the point.
ladder(Bit, _, _, {X, Z, _, _}, _, P) when Bit < 0 -> X * inverse(Z, P) rem P;
ladder(Bit, Scalar, U, {X2, Z2, X3, Z3}, A24, P) ->
    case (Scalar bsr Bit) band 1 of
        0 ->
            {X4, Z4, X5, Z5} = step(U, X2, Z2, X3, Z3, A24, P),
            ladder(Bit - 1, Scalar, U, {X4, Z4, X5, Z5}, A24, P);
        1 ->
            {X4, Z4, X5, Z5} = step(U, X3, Z3, X2, Z2, A24, P),
            ladder(Bit - 1, Scalar, U, {X5, Z5, X4, Z4}, A24, P)
    end.

step(U, X2, Z2, X3, Z3, A24, P) ->
    A = X2 + Z2,
    B = X2 - Z2,
    AA = A * A rem P,
    BB = B * B rem P,
    E = AA - BB,
    DA = (X3 - Z3) * A rem P,
    CB = (X3 + Z3) * B rem P,
    Sum = DA + CB,
    Difference = DA - CB,
    {AA * BB rem P, modulo(E * (AA + A24 * E), P), Sum * Sum rem P, U * (Difference * Difference rem P) rem P}.

%% ---- signatures ----

%% P, a, d, order
parameters(ed25519) ->
    {?P25519, -1, 16#52036CEE2B6FFE738CC740797779E89800700A4D4141D8AB75EB4DCA135978A3,
     1 bsl 252 + 27742317777372353535851937790883648493};
parameters(ed448) ->
    {?P448, 1, ?P448 - 39081,
     1 bsl 446 - 13818066809895115352007386748515426880336692474882178609894547503885}.

base(ed25519) ->
    {16#216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A,
     16#6666666666666666666666666666666666666666666666666666666666666658, 1};
base(ed448) ->
    {16#4F1970C66BED0DED221D15A622BF36DA9E146570470F1767EA6DE324A3D3A46412AE1AF72AB66511433B80E18B00938E2626A82BC70CC05E,
     16#693F46716EB6BC248876203756C9C7624BEA73736CA3984087789C1E05A0C2D73AD3FF1CE67C39C4FDBD132C4ED7C8AD9808795BF230FA14, 1}.

%% The hash of a text, as a number.
number(ed25519, Data) ->
    <<Number:512/little>> = erlscope_native:hash(sha512, Data),
    Number;
number(ed448, Data) ->
    <<Number:912/little>> = erlscope_native:shake256(["SigEd448", 0, 0, Data], 114),
    Number.

%% The secret scalar, and what the numbers of signatures are made from.
expanded(ed25519, Private) ->
    <<Number:256/little, Prefix/binary>> = erlscope_native:hash(sha512, Private),
    {Number band (1 bsl 254 - 8) bor (1 bsl 254), Prefix};
expanded(ed448, Private) ->
    <<Number:456/little, Prefix/binary>> = erlscope_native:shake256(Private, 114),
    {Number band (1 bsl 448 - 4) bor (1 bsl 447), Prefix}.

sign(Curve, Private, Text) ->
    Bytes = key_size(Curve),
    {_, _, _, Order} = parameters(Curve),
    {Scalar, Prefix} = expanded(Curve, Private),
    Public = encode(Curve, multiply(Scalar, base(Curve), Curve)),
    Once = number(Curve, [Prefix, Text]) rem Order,
    R = encode(Curve, multiply(Once, base(Curve), Curve)),
    S = (Once + number(Curve, [R, Public, Text]) * Scalar) rem Order,
    <<R/binary, S:Bytes/unit:8-little>>.

verify(Curve, Public, Text, Signature) ->
    Bytes = key_size(Curve),
    {P, _, _, Order} = parameters(Curve),
    case Signature of
        <<R:Bytes/binary, S:Bytes/unit:8-little>> when S < Order ->
            case decode(Curve, Public) of
                error ->
                    false;
                {X, Y, Z} ->
                    Factor = number(Curve, [R, Public, Text]) rem Order,
                    Opposite = multiply(Factor, {modulo(-X, P), Y, Z}, Curve),
                    encode(Curve, sum(multiply(S, base(Curve), Curve), Opposite, parameters(Curve))) =:= R
            end;
        _ ->
            false
    end.

encode(Curve, {X, Y, Z}) ->
    {P, _, _, _} = parameters(Curve),
    Bytes = key_size(Curve),
    I = inverse(Z, P),
    Sign = X * I rem P band 1,
    <<(Y * I rem P bor (Sign bsl (8 * Bytes - 1))):Bytes/unit:8-little>>.

decode(Curve, Key) ->
    {P, A, D, _} = parameters(Curve),
    Bytes = key_size(Curve),
    <<Number:Bytes/unit:8-little>> = Key,
    Sign = Number bsr (8 * Bytes - 1),
    case Number band (1 bsl (8 * Bytes - 1) - 1) of
        Y when Y < P ->
            %% x^2 = (1 - y^2) / (a - dy^2)
            YY = Y * Y rem P,
            Square = modulo((1 - YY) * inverse(modulo(A - D * YY, P), P), P),
            case square_root(Curve, Square, P) of
                error -> error;
                0 when Sign =:= 1 -> error;
                X when X band 1 =:= Sign -> {X, Y, 1};
                X -> {P - X, Y, 1}
            end;
        _ ->
            error
    end.

square_root(ed448, Square, P) ->
    checked(erlscope_native:mod_pow(Square, (P + 1) div 4, P), Square, P);
square_root(ed25519, Square, P) ->
    Root = erlscope_native:mod_pow(Square, (P + 3) div 8, P),
    case checked(Root, Square, P) of
        error -> checked(Root * erlscope_native:mod_pow(2, (P - 1) div 4, P) rem P, Square, P);
        Root -> Root
    end.

checked(Root, Square, P) when Root * Root rem P =:= Square -> Root;
checked(_, _, _) -> error.

multiply(0, _, _) -> {0, 1, 1};
multiply(Scalar, Point, Curve) -> multiple(Scalar, Point, parameters(Curve)).

multiple(1, Point, _) -> Point;
multiple(Scalar, Point, Parameters) ->
    Half = multiple(Scalar bsr 1, Point, Parameters),
    Twice = sum(Half, Half, Parameters),
    case Scalar band 1 of
        1 -> sum(Twice, Point, Parameters);
        0 -> Twice
    end.

sum({X1, Y1, Z1}, {X2, Y2, Z2}, {P, CoefficientA, CoefficientD, _}) ->
    A = Z1 * Z2 rem P,
    B = A * A rem P,
    C = X1 * X2 rem P,
    D = Y1 * Y2 rem P,
    E = CoefficientD * C * D rem P,
    F = B - E,
    G = B + E,
    {modulo(A * F * (((X1 + Y1) * (X2 + Y2) - C - D) rem P), P), modulo(A * G * (D - CoefficientA * C), P),
     modulo(F * G, P)}.

modulo(Number, P) ->
    case Number rem P of
        Rest when Rest < 0 -> Rest + P;
        Rest -> Rest
    end.

inverse(Number, P) -> erlscope_native:mod_pow(modulo(Number, P), P - 2, P).
