%% ms_transform: the parse transform behind ets:fun2ms/1 and dbg:fun2ms/1.
%%
%% A call of fun2ms with a literal fun is replaced by the match specification that does the same. Each clause
%% becomes one or, if its guard has alternatives, several parts `{Head, Conditions, Body}`: the variables of
%% the head become '$1', '$2' and so on in the order in which they appear, a variable that stands for the
%% whole argument becomes '$_', and variables from outside become `{const, Value}`.
%%
%% While walking through a function the transform keeps track of the variables bound so far, in order to warn
%% when the head of the fun uses one of them again. Error descriptors are the numbers that OTP uses; those of
%% bodies are 100 above those of guards.
-module(ms_transform).

-export([format_error/1, parse_transform/2, parse_transform_info/0, transform_from_shell/3]).

-define(NO_FUN, 1).
-define(ETS_HEAD, 2).
-define(DBG_HEAD, 3).
-define(HEAD_MATCH, 4).
-define(UNBOUND_VARIABLE, 6).
-define(HEAD_BAD_RECORD, 7).
-define(HEAD_BAD_FIELD, 8).
-define(HEAD_MULTI_FIELD, 9).
-define(HEAD_DOLLAR_ATOM, 10).
-define(HEAD_BIN_MATCH, 11).
-define(MATCH, 16).
-define(LOCAL_CALL, 17).
-define(ELEMENT, 18).
-define(BAD_FIELD, 19).
-define(BAD_RECORD, 20).
-define(MULTI_FIELD, 21).
-define(REMOTE_CALL, 22).
-define(BIN_CONSTRUCT, 23).
-define(DISALLOWED_OP, 24).
-define(SHADOWED, 50).

%% What is known while walking: the records, `#{Name => [{Field, Default}]}`, those that were replaced by
%% tuples, the file, and the warnings.
-record(walk, {records = #{}, replaced = [], file = "", warnings = []}).
%% What is known in a guard or body: its kind, the names of the head's variables, the records.
-record(part, {kind, names, records}).

%% ---- messages ----

-spec format_error(term()) -> io_lib:chars().
format_error({?SHADOWED, Name}) ->
    text("variable ~ts in the head of the fun hides the one bound outside of it", [Name]);
format_error(?NO_FUN) -> "fun2ms needs a fun written in its argument";
format_error(?ETS_HEAD) -> "the argument of the fun for ets:fun2ms must be a tuple or a variable";
format_error(?DBG_HEAD) -> "the argument of the fun for dbg:fun2ms must be a list or a variable";
format_error(?HEAD_MATCH) -> "in the head of the fun, '=' is possible for the whole argument only";
format_error({?UNBOUND_VARIABLE, Name}) -> text("variable ~ts is not bound", [Name]);
format_error({?HEAD_BAD_RECORD, Name}) -> text("head of the fun: no record ~tw", [Name]);
format_error({?HEAD_BAD_FIELD, Name, Field}) ->
    text("head of the fun: record ~tw has no field ~tw", [Name, Field]);
format_error({?HEAD_MULTI_FIELD, Name, Field}) ->
    text("head of the fun: field ~tw of record ~tw is given more than once", [Field, Name]);
format_error({?HEAD_DOLLAR_ATOM, Atom}) ->
    text("head of the fun: the atom ~tw means a variable in match specifications", [Atom]);
format_error({?HEAD_BIN_MATCH, Var}) ->
    text("head of the fun: variable ~ts within a binary cannot be matched", [Var]);
format_error(Error) ->
    Code = case Error of
               _ when is_integer(Error) -> Error;
               _ when is_tuple(Error), is_integer(element(1, Error)) -> element(1, Error);
               _ -> 0
           end,
    case Code >= 100 of
        true -> part_error("body", Code - 100, Error);
        false -> part_error("guard", Code, Error)
    end.

part_error(Part, ?MATCH, _) -> text("~s of the fun: '=' is not possible", [Part]);
part_error(Part, ?LOCAL_CALL, {_, Name, Arity}) ->
    text("~s of the fun: ~tw/~w cannot be called in a match specification", [Part, Name, Arity]);
part_error(Part, ?REMOTE_CALL, {_, Module, Name, Arity}) ->
    text("~s of the fun: ~tw:~tw/~w cannot be called in a match specification",
         [Part, Module, Name, Arity]);
part_error(Part, ?ELEMENT, {_, What}) -> text("~s of the fun: ~ts is not possible", [Part, What]);
part_error(Part, ?BAD_RECORD, {_, Name}) -> text("~s of the fun: no record ~tw", [Part, Name]);
part_error(Part, ?BAD_FIELD, {_, Name, Field}) ->
    text("~s of the fun: record ~tw has no field ~tw", [Part, Name, Field]);
part_error(Part, ?MULTI_FIELD, {_, Name, Field}) ->
    text("~s of the fun: field ~tw of record ~tw is given more than once", [Part, Field, Name]);
part_error(Part, ?BIN_CONSTRUCT, {_, Var}) ->
    text("~s of the fun: variable ~ts of the head within a binary is not possible", [Part, Var]);
part_error(Part, ?DISALLOWED_OP, {_, Op}) -> text("~s of the fun: operator ~tw is not possible", [Part, Op]);
part_error(_Part, _Code, Error) -> text("error ~tp", [Error]).

text(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).

%% ---- entries ----

-spec parse_transform_info() -> #{error_location => column}.
parse_transform_info() -> #{error_location => column}.

-spec parse_transform([term()], term()) -> [term()] | {error, [term()], []} | {warning, [term()], [term()]}.
parse_transform(Forms, _Options) ->
    try lists:mapfoldl(fun form/2, #walk{}, Forms) of
        {NewForms, #walk{warnings = [], replaced = Replaced}} -> silent(Replaced) ++ NewForms;
        {NewForms, #walk{warnings = Warnings, replaced = Replaced}} ->
            {warning, silent(Replaced) ++ NewForms, Warnings}
    catch
        throw:{ms_error, File, Anno, Reason} ->
            {error, [{File, [{location(Anno), ?MODULE, Reason}]}], []}
    end.

%% Records that are used only in such funs would seem to be unused.
silent([]) -> [];
silent(Records) ->
    [{attribute, erl_anno:new(0), compile, {nowarn_unused_record, [lists:usort(Records)]}}].

%% For funs of the shell: the clauses, and the variables that are bound, with their values.
-spec transform_from_shell(ets | dbg, [term()], [{atom(), term()}]) -> [tuple()] | {error, [term()], []}.
transform_from_shell(Dialect, Clauses, Bindings) ->
    try
        {Spec, _} = specification(1, Clauses, Dialect, [], #walk{}),
        case [Var || {_, _, Name} = Var <- variables(Spec), not lists:keymember(Name, 1, Bindings)] of
            [{var, Anno, Name} | _] -> fail(Anno, {?UNBOUND_VARIABLE, atom_to_list(Name)});
            [] ->
                {value, Value, _} = erl_eval:expr(Spec, Bindings),
                Value
        end
    catch
        throw:{ms_error, BadAnno, Reason} ->
            {error, [{"", [{location(BadAnno), ?MODULE, Reason}]}], []}
    end.

fail(Anno, Reason) -> throw({ms_error, Anno, Reason}).

location(Anno) -> erl_anno:location(Anno).

variables({var, _, _} = Var) -> [Var];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables(List) when is_list(List) -> lists:flatmap(fun variables/1, List);
variables(_) -> [].

%% ---- walking through the module ----

form({attribute, _, file, {File, _}} = Form, Walk) -> {Form, Walk#walk{file = File}};
form({attribute, _, record, {Name, Fields}} = Form, #walk{records = Records} = Walk) ->
    {Form, Walk#walk{records = Records#{Name => [record_field(Field) || Field <- Fields]}}};
form({function, Anno, Name, Arity, Clauses}, #walk{file = File} = Walk) ->
    try clauses(Clauses, [], Walk) of
        {NewClauses, _, NewWalk} -> {{function, Anno, Name, Arity, NewClauses}, NewWalk}
    catch
        throw:{ms_error, BadAnno, Reason} -> throw({ms_error, File, BadAnno, Reason})
    end;
form(Form, Walk) -> {Form, Walk}.

record_field({typed_record_field, Field, _Type}) -> record_field(Field);
record_field({record_field, Anno, {atom, _, Name}}) -> {Name, {atom, Anno, undefined}};
record_field({record_field, _, {atom, _, Name}, Default}) -> {Name, Default}.

%% Each clause starts with the variables bound before; bound afterwards is what all of them bind.
clauses(Clauses, Bound, Walk) ->
    {NewClauses, {Bounds, NewWalk}} =
        lists:mapfoldl(fun({clause, Anno, Head, Guard, Body}, {Bounds, Walk1}) ->
                           {NewHead, Bound1, Walk2} = expr(Head, Bound, Walk1),
                           {NewGuard, Bound2, Walk3} = expr(Guard, Bound1, Walk2),
                           {NewBody, Bound3, Walk4} = expr(Body, Bound2, Walk3),
                           {{clause, Anno, NewHead, NewGuard, NewBody}, {[Bound3 | Bounds], Walk4}}
                       end, {[], Walk}, Clauses),
    After = case Bounds of
                [] -> Bound;
                _ -> ordsets:intersection(Bounds)
            end,
    {NewClauses, After, NewWalk}.

%% The code, with the calls replaced; the variables bound after it; the walk.
expr({call, Anno, {remote, _, {atom, _, Module}, {atom, _, fun2ms}}, [Fun]}, Bound, Walk)
  when Module =:= ets; Module =:= dbg ->
    case Fun of
        {'fun', FunAnno, {clauses, Clauses}} ->
            {Spec, NewWalk} = specification(FunAnno, Clauses, Module, Bound, Walk),
            {Spec, Bound, NewWalk};
        _ -> fail(Anno, ?NO_FUN)
    end;
expr({match, Anno, Pattern, Value}, Bound, Walk) ->
    {NewValue, Bound1, Walk1} = expr(Value, Bound, Walk),
    {NewPattern, Bound2, Walk2} = expr(Pattern, Bound1, Walk1),
    {{match, Anno, NewPattern, NewValue}, Bound2, Walk2};
expr({'case', Anno, Value, Clauses}, Bound, Walk) ->
    {NewValue, Bound1, Walk1} = expr(Value, Bound, Walk),
    {NewClauses, Bound2, Walk2} = clauses(Clauses, Bound1, Walk1),
    {{'case', Anno, NewValue, NewClauses}, Bound2, Walk2};
expr({'if', Anno, Clauses}, Bound, Walk) ->
    {NewClauses, Bound1, Walk1} = clauses(Clauses, Bound, Walk),
    {{'if', Anno, NewClauses}, Bound1, Walk1};
expr({'receive', Anno, Clauses}, Bound, Walk) ->
    {NewClauses, Bound1, Walk1} = clauses(Clauses, Bound, Walk),
    {{'receive', Anno, NewClauses}, Bound1, Walk1};
expr({'receive', Anno, Clauses, Timeout, After}, Bound, Walk) ->
    {NewTimeout, Bound1, Walk1} = expr(Timeout, Bound, Walk),
    {NewClauses, _, Walk2} = clauses(Clauses, Bound1, Walk1),
    {NewAfter, _, Walk3} = expr(After, Bound1, Walk2),
    {{'receive', Anno, NewClauses, NewTimeout, NewAfter}, Bound1, Walk3};
expr({'fun', Anno, {clauses, Clauses}}, Bound, Walk) ->
    {NewClauses, _, NewWalk} = clauses(Clauses, Bound, Walk),
    {{'fun', Anno, {clauses, NewClauses}}, Bound, NewWalk};
expr({named_fun, Anno, Name, Clauses}, Bound, Walk) ->
    {NewClauses, _, NewWalk} = clauses(Clauses, ordsets:add_element(Name, Bound), Walk),
    {{named_fun, Anno, Name, NewClauses}, Bound, NewWalk};
expr({Comprehension, Anno, Template, Qualifiers}, Bound, Walk)
  when Comprehension =:= lc; Comprehension =:= bc; Comprehension =:= mc ->
    %% The variables of generators are not warned about.
    {NewTemplate, _, Walk1} = expr(Template, Bound, Walk),
    {NewQualifiers, _, Walk2} = expr(Qualifiers, Bound, Walk1),
    {{Comprehension, Anno, NewTemplate, NewQualifiers}, Bound, Walk2};
expr({'try', Anno, Body, Clauses, Handlers, After}, Bound, Walk) ->
    {NewBody, Bound1, Walk1} = expr(Body, Bound, Walk),
    {NewClauses, _, Walk2} = clauses(Clauses, Bound1, Walk1),
    {NewHandlers, _, Walk3} = clauses(Handlers, Bound, Walk2),
    {NewAfter, _, Walk4} = expr(After, Bound, Walk3),
    {{'try', Anno, NewBody, NewClauses, NewHandlers, NewAfter}, Bound, Walk4};
expr({var, _, '_'} = Var, Bound, Walk) -> {Var, Bound, Walk};
expr({var, _, Name} = Var, Bound, Walk) -> {Var, ordsets:add_element(Name, Bound), Walk};
expr([Head | Tail], Bound, Walk) ->
    {NewHead, Bound1, Walk1} = expr(Head, Bound, Walk),
    {NewTail, Bound2, Walk2} = expr(Tail, Bound1, Walk1),
    {[NewHead | NewTail], Bound2, Walk2};
expr(Tuple, Bound, Walk) when is_tuple(Tuple) ->
    {List, NewBound, NewWalk} = expr(tuple_to_list(Tuple), Bound, Walk),
    {list_to_tuple(List), NewBound, NewWalk};
expr(Other, Bound, Walk) -> {Other, Bound, Walk}.

%% ---- match specifications ----

specification(Anno, Clauses, Dialect, Bound, Walk) ->
    {Parts, NewWalk} = lists:mapfoldl(fun(Clause, Walk1) -> spec_part(Clause, Dialect, Bound, Walk1) end,
                                      Walk, lists:flatmap(fun alternatives/1, Clauses)),
    Replaced = [Name || Name <- record_names(Clauses), is_map_key(Name, Walk#walk.records)],
    {abstract_list(Anno, Parts), NewWalk#walk{replaced = Replaced ++ NewWalk#walk.replaced}}.

record_names({record, _, Name, Fields}) -> [Name | record_names(Fields)];
record_names({record, _, Value, Name, Fields}) -> [Name | record_names([Value | Fields])];
record_names({record_field, _, Value, Name, _}) -> [Name | record_names(Value)];
record_names({record_index, _, Name, _}) -> [Name];
record_names({call, _, {atom, _, is_record}, [Value, {atom, _, Name}]}) -> [Name | record_names(Value)];
record_names(Tuple) when is_tuple(Tuple) -> record_names(tuple_to_list(Tuple));
record_names([Head | Tail]) -> record_names(Head) ++ record_names(Tail);
record_names(_) -> [].

%% A clause for each of the guards between semicolons.
alternatives({clause, _, _, [], _} = Clause) -> [Clause];
alternatives({clause, Anno, Head, Guards, Body}) ->
    [{clause, Anno, Head, [Guard], Body} || Guard <- Guards].

abstract_list(Anno, Elems) -> lists:foldr(fun(Elem, Tail) -> {cons, Anno, Elem, Tail} end, {nil, Anno}, Elems).

spec_part({clause, Anno, Head, Guards, Body}, Dialect, Bound, #walk{records = Records} = Walk) ->
    {Pattern, Whole} = whole(head_argument(Anno, Head, Dialect)),
    Shadowed = [{Walk#walk.file, [{location(VarAnno), ?MODULE, {?SHADOWED, Name}}]}
                || {var, VarAnno, Name} <- head_variables(Head), ordsets:is_element(Name, Bound)],
    {NewHead, Names} = head(Pattern, Whole, Records),
    Guard = #part{kind = guard, names = Names, records = Records},
    Conditions = [condition(Test, Guard) || Tests <- Guards, Test <- Tests],
    Actions = [part(Action, Guard#part{kind = body}) || Action <- Body],
    {{tuple, Anno, [NewHead, abstract_list(Anno, Conditions), abstract_list(Anno, Actions)]},
     Walk#walk{warnings = lists:reverse(Shadowed, Walk#walk.warnings)}}.

head_argument(Anno, [Argument], Dialect) ->
    check_head(Anno, Argument, Dialect),
    Argument;
head_argument(Anno, _, ets) -> fail(Anno, ?ETS_HEAD);
head_argument(Anno, _, dbg) -> fail(Anno, ?DBG_HEAD).

check_head(_, {var, _, _}, _) -> ok;
check_head(_, {tuple, _, _}, ets) -> ok;
check_head(_, {record, _, _, _}, ets) -> ok;
check_head(_, {cons, _, _, _}, dbg) -> ok;
check_head(_, {nil, _}, dbg) -> ok;
check_head(Anno, {match, _, {var, _, _}, Pattern}, Dialect) -> check_head(Anno, Pattern, Dialect);
check_head(Anno, {match, _, Pattern, {var, _, _}}, Dialect) -> check_head(Anno, Pattern, Dialect);
check_head(Anno, _, ets) -> fail(Anno, ?ETS_HEAD);
check_head(Anno, _, dbg) -> fail(Anno, ?DBG_HEAD).

%% A variable for the whole argument.
whole({match, _, {var, _, Name}, Pattern}) -> {Pattern, #{Name => '$_'}};
whole({match, _, Pattern, {var, _, Name}}) -> {Pattern, #{Name => '$_'}};
whole(Pattern) -> {Pattern, #{}}.

%% In the order in which they are numbered: the one for the whole argument first.
head_variables([{match, _, Pattern, {var, _, _} = Var}]) -> [Var | variables(Pattern)];
head_variables(Head) -> variables(Head).

%% ---- heads ----

%% The names given to variables; `next` counts them.
head(Pattern, Whole, Records) ->
    {NewPattern, {Names, _}} = pattern(Pattern, {Whole#{'_' => '_'}, 1}, Records),
    {NewPattern, Names}.

pattern({var, Anno, Name}, {Names, Next} = State, _Records) ->
    case Names of
        #{Name := Known} -> {{atom, Anno, Known}, State};
        #{} ->
            New = list_to_atom("$" ++ integer_to_list(Next)),
            {{atom, Anno, New}, {Names#{Name => New}, Next + 1}}
    end;
pattern({match, Anno, _, _}, _State, _Records) -> fail(Anno, ?HEAD_MATCH);
pattern({atom, Anno, Atom} = Pattern, State, _Records) ->
    case atom_to_list(Atom) of
        [$$ | Digits] ->
            try list_to_integer(Digits) of
                _ -> fail(Anno, {?HEAD_DOLLAR_ATOM, Atom})
            catch
                error:badarg -> {Pattern, State}
            end;
        _ -> {Pattern, State}
    end;
pattern({bin_element, _, {var, Anno, Name}, _, _}, _State, _Records) ->
    fail(Anno, {?HEAD_BIN_MATCH, Name});
pattern({map_field_exact, Anno, Key, Value}, State, Records) ->
    {[NewKey, NewValue], NewState} = pattern([Key, Value], State, Records),
    {{map_field_assoc, Anno, NewKey, NewValue}, NewState};
pattern({record, Anno, Name, Fields}, State, Records) ->
    {Given, NewState} =
        lists:mapfoldl(fun({record_field, _, {Kind, _, Field}, Value}, State1)
                             when Kind =:= atom; Kind =:= var, Field =:= '_' ->
                               {NewValue, State2} = pattern(Value, State1, Records),
                               {{field_key(Kind, Field), NewValue}, State2};
                          (_, _) -> fail(Anno, {?HEAD_BAD_RECORD, Name})
                       end, State, Fields),
    Errors = {?HEAD_BAD_RECORD, ?HEAD_BAD_FIELD, ?HEAD_MULTI_FIELD},
    Elements = record_elements(Anno, Name, Given, Records, Errors, fun(_) -> {atom, Anno, '_'} end),
    {{tuple, Anno, Elements}, NewState};
pattern([Head | Tail], State, Records) ->
    {NewHead, State1} = pattern(Head, State, Records),
    {NewTail, State2} = pattern(Tail, State1, Records),
    {[NewHead | NewTail], State2};
pattern(Tuple, State, Records) when is_tuple(Tuple) ->
    {List, NewState} = pattern(tuple_to_list(Tuple), State, Records),
    {list_to_tuple(List), NewState};
pattern(Other, State, _Records) -> {Other, State}.

field_key(atom, Field) -> Field;
field_key(var, '_') -> {default}.

%% The elements of a record's tuple: the given fields, and for the others the value of `_`, if there is one, or
%% else that of Missing.
record_elements(Anno, Name, Given, Records, {BadRecord, BadField, MultiField}, Missing) ->
    Fields = case Records of
                 #{Name := Known} -> Known;
                 #{} -> fail(Anno, {BadRecord, Name})
             end,
    Keys = [Key || {Key, _} <- Given],
    [fail(Anno, {MultiField, Name, shown(Key)}) || Key <- Keys -- lists:usort(Keys)],
    [fail(Anno, {BadField, Name, Key}) || Key <- Keys, Key =/= {default}, not lists:keymember(Key, 1, Fields)],
    Others = case lists:keyfind({default}, 1, Given) of
                 {_, Default} -> fun(_) -> Default end;
                 false -> Missing
             end,
    [{atom, Anno, Name} | [case lists:keyfind(Field, 1, Given) of
                               {_, Value} -> Value;
                               false -> Others(FieldDefault)
                           end || {Field, _} = FieldDefault <- Fields]].

shown({default}) -> '_';
shown(Key) -> Key.

%% ---- guards and bodies ----

%% At the top of a guard the old names of type tests are understood.
condition({call, Anno, {atom, NameAnno, Name}, Args} = Test, Part) ->
    case erl_internal:old_type_test(Name, length(Args)) of
        true ->
            NewName = list_to_atom("is_" ++ atom_to_list(Name)),
            part({call, Anno, {atom, NameAnno, NewName}, Args}, Part);
        false -> part(Test, Part)
    end;
condition(Test, Part) -> part(Test, Part).

part({var, Anno, Name}, #part{names = Names}) ->
    case Names of
        #{Name := Known} -> {atom, Anno, Known};
        #{} -> {tuple, Anno, [{atom, Anno, const}, {var, Anno, Name}]}
    end;
part({atom, Anno, Atom} = Expr, _Part) ->
    case atom_to_list(Atom) of
        [$$ | _] -> {tuple, Anno, [{atom, Anno, const}, Expr]};
        _ -> Expr
    end;
part({Literal, _, _} = Expr, _Part)
  when Literal =:= integer; Literal =:= float; Literal =:= char; Literal =:= string -> Expr;
part({nil, _} = Expr, _Part) -> Expr;
part({cons, Anno, Head, Tail}, Part) -> {cons, Anno, part(Head, Part), part(Tail, Part)};
part({tuple, Anno, Elems}, Part) -> tuple_of(Anno, [part(Elem, Part) || Elem <- Elems]);
part({map, Anno, Fields}, Part) ->
    {map, Anno, [case Field of
                     {map_field_assoc, FieldAnno, Key, Value} ->
                         {map_field_assoc, FieldAnno, part(Key, Part), part(Value, Part)};
                     _ -> part(Field, Part)
                 end || Field <- Fields]};
part({bin, Anno, Elems}, Part) -> {bin, Anno, [bin_element(Elem, Part) || Elem <- Elems]};
part({op, Anno, Op, A, B} = Expr, Part) ->
    folded(Expr, fun() -> {tuple, Anno, [{atom, Anno, Op}, part(A, Part), part(B, Part)]} end);
part({op, Anno, Op, A} = Expr, Part) ->
    folded(Expr, fun() -> {tuple, Anno, [{atom, Anno, Op}, part(A, Part)]} end);
part({call, _, {atom, Anno, bindings}, []}, _Part) -> {atom, Anno, '$*'};
part({call, _, {atom, Anno, object}, []}, _Part) -> {atom, Anno, '$_'};
part({call, Anno, {atom, _, is_record} = Name, [Object, {atom, RecordAnno, Record} = RecordName]}, Part) ->
    Size = length(fields(RecordAnno, Record, Part)) + 1,
    {tuple, Anno, [Name, part(Object, Part), RecordName, {integer, RecordAnno, Size}]};
part({call, Anno, {atom, NameAnno, Name}, Args}, #part{kind = Kind} = Part) ->
    case is_function_of(Kind, Name, length(Args)) of
        true -> {tuple, Anno, [{atom, NameAnno, Name} | [part(Arg, Part) || Arg <- Args]]};
        false -> fail(Anno, {code(?LOCAL_CALL, Part), Name, length(Args)})
    end;
part({call, Anno, {remote, _, {atom, _, Module}, {atom, NameAnno, Name}}, Args}, Part) ->
    Arity = length(Args),
    case Module =:= erlang andalso {is_operator(Name, Arity), is_guard_function(Name, Arity)} of
        {true, _} -> part(list_to_tuple([op, NameAnno, Name | Args]), Part);
        {false, true} -> part({call, Anno, {atom, NameAnno, Name}, Args}, Part);
        _ -> fail(Anno, {code(?REMOTE_CALL, Part), Module, Name, Arity})
    end;
part({record, Anno, Name, Given}, Part) ->
    Default = fun({_, Value}) -> part(Value, Part) end,
    tuple_of(Anno, new_record(Anno, Name, Given, Part, Default));
part({record, Anno, {var, VarAnno, _} = Var, Name, Given}, Part) ->
    Object = part(Var, Part),
    Fields = fields(Anno, Name, Part),
    Kept = fun({Field, _}) -> element_of(VarAnno, position(Field, Fields), Object) end,
    tuple_of(Anno, new_record(Anno, Name, Given, Part, Kept));
part({record_field, Anno, Object, Name, {atom, _, Field}}, Part) ->
    element_of(Anno, field_position(Anno, Anno, Name, Field, Part), part(Object, Part));
part({record_index, Anno, Name, {atom, FieldAnno, Field}}, Part) ->
    {integer, FieldAnno, field_position(Anno, FieldAnno, Name, Field, Part)};
part({match, Anno, _, _}, Part) -> fail(Anno, code(?MATCH, Part));
part(Expr, Part) -> fail(element(2, Expr), {code(?ELEMENT, Part), language_element(element(1, Expr))}).

code(Code, #part{kind = guard}) -> Code;
code(Code, #part{kind = body}) -> Code + 100.

tuple_of(Anno, Elems) -> {tuple, Anno, [{tuple, Anno, Elems}]}.

element_of(Anno, Position, Object) ->
    {tuple, Anno, [{atom, Anno, element}, {integer, Anno, Position}, Object]}.

bin_element({bin_element, _, {var, Anno, Name}, _, _} = Elem, #part{names = Names} = Part) ->
    case is_map_key(Name, Names) of
        true -> fail(Anno, {code(?BIN_CONSTRUCT, Part), Name});
        false -> Elem
    end;
bin_element({bin_element, Anno, Value, default, Types}, Part) ->
    {bin_element, Anno, part(Value, Part), default, Types};
bin_element({bin_element, Anno, Value, Size, Types}, Part) ->
    {bin_element, Anno, part(Value, Part), part(Size, Part), Types}.

new_record(Anno, Name, Given, #part{records = Records} = Part, Missing) ->
    Values = [case Field of
                  {record_field, _, {atom, _, Key}, Value} -> {Key, part(Value, Part)};
                  {record_field, _, {var, _, '_'}, Value} -> {{default}, part(Value, Part)};
                  _ -> fail(Anno, {code(?BAD_RECORD, Part), Name})
              end || Field <- Given],
    Errors = {code(?BAD_RECORD, Part), code(?BAD_FIELD, Part), code(?MULTI_FIELD, Part)},
    record_elements(Anno, Name, Values, Records, Errors, Missing).

fields(Anno, Name, #part{records = Records} = Part) ->
    case Records of
        #{Name := Fields} -> Fields;
        #{} -> fail(Anno, {code(?BAD_RECORD, Part), Name})
    end.

field_position(Anno, FieldAnno, Name, Field, Part) ->
    Fields = fields(Anno, Name, Part),
    case lists:keymember(Field, 1, Fields) of
        true -> position(Field, Fields);
        false -> fail(FieldAnno, {code(?BAD_FIELD, Part), Name, Field})
    end.

position(Field, Fields) ->
    length(lists:takewhile(fun({Name, _}) -> Name =/= Field end, Fields)) + 2.

language_element(lc) -> "list comprehension";
language_element(bc) -> "binary comprehension";
language_element(block) -> "begin/end block";
language_element(match) -> "match (=)";
language_element(remote) -> "external function call";
language_element(Element) -> atom_to_list(Element).

%% Operations on constants are done at once.
folded(Expr, Translate) ->
    case constant(Expr) of
        {ok, Value} when is_integer(Value) -> {integer, element(2, Expr), Value};
        {ok, Value} when is_float(Value) -> {float, element(2, Expr), Value};
        {ok, Value} when is_atom(Value) -> {atom, element(2, Expr), Value};
        _ -> Translate()
    end.

constant({Literal, _, Value})
  when Literal =:= integer; Literal =:= float; Literal =:= char; Literal =:= atom -> {ok, Value};
constant({op, _, Op, A, B}) when Op =/= 'andalso', Op =/= 'orelse' ->
    applied(Op, [constant(A), constant(B)]);
constant({op, _, Op, A}) -> applied(Op, [constant(A)]);
constant(_) -> none.

applied(_Op, [none | _]) -> none;
applied(_Op, [_, none]) -> none;
applied(Op, Operands) ->
    try {ok, apply(erlang, Op, [Value || {ok, Value} <- Operands])}
    catch error:_ -> none
    end.

%% ---- functions ----

is_operator('andalso', 2) -> true;
is_operator('orelse', 2) -> true;
is_operator(Name, Arity) ->
    erl_internal:arith_op(Name, Arity) orelse erl_internal:bool_op(Name, Arity)
        orelse erl_internal:comp_op(Name, Arity).

%% What the module erlang has for guards and match specifications too.
is_guard_function(Name, 0) -> lists:member(Name, [node, self, is_seq_trace]);
is_guard_function(Name, 1) ->
    lists:member(Name, [abs, bit_size, byte_size, float, hd, length, map_size, node, round, size, tl, trunc,
                        is_atom, is_binary, is_float, is_function, is_integer, is_list, is_map, is_number,
                        is_pid, is_port, is_reference, is_tuple]);
is_guard_function(Name, 2) -> lists:member(Name, [binary_part, element, map_get, is_map_key, is_record]);
is_guard_function(Name, 3) -> Name =:= binary_part;
is_guard_function(_, _) -> false.

is_function_of(guard, get_tcw, 0) -> true;
is_function_of(guard, Name, Arity) -> is_guard_function(Name, Arity);
is_function_of(body, Name, Arity) -> is_function_of(guard, Name, Arity) orelse is_action(Name, Arity).

is_action(Name, 0) ->
    lists:member(Name, [get_seq_token, return_trace, exception_trace, process_dump, caller]);
is_action(Name, 1) ->
    lists:member(Name, [message, enable_trace, disable_trace, display, set_tcw, silent]);
is_action(Name, 2) -> lists:member(Name, [set_seq_token, enable_trace, disable_trace, trace]);
is_action(trace, 3) -> true;
is_action(_, _) -> false.
