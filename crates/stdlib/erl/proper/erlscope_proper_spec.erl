%% Functions against their specs (`proper:check_spec/1,2`): arguments are made from the first clause of
%% a spec, and what the function gives must be of its result. A variable of the spec stands for what
%% its constraint says. What raises an exception fails, unless the option `false_positive_mfas` has a
%% function that says of {M, F, A}, the arguments and {Class, Reason} that it may.
%%
%% Membership is decided on the forms of the types. Funs are members by their arity; of an opaque type
%% it is looked into.
-module(erlscope_proper_spec).

-export([property/2, functions/1]).

%% A property, or {error, Reason}.
property({M, F, A} = Function, Allowed) ->
    case clause(M, F, A) of
        {Arguments, Result} ->
            Type = [erlscope_proper_native:of_form(T, M) || T <- Arguments],
            proper:forall(Type, fun(Given) -> holds(Function, Given, Result, Allowed) end, "Arguments");
        none ->
            {error, {no_spec, Function}}
    end.

%% Exported functions that have specs.
functions(Module) ->
    _ = code:ensure_loaded(Module),
    Exports = Module:module_info(exports),
    [{Module, F, A} || {attribute, _, spec, {Name, _}} <- erlscope_proper_native:forms(Module),
                       {F, A} <- [own(Name)], lists:member({F, A}, Exports)].

own({F, A}) -> {F, A};
own({_, F, A}) -> {F, A}.

holds({M, F, _} = Function, Given, Result, Allowed) ->
    try apply(M, F, Given) of
        Value -> is_of(Value, Result, M) orelse wrong_result(Function, Value)
    catch
        Class:Reason:Stack ->
            Allowed(Function, Given, {Class, Reason}) orelse erlang:raise(Class, Reason, Stack)
    end.

wrong_result({M, F, A}, Value) ->
    proper:whenfail(fun() -> io:format("~tp:~tp/~b gives ~tp~n", [M, F, A, Value]) end,
                    fun() -> false end).

%% {Types of arguments, type of the result}
clause(M, F, A) ->
    Clauses = [First || {attribute, _, spec, {Name, [First | _]}} <- erlscope_proper_native:forms(M),
                        own(Name) =:= {F, A}],
    case Clauses of
        [{type, _, 'fun', [{type, _, product, Arguments}, Result]} | _] ->
            {Arguments, Result};
        [{type, _, bounded_fun, [{type, _, 'fun', [{type, _, product, Arguments}, Result]}, Bounds]} | _] ->
            Known = maps:from_list([{V, T} || {type, _, constraint, [_, [{var, _, V}, T]]} <- Bounds]),
            {[put_in(T, Known, maps:size(Known)) || T <- Arguments], put_in(Result, Known, maps:size(Known))};
        [] ->
            none
    end.

%% Variables replaced by what they stand for; constraints may name each other.
put_in({var, _, Name} = Variable, Known, Left) ->
    case Known of
        #{Name := Type} when Left > 0 -> put_in(Type, Known, Left - 1);
        _ -> Variable
    end;
put_in(Tuple, Known, Left) when is_tuple(Tuple) ->
    list_to_tuple(put_in(tuple_to_list(Tuple), Known, Left));
put_in([First | Rest], Known, Left) ->
    [put_in(First, Known, Left) | put_in(Rest, Known, Left)];
put_in(Other, _, _) ->
    Other.

%%% ------------------------------------------------------------------ membership

is_of(Value, {ann_type, _, [_, T]}, M) -> is_of(Value, T, M);
is_of(Value, {paren_type, _, [T]}, M) -> is_of(Value, T, M);
is_of(_, {var, _, _}, _) -> true;
is_of(Value, {atom, _, Atom}, _) -> Value =:= Atom;
is_of(Value, {type, _, union, Types}, M) -> lists:any(fun(T) -> is_of(Value, T, M) end, Types);
is_of(Value, {type, _, tuple, any}, _) -> is_tuple(Value);
is_of(Value, {type, _, tuple, Types}, M) -> is_tuple(Value) andalso all_of(tuple_to_list(Value), Types, M);
is_of(Value, {type, _, map, any}, _) -> is_map(Value);
is_of(Value, {type, _, map, Fields}, M) -> is_map(Value) andalso is_map_of(Value, Fields, M);
is_of(Value, {type, _, record, [{atom, _, Name} | Given]}, M) ->
    is_tuple(Value) andalso is_record_of(tuple_to_list(Value), Name, Given, M);
is_of(Value, {type, _, range, [Low, High]}, _) ->
    is_integer(Value) andalso Value >= constant(Low) andalso Value =< constant(High);
is_of(Value, {type, _, binary, [Base, Unit]}, _) ->
    is_bitstring(Value) andalso is_size(bit_size(Value) - constant(Base), constant(Unit));
is_of(Value, {type, _, 'fun', [{type, _, product, Arguments}, _]}, _) -> is_function(Value, length(Arguments));
is_of(Value, {type, _, 'fun', _}, _) -> is_function(Value);
is_of(Value, {type, _, Name, Arguments}, M) -> is_built_in(Name, Arguments, Value, M);
is_of(Value, {user_type, _, Name, Arguments}, M) -> is_declared(Value, M, Name, Arguments);
is_of(Value, {remote_type, _, [{atom, _, M}, {atom, _, Name}, Arguments]}, _) ->
    is_declared(Value, M, Name, Arguments);
is_of(Value, Constant, _) -> Value =:= constant(Constant).

is_declared(Value, M, Name, Arguments) ->
    case erlscope_proper_native:declared(M, Name, length(Arguments)) of
        {Names, Type} ->
            Known = maps:from_list(lists:zip(Names, Arguments)),
            is_of(Value, put_in(Type, Known, 1), M);
        none ->
            throw({erlscope_proper, {cant_generate, {undefined_type, {M, Name, length(Arguments)}}}})
    end.

all_of([Value | Values], [Type | Types], M) -> is_of(Value, Type, M) andalso all_of(Values, Types, M);
all_of(Values, Types, _) -> Values =:= [] andalso Types =:= [].

is_record_of([Name | Values], Name, Given, M) ->
    Fields = [F || {attribute, _, record, {N, F}} <- erlscope_proper_native:forms(M), N =:= Name],
    Own = [{F, T} || {type, _, field_type, [{atom, _, F}, T]} <- Given],
    Fields =/= [] andalso all_of(Values, [field(F, Own) || F <- hd(Fields)], M);
is_record_of(_, _, _, _) ->
    false.

field({typed_record_field, Field, Type}, Own) -> proplists:get_value(field_name(Field), Own, Type);
field(Field, Own) -> proplists:get_value(field_name(Field), Own, {type, 0, any, []}).

field_name({record_field, _, {atom, _, Name}}) -> Name;
field_name({record_field, _, {atom, _, Name}, _}) -> Name.

is_map_of(Map, Fields, M) ->
    Required = [K || {type, _, map_field_exact, [K, _]} <- Fields],
    lists:all(fun({Key, Value}) ->
                      lists:any(fun({type, _, _, [K, V]}) -> is_of(Key, K, M) andalso is_of(Value, V, M) end,
                                Fields)
              end, maps:to_list(Map))
        andalso lists:all(fun(K) -> lists:any(fun(Key) -> is_of(Key, K, M) end, maps:keys(Map)) end, Required).

is_size(0, _) -> true;
is_size(Bits, Unit) -> Bits > 0 andalso Unit > 0 andalso Bits rem Unit =:= 0.

is_list_of(Value, T, M) -> is_list_of(Value, T, {type, 0, nil, []}, M).

is_list_of([First | Rest], T, End, M) -> is_of(First, T, M) andalso is_list_of(Rest, T, End, M);
is_list_of(Tail, _, End, M) -> is_of(Tail, End, M).

is_built_in(Any, [], _, _) when Any =:= any; Any =:= term; Any =:= dynamic -> true;
is_built_in(None, [], _, _) when None =:= none; None =:= no_return -> false;
is_built_in(Atom, [], V, _) when Atom =:= atom; Atom =:= module; Atom =:= node -> is_atom(V);
is_built_in(boolean, [], V, _) -> is_boolean(V);
is_built_in(integer, [], V, _) -> is_integer(V);
is_built_in(float, [], V, _) -> is_float(V);
is_built_in(number, [], V, _) -> is_number(V);
is_built_in(pos_integer, [], V, _) -> is_integer(V) andalso V > 0;
is_built_in(non_neg_integer, [], V, _) -> is_integer(V) andalso V >= 0;
is_built_in(neg_integer, [], V, _) -> is_integer(V) andalso V < 0;
is_built_in(Byte, [], V, _) when Byte =:= byte; Byte =:= arity -> is_integer(V) andalso V >= 0 andalso V =< 255;
is_built_in(char, [], V, _) -> is_integer(V) andalso V >= 0 andalso V =< 16#10ffff;
is_built_in(pid, [], V, _) -> is_pid(V);
is_built_in(port, [], V, _) -> is_port(V);
is_built_in(reference, [], V, _) -> is_reference(V);
is_built_in(identifier, [], V, _) -> is_pid(V) orelse is_port(V) orelse is_reference(V);
is_built_in(binary, [], V, _) -> is_binary(V);
is_built_in(bitstring, [], V, _) -> is_bitstring(V);
is_built_in(nonempty_binary, [], V, _) -> is_binary(V) andalso V =/= <<>>;
is_built_in(nonempty_bitstring, [], V, _) -> is_bitstring(V) andalso V =/= <<>>;
is_built_in(Fun, [], V, _) when Fun =:= 'fun'; Fun =:= function -> is_function(V);
is_built_in(tuple, [], V, _) -> is_tuple(V);
is_built_in(map, [], V, _) -> is_map(V);
is_built_in(nil, [], V, _) -> V =:= [];
is_built_in(list, [], V, M) -> is_list_of(V, {type, 0, any, []}, M);
is_built_in(list, [T], V, M) -> is_list_of(V, T, M);
is_built_in(nonempty_list, Ts, V, M) -> V =/= [] andalso is_built_in(list, Ts, V, M);
is_built_in(string, [], V, M) -> is_list_of(V, {type, 0, char, []}, M);
is_built_in(nonempty_string, [], V, M) -> V =/= [] andalso is_built_in(string, [], V, M);
is_built_in(maybe_improper_list, [], V, _) -> is_list(V);
is_built_in(nonempty_maybe_improper_list, [], V, _) -> is_list(V) andalso V =/= [];
is_built_in(maybe_improper_list, [T, End], V, M) -> V =:= [] orelse is_improper(V, T, End, M);
is_built_in(nonempty_maybe_improper_list, [T, End], V, M) -> is_improper(V, T, End, M);
is_built_in(nonempty_improper_list, [T, End], V, M) -> is_list(V) andalso V =/= [] andalso is_list_of(V, T, End, M);
is_built_in(mfa, [], V, _) ->
    case V of
        {F, G, A} -> is_atom(F) andalso is_atom(G) andalso is_integer(A) andalso A >= 0 andalso A =< 255;
        _ -> false
    end;
is_built_in(timeout, [], V, _) -> V =:= infinity orelse is_integer(V) andalso V >= 0;
is_built_in(iodata, [], V, M) -> is_binary(V) orelse is_built_in(iolist, [], V, M);
is_built_in(iolist, [], V, _) ->
    is_list(V) andalso (try is_integer(iolist_size(V)) catch error:badarg -> false end);
is_built_in(Name, Arguments, _, M) ->
    throw({erlscope_proper, {cant_generate, {undefined_type, {M, Name, length(Arguments)}}}}).

is_improper(V, T, End, M) ->
    is_list(V) andalso V =/= [] andalso is_list_of(V, T, {type, 0, union, [{type, 0, nil, []}, End]}, M).

constant({integer, _, N}) -> N;
constant({char, _, N}) -> N;
constant({op, _, '-', A}) -> -constant(A);
constant({op, _, '+', A}) -> constant(A);
constant({op, _, 'bnot', A}) -> bnot constant(A);
constant({op, _, Op, A, B}) -> erlang:Op(constant(A), constant(B)).
