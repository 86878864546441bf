%% rand: pseudo random numbers.
%%
%% The generators are published ones: xorshift116+, xorshift116** and xoroshiro116+ (58 bits of state a word
%% instead of 64), xoroshiro928**, xorshift64*, xorshift1024*, and the multiply-with-carry generator mwc59,
%% by S. Vigna (prng.di.unimi.it) and in part by him for Erlang; seeds are spread with SplitMix64. For one
%% algorithm and seed the numbers are those of OTP, bit for bit.
%%
%% A state is `{Handler, AlgState}`; Handler is a map with the name of the algorithm and its functions. What
%% export_seed/0 gives is `{Name, AlgState}`. A handler has `bits`, the size of a number, and `weak_low_bits`
%% (how many of the low bits not to rely on), or, for the old algorithms, `max`. `uniform` and `uniform_n`
%% replace the general way of making numbers of a range (used by `dummy`, and by plug-in handlers).
-module(rand).

-export([bytes/1, bytes_s/2, export_seed/0, export_seed_s/1, jump/0, jump/1, normal/0, normal/2,
         normal_s/1, normal_s/3, seed/1, seed/2, seed_s/1, seed_s/2, uniform/0, uniform/1,
         uniform_real/0, uniform_real_s/1, uniform_s/1, uniform_s/2]).
%% Generators for their own sake.
-export([exro928_jump_2pow20/1, exro928_jump_2pow512/1, exro928_next/1, exro928_next_state/1,
         exro928_seed/1, exsp_jump/1, exsp_next/1, mwc59/1, mwc59_float/1, mwc59_seed/0, mwc59_seed/1,
         mwc59_value/1, mwc59_value32/1, splitmix64_next/1]).
%% Not documented, exported for tests.
-export([bc64/1, float2str/1, format_jumpconst58/1, make_float/3, seed58/2]).

-export_type([alg/0, alg_handler/0, alg_state/0, builtin_alg/0, export_state/0, seed/0, state/0]).
-export_type([dummy_state/0, exro928_state/0, exrop_state/0, exs1024_state/0, exs64_state/0,
              exsplus_state/0, mwc59_state/0, splitmix64_state/0, uint58/0, uint64/0]).

-type uint58() :: non_neg_integer().
-type uint64() :: non_neg_integer().
-type splitmix64_state() :: uint64().
-type exsplus_state() :: nonempty_improper_list(uint58(), uint58()).
-type exrop_state() :: nonempty_improper_list(uint58(), uint58()).
-type exro928_state() :: {[uint58()], [uint58()]}.
-type exs1024_state() :: {[uint64()], [uint64()]}.
-type exs64_state() :: uint64().
-type mwc59_state() :: pos_integer().
-type dummy_state() :: uint58().
-type alg_state() :: term().
-type builtin_alg() :: exsss | exro928ss | exrop | exs1024s | exsp | exs64 | exsplus | exs1024 | dummy.
-type alg() :: builtin_alg() | atom().
-type alg_handler() :: #{type := alg(), next := fun((alg_state()) -> {non_neg_integer(), alg_state()}),
                         _ => _}.
-type state() :: {alg_handler(), alg_state()}.
-type export_state() :: {alg(), alg_state()}.
-type seed() :: [integer()] | integer() | {integer(), integer(), integer()}.

-define(MASK(Bits, X), ((X) band ((1 bsl (Bits)) - 1))).
%% Shifted left within Bits bits.
-define(BSL(Bits, X, N), (?MASK((Bits) - (N), (X)) bsl (N))).
-define(ROTL(Bits, X, N), (?BSL((Bits), (X), (N)) bor ((X) bsr ((Bits) - (N))))).
-define(TWO_TO_MINUS_53, (1.0 / (1 bsl 53))).

%% ---- seeds ----

-spec seed(alg() | default | state() | export_state()) -> state().
seed(AlgOrState) -> put_state(seed_s(AlgOrState)).

-spec seed(alg() | default, seed()) -> state().
seed(Alg, Seed) -> put_state(seed_s(Alg, Seed)).

-spec seed_s(alg() | default | state() | export_state()) -> state().
seed_s({Handler, _} = State) when is_map(Handler) -> State;
seed_s({Alg, AlgState}) when is_atom(Alg) ->
    {Handler, _} = algorithm(Alg),
    {Handler, AlgState};
seed_s(Alg) -> seed_s(Alg, default_seed()).

-spec seed_s(alg() | default, seed()) -> state().
seed_s(default, Seed) -> seed_s(exsss, Seed);
seed_s(Alg, Seed) ->
    {Handler, MakeState} = algorithm(Alg),
    {Handler, MakeState(Seed)}.

default_seed() ->
    {erlang:phash2([{node(), self()}]), erlang:system_time(), erlang:unique_integer()}.

-spec export_seed() -> export_state() | undefined.
export_seed() ->
    case get(rand_seed) of
        {#{type := Alg}, AlgState} -> {Alg, AlgState};
        _ -> undefined
    end.

-spec export_seed_s(state()) -> export_state().
export_seed_s({#{type := Alg}, AlgState}) -> {Alg, AlgState}.

put_state(State) ->
    put(rand_seed, State),
    State.

get_state() ->
    case get(rand_seed) of
        undefined -> seed(exsss);
        State -> State
    end.

%% Runs a function on the state of the process.
with_state(Fun) ->
    {Value, State} = Fun(get_state()),
    put_state(State),
    Value.

%% ---- numbers of a range ----

-spec uniform() -> float().
uniform() -> with_state(fun uniform_s/1).

-spec uniform(pos_integer()) -> pos_integer().
uniform(N) -> with_state(fun(State) -> uniform_s(N, State) end).

-spec uniform_s(state()) -> {float(), state()}.
uniform_s({#{uniform := Uniform}, _} = State) -> Uniform(State);
uniform_s({#{bits := Bits, next := Next} = Handler, S}) ->
    {V, S1} = Next(S),
    {(V bsr (Bits - 53)) * ?TWO_TO_MINUS_53, {Handler, S1}};
uniform_s({#{max := Max, next := Next} = Handler, S}) ->
    {V, S1} = Next(S),
    {V / (Max + 1), {Handler, S1}}.

-spec uniform_s(pos_integer(), state()) -> {pos_integer(), state()}.
uniform_s(N, {#{uniform_n := Uniform}, _} = State) when is_integer(N), N >= 1 -> Uniform(N, State);
uniform_s(N, {#{bits := Bits, next := Next} = Handler, S}) when is_integer(N), N >= 1 ->
    {V, S1} = Next(S),
    Max = (1 bsl Bits) - N,
    if
        Max < 0 -> large_range(N, Handler, S1, V);
        V < N -> {V + 1, {Handler, S1}};
        %% The numbers past the last multiple of N would favour the small ones.
        V - V rem N =< Max -> {V rem N + 1, {Handler, S1}};
        true -> uniform_s(N, {Handler, S1})
    end;
uniform_s(N, {#{max := Max, next := Next} = Handler, S}) when is_integer(N), N >= 1 ->
    {V, S1} = Next(S),
    if
        N =< Max -> {V rem N + 1, {Handler, S1}};
        true -> {trunc(V / (Max + 1) * N) + 1, {Handler, S1}}
    end.

%% A range larger than one number: numbers are strung together, without their weak bits. For a power of two
%% just enough bits are taken, else at least two more.
large_range(N, #{next := Next, bits := Bits} = Handler, S, V) ->
    Good = Bits - maps:get(weak_low_bits, Handler, 0),
    case N band (N - 1) of
        0 ->
            {V1, S1, _} = string_together(N bsr Bits, Next, S, V, Good, Bits - Good, Bits),
            {V1 band (N - 1) + 1, {Handler, S1}};
        _ ->
            {V1, S1, Total} =
                string_together(N bsr (Bits - 2), Next, S, V, Good, Bits - Good, Bits),
            I = V1 rem N,
            if
                V1 - I =< (1 bsl Total) - N -> {I + 1, {Handler, S1}};
                true ->
                    {V2, S2} = Next(S1),
                    large_range(N, Handler, S2, V2)
            end
    end.

string_together(Rest, _Next, S, V, _Good, _Weak, Total) when Rest =< 1 -> {V, S, Total};
string_together(Rest, Next, S, V, Good, Weak, Total) ->
    {More, S1} = Next(S),
    Strong = V bsr Weak bsl Weak,
    string_together(Rest bsr Good, Next, S1, (Strong bsl Good) bor More, Good, Weak, Total + Good).

%% ---- floats with all their bits ----

-spec uniform_real() -> float().
uniform_real() -> with_state(fun uniform_real_s/1).

%% A float in 0.0 < X < 1.0 whose mantissa is random to the last bit, however small it is.
-spec uniform_real_s(state()) -> {float(), state()}.
uniform_real_s({Handler, S}) ->
    {V, Bits, S1} = at_least_56_bits(Handler, S),
    real(V bsr (Bits - 56), -56, Handler, S1).

at_least_56_bits(#{bits := Bits, next := Next}, S) ->
    {V, S1} = Next(S),
    {V, Bits, S1};
at_least_56_bits(#{max := _, next := Next}, S) ->
    {V, S1} = Next(S),
    {?MASK(56, V), 56, S1}.

%% OTP does not cut the second number of the old algorithms down to 56 bits; neither may we.
more_bits(#{max := _, next := Next}, -56, S) ->
    {V, S1} = Next(S),
    {V, 56, S1};
more_bits(Handler, _Exponent, S) -> at_least_56_bits(Handler, S).

%% M is a number of 56 bits, the last of which stands for 2 to the power of Exponent.
real(M, Exponent, Handler, S) when M >= 1 bsl 52 ->
    Surplus = bit_length(M) - 53,
    {(M bsr Surplus) * math:pow(2.0, Exponent + Surplus), {Handler, S}};
real(M, Exponent, Handler, S) when M > 0 ->
    {V, Bits, S1} = more_bits(Handler, Exponent, S),
    Missing = 53 - bit_length(M),
    Full = (M bsl Missing) bor (V bsr (Bits - Missing)),
    {Full * math:pow(2.0, Exponent - Missing), {Handler, S1}};
real(0, Exponent, Handler, S) ->
    {V, Bits, S1} = more_bits(Handler, Exponent, S),
    M = V bsr (Bits - 56),
    if
        %% It would be too small for a float of full precision.
        Exponent =:= -1008, M < 1 bsl 42 -> uniform_real_s({Handler, S1});
        true -> real(M, Exponent - 56, Handler, S1)
    end.

bit_length(M) -> length(integer_to_list(M, 2)).

%% ---- bytes ----

-spec bytes(non_neg_integer()) -> binary().
bytes(N) -> with_state(fun(State) -> bytes_s(N, State) end).

-spec bytes_s(non_neg_integer(), state()) -> {binary(), state()}.
bytes_s(N, {#{bits := Bits, next := Next} = Handler, S}) when is_integer(N), N >= 0 ->
    good_bytes(N, Next, Handler, S, Bits, Bits - maps:get(weak_low_bits, Handler, 0));
bytes_s(N, {#{max := Max, next := Next} = Handler, S})
  when is_integer(N), N >= 0, Max >= (1 bsl 58) - 1 ->
    good_bytes(N, Next, Handler, S, 58, 56).

good_bytes(N, Next, Handler, S, Bits, GoodBits) ->
    Size = GoodBits div 8,
    {Bytes, S1} = bytes(N, Next, S, Size, Bits - 8 * Size, <<>>),
    {Bytes, {Handler, S1}}.

bytes(N, Next, S, Size, Shift, Acc) when N > Size ->
    {V, S1} = Next(S),
    bytes(N - Size, Next, S1, Size, Shift, <<Acc/binary, (V bsr Shift):Size/unit:8>>);
bytes(N, Next, S, Size, _Shift, Acc) ->
    %% The last bytes are taken without the shift.
    {V, S1} = Next(S),
    {<<Acc/binary, (V bsr (8 * (Size - N))):N/unit:8>>, S1}.

%% ---- normal distribution ----

-spec normal() -> float().
normal() -> with_state(fun normal_s/1).

-spec normal(number(), number()) -> float().
normal(Mean, Variance) -> Mean + math:sqrt(Variance) * normal().

-spec normal_s(number(), number(), state()) -> {float(), state()}.
normal_s(Mean, Variance, State) when Variance > 0 ->
    {X, NewState} = normal_s(State),
    {Mean + math:sqrt(Variance) * X, NewState}.

%% A point in a random layer of the ziggurat: nearly always below the curve for sure, else tested.
-spec normal_s(state()) -> {float(), state()}.
normal_s({#{next := Next} = Handler, S}) ->
    {V, S1} = Next(S),
    {SignBit, R} = sign_and_51_bits(Handler, V),
    Sign = case SignBit of
               0 -> 1;
               _ -> -1
           end,
    Layer = ?MASK(8, R),
    X = Sign * (R * stdlib_ziggurat:width(Layer)),
    case R < stdlib_ziggurat:inner(Layer) of
        true -> {X, {Handler, S1}};
        false when Layer =:= 0 -> normal_tail(Sign, {Handler, S1});
        false -> normal_wedge(Layer, X, {Handler, S1})
    end.

sign_and_51_bits(#{bits := Bits}, V) -> {V band (1 bsl (Bits - 52)), V bsr (Bits - 51)};
sign_and_51_bits(_, V) -> {V band (1 bsl 51), ?MASK(51, V)}.

-define(TAIL, 3.6541528853610087963519472518).

normal_tail(Sign, State) ->
    {U0, State1} = uniform_s(State),
    X = -(1 / ?TAIL) * math:log(U0),
    {U1, State2} = uniform_s(State1),
    Y = -math:log(U1),
    case Y + Y > X * X of
        true -> {Sign * (?TAIL + X), State2};
        false -> normal_tail(Sign, State2)
    end.

normal_wedge(Layer, X, State) ->
    Low = stdlib_ziggurat:height(Layer),
    High = stdlib_ziggurat:height(Layer - 1),
    {U, State1} = uniform_s(State),
    case (High - Low) * U + Low < math:exp(-0.5 * X * X) of
        true -> {X, State1};
        false -> normal_s(State1)
    end.

%% ---- jumping ahead ----

-spec jump() -> state().
jump() -> put_state(jump(get_state())).

-spec jump(state()) -> state().
jump({#{jump := Jump}, _} = State) -> Jump(State);
jump({#{}, _}) -> erlang:error(not_implemented).

%% A generator that is linear over bits is advanced by a polynomial in its step function: the states at the
%% steps that are set in Polynomial, added bit by bit. States are lists of words here.
jump(State, Next, Polynomial, Steps) ->
    jump(State, Next, Polynomial, Steps, [0 || _ <- State]).

jump(_State, _Next, _Polynomial, 0, Sum) -> Sum;
jump(State, Next, Polynomial, Steps, Sum) ->
    NewSum = case Polynomial band 1 of
                 1 -> lists:zipwith(fun(A, B) -> A bxor B end, Sum, State);
                 0 -> Sum
             end,
    jump(Next(State), Next, Polynomial bsr 1, Steps - 1, NewSum).

%% ---- algorithms ----

%% The handler, and the function that makes a state of a seed.
algorithm(exsss) ->
    {#{type => exsss, bits => 58, next => fun exsss_next/1, jump => fun exs_jump/1}, fun exsss_seed/1};
algorithm(exsp) ->
    {#{type => exsp, bits => 58, weak_low_bits => 1, next => fun exsp_next/1, jump => fun exs_jump/1},
     fun exsp_seed/1};
algorithm(exsplus) ->
    {#{type => exsplus, max => (1 bsl 58) - 1, next => fun exsp_next/1, jump => fun exs_jump/1},
     fun exsp_seed/1};
algorithm(exrop) ->
    {#{type => exrop, bits => 58, weak_low_bits => 1, next => fun exrop_next/1,
       jump => fun exrop_jump/1},
     fun exrop_seed/1};
algorithm(exro928ss) ->
    {#{type => exro928ss, bits => 58, next => fun exro928ss_next/1, jump => fun exro928_jump/1},
     fun exro928_seed/1};
algorithm(exs1024s) ->
    {#{type => exs1024s, bits => 64, weak_low_bits => 3, next => fun exs1024_next/1,
       jump => fun exs1024_jump/1},
     fun exs1024_seed/1};
algorithm(exs1024) ->
    {#{type => exs1024, max => (1 bsl 64) - 1, next => fun exs1024_next/1,
       jump => fun exs1024_jump/1},
     fun exs1024_seed/1};
algorithm(exs64) ->
    {#{type => exs64, max => (1 bsl 64) - 1, next => fun exs64_next/1}, fun exs64_seed/1};
algorithm(dummy) ->
    {#{type => dummy, bits => 58, next => fun dummy_next/1, uniform => fun dummy_uniform/1,
       uniform_n => fun dummy_uniform/2},
     fun dummy_seed/1}.

%% SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
-spec splitmix64_next(integer()) -> {uint64(), splitmix64_state()}.
splitmix64_next(X0) ->
    X = ?MASK(64, X0 + 16#9e3779b97f4a7c15),
    Z1 = ?MASK(64, (X bxor (X bsr 30)) * 16#bf58476d1ce4e5b9),
    Z2 = ?MASK(64, (Z1 bxor (Z1 bsr 27)) * 16#94d049bb133111eb),
    {?MASK(64, Z2 bxor (Z2 bsr 31)), X}.

%% N numbers that are not zero.
-spec seed58(non_neg_integer(), integer()) -> [uint58()].
seed58(N, X) -> spread(N, 58, X).

spread(0, _Bits, _X) -> [];
spread(N, Bits, X) ->
    {Z, X1} = spread_one(Bits, X),
    [Z | spread(N - 1, Bits, X1)].

spread_one(Bits, X) ->
    {Z, X1} = splitmix64_next(X),
    case ?MASK(Bits, Z) of
        0 -> spread_one(Bits, X1);
        Word -> {Word, X1}
    end.

%% The words of a state given as a list, filled up with zeros.
given_words(N, Bits, Seed) -> given_words(N, Bits, Seed, false).

given_words(_N, _Bits, [], false) -> erlang:error(zero_seed);
given_words(0, _Bits, [_ | _], _NonZero) -> erlang:error(too_many_seed_integers);
given_words(N, _Bits, [], true) -> lists:duplicate(N, 0);
given_words(N, Bits, [Int | Ints], NonZero) when is_integer(Int) ->
    Word = ?MASK(Bits, Int),
    [Word | given_words(N - 1, Bits, Ints, NonZero orelse Word =/= 0)];
given_words(_N, _Bits, [_ | _], _NonZero) -> erlang:error(non_integer_seed).

%% ---- xorshift116+ and xorshift116** ----

exsp_seed(Seed) when is_list(Seed) ->
    [A, B] = given_words(2, 58, Seed),
    [A | B];
exsp_seed(Seed) when is_integer(Seed) ->
    [A, B] = spread(2, 58, Seed),
    [A | B];
exsp_seed({A1, A2, A3}) ->
    {_, [_ | S]} = exsp_next([?MASK(58, A1 * 4294967197 + 1) | ?MASK(58, A2 * 4294967231 + 1)]),
    {_, State} = exsp_next([?MASK(58, A3 * 4294967279 + 1) | S]),
    State.

exsss_seed({A1, A2, A3}) ->
    {_, X1} = spread_one(58, A1),
    {S1, X2} = spread_one(58, A2 bxor X1),
    {S2, _} = spread_one(58, A3 bxor X2),
    [S1 | S2];
exsss_seed(Seed) -> exsp_seed(Seed).

-spec exsp_next(exsplus_state()) -> {uint58(), exsplus_state()}.
exsp_next(State) ->
    [S0 | S1] = NewState = exs_step(State),
    {?MASK(58, S0 + S1), NewState}.

exsss_next(State) ->
    [S0 | _] = NewState = exs_step(State),
    {starstar(S0), NewState}.

exs_step([S1 | S0]) ->
    A = ?MASK(58, S0),
    B = ?MASK(58, S1) bxor ?BSL(58, S1, 24),
    [A | A bxor B bxor (A bsr 41) bxor (B bsr 11)].

%% The ** scrambler: times 5, rotated by 7, times 9.
starstar(S) ->
    A = S + ?BSL(58, S, 2),
    B = ?BSL(58, A, 7) bor ?MASK(7, A bsr 51),
    ?MASK(58, B + ?BSL(58, B, 3)).

exs_jump({Handler, S}) -> {Handler, exsp_jump(S)}.

-spec exsp_jump(exsplus_state()) -> exsplus_state().
exsp_jump([S1 | S0]) ->
    Step = fun([A, B]) ->
               [NewA | NewB] = exs_step([A | B]),
               [NewA, NewB]
           end,
    [Sum1, Sum0] = jump([S1, S0], Step, 16#d174a83e17de2302f8ea6bc32c797, 116),
    [Sum1 | Sum0].

%% ---- xoroshiro116+ ----

exrop_seed({A1, A2, A3}) ->
    [_ | S] = exrop_step([?MASK(58, A1 * 4294967197 + 1) | ?MASK(58, A2 * 4294967231 + 1)]),
    exrop_step([?MASK(58, A3 * 4294967279 + 1) | S]);
exrop_seed(Seed) -> exsp_seed(Seed).

exrop_next([S0 | S1] = State) -> {?MASK(58, S0 + S1), exrop_step(State)}.

exrop_step([S0 | S1]) ->
    A = S0 bxor S1,
    [?ROTL(58, S0, 24) bxor A bxor ?BSL(58, A, 2) | ?ROTL(58, A, 35)].

exrop_jump({Handler, [S0 | S1]}) ->
    Step = fun([A, B]) ->
               [NewA | NewB] = exrop_step([A | B]),
               [NewA, NewB]
           end,
    [Sum0, Sum1] = jump([S0, S1], Step, 16#9863200f83fcd4a11293241fcb12a, 116),
    {Handler, [Sum0 | Sum1]}.

%% ---- xoroshiro928** ----

%% The state is a ring of 16 words: those to come, and those passed in reverse.
-spec exro928_seed(seed()) -> exro928_state().
exro928_seed(Seed) when is_list(Seed) -> {given_words(16, 58, Seed), []};
exro928_seed(Seed) when is_integer(Seed) -> {spread(16, 58, Seed), []};
exro928_seed({A1, A2, A3}) ->
    {S1, X1} = spread_one(58, A1),
    {S2, X2} = spread_one(58, A2 bxor X1),
    {S3, X3} = spread_one(58, A3 bxor X2),
    {[S1, S2, S3 | spread(13, 58, X3)], []}.

exro928ss_next(State) ->
    {{_, S0}, NewState} = exro928_next(State),
    {starstar(S0), NewState}.

-spec exro928_next(exro928_state()) -> {{uint58(), uint58()}, exro928_state()}.
exro928_next({[S15], Passed}) -> exro928_next({[S15 | lists:reverse(Passed)], []});
exro928_next({[S15, S0 | _], _} = State) -> {{S15, S0}, exro928_next_state(State)}.

-spec exro928_next_state(exro928_state()) -> exro928_state().
exro928_next_state({[S15], Passed}) -> exro928_next_state({[S15 | lists:reverse(Passed)], []});
exro928_next_state({[S15, S0 | Words], Passed}) ->
    A = ?MASK(58, S0),
    B = ?MASK(58, S15) bxor A,
    {[?ROTL(58, B, 45) | Words], [?ROTL(58, A, 44) bxor B bxor ?BSL(58, B, 9) | Passed]}.

exro928_jump({Handler, S}) -> {Handler, exro928_jump_2pow512(S)}.

-spec exro928_jump_2pow512(exro928_state()) -> exro928_state().
exro928_jump_2pow512(State) ->
    ring_jump(State, fun exro928_next_state/1, 928,
              [16#b10773cbe19f5fc1a1504acd83f240c6007e76ce,
               16#bcb3b7c4cc049c536e62a33cc2323831b45a3a8a3cef3cc0f02f778573cf0f0a,
               16#0657e19f00d4b3584ddd98ee4be41e015ac26d5d20f9b49fa81b0090567fd9f0,
               16#b83fe51a1eb3be1910a1de1d7d6813d2ba05381fdfd1490244085302f77130ca]).

-spec exro928_jump_2pow20(exro928_state()) -> exro928_state().
exro928_jump_2pow20(State) ->
    ring_jump(State, fun exro928_next_state/1, 928,
              [16#cb3d181ca30bebc15fefcc78ff45ef33c82f3d48,
               16#a480c5878c3549bd5bdeb1a5a90f2e6b06df2eb1feaf0fb690627c014098f4b6,
               16#dc4d3af15f8a4dfdc081a7bf148531fb8ebc73c700b8b091af699c306d8e7566,
               16#4a426866bfad3c77da90f4a806c17e9e644807a56270cf78bdb966a3daf905e6]).

%% The polynomial is given in words of 256 bits, the highest first.
ring_jump({Words, Passed}, Next, Steps, PolynomialWords) ->
    Polynomial = lists:foldl(fun(Word, Acc) -> (Acc bsl 256) bor Word end, 0, PolynomialWords),
    Step = fun(Ring) ->
               {NewWords, NewPassed} = Next({Ring, []}),
               NewWords ++ lists:reverse(NewPassed)
           end,
    {jump(Words ++ lists:reverse(Passed), Step, Polynomial, Steps), []}.

%% ---- xorshift1024* and xorshift64* ----

exs1024_seed(Seed) when is_list(Seed) -> {given_words(16, 64, Seed), []};
exs1024_seed(Seed) when is_integer(Seed) -> {spread(16, 64, Seed), []};
exs1024_seed({A1, A2, A3}) ->
    B1 = ?MASK(21, (?MASK(21, A1) + 1) * 2097131),
    B2 = ?MASK(21, (?MASK(21, A2) + 1) * 2097133),
    B3 = ?MASK(21, (?MASK(21, A3) + 1) * 2097143),
    {_, Words} = lists:foldl(fun(_, {S, Acc}) ->
                                 {Word, S1} = exs64_next(S),
                                 {S1, [Word | Acc]}
                             end, {(B1 bsl 43) bor (B2 bsl 22) bor (B3 bsl 1) bor 1, []},
                             lists:seq(1, 16)),
    {Words, []}.

exs1024_next({[S0, S1 | Words], Passed}) ->
    A = S1 bxor ?BSL(64, S1, 31),
    S = S0 bxor (S0 bsr 30) bxor A bxor (A bsr 11),
    {?MASK(64, S * 1181783497276652981), {[S | Words], [S0 | Passed]}};
exs1024_next({[S], Passed}) -> exs1024_next({[S | lists:reverse(Passed)], []}).

%% The result is turned to where the given state was in the ring.
exs1024_jump({Handler, {_, Passed} = State}) ->
    Next = fun(S) -> element(2, exs1024_next(S)) end,
    {Ring, []} =
        ring_jump(State, Next, 1024,
                  [16#284600e3f30e38c3b99181f2d8f685ca047f7684e9fc949d0b5fc64563b3e2a8,
               16#7910c41d10a1e6a5691548c86c1bd5405ee975283d71c93bc4cb815590989b13,
               16#aac17d8efa43cab83659132bb12fea70dc2d9891fe68c0222ffeeb0a48316f40,
               16#4489affce4f31a1e5b34a39f070b5837a3c65b8776f9685584242f96eca9c41d]),
    {Words, NewPassed} = lists:split(16 - length(Passed), Ring),
    {Handler, {Words, lists:reverse(NewPassed)}}.

exs64_seed(Seed) when is_list(Seed) ->
    [S] = given_words(1, 64, Seed),
    S;
exs64_seed(Seed) when is_integer(Seed) ->
    [S] = spread(1, 64, Seed),
    S;
exs64_seed({A1, A2, A3}) ->
    {V1, _} = exs64_next(?MASK(32, A1) * 4294967197 + 1),
    {V2, _} = exs64_next(?MASK(32, A2) * 4294967231 + 1),
    {V3, _} = exs64_next(?MASK(32, A3) * 4294967279 + 1),
    V1 * V2 * V3 rem ((1 bsl 64) - 2) + 1.

exs64_next(S0) ->
    S1 = S0 bxor (S0 bsr 12),
    S2 = S1 bxor ?BSL(64, S1, 25),
    S3 = S2 bxor (S2 bsr 27),
    {?MASK(64, S3 * 2685821657736338717), S3}.

%% ---- dummy: no generator, to measure the cost of one ----

dummy_seed([]) -> erlang:error(zero_seed);
dummy_seed([Seed]) when is_integer(Seed) -> ?MASK(58, Seed);
dummy_seed([Seed | _]) when is_integer(Seed) -> erlang:error(too_many_seed_integers);
dummy_seed([_ | _]) -> erlang:error(non_integer_seed);
dummy_seed(Seed) when is_integer(Seed) ->
    {Z, _} = splitmix64_next(Seed),
    ?MASK(58, Z);
dummy_seed({A1, A2, A3}) ->
    {_, X1} = splitmix64_next(A1),
    {_, X2} = splitmix64_next(A2 bxor X1),
    {Z, _} = splitmix64_next(A3 bxor X2),
    ?MASK(58, Z).

dummy_next(S) -> {S, S bxor ((1 bsl 58) - 1)}.

dummy_uniform({Handler, S}) -> {0.5, {Handler, S bxor ((1 bsl 58) - 1)}}.

dummy_uniform(_N, {Handler, S}) -> {1, {Handler, S bxor ((1 bsl 58) - 1)}}.

%% ---- mwc59 ----

-spec mwc59(mwc59_state()) -> mwc59_state().
mwc59(State) ->
    CX = ?MASK(59, State),
    16#7fa6502 * ?MASK(32, CX) + (CX bsr 32).

-spec mwc59_value32(mwc59_state()) -> 0..4294967295.
mwc59_value32(State) ->
    X = ?MASK(32, State),
    X bxor ?BSL(32, X, 8).

-spec mwc59_value(mwc59_state()) -> 0..576460752303423487.
mwc59_value(State) -> mwc59_scrambled(59, State).

-spec mwc59_float(mwc59_state()) -> float().
mwc59_float(State) -> mwc59_scrambled(53, State) * ?TWO_TO_MINUS_53.

mwc59_scrambled(Bits, State) ->
    A = ?MASK(Bits, State),
    B = A bxor ?BSL(Bits, A, 4),
    B bxor ?BSL(Bits, B, 27).

-spec mwc59_seed() -> mwc59_state().
mwc59_seed() ->
    {A1, A2, A3} = default_seed(),
    (hash58(A1) bxor hash58(A2) bxor hash58(A3)) + 1.

-spec mwc59_seed(uint58()) -> mwc59_state().
mwc59_seed(Seed) when is_integer(Seed), Seed >= 0, Seed < 1 bsl 58 -> hash58(Seed) + 1.

hash58(X) ->
    A = ?MASK(58, X),
    B = ?MASK(58, (A bxor (A bsr 29)) * 16#351afd7ed558ccd),
    C = ?MASK(58, (B bxor (B bsr 29)) * 16#0ceb9fe1a85ec53),
    C bxor (C bsr 29).

%% ---- for tests ----

-spec bc64(non_neg_integer()) -> non_neg_integer().
bc64(0) -> 0;
bc64(V) when V > 0 -> min(64, bit_length(V)).

-spec make_float(0..1, 0..2047, non_neg_integer()) -> float().
make_float(Sign, Exponent, Mantissa) ->
    <<Float/float>> = <<Sign:1, Exponent:11, Mantissa:52>>,
    Float.

-spec float2str(number()) -> string().
float2str(Number) ->
    <<Sign:1, Exponent:11, Mantissa:52>> = <<(float(Number))/float>>,
    Plus = case Sign of
               0 -> "+";
               1 -> "-"
           end,
    Leading = case Exponent of
                  0 -> "0";
                  _ -> "1"
              end,
    lists:flatten(io_lib:format("~s~s.~13.16.0bE~b", [Plus, Leading, Mantissa, Exponent - 1023])).

%% Writes the words of a published jump constant ("0x..., 0x...") in pieces of 58 bits.
-spec format_jumpconst58(iodata()) -> ok.
format_jumpconst58(Text) ->
    {match, Matches} = re:run(Text, "0x([a-zA-Z0-9]+)", [global, {capture, all_but_first, binary}]),
    Constant = lists:foldr(fun([Hex], Acc) -> (Acc bsl 64) bor binary_to_integer(Hex, 16) end, 0, Matches),
    format_pieces(Constant).

format_pieces(0) -> ok;
format_pieces(Constant) ->
    io:format("16#~.16B,~n", [?MASK(58, Constant) bor (1 bsl 58)]),
    format_pieces(Constant bsr 58).
