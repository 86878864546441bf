%% Types as generators. A type is {'$type', Make}: Make is given a size and makes a value with what
%% it can be made smaller to (`erlscope_proper_tree`). Tuples, lists and maps with types in them are
%% types, any other term is the type of itself.
-module(proper_types).

-export([integer/0, integer/2, non_neg_integer/0, pos_integer/0, neg_integer/0, range/2, choose/2,
         int/0, nat/0, largeint/0, byte/0, char/0, arity/0, float/0, float/2, non_neg_float/0, real/0,
         number/0, boolean/0, bool/0, atom/0, timeout/0]).
-export([binary/0, binary/1, bitstring/0, bitstring/1, list/0, list/1, vector/2, string/0,
         orderedlist/1, shuffle/1, fixed_list/1, tuple/0, tuple/1, loose_tuple/1, map/0, map/1, map/2,
         any/0, term/0]).
-export([union/1, oneof/1, elements/1, weighted_union/1, wunion/1, frequency/1, default/2,
         weighted_default/2, exactly/1, return/1]).
-export([function/2, function0/1, function1/1, function2/1, function3/1, function4/1]).
-export([resize/2, sized/1, lazy/1, noshrink/1, non_empty/1, bind/3, add_constraint/3, shrinkwith/2,
         parameter/1, parameter/2, with_parameter/3, with_parameters/2]).
-export([is_type/1, maker/1, remote/3, native_type/2]).

-import(erlscope_proper_tree, [leaf/1]).

-type raw_type() :: term().
-type type() :: {'$type', fun((proper_gen:size()) -> term())}.
-export_type([raw_type/0, type/0]).

type(Make) -> {'$type', Make}.

is_type({'$type', Make}) -> is_function(Make, 1);
is_type(_) -> false.

%% What makes values of a type, or of a term with types in it.
maker({'$type', Make}) when is_function(Make, 1) ->
    Make;
maker(Term) ->
    case has_type(Term) of
        true -> parts(Term);
        false -> fun(_) -> leaf(Term) end
    end.

has_type({'$type', Make}) when is_function(Make, 1) -> true;
has_type(Tuple) when is_tuple(Tuple) -> has_type(tuple_to_list(Tuple));
has_type([First | Rest]) -> has_type(First) orelse has_type(Rest);
has_type(Map) when is_map(Map) -> has_type(maps:to_list(Map));
has_type(_) -> false.

parts(Tuple) when is_tuple(Tuple) -> together(tuple_to_list(Tuple), fun list_to_tuple/1);
parts(Map) when is_map(Map) ->
    together([{K, V} || {K, V} <- lists:sort(maps:to_list(Map))], fun maps:from_list/1);
parts(List) ->
    case elements_and_tail(List, []) of
        {Elements, []} -> together(Elements, fun(Values) -> Values end);
        {Elements, Tail} ->
            together([Tail | Elements], fun([T | Values]) -> Values ++ T end)
    end.

elements_and_tail([E | Rest], Before) -> elements_and_tail(Rest, [E | Before]);
elements_and_tail(Tail, Before) -> {lists:reverse(Before), Tail}.

together(Types, Build) ->
    Makers = [maker(T) || T <- Types],
    fun(Size) -> erlscope_proper_tree:fixed([Make(Size) || Make <- Makers], Build) end.

%%% --------------------------------------------------------------------- numbers

integer() -> integer(inf, inf).

integer(Low, High) when is_integer(Low), is_integer(High), Low > High -> error(badarg, [Low, High]);
integer(Low, High) ->
    type(fun(Size) -> erlscope_proper_tree:integer(any_integer(Size, Low, High), Low, High) end).

any_integer(Size, inf, inf) -> proper_gen:between(-Size, Size);
any_integer(Size, inf, High) -> High - proper_gen:between(0, Size);
any_integer(Size, Low, inf) -> Low + proper_gen:between(0, Size);
any_integer(_, Low, High) -> proper_gen:between(Low, High).

range(Low, High) -> integer(Low, High).
choose(Low, High) -> integer(Low, High).
non_neg_integer() -> integer(0, inf).
pos_integer() -> integer(1, inf).
neg_integer() -> integer(inf, -1).
int() -> integer().
nat() -> non_neg_integer().
byte() -> integer(0, 255).
arity() -> integer(0, 255).
char() -> integer(0, 16#10ffff).

%% Of all magnitudes, whatever the size.
largeint() ->
    type(fun(Size) ->
                 Most = 1 bsl proper_gen:between(4, 64 + Size),
                 erlscope_proper_tree:integer(proper_gen:between(-Most, Most), inf, inf)
         end).

float() -> float(inf, inf).
real() -> float().
non_neg_float() -> float(0.0, inf).

float(Low, High) ->
    type(fun(Size) -> erlscope_proper_tree:float(any_float(Size, Low, High), Low, High) end).

any_float(Size, inf, inf) -> sign() * fraction(Size);
any_float(Size, inf, High) -> High - fraction(Size);
any_float(Size, Low, inf) -> Low + fraction(Size);
any_float(_, Low, High) ->
    Part = (proper_gen:uniform(1 bsl 53) - 1) / ((1 bsl 53) - 1),
    Low + Part * (High - Low).

fraction(Size) -> proper_gen:between(0, Size * 1000) / proper_gen:between(1, 1000).

sign() -> 2 * proper_gen:uniform(2) - 3.

number() -> union([integer(), float()]).

boolean() -> union([false, true]).
bool() -> boolean().

timeout() -> union([non_neg_integer(), infinity]).

%% Small letters first, as in most programs; '$' begins no name.
atom() ->
    Characters = list_of(character_of_name(), 255),
    type(fun(Size) -> erlscope_proper_tree:map(fun list_to_atom/1, Characters(Size)) end).

character_of_name() ->
    maker(weighted_union([{8, integer($a, $z)}, {1, $_}, {1, integer($A, $Z)}, {1, integer($0, $9)},
                          {1, $\s}, {1, $@}])).

%%% ------------------------------------------------------------------ collections

list() -> list(any()).

list(Element) -> type(list_of(maker(Element), inf)).

list_of(Make, Most) ->
    fun(Size) ->
            Length = proper_gen:between(0, min(Size, Most)),
            erlscope_proper_tree:list(made(Make, Length, Size), fun(Values) -> Values end)
    end.

made(Make, Length, Size) -> [Make(Size) || _ <- lists:seq(1, Length)].

vector(Length, Element) when is_integer(Length), Length >= 0 ->
    Make = maker(Element),
    type(fun(Size) -> erlscope_proper_tree:fixed(made(Make, Length, Size), fun(Values) -> Values end) end).

string() -> list(char()).

orderedlist(Element) ->
    Make = maker(list(Element)),
    type(fun(Size) -> erlscope_proper_tree:map(fun lists:sort/1, Make(Size)) end).

%% The elements in any order; the order that is given is the simplest.
shuffle(List) when is_list(List) ->
    type(fun(_) ->
                 Mixed = [V || {_, V} <- lists:sort([{proper_gen:uniform(1 bsl 30), V} || V <- List])],
                 erlscope_proper_tree:tree(Mixed, fun() -> [leaf(List) || List =/= Mixed] end)
         end).

fixed_list(Types) when is_list(Types) -> type(parts_or_leaf(Types)).

parts_or_leaf([]) -> fun(_) -> leaf([]) end;
parts_or_leaf(Types) -> parts(Types).

binary() -> bytes(fun(Size) -> proper_gen:between(0, Size) end, fun erlscope_proper_tree:list/2).

binary(Length) when is_integer(Length), Length >= 0 ->
    bytes(fun(_) -> Length end, fun erlscope_proper_tree:fixed/2).

bytes(Length, Collect) ->
    Byte = maker(byte()),
    type(fun(Size) -> Collect(made(Byte, Length(Size), Size), fun list_to_binary/1) end).

bitstring() ->
    bits(fun(Size) -> proper_gen:between(0, 8 * Size) end, fun erlscope_proper_tree:list/2).

bitstring(Length) when is_integer(Length), Length >= 0 ->
    bits(fun(_) -> Length end, fun erlscope_proper_tree:fixed/2).

bits(Length, Collect) ->
    Bit = maker(integer(0, 1)),
    type(fun(Size) ->
                 Collect(made(Bit, Length(Size), Size), fun(Bits) -> << <<B:1>> || B <- Bits >> end)
         end).

tuple() -> loose_tuple(any()).

tuple(Types) when is_list(Types) ->
    case Types of
        [] -> exactly({});
        _ -> type(together(Types, fun list_to_tuple/1))
    end.

loose_tuple(Element) ->
    Make = maker(list(Element)),
    type(fun(Size) -> erlscope_proper_tree:map(fun list_to_tuple/1, Make(Size)) end).

map() -> map(any(), any()).

map(Key, Value) ->
    Make = maker(list({Key, Value})),
    type(fun(Size) -> erlscope_proper_tree:map(fun maps:from_list/1, Make(Size)) end).

%% The fields that a map is to have.
map(Fields) when is_map(Fields) -> type(maker(Fields)).

%% Any term; what it has parts of is smaller than it.
any() ->
    type(fun(Size) -> (maker(any_of(Size)))(Size) end).

any_of(Size) ->
    Flat = [{4, integer()}, {2, atom()}, {2, float()}, {1, boolean()}, {2, binary()}, {1, bitstring()}],
    case Size > 1 of
        false -> weighted_union([{4, integer()}, {2, atom()}, {1, []}, {1, {}}]);
        true ->
            Inner = resize(Size div 3, any()),
            weighted_union(Flat ++ [{3, list(Inner)}, {2, loose_tuple(Inner)}, {1, map(Inner, Inner)}])
    end.

term() -> any().

%%% ----------------------------------------------------------------- alternatives

union(Types) when is_list(Types), Types =/= [] ->
    weighted_union([{1, T} || T <- Types]).

oneof(Types) -> union(Types).

%% The first is the simplest.
elements(Values) when is_list(Values), Values =/= [] ->
    union([exactly(V) || V <- Values]).

weighted_union(Weighted) when is_list(Weighted), Weighted =/= [] ->
    Makers = [{check_weight(W), maker(T)} || {W, T} <- Weighted],
    Sum = lists:sum([W || {W, _} <- Makers]),
    Sum > 0 orelse error(badarg, [Weighted]),
    Numbered = lists:zip(lists:seq(1, length(Makers)), [Make || {_, Make} <- Makers]),
    type(fun(Size) ->
                 Chosen = choice(proper_gen:uniform(Sum), Makers, 1),
                 {_, Make} = lists:nth(Chosen, Numbered),
                 Others = [{N, proper_gen:later(fun() -> Other(Size) end)}
                           || {N, Other} <- Numbered, N =/= Chosen],
                 erlscope_proper_tree:alternative(Chosen, Make(Size), Others)
         end).

check_weight(W) when is_integer(W), W >= 0 -> W;
check_weight(W) -> error({bad_weight, W}).

choice(N, [{W, _} | _], Number) when N =< W -> Number;
choice(N, [{W, _} | Rest], Number) -> choice(N - W, Rest, Number + 1).

wunion(Weighted) -> weighted_union(Weighted).
frequency(Weighted) -> weighted_union(Weighted).

%% The default is what it is made smaller to.
default(Default, Type) -> weighted_default({1, Default}, {1, Type}).

weighted_default({DefaultWeight, Default}, {Weight, Type}) ->
    weighted_union([{DefaultWeight, Default}, {Weight, Type}]).

exactly(Term) -> type(fun(_) -> leaf(Term) end).

return(Term) -> exactly(Term).

%%% -------------------------------------------------------------------- functions

%% Functions that give the same result for the same arguments.
function(Arguments, Result) when is_list(Arguments) -> function(length(Arguments), Result);
function(Arity, Result) when is_integer(Arity), Arity >= 0 ->
    Make = maker(Result),
    type(fun(Size) ->
                 Seed = proper_gen:uniform(1 bsl 32),
                 Notes = erlscope_proper_calls:notes(),
                 Simple = fun() -> [leaf(answering(Arity, Make, 0, Seed, Notes)) || Size > 0] end,
                 erlscope_proper_tree:tree(answering(Arity, Make, Size, Seed, Notes), Simple)
         end).

answering(Arity, Make, Size, Seed, Notes) ->
    Id = {Seed, Size},
    Answer = fun(Arguments) ->
                     Own = erlang:phash2({Seed, Arguments}, 1 bsl 32),
                     Tree = proper_gen:apart(Own, fun() -> Make(Size) end),
                     Result = erlscope_proper_tree:value(Tree),
                     erlscope_proper_calls:called(Notes, Id, Arguments, Result),
                     Result
             end,
    erlscope_proper_calls:made(Notes, erlscope_proper_fun:make(Arity, Answer), Id).

function0(Result) -> function(0, Result).
function1(Result) -> function(1, Result).
function2(Result) -> function(2, Result).
function3(Result) -> function(3, Result).
function4(Result) -> function(4, Result).

%%% ------------------------------------------------------------------ combinators

resize(Size, Type) ->
    Make = maker(Type),
    type(fun(_) -> Make(Size) end).

sized(Typed) when is_function(Typed, 1) ->
    type(fun(Size) -> (maker(Typed(Size)))(Size) end).

lazy(Delayed) when is_function(Delayed, 0) ->
    type(fun(Size) -> (maker(Delayed()))(Size) end).

noshrink(Type) ->
    Make = maker(Type),
    type(fun(Size) -> erlscope_proper_tree:prune(Make(Size)) end).

non_empty(Type) ->
    add_constraint(Type, fun(Value) -> Value =/= [] andalso Value =/= <<>> end, true).

%% ?LET: what comes of a value may be a type again. ?LETSHRINK: the values are parts, and each of
%% them is something simpler.
bind(Types, Fun, true) when is_list(Types) ->
    Makers = [maker(T) || T <- Types],
    type(fun(Size) -> bound_parts([Make(Size) || Make <- Makers], inner(Fun, Size)) end);
bind(Type, Fun, _) ->
    Make = maker(Type),
    type(fun(Size) -> bound(Make(Size), inner(Fun, Size)) end).

%% What comes of a value, with the same random numbers for every one.
inner(Fun, Size) ->
    Keeping = proper_gen:keeping(),
    fun(Value) -> Keeping(fun() -> (maker(Fun(Value)))(Size) end) end.

bound(Outer, Inner) ->
    Smaller = fun() -> [bound(Child, Inner) || Child <- erlscope_proper_tree:children(Outer)] end,
    erlscope_proper_tree:before(Smaller, Inner(erlscope_proper_tree:value(Outer))).

bound_parts(Trees, Inner) ->
    Smaller = fun() ->
                      Trees ++ [bound_parts(Others, Inner)
                                || Others <- erlscope_proper_tree:one_smaller(Trees)]
              end,
    Values = [erlscope_proper_tree:value(Tree) || Tree <- Trees],
    erlscope_proper_tree:before(Smaller, Inner(Values)).

%% ?SUCHTHAT: it is tried so often, with values that grow; then there is no value, or (if it is not
%% strict) any.
add_constraint(Type, Holds, IsStrict) ->
    Make = maker(Type),
    type(fun(Size) -> tried(Make, Holds, IsStrict, Size, proper_gen:tries(), 0) end).

tried(Make, Holds, IsStrict, Size, Most, Tried) ->
    Tree = Make(Size + Tried div 10),
    Value = erlscope_proper_tree:value(Tree),
    case is_true(Holds(Value)) of
        true -> erlscope_proper_tree:filter(fun(V) -> is_true(Holds(V)) end, Tree);
        false when Tried < Most -> tried(Make, Holds, IsStrict, Size, Most, Tried + 1);
        false when IsStrict -> throw({erlscope_proper, cant_generate});
        false -> Tree
    end.

is_true(true) -> true;
is_true(false) -> false;
is_true(Other) -> error({non_boolean_result, Other}).

%% ?SHRINK: values of other types that are simpler.
shrinkwith(Delayed, Simpler) ->
    type(fun(Size) ->
                 Keeping = proper_gen:keeping(),
                 Others = fun() ->
                                  Keeping(fun() -> [(maker(T))(Size) || T <- Simpler()] end)
                          end,
                 erlscope_proper_tree:before(Others, (maker(Delayed()))(Size))
         end).

%%% ------------------------------------------------------------------- parameters

parameter(Name) -> proper_gen:parameter(Name, undefined).

parameter(Name, Default) -> proper_gen:parameter(Name, Default).

with_parameter(Name, Value, Type) -> with_parameters([{Name, Value}], Type).

%% The type may be a function that asks for them when it is called.
with_parameters(Values, Type) ->
    type(fun(Size) -> proper_gen:with_parameters(Values, fun() -> (maker(Type))(Size) end) end).

%%% ----------------------------------------------------------------- native types

%% `m:f(…)` where a type is expected: the function, or the type of that name.
remote(Module, Name, Arguments) ->
    _ = code:ensure_loaded(Module),
    case erlang:function_exported(Module, Name, length(Arguments)) of
        true -> apply(Module, Name, Arguments);
        false -> native_type(Module, {Name, Arguments})
    end.

%% A type that a module declares, with what its parameters are.
native_type(Module, {Name, Arguments}) ->
    type(erlscope_proper_native:maker(Module, Name, [maker(A) || A <- Arguments])).
