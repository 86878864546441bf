%% Segments of binaries for `erl_eval': built and matched one at a time.
%%
%% Eval(Expr, Bindings) -> {value, Value, Bindings} computes values and sizes;
%% Match(match | binding | add_binding, Arguments) is what `erl_eval' knows about
%% patterns and bindings; Fail(Anno, Reason, Stack) raises.
-module(eval_bits).

-export([expr_grp/3, expr_grp/4, expr_grp/5, match_bits/6, match_bits/7, bin_gen/6, bin_gen/7]).

-define(STACK, element(2, erlang:process_info(self(), current_stacktrace))).

%%% -------------------------------------------------------------------- building

expr_grp(Segments, Bs, Eval) -> expr_grp(Segments, Bs, Eval, fun raise/3).

expr_grp(Segments, Bs, Eval, Fail) when is_function(Fail) -> grp(Segments, Bs, Eval, Fail);
expr_grp(Segments, Bs, Eval, _) -> grp(Segments, Bs, Eval, fun raise/3).

expr_grp(Segments, Bs, Eval, _, _) -> grp(Segments, Bs, Eval, fun raise/3).

raise(_, Reason, Stack) -> erlang:raise(error, Reason, Stack).

%% All values first, then the bits: as compiled code does.
grp(Segments, Bs0, Eval, Fail) ->
    {Builders, Bs} = evaluate(Segments, Bs0, Eval, Fail, 1),
    {value, create_binary(Builders, <<>>), Bs}.

evaluate([Segment | Segments], Bs0, Eval, Fail, Position) ->
    {Builder, Bs1} = evaluated(Segment, Bs0, Eval, Fail, Position),
    {Builders, Bs} = evaluate(Segments, Bs1, Eval, Fail, Position + 1),
    {[Builder | Builders], Bs};
evaluate([], Bs, _, _, _) ->
    {[], Bs}.

create_binary([Build | Builders], Bits) ->
    More = Build(),
    create_binary(Builders, <<Bits/bitstring, More/bitstring>>);
create_binary([], Bits) ->
    Bits.

evaluated({bin_element, _, {string, _, Text}, default, default}, Bs, _, _, _) ->
    {fun() -> << <<C>> || C <- Text >> end, Bs};
evaluated({bin_element, Anno, {string, _, Text}, Size0, Types}, Bs0, Eval, Fail, Position) ->
    {Size1, Type} = make_bit_type(Anno, Size0, Types, Fail),
    {value, Size, Bs} = Eval(Size1, Bs0),
    Build = fun(C) -> segment(Anno, C, Size, Type, Fail, Position) end,
    {fun() ->
             Text =/= "" orelse Build(0),
             << <<(Build(C))/bitstring>> || C <- Text >>
     end, Bs};
evaluated({bin_element, Anno, Expr, Size0, Types}, Bs0, Eval, Fail, Position) ->
    {value, Value, Bs1} = Eval(Expr, Bs0),
    {Size1, Type} = make_bit_type(Anno, Size0, Types, Fail),
    {value, Size, Bs} = Eval(Size1, Bs1),
    {fun() -> segment(Anno, Value, Size, Type, Fail, Position) end, Bs}.

%% Size as an expression, and the properties of a segment.
make_bit_type(Anno, Size0, Types0, Fail) ->
    try
        Types = case Types0 of
                    default -> [];
                    _ -> Types0
                end,
        Given = lists:foldl(fun gather/2, #{}, lists:flatmap(fun parts/1, Types)),
        Kind = maps:get(type, Given, integer),
        {Size, Unit} = properties(Kind, Size0, maps:get(unit, Given, default), Anno),
        {Size, {Kind, Unit, maps:get(sign, Given, unsigned), maps:get(endianness, Given, big)}}
    catch
        throw:{error, Reason} -> Fail(Anno, Reason, ?STACK)
    end.

parts(bytes) -> [{type, binary}, {unit, 8}];
parts(bits) -> [{type, binary}, {unit, 1}];
parts(bitstring) -> [{type, binary}, {unit, 1}];
parts(Type) when Type =:= integer; Type =:= float; Type =:= binary; Type =:= utf8; Type =:= utf16;
                 Type =:= utf32 -> [{type, Type}];
parts({unit, Unit}) when is_integer(Unit), Unit > 0, Unit =< 256 -> [{unit, Unit}];
parts({unit, undefined}) -> [];
parts(Sign) when Sign =:= signed; Sign =:= unsigned -> [{sign, Sign}];
parts(Endian) when Endian =:= big; Endian =:= little; Endian =:= native -> [{endianness, Endian}];
parts(Name) -> throw({error, {undefined_bittype, Name}}).

gather({Key, Value}, Given) ->
    case Given of
        #{Key := Value} -> Given;
        #{Key := Other} -> throw({error, {bittype_mismatch, Value, Other, atom_to_list(Key)}});
        #{} -> Given#{Key => Value}
    end.

properties(integer, default, default, Anno) -> {{integer, Anno, 8}, 1};
properties(float, default, default, Anno) -> {{integer, Anno, 64}, 1};
properties(Kind, default, _, _) when Kind =:= integer; Kind =:= float -> throw({error, bittype_unit});
properties(Kind, default, default, Anno) when Kind =/= binary -> {{atom, Anno, undefined}, 0};
properties(Kind, {atom, _, undefined} = Size, default, _) when Kind =:= utf8; Kind =:= utf16; Kind =:= utf32 ->
    {Size, 0};
properties(Kind, _, _, _) when Kind =:= utf8; Kind =:= utf16; Kind =:= utf32 ->
    throw({error, utf_bittype_size_or_unit});
properties(binary, default, default, Anno) -> {{atom, Anno, all}, 8};
properties(binary, default, Unit, Anno) -> {{atom, Anno, all}, Unit};
properties(binary, Size, default, _) -> {Size, 8};
properties(_, Size, default, _) -> {Size, 1};
properties(_, Size, Unit, _) -> {Size, Unit}.

segment(Anno, Value, Size, Type, Fail, Position) ->
    {Kind, Unit, Sign, Endian} = Type,
    try eval_exp_field(Value, Size, Unit, Kind, Endian, Sign)
    catch
        error:system_limit:Stack -> Fail(Anno, system_limit, positioned(Stack, Position));
        error:_:Stack -> Fail(Anno, badarg, positioned(Stack, Position))
    end.

%% The message about a failed segment counts the segments of the expression.
positioned([{Module, Name, Args, Where} = Top, _ | Rest], Position) ->
    case lists:keytake(error_info, 1, Where) of
        {value, {error_info, #{} = Info}, Others} ->
            [{Module, Name, Args, Others ++ [{error_info, Info#{override_segment_position => Position}}]} | Rest];
        _ ->
            [Top | Rest]
    end;
positioned(Stack, _) ->
    Stack.

eval_exp_field(V, Size, Unit, integer, big, _) -> <<V:(Size * Unit)>>;
eval_exp_field(V, Size, Unit, integer, little, _) -> <<V:(Size * Unit)/little>>;
eval_exp_field(V, Size, Unit, integer, native, _) -> <<V:(Size * Unit)/native>>;
eval_exp_field(V, Size, Unit, float, big, _) -> <<V:(Size * Unit)/float>>;
eval_exp_field(V, Size, Unit, float, little, _) -> <<V:(Size * Unit)/float-little>>;
eval_exp_field(V, Size, Unit, float, native, _) -> <<V:(Size * Unit)/float-native>>;
eval_exp_field(V, _, _, utf8, _, _) -> <<V/utf8>>;
eval_exp_field(V, _, _, utf16, big, _) -> <<V/utf16>>;
eval_exp_field(V, _, _, utf16, little, _) -> <<V/utf16-little>>;
eval_exp_field(V, _, _, utf16, native, _) -> <<V/utf16-native>>;
eval_exp_field(V, _, _, utf32, big, _) -> <<V/utf32>>;
eval_exp_field(V, _, _, utf32, little, _) -> <<V/utf32-little>>;
eval_exp_field(V, _, _, utf32, native, _) -> <<V/utf32-native>>;
eval_exp_field(V, all, Unit, binary, _, _) ->
    case bit_size(V) of
        Size when Size rem Unit =:= 0 -> <<V:Size/bitstring>>;
        _ -> erlang:raise(error, badarg, ?STACK)
    end;
eval_exp_field(V, Size, Unit, binary, _, _) -> <<V:(Size * Unit)/bitstring>>.

%%% -------------------------------------------------------------------- matching

match_bits(Segments, Bits, New, Sizes, Match, Eval) ->
    match_bits(Segments, Bits, New, Sizes, Match, Eval, fun raise/3).

%% {match, Bindings}; throws `nomatch', or `invalid' for what is no pattern.
match_bits(Segments, Bits, New, Sizes, Match, Eval, Fail)
  when is_function(Match, 2), is_function(Eval, 2), is_function(Fail, 3) ->
    try all_segments(Segments, Bits, New, Sizes, Match, Eval, Fail)
    catch
        throw:invalid -> throw(invalid);
        _:_ -> throw(nomatch)
    end.

all_segments([], <<>>, New, _, _, _, _) ->
    {match, New};
all_segments([Segment | Segments], Bits, New, Sizes, Match, Eval, Fail) ->
    {New1, Sizes1, Rest} = one_segment(Segment, Bits, New, Sizes, Match, Eval, Fail),
    all_segments(Segments, Rest, New1, Sizes1, Match, Eval, Fail).

one_segment({bin_element, _, {string, _, Text}, default, default}, Bits, New, Sizes, _, _, _) ->
    Bytes = list_to_binary(Text),
    Size = byte_size(Bytes),
    <<Bytes:Size/binary, Rest/bitstring>> = Bits,
    {New, Sizes, Rest};
one_segment({bin_element, Anno, Value, Size0, Types}, Bits, New, Sizes, Match, Eval, Fail) ->
    {Size1, Type} = make_bit_type(Anno, Size0, Types, Fail),
    {value, Size, _} = Eval(erl_eval:partial_eval(Size1), Sizes),
    lists:foldl(fun(Pattern, {New1, Sizes1, Bits1}) ->
                        {Taken, Rest} = take(Bits1, Size, Type),
                        {match, New2} = Match(match, {Pattern, Taken, New1}),
                        {New2, with_size(Match, Pattern, New2, Sizes1), Rest}
                end, {New, Sizes, Bits}, patterns(Value, Type)).

%% A string with a type stands for its characters.
patterns({string, Anno, Text}, _) -> [{integer, Anno, C} || C <- Text];
patterns(Expr, Type) -> [as_float(erl_eval:partial_eval(Expr), Type)].

%% A number is a float in a segment that is one.
as_float({integer, Anno, N} = Expr, {float, _, _, _}) ->
    try {float, Anno, float(N)}
    catch error:_ -> Expr
    end;
as_float(Expr, _) -> Expr.

%% Later sizes may use the variable of a segment.
with_size(_, {var, _, '_'}, _, Sizes) -> Sizes;
with_size(Match, {var, _, Name}, New, Sizes) ->
    {value, Value} = Match(binding, {Name, New}),
    Match(add_binding, {Name, Value, Sizes});
with_size(_, _, _, Sizes) -> Sizes.

take(Bits, Size, {integer, Unit, Sign, Endian}) -> take_integer(Bits, Size * Unit, Sign, Endian);
take(Bits, Size, {float, Unit, _, Endian}) -> take_float(Bits, Size * Unit, Endian);
take(Bits, undefined, {utf8, _, _, _}) ->
    <<C/utf8, Rest/bitstring>> = Bits,
    {C, Rest};
take(Bits, undefined, {utf16, _, _, Endian}) ->
    case {Endian, Bits} of
        {big, <<C/utf16, Rest/bitstring>>} -> {C, Rest};
        {little, <<C/utf16-little, Rest/bitstring>>} -> {C, Rest};
        {native, <<C/utf16-native, Rest/bitstring>>} -> {C, Rest}
    end;
take(Bits, undefined, {utf32, _, _, Endian}) ->
    case {Endian, Bits} of
        {big, <<C/utf32, Rest/bitstring>>} -> {C, Rest};
        {little, <<C/utf32-little, Rest/bitstring>>} -> {C, Rest};
        {native, <<C/utf32-native, Rest/bitstring>>} -> {C, Rest}
    end;
take(Bits, all, {binary, Unit, _, _}) ->
    0 = bit_size(Bits) rem Unit,
    {Bits, <<>>};
take(Bits, Size, {binary, Unit, _, _}) ->
    Length = Size * Unit,
    <<Value:Length/bitstring, Rest/bitstring>> = Bits,
    {Value, Rest}.

take_integer(Bits, Size, Sign, Endian) ->
    case {Sign, Endian} of
        {unsigned, big} -> <<N:Size, Rest/bitstring>> = Bits, {N, Rest};
        {unsigned, little} -> <<N:Size/little, Rest/bitstring>> = Bits, {N, Rest};
        {unsigned, native} -> <<N:Size/native, Rest/bitstring>> = Bits, {N, Rest};
        {signed, big} -> <<N:Size/signed, Rest/bitstring>> = Bits, {N, Rest};
        {signed, little} -> <<N:Size/signed-little, Rest/bitstring>> = Bits, {N, Rest};
        {signed, native} -> <<N:Size/signed-native, Rest/bitstring>> = Bits, {N, Rest}
    end.

take_float(Bits, Size, big) -> <<F:Size/float, Rest/bitstring>> = Bits, {F, Rest};
take_float(Bits, Size, little) -> <<F:Size/float-little, Rest/bitstring>> = Bits, {F, Rest};
take_float(Bits, Size, native) -> <<F:Size/float-native, Rest/bitstring>> = Bits, {F, Rest}.

%%% -------------------------------------------------------------- comprehensions

bin_gen(Pattern, Bits, New, Sizes, Match, Eval) ->
    bin_gen(Pattern, Bits, New, Sizes, Match, Eval, fun raise/3).

%% {match, Rest, Bindings}, {nomatch, Rest} if the bits are there but are others,
%% `done' if there are not enough.
bin_gen({bin, _, Segments}, Bits, New, Sizes, Match, Eval, Fail) ->
    generate(Segments, Bits, New, Sizes, Match, Eval, Fail, true).

generate([Segment | Segments], Bits, New0, Sizes0, Match, Eval, Fail, Matches) ->
    case generated(Segment, Bits, New0, Sizes0, Match, Eval, Fail) of
        {match, New, Sizes, Rest} -> generate(Segments, Rest, New, Sizes, Match, Eval, Fail, Matches);
        {nomatch, Rest} -> generate(Segments, Rest, New0, Sizes0, Match, Eval, Fail, false);
        done -> done
    end;
generate([], Bits, New, _, _, _, _, true) -> {match, Bits, New};
generate([], Bits, _, _, _, _, _, false) -> {nomatch, Bits}.

generated({bin_element, _, {string, _, Text}, default, default}, Bits, New, Sizes, _, _, _) ->
    Bytes = try list_to_binary(Text) catch _:_ -> <<>> end,
    Size = length(Text),
    case Bits of
        <<Bytes:Size/binary, Rest/bitstring>> -> {match, New, Sizes, Rest};
        <<_:Size/binary, Rest/bitstring>> -> {nomatch, Rest};
        _ -> done
    end;
generated({bin_element, Anno, Value, Size0, Types}, Bits, New, Sizes, Match, Eval, Fail) ->
    {Size1, Type} = make_bit_type(Anno, Size0, Types, Fail),
    try Eval(Size1, Sizes) of
        {value, Size, _} -> each(patterns(Value, Type), Bits, Size, Type, New, Sizes, Match)
    catch
        _:_ -> done
    end.

each([Pattern | Patterns], Bits, Size, Type, New0, Sizes, Match) ->
    try take(Bits, Size, Type) of
        {Taken, Rest} ->
            try Match(match, {Pattern, Taken, New0}) of
                {match, New} ->
                    each(Patterns, Rest, Size, Type, New, with_size(Match, Pattern, New, Sizes), Match)
            catch
                _:_ -> {nomatch, Rest}
            end
    catch
        _:_ -> done
    end;
each([], Bits, _, _, New, Sizes, _) ->
    {match, New, Sizes, Bits}.
