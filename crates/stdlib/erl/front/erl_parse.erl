%% Tokens to abstract forms, by the parser of the runtime; and what is done with
%% abstract forms: annotations changed and collected, terms made from them and
%% them from terms.
-module(erl_parse).

-export([parse_form/1, parse_exprs/1, parse_term/1, parse/1, normalise/1, abstract/1, abstract/2, tokens/1, tokens/2,
         format_error/1, inop_prec/1, preop_prec/1, func_prec/0, max_prec/0, type_inop_prec/1,
         type_preop_prec/1,
         map_anno/2, fold_anno/3, mapfold_anno/3, first_anno/1, new_anno/1, anno_to_term/1, anno_from_term/1]).

-export_type([abstract_clause/0, abstract_expr/0, abstract_form/0, abstract_type/0, form_info/0,
              error_info/0, af_binelement/1]).

-type abstract_clause() :: term().
-type abstract_expr() :: term().
-type abstract_form() :: term().
-type abstract_type() :: term().
-type form_info() :: term().
-type error_info() :: {erl_anno:location(), module(), term()}.
-type af_binelement(_T) :: term().

%%% -------------------------------------------------------------------- parsing

parse(Tokens) -> erlscope_native:parse_form(Tokens).

parse_form(Tokens) -> parse(Tokens).

%% Expressions are the body of a function.
parse_exprs(Tokens) ->
    case parse(head() ++ Tokens) of
        {ok, {function, _, f, 0, [{clause, _, [], [], Exprs}]}} -> {ok, Exprs};
        {error, _} = Error -> Error
    end.

parse_term(Tokens) ->
    case parse(head() ++ Tokens) of
        {ok, {function, _, f, 0, [{clause, _, [], [], [Expr]}]}} ->
            try {ok, normalise(Expr)}
            catch _:_ -> {error, {location(element(2, Expr)), ?MODULE, "bad term"}}
            end;
        {ok, {function, _, f, 0, [{clause, _, [], [], [_, Expr | _]}]}} ->
            {error, {location(element(2, Expr)), ?MODULE, "bad term"}};
        {error, _} = Error ->
            Error
    end.

head() ->
    Anno = erl_anno:new(0),
    [{atom, Anno, f}, {'(', Anno}, {')', Anno}, {'->', Anno}].

location(Anno) -> erl_anno:location(Anno).

format_error(Message) ->
    case io_lib:deep_char_list(Message) of
        true -> Message;
        _ -> io_lib:write(Message)
    end.

%%% -------------------------------------------------------------- forms to terms

normalise({char, _, C}) -> C;
normalise({integer, _, I}) -> I;
normalise({float, _, F}) -> F;
normalise({atom, _, A}) -> A;
normalise({string, _, S}) -> S;
normalise({nil, _}) -> [];
normalise({bin, _, Elements}) -> normal_binary(Elements);
normalise({cons, _, Head, Tail}) -> [normalise(Head) | normalise(Tail)];
normalise({tuple, _, Elements}) -> list_to_tuple([normalise(Element) || Element <- Elements]);
normalise({map, _, Fields}) ->
    maps:from_list([case Field of
                        {map_field_assoc, _, Key, Value} -> {normalise(Key), normalise(Value)}
                    end || Field <- Fields]);
normalise({op, _, '+', {Type, _, N}}) when Type =:= char; Type =:= integer; Type =:= float -> N;
normalise({op, _, '-', {Type, _, N}}) when Type =:= char; Type =:= integer; Type =:= float -> -N;
%% A function that an attribute of a transformed module names.
normalise({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}) -> fun M:F/A;
normalise(Expr) -> erlang:error({badarg, Expr}).

normal_binary(Elements) ->
    {value, Binary, _} =
        eval_bits:expr_grp(Elements, [],
                           fun({string, _, String}, Bindings) -> {value, String, Bindings};
                              (Expr, Bindings) -> {value, normalise(Expr), Bindings}
                           end, [], true),
    Binary.

%%% -------------------------------------------------------------- terms to forms

abstract(Term) ->
    abstract(Term, erl_anno:new(0), fun is_character/1).

abstract(Term, Line) when is_integer(Line) -> abstract(Term, erl_anno:new(Line), fun is_character/1);
abstract(Term, {Line, Column}) when is_integer(Line), is_integer(Column) ->
    abstract(Term, erl_anno:new({Line, Column}), fun is_character/1);
abstract(Term, Options) when is_list(Options) ->
    Location = proplists:get_value(location, Options,
                                   proplists:get_value(line, Options, 0)),
    Encoding = proplists:get_value(encoding, Options, epp:default_encoding()),
    abstract(Term, erl_anno:new(Location), character_test(Encoding)).

character_test(none) -> fun(_) -> false end;
character_test(latin1) -> fun(C) -> is_integer(C) andalso C >= 0 andalso C =< 255 end;
character_test(E) when E =:= utf8; E =:= unicode -> fun is_character/1;
character_test(Fun) when is_function(Fun, 1) -> Fun;
character_test(Encoding) -> erlang:error({badarg, Encoding}).

is_character(C) -> is_integer(C) andalso (C >= 0 andalso C < 16#D800 orelse C > 16#DFFF andalso C < 16#FFFE
                                          orelse C > 16#FFFF andalso C =< 16#10FFFF).

abstract(T, A, _) when is_integer(T) -> {integer, A, T};
abstract(T, A, _) when is_float(T) -> {float, A, T};
abstract(T, A, _) when is_atom(T) -> {atom, A, T};
abstract([], A, _) -> {nil, A};
abstract(T, A, _) when is_bitstring(T) -> {bin, A, [abstract_segment(B, A) || B <- bitstring_to_list(T)]};
abstract([H | T], A, Test) when is_integer(H) ->
    %% A list begins with a string as long as its elements are characters.
    case Test(H) of
        true -> abstract_string(T, [H], A, Test);
        false -> {cons, A, {integer, A, H}, abstract(T, A, Test)}
    end;
abstract([H | T], A, Test) -> {cons, A, abstract(H, A, Test), abstract(T, A, Test)};
abstract(T, A, Test) when is_tuple(T) -> {tuple, A, [abstract(E, A, Test) || E <- tuple_to_list(T)]};
abstract(T, A, Test) when is_map(T) ->
    {map, A, [{map_field_assoc, A, abstract(K, A, Test), abstract(V, A, Test)} || {K, V} <- maps:to_list(T)]};
abstract(T, A, _) when is_function(T) ->
    case {erlang:fun_info(T, type), erlang:fun_info(T, module), erlang:fun_info(T, name), erlang:fun_info(T, arity)} of
        {{_, external}, {_, M}, {_, F}, {_, Arity}} ->
            {'fun', A, {function, {atom, A, M}, {atom, A, F}, {integer, A, Arity}}};
        _ ->
            erlang:error(function_clause)
    end.

abstract_string([C | T] = List, Chars, A, Test) when is_integer(C) ->
    case Test(C) of
        true -> abstract_string(T, [C | Chars], A, Test);
        false -> cells(Chars, abstract(List, A, Test), A)
    end;
abstract_string([], Chars, A, _) -> {string, A, lists:reverse(Chars)};
abstract_string(T, Chars, A, Test) -> cells(Chars, abstract(T, A, Test), A).

cells(Chars, Tail, A) -> lists:foldl(fun(C, Acc) -> {cons, A, {integer, A, C}, Acc} end, Tail, Chars).

abstract_segment(Byte, A) when is_integer(Byte) -> {bin_element, A, {integer, A, Byte}, default, default};
abstract_segment(Bits, A) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    {bin_element, A, {integer, A, Value}, {integer, A, Size}, default}.

%%% ------------------------------------------------------------- forms to tokens

tokens(Abstract) -> tokens(Abstract, []).

tokens({char, A, C}, More) -> [{char, A, C} | More];
tokens({integer, A, N}, More) -> [{integer, A, N} | More];
tokens({float, A, F}, More) -> [{float, A, F} | More];
tokens({atom, A, N}, More) -> [{atom, A, N} | More];
tokens({var, A, V}, More) -> [{var, A, V} | More];
tokens({string, A, S}, More) -> [{string, A, S} | More];
tokens({nil, A}, More) -> [{'[', A}, {']', A} | More];
tokens({cons, A, Head, Tail}, More) -> [{'[', A} | tokens(Head, tail_tokens(Tail, More))];
tokens({tuple, A, []}, More) -> [{'{', A}, {'}', A} | More];
tokens({tuple, A, [E | Es]}, More) -> [{'{', A} | tokens(E, element_tokens(Es, element(2, E), More))].

tail_tokens({cons, A, Head, Tail}, More) -> [{',', A} | tokens(Head, tail_tokens(Tail, More))];
tail_tokens({nil, A}, More) -> [{']', A} | More];
tail_tokens(Other, More) ->
    A = element(2, Other),
    [{'|', A} | tokens(Other, [{']', A} | More])].

element_tokens([E | Es], _, More) ->
    A = element(2, E),
    [{',', A} | tokens(E, element_tokens(Es, A, More))];
element_tokens([], A, More) -> [{'}', A} | More].

%%% ------------------------------------------------------------------ precedence

inop_prec('=') -> {150, 100, 100};
inop_prec('!') -> {150, 100, 100};
inop_prec('orelse') -> {160, 150, 150};
inop_prec('andalso') -> {200, 160, 160};
inop_prec(Op) when Op =:= '=='; Op =:= '/='; Op =:= '=<'; Op =:= '<'; Op =:= '>='; Op =:= '>';
                   Op =:= '=:='; Op =:= '=/=' -> {300, 200, 300};
inop_prec('++') -> {400, 300, 300};
inop_prec('--') -> {400, 300, 300};
inop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bor'; Op =:= 'bxor'; Op =:= 'bsl'; Op =:= 'bsr';
                   Op =:= 'or'; Op =:= 'xor' -> {400, 400, 500};
inop_prec(Op) when Op =:= '*'; Op =:= '/'; Op =:= 'div'; Op =:= 'rem'; Op =:= 'band'; Op =:= 'and' ->
    {500, 500, 600};
inop_prec('#') -> {800, 700, 800};
inop_prec(':') -> {900, 800, 900};
inop_prec('.') -> {900, 900, 1000}.

preop_prec('catch') -> {700, 100};
preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot'; Op =:= 'not' -> {600, 700};
preop_prec('#') -> {700, 800}.

func_prec() -> {800, 700}.

max_prec() -> 900.

type_inop_prec('=') -> {150, 100, 100};
type_inop_prec('::') -> {150, 150, 160};
type_inop_prec('|') -> {180, 170, 170};
type_inop_prec('..') -> {300, 200, 300};
type_inop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bor'; Op =:= 'bxor'; Op =:= 'bsl'; Op =:= 'bsr' ->
    {400, 400, 500};
type_inop_prec(Op) when Op =:= '*'; Op =:= '/'; Op =:= 'div'; Op =:= 'rem'; Op =:= 'band' -> {500, 500, 600};
type_inop_prec('#') -> {800, 700, 800}.

type_preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot' -> {600, 700};
type_preop_prec('#') -> {700, 800}.

%%% ----------------------------------------------------------------- annotations

map_anno(Fun, Abstract) ->
    {New, ok} = mapfold_anno(fun(Anno, ok) -> {Fun(Anno), ok} end, ok, Abstract),
    New.

fold_anno(Fun, Acc, Abstract) ->
    {_, Result} = mapfold_anno(fun(Anno, A) -> {Anno, Fun(Anno, A)} end, Acc, Abstract),
    Result.

%% The annotation of what comes first in the text.
first_anno(Abstract) ->
    fold_anno(fun(Anno, none) -> Anno; (Anno, First) -> earlier(Anno, First) end, none, Abstract).

earlier(Anno, First) ->
    case erl_anno:location(Anno) < erl_anno:location(First) of
        true -> Anno;
        false -> First
    end.

new_anno(Term) -> map_anno(fun erl_anno:new/1, Term).

anno_to_term(Abstract) -> map_anno(fun erl_anno:to_term/1, Abstract).

anno_from_term(Term) -> map_anno(fun erl_anno:from_term/1, Term).

%% Every annotation in the order of the text: that of a node, then those of its
%% parts. Values of attributes and the location of an error are no annotations.
mapfold_anno(F, Acc, List) when is_list(List) -> each(F, Acc, List);
mapfold_anno(F, Acc, Node) -> node(F, Acc, Node).

each(F, Acc, List) -> lists:mapfoldl(fun(Node, A) -> node(F, A, Node) end, Acc, List).

node(F, Acc0, {attribute, Anno0, Name, Value}) ->
    {Anno, Acc1} = F(Anno0, Acc0),
    {New, Acc2} = attribute(F, Acc1, Name, Value),
    {{attribute, Anno, Name, New}, Acc2};
node(_, Acc, {eof, _} = End) -> {End, Acc};
node(_, Acc, {error, _} = Error) -> {Error, Acc};
node(_, Acc, {warning, _} = Warning) -> {Warning, Acc};
node(F, Acc0, {clauses, Clauses0}) ->
    {Clauses, Acc} = each(F, Acc0, Clauses0),
    {{clauses, Clauses}, Acc};
node(F, Acc0, {typed_record_field, Field0, Type0}) ->
    {[Field, Type], Acc} = each(F, Acc0, [Field0, Type0]),
    {{typed_record_field, Field, Type}, Acc};
node(_, Acc, {function, Name, Arity}) when is_atom(Name), is_integer(Arity) ->
    {{function, Name, Arity}, Acc};
node(F, Acc0, {function, Module0, Name0, Arity0}) when is_tuple(Module0) ->
    {[Module, Name, Arity], Acc} = each(F, Acc0, [Module0, Name0, Arity0]),
    {{function, Module, Name, Arity}, Acc};
node(F, Acc0, {Tag, Anno0, Value}) when Tag =:= atom; Tag =:= var; Tag =:= integer; Tag =:= float;
                                       Tag =:= char; Tag =:= string ->
    {Anno, Acc} = F(Anno0, Acc0),
    {{Tag, Anno, Value}, Acc};
node(F, Acc0, {bin_element, Anno0, Value0, Size0, Types}) ->
    {Anno, Acc1} = F(Anno0, Acc0),
    {Value, Acc2} = node(F, Acc1, Value0),
    {Size, Acc3} = part(F, Acc2, Size0),
    {{bin_element, Anno, Value, Size, Types}, Acc3};
node(F, Acc0, Node) when is_tuple(Node), tuple_size(Node) >= 2 ->
    [Tag, Anno0 | Parts0] = tuple_to_list(Node),
    {Anno, Acc1} = F(Anno0, Acc0),
    {Parts, Acc2} = lists:mapfoldl(fun(Part, Acc) -> part(F, Acc, Part) end, Acc1, Parts0),
    {list_to_tuple([Tag, Anno | Parts]), Acc2};
node(_, Acc, Other) ->
    {Other, Acc}.

%% A part of a node: another one, a list of them, or a name.
part(F, Acc, List) when is_list(List) -> lists:mapfoldl(fun(Part, A) -> part(F, A, Part) end, Acc, List);
part(F, Acc, Node) when is_tuple(Node) -> node(F, Acc, Node);
part(_, Acc, Name) -> {Name, Acc}.

attribute(F, Acc0, Name, {Function, Types0}) when Name =:= spec; Name =:= callback ->
    {Types, Acc} = each(F, Acc0, Types0),
    {{Function, Types}, Acc};
attribute(F, Acc0, Name, {TypeName, Type0, Vars0}) when Name =:= type; Name =:= opaque ->
    {Type, Acc1} = node(F, Acc0, Type0),
    {Vars, Acc2} = each(F, Acc1, Vars0),
    {{TypeName, Type, Vars}, Acc2};
attribute(F, Acc0, record, {RecordName, Fields0}) ->
    {Fields, Acc} = each(F, Acc0, Fields0),
    {{RecordName, Fields}, Acc};
attribute(_, Acc, _, Value) ->
    {Value, Acc}.
