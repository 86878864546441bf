%% Random terms and functions for the differential tests. A generator is a fun of no arguments; the
%% random numbers come from the process's `rand` state, so that a run is reproducible.
-module(arb).

-export([args/2, pick/1, one/1, int/0, int/2, nat/0, nat/1, float/0, number/0, atom/0, key/0, term/0,
         term/1, wrong/0, list/1, list/2, sized/2, tuple/1, const/1, elements/1, map/2, function/1,
         function/2, pred/0, less/0, less_equal/0, strict/0, combine/0, string/0, ascii/0, utf8/0,
         chardata/0, char/0, bytes/0, bytes/1, sorted/1, usorted/1, freq/1, compose/2, bool/0]).

%% The arguments for one call; in Percent of the calls one of them is of the wrong sort.
args(Gens, Percent) ->
    Args = [one(Gen) || Gen <- Gens],
    case Args =/= [] andalso rand:uniform(100) =< Percent of
        true ->
            N = rand:uniform(length(Args)),
            {Before, [_ | After]} = lists:split(N - 1, Args),
            Before ++ [one(wrong()) | After];
        false -> Args
    end.

one(Gen) -> Gen().

pick(List) -> lists:nth(rand:uniform(length(List)), List).

const(Value) -> fun() -> Value end.
elements(Values) -> fun() -> pick(Values) end.
freq(Weighted) ->
    fun() ->
        Total = lists:sum([W || {W, _} <- Weighted]),
        one(weighted(rand:uniform(Total), Weighted))
    end.

weighted(N, [{W, Gen} | _]) when N =< W -> Gen;
weighted(N, [{W, _} | Rest]) -> weighted(N - W, Rest).

compose(Fun, Gen) -> fun() -> Fun(one(Gen)) end.

bool() -> elements([true, false]).
int() -> int(-20, 20).
int(Low, High) -> fun() -> Low + rand:uniform(High - Low + 1) - 1 end.
nat() -> nat(8).
nat(Max) -> int(0, Max).
float() -> fun() -> pick([0.0, -0.0, 1.0, 2.0, 1.5, -3.0, 5.0, 100.0]) end.
number() -> freq([{6, int(-4, 8)}, {2, float()}, {1, elements([1 bsl 70, -(1 bsl 65), 1 bsl 59])}]).
atom() -> elements([a, b, c, d, foo, bar, true, false, undefined]).

%% Few distinct values, equal under `==` but not under `=:=` among them.
key() -> freq([{6, int(0, 12)}, {2, elements([1.0, 2.0, 5.0, 0.0])}, {2, atom()}, {1, string()}]).

term() -> term(3).
term(0) -> freq([{4, int()}, {2, float()}, {3, atom()}, {1, elements([<<>>, <<"ab">>, [], {}, #{}])}]);
term(Depth) ->
    freq([{4, term(0)},
          {2, list(term_at(Depth - 1), 3)},
          {2, fun() -> list_to_tuple(one(list(term_at(Depth - 1), 3))) end},
          {1, map(term_at(0), term_at(Depth - 1))}]).

%% Keeps the generator of a nested term from being built before it is needed.
term_at(Depth) -> fun() -> one(term(Depth)) end.

wrong() ->
    freq([{3, term(2)},
          {3, elements([a, -1, 0, 3, 1.0, {}, [], <<>>, #{}, [a | b], [1, 2 | 3], <<1:3>>, "abc",
                        {1, 2}, [{a, 1} | x], [[a] | b], <<255, 254>>, [1114112], [-1], true])},
          {1, elements([fun() -> ok end, fun(X) -> X end, fun(X, _) -> X end])}]).

list(Gen) -> list(Gen, 10).
list(Gen, Max) -> fun() -> one(sized(rand:uniform(Max + 1) - 1, Gen)) end.
sized(N, Gen) -> fun() -> [one(Gen) || _ <- lists:duplicate(N, x)] end.
tuple(Gens) -> fun() -> list_to_tuple([one(Gen) || Gen <- Gens]) end.
map(KeyGen, ValueGen) ->
    fun() -> maps:from_list(one(list(tuple([KeyGen, ValueGen]), 6))) end.
sorted(Gen) -> fun() -> lists:sort(one(Gen)) end.
usorted(Gen) -> fun() -> lists:usort(one(Gen)) end.

%% ---- functions: pure, different at each generation ----

function(Arity) -> function(Arity, term(1)).

function(Arity, ResultGen) ->
    fun() ->
        Results = list_to_tuple([one(ResultGen) || _ <- lists:seq(1, 4)]),
        Salt = rand:uniform(1000),
        choose(Arity, fun(Args) -> element(1 + erlang:phash2({Salt, Args}, 4), Results) end)
    end.

choose(0, F) -> fun() -> F([]) end;
choose(1, F) -> fun(A) -> F([A]) end;
choose(2, F) -> fun(A, B) -> F([A, B]) end;
choose(3, F) -> fun(A, B, C) -> F([A, B, C]) end.

pred() ->
    fun() ->
        Salt = rand:uniform(1000),
        Limit = rand:uniform(5),
        fun(X) -> erlang:phash2({Salt, X}, 5) < Limit end
    end.

combine() -> elements([fun(A, B) -> {A, B} end, fun(A, B) -> [A | B] end, fun(_, B) -> B end]).

%% Orders for sorting: reflexive ones and strict ones.
less() -> freq([{3, less_equal()}, {1, strict()}]).
less_equal() ->
    elements([fun(A, B) -> A =< B end, fun(A, B) -> A >= B end,
              fun(A, B) -> erlang:phash2(A, 3) =< erlang:phash2(B, 3) end]).
strict() ->
    elements([fun(A, B) -> A < B end, fun(A, B) -> A > B end,
              fun(A, B) -> erlang:phash2(A, 3) > erlang:phash2(B, 3) end]).

%% ---- text ----

ascii() -> list(elements("abcABC xyz019 ,.:;\n\t"), 12).
char() ->
    freq([{12, elements("abcdeXYZ 01, \n\r\t")}, {3, elements([$å, $Ä, $ö, $ß, $Ü, 16#130, 16#131])},
          {2, elements([16#301, 16#308, 16#30A, 16#200D, 16#FE0F])},
          {2, elements([16#1F600, 16#1F468, 16#1F1F8, 16#1F1EA, 16#AC00, 16#1100, 16#1161, 16#FB01,
                        16#1C4, 16#1C5, 16#3A3, 16#3C2])}]).
string() -> list(char(), 10).
utf8() -> fun() -> unicode:characters_to_binary(one(string())) end.
bytes() -> bytes(12).
bytes(Max) -> fun() -> list_to_binary(one(list(nat(255), Max))) end.

%% Text in any of the shapes of unicode:chardata().
chardata() ->
    freq([{4, string()}, {4, utf8()}, {2, ascii()},
          {3, fun() -> [one(elements_text()) || _ <- lists:seq(1, rand:uniform(4))] end}]).

elements_text() -> freq([{2, string()}, {2, utf8()}, {1, char()}, {1, const([])}, {1, const(<<>>)},
                         {1, fun() -> [one(utf8()), one(string())] end},
                         {1, fun() -> [one(char()) | one(utf8())] end}]).
