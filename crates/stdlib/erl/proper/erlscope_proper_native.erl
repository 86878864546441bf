%% Generators from the types that modules declare (`-type`), read from their forms.
%%
%% A type that leads to itself gets a smaller size each time; at size 0 of a union only those
%% alternatives are taken that end soonest.
-module(erlscope_proper_native).

-export([maker/3, of_form/2, declared/3, forms/1]).

%% module: where names are looked up. parameters: #{Name => maker}. Makers are functions of a size,
%% as in `proper_types`.
-record(in, {module, parameters = #{}}).

%% No type is that deep.
-define(ENDLESS, 1000).

%% A type of a module, or one of the language, with the makers of its parameters.
maker(Module, Name, Arguments) ->
    In = #in{module = Module},
    case declared(Module, Name, length(Arguments)) of
        {Names, Type} ->
            Inside = In#in{parameters = maps:from_list(lists:zip(Names, Arguments))},
            fun(Size) -> (of_type(Type, Inside))(Size) end;
        none ->
            made(builtin(Name, [{'$type', A} || A <- Arguments], In))
    end.

%% The type of a form that stands in a module.
of_form(Form, Module) -> typed(Form, #in{module = Module}).

%% The parameters of a declared type, and what it is.
declared(Module, Name, Arity) ->
    Found = [{[V || {var, _, V} <- Variables], Type}
             || {attribute, _, Kind, {N, Type, Variables}} <- forms(Module),
                Kind =:= type orelse Kind =:= opaque orelse Kind =:= nominal,
                N =:= Name, length(Variables) =:= Arity],
    case Found of
        [One | _] -> One;
        [] -> none
    end.

forms(Module) ->
    Key = {'$erlscope_proper_forms', Module},
    case get(Key) of
        undefined ->
            _ = code:ensure_loaded(Module),
            Forms = case erlscope_native:code_forms(Module) of
                        undefined -> [];
                        Known -> [F || F <- Known, element(1, F) =:= attribute]
                    end,
            put(Key, Forms),
            Forms;
        Forms ->
            Forms
    end.

%%% ------------------------------------------------------------------------ types

of_type({ann_type, _, [_, Type]}, In) -> of_type(Type, In);
of_type({paren_type, _, [Type]}, In) -> of_type(Type, In);
of_type({atom, _, Atom}, _) -> made(proper_types:exactly(Atom));
of_type({integer, _, Integer}, _) -> made(proper_types:exactly(Integer));
of_type({char, _, Char}, _) -> made(proper_types:exactly(Char));
of_type({op, _, _, _} = Constant, _) -> made(proper_types:exactly(constant(Constant)));
of_type({op, _, _, _, _} = Constant, _) -> made(proper_types:exactly(constant(Constant)));
of_type({var, _, '_'}, _) -> made(proper_types:any());
of_type({var, _, Name}, #in{parameters = Parameters}) ->
    case Parameters of
        #{Name := Maker} -> Maker;
        _ -> made(proper_types:any())
    end;
of_type({user_type, _, Name, Arguments}, #in{module = Module} = In) ->
    user_type(Module, Name, Arguments, In);
of_type({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Arguments]}, In) ->
    user_type(Module, Name, Arguments, In);
of_type({type, _, union, Types}, In) ->
    union(Types, In);
of_type({type, _, tuple, any}, _) ->
    made(proper_types:tuple());
of_type({type, _, map, any}, _) ->
    made(proper_types:map());
of_type({type, _, tuple, Types}, In) when is_list(Types) ->
    made(proper_types:tuple([typed(T, In) || T <- Types]));
of_type({type, _, record, [{atom, _, Name} | Fields]}, In) ->
    record(Name, Fields, In);
of_type({type, _, map, Fields}, In) when is_list(Fields) ->
    map(Fields, In);
of_type({type, _, range, [Low, High]}, _) ->
    made(proper_types:integer(constant(Low), constant(High)));
of_type({type, _, binary, [Base, Unit]}, _) ->
    binary(constant(Base), constant(Unit));
of_type({type, _, 'fun', [{type, _, product, Arguments}, Result]}, In) ->
    made(proper_types:function(length(Arguments), typed(Result, In)));
of_type({type, _, 'fun', [{type, _, any}, Result]}, In) ->
    made(proper_types:function(1, typed(Result, In)));
of_type({type, _, bounded_fun, [Fun, _]}, In) ->
    of_type(Fun, In);
of_type({type, _, Name, Arguments}, In) ->
    made(builtin(Name, [typed(A, In) || A <- Arguments], In));
of_type(Type, _) ->
    throw({erlscope_proper, {cant_generate, Type}}).

made(Type) -> proper_types:maker(Type).

typed(Type, In) -> {'$type', of_type(Type, In)}.

%% It is looked up when a value is made, at a smaller size: it may lead to itself.
user_type(Module, Name, Arguments, In) ->
    Makers = [of_type(A, In) || A <- Arguments],
    case declared(Module, Name, length(Arguments)) of
        none ->
            throw({erlscope_proper, {cant_generate, {undefined_type, {Module, Name, length(Arguments)}}}});
        {Names, Type} ->
            Inside = #in{module = Module, parameters = maps:from_list(lists:zip(Names, Makers))},
            IsRecursive = is_recursive(Type, Module, [{Module, Name, length(Arguments)}]),
            fun(Size) ->
                    Smaller = case IsRecursive of true -> Size div 2; false -> Size end,
                    (of_type(Type, Inside))(Smaller)
            end
    end.

union(Types, In) ->
    Makers = [{height(T, In#in.module, []), of_type(T, In)} || T <- Types],
    Lowest = lists:min([Height || {Height, _} <- Makers]),
    All = proper_types:maker(proper_types:union([{'$type', M} || {_, M} <- Makers])),
    Low = proper_types:maker(proper_types:union([{'$type', M} || {H, M} <- Makers, H =:= Lowest])),
    fun(0) -> Low(0);
       (Size) -> All(Size)
    end.

record(Name, Given, #in{module = Module} = In) ->
    Own = [Fields || {attribute, _, record, {N, Fields}} <- forms(Module), N =:= Name],
    Overridden = [{F, T} || {type, _, field_type, [{atom, _, F}, T]} <- Given],
    case Own of
        [Fields | _] ->
            Types = [field(F, Overridden, In) || F <- Fields],
            made(proper_types:tuple([Name | Types]));
        [] ->
            throw({erlscope_proper, {cant_generate, {undefined_record, {Module, Name}}}})
    end.

field({typed_record_field, Field, Type}, Overridden, In) ->
    typed(proplists:get_value(field_name(Field), Overridden, Type), In);
field(Field, Overridden, In) ->
    case lists:keyfind(field_name(Field), 1, Overridden) of
        {_, Type} -> typed(Type, In);
        false -> proper_types:any()
    end.

field_name({record_field, _, {atom, _, Name}}) -> Name;
field_name({record_field, _, {atom, _, Name}, _}) -> Name.

%% Fields that must be there, and those that may.
map(Fields, In) ->
    Exact = [{typed(K, In), typed(V, In)} || {type, _, map_field_exact, [K, V]} <- Fields],
    Maybe = [maybe_field(K, typed(V, In), In) || {type, _, map_field_assoc, [K, V]} <- Fields],
    Parts = [[Pair] || Pair <- Exact] ++ Maybe,
    made(proper_types:bind(Parts, fun(Lists) -> maps:from_list(lists:append(Lists)) end, false)).

maybe_field({Literal, _, _} = Key, Value, In) when Literal =:= atom; Literal =:= integer ->
    proper_types:union([[], [{typed(Key, In), Value}]]);
maybe_field(Key, Value, In) ->
    proper_types:list({typed(Key, In), Value}).

binary(Base, 0) -> made(proper_types:bitstring(Base));
binary(Base, Unit) ->
    fun(Size) ->
            Length = Base + Unit * proper_gen:between(0, max(1, Size * 8 div Unit)),
            (made(proper_types:bitstring(Length)))(Size)
    end.

constant({integer, _, N}) -> N;
constant({char, _, N}) -> N;
constant({op, _, '-', A}) -> -constant(A);
constant({op, _, '+', A}) -> constant(A);
constant({op, _, 'bnot', A}) -> bnot constant(A);
constant({op, _, Op, A, B}) -> erlang:Op(constant(A), constant(B)).

%%% ------------------------------------------------------------ types of the language

builtin(nil, [], _) -> [];
builtin(list, [], _) -> proper_types:list();
builtin(list, [T], _) -> proper_types:list(T);
builtin(nonempty_list, [], _) -> proper_types:non_empty(proper_types:list());
builtin(nonempty_list, [T], _) -> proper_types:non_empty(proper_types:list(T));
builtin(maybe_improper_list, [], _) -> proper_types:list();
builtin(maybe_improper_list, [T, End], _) -> improper(proper_types:list(T), proper_types:union([[], End]));
builtin(nonempty_maybe_improper_list, [], _) -> proper_types:non_empty(proper_types:list());
builtin(nonempty_maybe_improper_list, [T, End], _) ->
    improper(proper_types:non_empty(proper_types:list(T)), proper_types:union([[], End]));
builtin(nonempty_improper_list, [T, End], _) ->
    improper(proper_types:non_empty(proper_types:list(T)), End);
builtin(nonempty_string, [], _) -> proper_types:non_empty(proper_types:string());
builtin(nonempty_binary, [], _) -> proper_types:non_empty(proper_types:binary());
builtin(nonempty_bitstring, [], _) -> proper_types:non_empty(proper_types:bitstring());
builtin(iolist, [], _) -> iolist();
builtin(iodata, [], _) -> proper_types:union([proper_types:binary(), iolist()]);
builtin(identifier, [], In) -> builtin(reference, [], In);
builtin(pid, [], _) -> proper_types:lazy(fun() -> proper_types:exactly(self()) end);
builtin(reference, [], _) -> proper_types:lazy(fun() -> proper_types:exactly(make_ref()) end);
builtin(module, [], _) -> proper_types:atom();
builtin(node, [], _) -> proper_types:exactly(node());
builtin(mfa, [], _) -> {proper_types:atom(), proper_types:atom(), proper_types:arity()};
builtin('fun', [], _) -> proper_types:function(1, proper_types:any());
builtin(function, [], _) -> proper_types:function(1, proper_types:any());
builtin(dynamic, [], _) -> proper_types:any();
builtin(Name, Arguments, #in{module = Module}) ->
    _ = code:ensure_loaded(proper_types),
    case erlang:function_exported(proper_types, Name, length(Arguments)) of
        true -> apply(proper_types, Name, Arguments);
        false ->
            throw({erlscope_proper, {cant_generate, {undefined_type, {Module, Name, length(Arguments)}}}})
    end.

improper(List, End) ->
    proper_types:bind({List, End}, fun({Elements, Tail}) -> Elements ++ Tail end, false).

iolist() ->
    proper_types:sized(fun(0) -> [];
                          (Size) ->
                               Inner = proper_types:resize(Size div 2, proper_types:lazy(fun iolist/0)),
                               proper_types:list(proper_types:union([proper_types:byte(),
                                                                     proper_types:binary(), Inner]))
                       end).

%%% -------------------------------------------------------------------- recursion

%% Whether a type leads to one that is being looked at.
is_recursive({user_type, _, Name, Arguments}, Module, Seen) ->
    leads_back({Module, Name, length(Arguments)}, Arguments, Module, Seen);
is_recursive({remote_type, _, [{atom, _, M}, {atom, _, Name}, Arguments]}, Module, Seen) ->
    leads_back({M, Name, length(Arguments)}, Arguments, Module, Seen);
is_recursive({type, _, record, [{atom, _, Name} | _]}, Module, Seen) ->
    lists:any(fun(T) -> is_recursive(T, Module, Seen) end, record_types(Name, Module));
is_recursive({type, _, _, Types}, Module, Seen) when is_list(Types) ->
    lists:any(fun(T) -> is_recursive(T, Module, Seen) end, Types);
is_recursive({ann_type, _, [_, Type]}, Module, Seen) ->
    is_recursive(Type, Module, Seen);
is_recursive(_, _, _) ->
    false.

leads_back({M, Name, Arity} = Id, Arguments, Module, Seen) ->
    lists:any(fun(T) -> is_recursive(T, Module, Seen) end, Arguments) orelse
        case {lists:member(Id, Seen), declared(M, Name, Arity)} of
            {true, _} -> true;
            {false, none} -> false;
            {false, {_, Type}} -> is_recursive(Type, M, [Id | Seen])
        end.

record_types(Name, Module) ->
    [T || {attribute, _, record, {N, Fields}} <- forms(Module), N =:= Name,
          {typed_record_field, _, T} <- Fields].

%% How many declared types there are on the shortest way to a value.
height({user_type, _, Name, Arguments}, Module, Seen) ->
    height_of_declared({Module, Name, length(Arguments)}, Seen);
height({remote_type, _, [{atom, _, M}, {atom, _, Name}, Arguments]}, _, Seen) ->
    height_of_declared({M, Name, length(Arguments)}, Seen);
height({type, _, union, Types}, Module, Seen) ->
    lists:min([height(T, Module, Seen) || T <- Types]);
%% They may be empty.
height({type, _, list, _}, _, _) -> 0;
height({type, _, record, [{atom, _, Name} | _]}, Module, Seen) ->
    highest(record_types(Name, Module), Module, Seen);
height({type, _, map_field_assoc, _}, _, _) -> 0;
height({type, _, _, Types}, Module, Seen) when is_list(Types) ->
    highest(Types, Module, Seen);
height({ann_type, _, [_, Type]}, Module, Seen) ->
    height(Type, Module, Seen);
height(_, _, _) ->
    0.

highest(Types, Module, Seen) -> lists:max([0 | [height(T, Module, Seen) || T <- Types]]).

height_of_declared({M, Name, Arity} = Id, Seen) ->
    case {lists:member(Id, Seen), declared(M, Name, Arity)} of
        {true, _} -> ?ENDLESS;
        {false, none} -> 0;
        {false, {_, Type}} -> 1 + height(Type, M, [Id | Seen])
    end.
