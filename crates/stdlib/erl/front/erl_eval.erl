%% Evaluates abstract expressions.
%%
%% Every expression has a value and leaves bindings behind. `Ret' says what is
%% wanted: both (`none'), only the value (`value', for the body of a fun that
%% compiled code called: then its last call is a tail call), or the value with
%% given bindings (the body of a fun that was called from here). `Lf' and `Ef' are
%% asked for functions without and with a module; `Known' maps the clauses of funs
%% to the names in them, so that these are collected once.
%%
%% Functions that stack traces show have the names and arities of OTP's.
%%
%% Differs from OTP: exprs/2 and expr/2 check what they are given by `erl_lint'
%% only where that module exists (it is OTP's); a fun keeps all variables whose
%% names occur in it; qlc:q/1,2 is an ordinary call.
-module(erl_eval).

-export([exprs/2, exprs/3, exprs/4, expr/2, expr/3, expr/4, expr/5, expr_list/2, expr_list/3, expr_list/4,
         new_bindings/0, bindings/1, binding/2, add_binding/3, del_binding/2,
         extended_parse_exprs/1, extended_parse_term/1, is_constant_expr/1, partial_eval/1, eval_str/1,
         match_clause/4, check_command/2, fun_data/1]).

-export_type([binding_struct/0]).

-type binding_struct() :: orddict:orddict() | map().

-define(STACK, element(2, erlang:process_info(self(), current_stacktrace))).

%%% ------------------------------------------------------------------ interface

exprs(Exprs, Bs) ->
    case check_command(Exprs, Bs) of
        ok -> exprs(Exprs, Bs, none, none, none, #{});
        {error, {_, _, Error}} -> erlang:raise(error, Error, ?STACK)
    end.

exprs(Exprs, Bs, Lf) -> exprs(Exprs, Bs, Lf, none, none, #{}).

exprs(Exprs, Bs, Lf, Ef) -> exprs(Exprs, Bs, Lf, Ef, none, #{}).

expr(Expr, Bs) ->
    case check_command([Expr], Bs) of
        ok -> expr(Expr, Bs, none, none, none, #{});
        {error, {_, _, Error}} -> erlang:raise(error, Error, ?STACK)
    end.

expr(Expr, Bs, Lf) -> expr(Expr, Bs, Lf, none, none, #{}).

expr(Expr, Bs, Lf, Ef) -> expr(Expr, Bs, Lf, Ef, none, #{}).

expr(Expr, Bs, Lf, Ef, Ret) -> expr(Expr, Bs, Lf, Ef, Ret, #{}).

expr_list(Exprs, Bs) -> expr_list(Exprs, Bs, none, none, #{}).

expr_list(Exprs, Bs, Lf) -> expr_list(Exprs, Bs, Lf, none, #{}).

expr_list(Exprs, Bs, Lf, Ef) -> expr_list(Exprs, Bs, Lf, Ef, #{}).

check_command(Exprs, Bs) ->
    case code:ensure_loaded(erl_lint) of
        {module, _} ->
            case erl_lint:exprs_opt(Exprs, bindings(Bs), [bitlevel_binaries, binary_comprehension]) of
                {ok, _} -> ok;
                {error, [{_, [Error | _]}], _} -> {error, Error}
            end;
        {error, _} ->
            ok
    end.

%% What a fun of this module was made of.
fun_data(Fun) when is_function(Fun) ->
    case made_here(Fun) of
        {_, Bs, _, _, _, Clauses} -> {fun_data, Bs, Clauses};
        {_, Bs, _, _, _, Clauses, Name} -> {named_fun_data, Bs, Name, Clauses};
        false -> false
    end;
fun_data(_) ->
    false.

made_here(Fun) ->
    case {erlang:fun_info(Fun, module), erlang:fun_info(Fun, env)} of
        {{module, ?MODULE}, {env, [{_, _, _, _, _, _} = Data]}} -> Data;
        {{module, ?MODULE}, {env, [{_, _, _, _, _, _, _} = Data]}} -> Data;
        _ -> false
    end.

%%% ----------------------------------------------------------------- expressions

exprs([Expr], Bs, Lf, Ef, Ret, Known) ->
    expr(Expr, Bs, Lf, Ef, Ret, Known);
exprs([Expr | Exprs], Bs0, Lf, Ef, Ret, Known) ->
    {value, _, Bs} = expr(Expr, Bs0, Lf, Ef, none, Known),
    exprs(Exprs, Bs, Lf, Ef, Ret, Known).

returned(Value, _, value) -> Value;
returned(Value, Bs, none) -> {value, Value, Bs};
returned(Value, _, Bs) when is_list(Bs); is_map(Bs) -> {value, Value, Bs}.

expr({var, Anno, Name}, Bs, _, Ef, Ret, _) ->
    case binding(Name, Bs) of
        {value, Value} -> returned(Value, Bs, Ret);
        unbound -> apply_error({unbound, Name}, ?STACK, Anno, Bs, Ef, Ret)
    end;
expr({Type, _, Value}, Bs, _, _, Ret, _)
  when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string ->
    returned(Value, Bs, Ret);
expr({nil, _}, Bs, _, _, Ret, _) ->
    returned([], Bs, Ret);
expr({cons, Anno, Head0, Tail0}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Head, Bs1} = expr(Head0, Bs0, Lf, Ef, none, Known),
    {value, Tail, Bs2} = expr(Tail0, Bs0, Lf, Ef, none, Known),
    returned([Head | Tail], merged(Bs1, Bs2, Anno, Ef), Ret);
expr({tuple, _, Exprs}, Bs0, Lf, Ef, Ret, Known) ->
    {Values, Bs} = expr_list(Exprs, Bs0, Lf, Ef, Known),
    returned(list_to_tuple(Values), Bs, Ret);
expr({map, _, Fields}, Bs0, Lf, Ef, Ret, Known) ->
    {Pairs, Bs} = fields(Fields, Bs0, Lf, Ef, Known, []),
    returned(lists:foldl(fun({map_field_assoc, Key, Value}, Map) -> maps:put(Key, Value, Map) end,
                         #{}, Pairs), Bs, Ret);
expr({map, Anno, Base, Fields}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Map0, Bs1} = expr(Base, Bs0, Lf, Ef, none, Known),
    {Pairs, Bs2} = fields(Fields, Bs0, Lf, Ef, Known, []),
    _ = maps:put(k, v, Map0),
    Map = lists:foldl(fun({map_field_assoc, Key, Value}, M) -> maps:put(Key, Value, M);
                         ({map_field_exact, Key, Value}, M) -> maps:update(Key, Value, M)
                      end, Map0, Pairs),
    returned(Map, merged(Bs2, Bs1, Anno, Ef), Ret);
expr({bin, _, Segments}, Bs0, Lf, Ef, Ret, Known) ->
    Eval = fun(Expr, Bs) -> expr(Expr, Bs, Lf, Ef, none, Known) end,
    Fail = fun(Anno, Reason, Stack) -> apply_error(Reason, Stack, Anno, Bs0, Ef, Ret) end,
    {value, Value, Bs} = eval_bits:expr_grp(Segments, Bs0, Eval, Fail),
    returned(Value, Bs, Ret);
expr({lc, _, Expr, Qualifiers}, Bs, Lf, Ef, Ret, Known) ->
    eval_lc(Expr, Qualifiers, Bs, Lf, Ef, Ret, Known);
expr({bc, _, Expr, Qualifiers}, Bs, Lf, Ef, Ret, Known) ->
    eval_bc(Expr, Qualifiers, Bs, Lf, Ef, Ret, Known);
expr({block, _, Exprs}, Bs, Lf, Ef, Ret, Known) ->
    exprs(Exprs, Bs, Lf, Ef, Ret, Known);
expr({'if', Anno, Clauses}, Bs, Lf, Ef, Ret, Known) ->
    if_clauses(Clauses, Anno, Bs, Lf, Ef, Ret, Known);
expr({'case', Anno, Expr, Clauses}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Value, Bs} = expr(Expr, Bs0, Lf, Ef, none, Known),
    case_clauses(Value, Clauses, Anno, Bs, Lf, Ef, Ret, Known);
expr({'try', Anno, Body, Of, Catch, After}, Bs, Lf, Ef, Ret, Known) ->
    try_clauses(Body, Of, Catch, After, Anno, Bs, Lf, Ef, Ret, Known);
expr({'receive', _, Clauses}, Bs, Lf, Ef, Ret, Known) ->
    {Body, Bs1} = prim_eval:'receive'(fun(Message) -> matching(Clauses, [Message], Bs, Lf, Ef) end, infinity),
    exprs(Body, Bs1, Lf, Ef, Ret, Known);
expr({'receive', _, Clauses, Timeout, After}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Time, Bs} = expr(Timeout, Bs0, Lf, Ef, none, Known),
    case prim_eval:'receive'(fun(Message) -> matching(Clauses, [Message], Bs0, Lf, Ef) end, Time) of
        {Body, Bs1} -> exprs(Body, Bs1, Lf, Ef, Ret, Known);
        timeout -> exprs(After, Bs, Lf, Ef, Ret, Known)
    end;
expr({'catch', _, Expr}, Bs0, Lf, Ef, Ret, Known) ->
    try expr(Expr, Bs0, Lf, Ef, none, Known) of
        {value, Value, Bs} -> returned(Value, Bs, Ret)
    catch
        throw:Term -> returned(Term, Bs0, Ret);
        exit:Reason -> returned({'EXIT', Reason}, Bs0, Ret);
        error:Reason:Stack -> returned({'EXIT', {Reason, Stack}}, Bs0, Ret)
    end;
expr({match, Anno, Pattern, Expr}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Value, Bs1} = expr(Expr, Bs0, Lf, Ef, none, Known),
    case match(Pattern, Value, Anno, Bs1, Bs1, Ef) of
        {match, Bs} -> returned(Value, Bs, Ret);
        nomatch -> apply_error({badmatch, Value}, ?STACK, Anno, Bs0, Ef, Ret)
    end;
expr({'maybe', _, Exprs}, Bs, Lf, Ef, Ret, Known) ->
    {_, Value} = maybe_body(Exprs, Bs, Lf, Ef, Known),
    returned(Value, Bs, Ret);
expr({'maybe', Anno, Exprs, {'else', _, Clauses}}, Bs0, Lf, Ef, Ret, Known) ->
    case maybe_body(Exprs, Bs0, Lf, Ef, Known) of
        {success, Value} ->
            returned(Value, Bs0, Ret);
        {failure, Value} ->
            case matching(Clauses, [Value], Bs0, Lf, Ef) of
                {Body, Bs} -> exprs(Body, Bs, Lf, Ef, Ret, Known);
                nomatch -> apply_error({else_clause, Value}, ?STACK, Anno, Bs0, Ef, Ret)
            end
    end;
expr({op, Anno, Op, Operand}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Value, Bs} = expr(Operand, Bs0, Lf, Ef, none, Known),
    do_apply(erlang, Op, [Value], Anno, Bs, Ef, Ret);
expr({op, Anno, Op, Left, Right}, Bs0, Lf, Ef, Ret, Known) when Op =:= 'andalso'; Op =:= 'orelse' ->
    {value, Value, Bs} = expr(Left, Bs0, Lf, Ef, none, Known),
    case Value of
        Decided when Decided =:= (Op =:= 'orelse') ->
            returned(Decided, Bs, Ret);
        Open when is_boolean(Open) ->
            {value, Second, _} = expr(Right, Bs, Lf, Ef, none, Known),
            returned(Second, Bs, Ret);
        _ ->
            returned(apply_error({badarg, Value}, ?STACK, Anno, Bs0, Ef, Ret), Bs, Ret)
    end;
expr({op, Anno, Op, Left, Right}, Bs0, Lf, Ef, Ret, Known) ->
    {value, A, Bs1} = expr(Left, Bs0, Lf, Ef, none, Known),
    {value, B, Bs2} = expr(Right, Bs0, Lf, Ef, none, Known),
    do_apply(erlang, Op, [A, B], Anno, merged(Bs1, Bs2, Anno, Ef), Ef, Ret);
expr({'fun', _, {function, Module, Name, Arity}}, Bs0, Lf, Ef, Ret, Known) ->
    {[M, F, A], Bs} = expr_list([Module, Name, Arity], Bs0, Lf, Ef, Known),
    returned(erlang:make_fun(M, F, A), Bs, Ret);
expr({'fun', Anno, {function, Name, Arity}}, Bs, _, Ef, Ret, _) ->
    apply_error(undef, [{?MODULE, Name, Arity} | ?STACK], Anno, Bs, Ef, Ret);
expr({'fun', Anno, {clauses, Clauses}}, Bs, Lf, Ef, Ret, Known) ->
    {Captured, Inside} = captured(Clauses, Bs, Known),
    Data = {Anno, Captured, Lf, Ef, Inside, Clauses},
    case new_fun(arity(Clauses), Data) of
        false ->
            Reason = {argument_limit, {'fun', erl_anno:location(Anno), to_terms(Clauses)}},
            apply_error(Reason, ?STACK, Anno, Bs, Ef, Ret);
        Fun ->
            returned(Fun, Bs, Ret)
    end;
expr({named_fun, Anno, Name, Clauses}, Bs, Lf, Ef, Ret, Known) ->
    {Captured, Inside} = captured(Clauses, Bs, Known),
    Data = {Anno, Captured, Lf, Ef, Inside, Clauses, Name},
    case new_named_fun(arity(Clauses), Data) of
        false ->
            Reason = {argument_limit, {named_fun, erl_anno:location(Anno), Name, to_terms(Clauses)}},
            apply_error(Reason, ?STACK, Anno, Bs, Ef, Ret);
        Fun ->
            returned(Fun, Bs, Ret)
    end;
expr({call, Anno, {remote, _, Module, Name}, Args0}, Bs0, Lf, Ef, Ret, Known) ->
    {value, M, Bs1} = expr(Module, Bs0, Lf, Ef, none, Known),
    {value, F, Bs2} = expr(Name, Bs0, Lf, Ef, none, Known),
    {Args, Bs} = expr_list(Args0, merged(Bs1, Bs2, Anno, Ef), Lf, Ef, Known),
    case is_atom(M) andalso erl_internal:bif(M, F, length(Args)) of
        true -> bif(F, Args, Anno, Bs, Ef, Ret);
        false -> do_apply(M, F, Args, Anno, Bs, Ef, Ret)
    end;
expr({call, Anno, {atom, _, Name}, Args0}, Bs0, Lf, Ef, Ret, Known) ->
    case erl_internal:bif(Name, length(Args0)) of
        true ->
            {Args, Bs} = expr_list(Args0, Bs0, Lf, Ef, Known),
            bif(Name, Args, Anno, Bs, Ef, Ret);
        false ->
            local_func(Name, Args0, Anno, Bs0, Lf, Ef, Ret, Known)
    end;
expr({call, Anno, Callee, Args0}, Bs0, Lf, Ef, Ret, Known) ->
    {value, Fun, Bs1} = expr(Callee, Bs0, Lf, Ef, none, Known),
    {Args, Bs} = expr_list(Args0, Bs1, Lf, Ef, Known),
    case Fun of
        {M, F} when is_atom(M), is_atom(F) -> apply_error({badfun, Fun}, ?STACK, Anno, Bs0, Ef, Ret);
        _ -> do_apply(Fun, Args, Anno, Bs, Ef, Ret)
    end;
expr({record_field, Anno, _, Name, _}, Bs, _, Ef, Ret, _) -> 
    apply_error({undef_record, Name}, ?STACK, Anno, Bs, Ef, Ret);
expr({record_index, Anno, Name, _}, Bs, _, Ef, Ret, _) -> 
    apply_error({undef_record, Name}, ?STACK, Anno, Bs, Ef, Ret);
expr({record, Anno, Name, _}, Bs, _, Ef, Ret, _) -> 
    apply_error({undef_record, Name}, ?STACK, Anno, Bs, Ef, Ret);
expr({record, Anno, _, Name, _}, Bs, _, Ef, Ret, _) -> 
    apply_error({undef_record, Name}, ?STACK, Anno, Bs, Ef, Ret);
expr({remote, Anno, _, _}, Bs, _, Ef, Ret, _) -> apply_error({badexpr, ':'}, ?STACK, Anno, Bs, Ef, Ret).


%% Errors are calls of erlang:raise/3, which a handler of functions may see.
apply_error(Reason, Stack, Anno, Bs, Ef, Ret) ->
    do_apply(erlang, raise, [error, Reason, Stack], Anno, Bs, Ef, Ret).

%% Expressions side by side: none sees what another binds.
expr_list(Exprs, Bs, Lf, Ef, Known) -> expr_list(Exprs, [], Bs, Bs, Lf, Ef, Known).

expr_list([Expr | Exprs], Values, Before, Bs0, Lf, Ef, Known) ->
    {value, Value, Bs1} = expr(Expr, Before, Lf, Ef, none, Known),
    expr_list(Exprs, [Value | Values], Before, merged(Bs1, Bs0, element(2, Expr), Ef), Lf, Ef, Known);
expr_list([], Values, _, Bs, _, _, _) ->
    {lists:reverse(Values), Bs}.

fields([{Kind, _, Key0, Value0} | Fields], Bs0, Lf, Ef, Known, Pairs)
  when Kind =:= map_field_assoc; Kind =:= map_field_exact ->
    {value, Key, Bs1} = expr(Key0, Bs0, Lf, Ef, none, Known),
    {value, Value, Bs} = expr(Value0, Bs1, Lf, Ef, none, Known),
    fields(Fields, Bs, Lf, Ef, Known, [{Kind, Key, Value} | Pairs]);
fields([], Bs, _, _, _, Pairs) ->
    {lists:reverse(Pairs), Bs}.

maybe_body([{maybe_match, Anno, Pattern, Expr} | Exprs], Bs0, Lf, Ef, Known) ->
    {value, Value, Bs1} = expr(Expr, Bs0, Lf, Ef, none, Known),
    case match(Pattern, Value, Anno, Bs1, Bs1, Ef) of
        {match, _} when Exprs =:= [] -> {success, Value};
        {match, Bs} -> maybe_body(Exprs, Bs, Lf, Ef, Known);
        nomatch -> {failure, Value}
    end;
maybe_body([Expr | Exprs], Bs0, Lf, Ef, Known) ->
    case expr(Expr, Bs0, Lf, Ef, none, Known) of
        {value, Value, _} when Exprs =:= [] -> {success, Value};
        {value, _, Bs} -> maybe_body(Exprs, Bs, Lf, Ef, Known)
    end.

if_clauses(Clauses, Anno, Bs, Lf, Ef, Ret, Known) ->
    case matching(Clauses, [], Bs, Lf, Ef) of
        {Body, Bs1} -> exprs(Body, Bs1, Lf, Ef, Ret, Known);
        nomatch -> apply_error(if_clause, ?STACK, Anno, Bs, Ef, Ret)
    end.

case_clauses(Value, Clauses, Anno, Bs, Lf, Ef, Ret, Known) ->
    case matching(Clauses, [Value], Bs, Lf, Ef) of
        {Body, Bs1} -> exprs(Body, Bs1, Lf, Ef, Ret, Known);
        nomatch -> apply_error({case_clause, Value}, ?STACK, Anno, Bs, Ef, Ret)
    end.

try_clauses(Body, Of, Catch, After, Anno, Bs, Lf, Ef, Ret, Known) ->
    check_stacktrace_vars(Catch, Anno, Bs, Ef, Ret),
    try exprs(Body, Bs, Lf, Ef, none, Known) of
        {value, Value, Bs1} when Of =:= [] ->
            returned(Value, Bs1, Ret);
        {value, Value, Bs1} ->
            case matching(Of, [Value], Bs1, Lf, Ef) of
                {Body2, Bs2} -> exprs(Body2, Bs2, Lf, Ef, Ret, Known);
                nomatch -> apply_error({try_clause, Value}, ?STACK, Anno, Bs, Ef, Ret)
            end
    catch
        Class:Reason:Stack when Catch =:= [] ->
            erlang:raise(Class, Reason, Stack);
        Class:Reason:Stack ->
            case matching(Catch, [{Class, Reason, Stack}], Bs, Lf, Ef) of
                {Body2, Bs2} -> exprs(Body2, Bs2, Lf, Ef, Ret, Known);
                nomatch -> erlang:raise(Class, Reason, Stack)
            end
    after
        After =:= [] orelse exprs(After, Bs, Lf, Ef, none, Known)
    end.

check_stacktrace_vars([{clause, _, [{tuple, _, [_, _, {var, _, Name}]}], _, _} | Clauses], Anno, Bs, Ef, Ret) ->
    case binding(Name, Bs) of
        {value, _} -> apply_error(stacktrace_bound, ?STACK, Anno, Bs, Ef, Ret);
        unbound -> check_stacktrace_vars(Clauses, Anno, Bs, Ef, Ret)
    end;
check_stacktrace_vars([{clause, _, [{tuple, _, [_, _, Other]}], _, _} | _], Anno, Bs, Ef, Ret) ->
    apply_error({illegal_stacktrace_variable, Other}, ?STACK, Anno, Bs, Ef, Ret);
check_stacktrace_vars([], _, _, _, _) ->
    ok.

%%% -------------------------------------------------------------- comprehensions

eval_lc(Expr, Qualifiers, Bs, Lf, Ef, Ret, Known) ->
    Collect = fun(B, Acc) ->
                      {value, Value, _} = expr(Expr, B, Lf, Ef, none, Known),
                      [Value | Acc]
              end,
    returned(lists:reverse(comprehend(Qualifiers, Collect, Bs, Lf, Ef, Known, [])), Bs, Ret).

eval_bc(Expr, Qualifiers, Bs, Lf, Ef, Ret, Known) ->
    Collect = fun(B, Acc) ->
                      {value, Value, _} = expr(Expr, B, Lf, Ef, none, Known),
                      <<Acc/bitstring, Value/bitstring>>
              end,
    returned(comprehend(Qualifiers, Collect, Bs, Lf, Ef, Known, <<>>), Bs, Ret).

comprehend([{generate, Anno, Pattern, Expr} | Qualifiers], Collect, Bs, Lf, Ef, Known, Acc) ->
    {value, List, _} = expr(Expr, Bs, Lf, Ef, none, Known),
    Go = fun(B, A) -> comprehend(Qualifiers, Collect, B, Lf, Ef, Known, A) end,
    eval_generate(List, Pattern, Anno, Bs, Lf, Ef, Go, Acc);
comprehend([{b_generate, Anno, Pattern, Expr} | Qualifiers], Collect, Bs, Lf, Ef, Known, Acc) ->
    {value, Bits, _} = expr(Expr, Bs, Lf, Ef, none, Known),
    Go = fun(B, A) -> comprehend(Qualifiers, Collect, B, Lf, Ef, Known, A) end,
    eval_b_generate(Bits, Pattern, Anno, Bs, Lf, Ef, Go, Acc);
comprehend([Filter | Qualifiers], Collect, Bs, Lf, Ef, Known, Acc) ->
    Go = fun(B) -> comprehend(Qualifiers, Collect, B, Lf, Ef, Known, Acc) end,
    eval_filter(Filter, Bs, Lf, Ef, Go, Known, Acc);
comprehend([], Collect, Bs, _, _, _, Acc) ->
    Collect(Bs, Acc).

eval_generate([Value | Rest], Pattern, Anno, Bs, Lf, Ef, Go, Acc0) ->
    Acc = case match(Pattern, Value, Anno, new_bindings(Bs), Bs, Ef) of
              {match, New} -> Go(shadowing(New, Bs), Acc0);
              nomatch -> Acc0
          end,
    eval_generate(Rest, Pattern, Anno, Bs, Lf, Ef, Go, Acc);
eval_generate([], _, _, _, _, _, _, Acc) ->
    Acc;
eval_generate(Other, _, Anno, Bs, _, Ef, _, _) ->
    apply_error({bad_generator, Other}, ?STACK, Anno, Bs, Ef, none).

eval_b_generate(Bits, Pattern, Anno, Bs, Lf, Ef, Go, Acc) when is_bitstring(Bits) ->
    Eval = fun(Expr, B) -> expr(Expr, B, Lf, Ef, none, #{}) end,
    Fail = fun(A, Reason, Stack) -> apply_error(Reason, Stack, A, Bs, Ef, none) end,
    case eval_bits:bin_gen(Pattern, Bits, new_bindings(Bs), Bs, match_fun(Bs, Ef), Eval, Fail) of
        {match, Rest, New} ->
            Acc1 = Go(shadowing(New, Bs), Acc),
            eval_b_generate(Rest, Pattern, Anno, Bs, Lf, Ef, Go, Acc1);
        {nomatch, Rest} ->
            eval_b_generate(Rest, Pattern, Anno, Bs, Lf, Ef, Go, Acc);
        done ->
            Acc
    end;
eval_b_generate(Other, _, Anno, Bs, _, Ef, _, _) ->
    apply_error({bad_generator, Other}, ?STACK, Anno, Bs, Ef, none).

eval_filter(Filter, Bs, Lf, Ef, Go, Known, Acc) ->
    case is_guard_test(Filter) of
        true ->
            case guard_test(Filter, Bs, Lf, Ef) of
                true -> Go(Bs);
                false -> Acc
            end;
        false ->
            case expr(Filter, Bs, Lf, Ef, none, Known) of
                {value, true, Bs1} -> Go(Bs1);
                {value, false, _} -> Acc;
                {value, Other, _} -> apply_error({bad_filter, Other}, ?STACK, element(2, Filter), Bs, Ef, none)
            end
    end.

%%% ------------------------------------------------------------------------ funs

arity([{clause, _, Patterns, _, _} | _]) -> length(Patterns).

%% The variables of the surroundings whose names occur in clauses.
captured(Clauses, Bs, Known0) ->
    Known = case Known0 of
                #{Clauses := _} -> Known0;
                #{} -> Known0#{Clauses => names(Clauses, #{})}
            end,
    Names = maps:get(Clauses, Known),
    {filtered(fun(Name, _) -> is_map_key(Name, Names) end, Bs), Known}.

names({var, _, Name}, Names) -> Names#{Name => true};
names(Tuple, Names) when is_tuple(Tuple) -> names(tuple_to_list(Tuple), Names);
names([Head | Tail], Names) -> names(Tail, names(Head, Names));
names(_, Names) -> Names.

new_fun(Arity, D) ->
    case Arity of
        0 -> fun() -> run([], D) end;
        1 -> fun(A) -> run([A], D) end;
        2 -> fun(A, B) -> run([A, B], D) end;
        3 -> fun(A, B, C) -> run([A, B, C], D) end;
        4 -> fun(A, B, C, E) -> run([A, B, C, E], D) end;
        5 -> fun(A, B, C, E, F) -> run([A, B, C, E, F], D) end;
        6 -> fun(A, B, C, E, F, G) -> run([A, B, C, E, F, G], D) end;
        7 -> fun(A, B, C, E, F, G, H) -> run([A, B, C, E, F, G, H], D) end;
        8 -> fun(A, B, C, E, F, G, H, I) -> run([A, B, C, E, F, G, H, I], D) end;
        9 -> fun(A, B, C, E, F, G, H, I, J) -> run([A, B, C, E, F, G, H, I, J], D) end;
        10 -> fun(A, B, C, E, F, G, H, I, J, K) -> run([A, B, C, E, F, G, H, I, J, K], D) end;
        11 -> fun(A, B, C, E, F, G, H, I, J, K, L) -> run([A, B, C, E, F, G, H, I, J, K, L], D) end;
        12 -> fun(A, B, C, E, F, G, H, I, J, K, L, M) -> run([A, B, C, E, F, G, H, I, J, K, L, M], D) end;
        13 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N], D) end;
        14 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O], D) end;
        15 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P], D) end;
        16 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q], D) end;
        17 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R], D) end;
        18 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S], D) end;
        19 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T], D) end;
        20 -> fun(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U], D) end;
        _ -> false
    end.

new_named_fun(Arity, D) ->
    case Arity of
        0 -> fun Z() -> run([], Z, D) end;
        1 -> fun Z(A) -> run([A], Z, D) end;
        2 -> fun Z(A, B) -> run([A, B], Z, D) end;
        3 -> fun Z(A, B, C) -> run([A, B, C], Z, D) end;
        4 -> fun Z(A, B, C, E) -> run([A, B, C, E], Z, D) end;
        5 -> fun Z(A, B, C, E, F) -> run([A, B, C, E, F], Z, D) end;
        6 -> fun Z(A, B, C, E, F, G) -> run([A, B, C, E, F, G], Z, D) end;
        7 -> fun Z(A, B, C, E, F, G, H) -> run([A, B, C, E, F, G, H], Z, D) end;
        8 -> fun Z(A, B, C, E, F, G, H, I) -> run([A, B, C, E, F, G, H, I], Z, D) end;
        9 -> fun Z(A, B, C, E, F, G, H, I, J) -> run([A, B, C, E, F, G, H, I, J], Z, D) end;
        10 -> fun Z(A, B, C, E, F, G, H, I, J, K) -> run([A, B, C, E, F, G, H, I, J, K], Z, D) end;
        11 -> fun Z(A, B, C, E, F, G, H, I, J, K, L) -> run([A, B, C, E, F, G, H, I, J, K, L], Z, D) end;
        12 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M) -> run([A, B, C, E, F, G, H, I, J, K, L, M], Z, D) end;
        13 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N], Z, D) end;
        14 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O], Z, D) end;
        15 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P], Z, D) end;
        16 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q], Z, D) end;
        17 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R], Z, D) end;
        18 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S], Z, D) end;
        19 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T], Z, D) end;
        20 -> fun Z(A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U) ->
                      run([A, B, C, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U], Z, D) end;
        _ -> false
    end.

%% Somebody else called a fun.
run(Args, {Anno, Bs, Lf, Ef, Known, Clauses}) -> eval_fun(Clauses, Args, Anno, Bs, Lf, Ef, value, Known).

run(Args, Fun, {Anno, Bs, Lf, Ef, Known, Clauses, Name}) ->
    eval_named_fun(Clauses, Args, Anno, Bs, Lf, Ef, Name, Fun, value, Known).

eval_fun(Clauses, Args, Anno, Bs, Lf, Ef, Ret, Known) ->
    case fun_clause(Clauses, Args, Anno, Bs, Lf, Ef) of
        {Body, Inside} -> exprs(Body, Inside, Lf, Ef, Ret, Known);
        nomatch ->
            Stack = [{?MODULE, '-inside-an-interpreted-fun-', Args} | ?STACK],
            apply_error(function_clause, Stack, Anno, Bs, Ef, Ret)
    end.

eval_named_fun(Clauses, Args, Anno, Bs0, Lf, Ef, Name, Fun, Ret, Known) ->
    Bs = add_binding(Name, Fun, Bs0),
    case fun_clause(Clauses, Args, Anno, Bs, Lf, Ef) of
        {Body, Inside} -> exprs(Body, Inside, Lf, Ef, Ret, Known);
        nomatch ->
            Stack = [{?MODULE, '-inside-an-interpreted-fun-', Args} | ?STACK],
            apply_error(function_clause, Stack, Anno, Bs, Ef, Ret)
    end.

%% The parameters of a fun shadow what is around it.
fun_clause([{clause, _, Patterns, Guard, Body} | Clauses], Args, Anno, Bs, Lf, Ef) ->
    case match_all(Patterns, Args, Anno, new_bindings(Bs), Bs, Ef) of
        {match, New} ->
            Inside = shadowing(New, Bs),
            case guard(Guard, Inside, Lf, Ef) of
                true -> {Body, Inside};
                false -> fun_clause(Clauses, Args, Anno, Bs, Lf, Ef)
            end;
        nomatch ->
            fun_clause(Clauses, Args, Anno, Bs, Lf, Ef)
    end;
fun_clause([], _, _, _, _, _) ->
    nomatch.

%%% ----------------------------------------------------------------------- calls

%% Functions that are called without a module and are no builtins.
local_func(Name, Args0, _, Bs0, {value, Handler} = Lf, Ef, Ret, Known) ->
    {Args, Bs} = expr_list(Args0, Bs0, Lf, Ef, Known),
    case Ret of
        value -> Handler(Name, Args);
        _ -> returned(Handler(Name, Args), Bs, Ret)
    end;
local_func(Name, Args0, _, Bs0, {value, Handler, More} = Lf, Ef, Ret, Known) ->
    {Args, Bs} = expr_list(Args0, Bs0, Lf, Ef, Known),
    returned(apply(Handler, [Name, Args | More]), Bs, Ret);
local_func(Name, Args, Anno, Bs, {eval, Handler}, _, Ret, _) ->
    handled(Handler(Name, Args, Bs), Anno, Ret);
local_func(Name, Args, Anno, Bs, {eval, Handler, More}, _, Ret, _) ->
    handled(apply(Handler, [Name, Args, Bs | More]), Anno, Ret);
local_func(Name, Args0, _, Bs0, {Module, Function} = Lf, Ef, Ret, Known) ->
    {Args, Bs} = expr_list(Args0, Bs0, Lf, Ef, Known),
    returned(Module:Function(Name, Args), Bs, Ret);
local_func(Name, Args, Anno, _, {Module, Function, More}, _, Ret, _) ->
    handled(apply(Module, Function, [Name, Args | More]), Anno, Ret);
local_func(Name, Args, Anno, Bs, none, Ef, Ret, _) ->
    apply_error(undef, [{?MODULE, Name, length(Args)} | ?STACK], Anno, Bs, Ef, Ret).

handled({value, Value, Bs}, _, Ret) -> returned(Value, Bs, Ret);
handled({eval, Fun, Args, Bs}, Anno, Ret) -> do_apply(Fun, Args, Anno, Bs, none, Ret).

%% A handler of functions does not see apply/2,3 but what they call.
bif(apply, [erlang, apply, Args], Anno, Bs, Ef, Ret) -> bif(apply, Args, Anno, Bs, Ef, Ret);
bif(apply, [M, F, Args], Anno, Bs, Ef, Ret) -> do_apply(M, F, Args, Anno, Bs, Ef, Ret);
bif(apply, [Fun, Args], Anno, Bs, Ef, Ret) -> do_apply(Fun, Args, Anno, Bs, Ef, Ret);
bif(Name, Args, Anno, Bs, Ef, Ret) -> do_apply(erlang, Name, Args, Anno, Bs, Ef, Ret).

do_apply(M, F, Args, Anno, Bs, Ef, Ret) ->
    case Ef of
        none when Ret =:= value -> apply(M, F, Args);
        none -> returned(apply(M, F, Args), Bs, Ret);
        {value, Handler} when Ret =:= value -> ask(Handler, Anno, {M, F}, Args);
        {value, Handler} -> returned(ask(Handler, Anno, {M, F}, Args), Bs, Ret)
    end.

do_apply(Fun, Args, Anno, Bs, Ef, Ret) ->
    case is_function(Fun) andalso made_here(Fun) of
        false ->
            case Ef of
                none when Ret =:= value -> apply(Fun, Args);
                none -> returned(apply(Fun, Args), Bs, Ret);
                {value, Handler} when Ret =:= value -> ask(Handler, Anno, Fun, Args);
                {value, Handler} -> returned(ask(Handler, Anno, Fun, Args), Bs, Ret)
            end;
        _ when not is_function(Fun, length(Args)) ->
            apply_error({badarity, {Fun, Args}}, ?STACK, Anno, Bs, Ef, Ret);
        {FunAnno, FunBs, FunLf, FunEf, Known, Clauses} ->
            eval_fun(Clauses, Args, FunAnno, FunBs, FunLf, FunEf, after_fun(Ret, Bs), Known);
        {FunAnno, FunBs, FunLf, FunEf, Known, Clauses, Name} ->
            eval_named_fun(Clauses, Args, FunAnno, FunBs, FunLf, FunEf, Name, Fun, after_fun(Ret, Bs), Known)
    end.

after_fun(none, Bs) -> Bs;
after_fun(Ret, _) -> Ret.

ask(Handler, Anno, Function, Args) when is_function(Handler, 3) -> Handler(Anno, Function, Args);
ask(Handler, _, Function, Args) when is_function(Handler, 2) -> Handler(Function, Args).

%%% ------------------------------------------------------------ clauses and guards

match_clause(Clauses, Values, Bs, Local) ->
    matching(Clauses, Values, Bs, Local, none).

matching([{clause, Anno, Patterns, Guard, Body} | Clauses], Values, Bs, Lf, Ef) ->
    case match_all(Patterns, Values, Anno, Bs, Bs, Ef) of
        {match, Bs1} ->
            case guard(Guard, Bs1, Lf, Ef) of
                true -> {Body, Bs1};
                false -> matching(Clauses, Values, Bs, Lf, Ef)
            end;
        nomatch ->
            matching(Clauses, Values, Bs, Lf, Ef)
    end;
matching([], _, _, _, _) ->
    nomatch.

guard([], _, _, _) -> true;
guard([Tests | _] = Alternatives, Bs, Lf, Ef) when is_list(Tests) ->
    lists:any(fun(Conjunction) -> guard0(Conjunction, Bs, Lf, Ef) end, Alternatives);
guard(Tests, Bs, Lf, Ef) -> guard0(Tests, Bs, Lf, Ef).

guard0([Test | Tests], Bs, Lf, Ef) ->
    case is_guard_test(Test) of
        true -> guard_test(Test, Bs, Lf, Ef) andalso guard0(Tests, Bs, Lf, Ef);
        false -> apply_error(guard_expr, ?STACK, element(2, Test), Bs, Ef, none)
    end;
guard0([], _, _, _) ->
    true.

guard_test(Test, Bs, Lf, Ef) ->
    try expr(new_test(Test), Bs, Lf, Ef, none, #{}) of
        {value, Value, _} -> Value =:= true
    catch
        error:_ -> false
    end.

%% integer(X) of old is is_integer(X).
new_test({call, Anno, {atom, A, Name}, Args}) -> {call, Anno, {atom, A, new_name(Name)}, Args};
new_test({call, Anno, {remote, R, {atom, M, erlang}, {atom, A, Name}}, Args}) ->
    {call, Anno, {remote, R, {atom, M, erlang}, {atom, A, new_name(Name)}}, Args};
new_test(Test) -> Test.

new_name(Name) ->
    case lists:member(Name, [integer, float, number, atom, list, tuple, pid, reference, port, function, binary,
                             record, map]) of
        true -> list_to_atom("is_" ++ atom_to_list(Name));
        false -> Name
    end.

is_guard_test({call, _, {atom, _, Name}, Args}) ->
    (erl_internal:type_test(Name, length(Args)) orelse is_guard_call(Name, length(Args)))
        andalso lists:all(fun is_guard_expr/1, Args);
is_guard_test(Test) -> is_guard_expr(Test).

is_guard_expr({Type, _, _}) when Type =:= var; Type =:= char; Type =:= integer; Type =:= float; Type =:= atom;
                                 Type =:= string -> true;
is_guard_expr({nil, _}) -> true;
is_guard_expr({cons, _, Head, Tail}) -> is_guard_expr(Head) andalso is_guard_expr(Tail);
is_guard_expr({tuple, _, Exprs}) -> lists:all(fun is_guard_expr/1, Exprs);
is_guard_expr({map, _, Fields}) -> lists:all(fun is_guard_field/1, Fields);
is_guard_expr({map, _, Base, Fields}) -> is_guard_expr(Base) andalso lists:all(fun is_guard_field/1, Fields);
is_guard_expr({bin, _, Segments}) ->
    lists:all(fun({bin_element, _, Value, Size, _}) ->
                      is_guard_expr(Value) andalso (Size =:= default orelse is_guard_expr(Size))
              end, Segments);
is_guard_expr({call, _, {atom, _, Name}, Args}) ->
    is_guard_call(Name, length(Args)) andalso lists:all(fun is_guard_expr/1, Args);
is_guard_expr({call, Anno, {remote, _, {atom, _, erlang}, {atom, _, Name} = Atom}, Args}) ->
    case Args of
        [_] -> is_guard_expr({call, Anno, Atom, Args}) orelse is_operator(Name, 1, Args);
        [_, _] -> is_guard_expr({call, Anno, Atom, Args}) orelse is_operator(Name, 2, Args);
        _ -> is_guard_expr({call, Anno, Atom, Args})
    end;
is_guard_expr({op, _, Op, Operand}) -> is_operator(Op, 1, [Operand]);
is_guard_expr({op, _, Op, Left, Right}) when Op =:= 'andalso'; Op =:= 'orelse' ->
    is_guard_expr(Left) andalso is_guard_expr(Right);
is_guard_expr({op, _, Op, Left, Right}) -> is_operator(Op, 2, [Left, Right]);
is_guard_expr(_) -> false.

is_guard_field({_, _, Key, Value}) -> is_guard_expr(Key) andalso is_guard_expr(Value).

is_guard_call(Name, Arity) ->
    erl_internal:guard_bif(Name, Arity) orelse erl_internal:new_type_test(Name, Arity).

is_operator(Op, Arity, Operands) ->
    (erl_internal:arith_op(Op, Arity) orelse erl_internal:bool_op(Op, Arity)
     orelse erl_internal:comp_op(Op, Arity)) andalso lists:all(fun is_guard_expr/1, Operands).

%%% -------------------------------------------------------------------- patterns

%% New are the bindings that grow; Sizes those that sizes of segments and keys of
%% maps are computed with.
match_all([Pattern | Patterns], [Value | Values], Anno, New0, Sizes, Ef) ->
    case match(Pattern, Value, Anno, New0, Sizes, Ef) of
        {match, New} -> match_all(Patterns, Values, Anno, New, Sizes, Ef);
        nomatch -> nomatch
    end;
match_all([], [], _, New, _, _) -> {match, New};
match_all(_, _, _, _, _, _) -> nomatch.

match(Pattern, Value, Anno, New, Sizes, Ef) ->
    try pattern(Pattern, Value, New, Sizes, Ef)
    catch
        throw:nomatch -> nomatch;
        throw:invalid -> apply_error({illegal_pattern, to_term(Pattern)}, ?STACK, Anno, New, Ef, none)
    end.

pattern({Type, _, Value0}, Value, New, _, _)
  when Type =:= atom; Type =:= integer; Type =:= float; Type =:= char; Type =:= string ->
    same(Value0, Value, New);
pattern({nil, _}, Value, New, _, _) ->
    same([], Value, New);
pattern({var, _, '_'}, _, New, _, _) ->
    {match, New};
pattern({var, _, Name}, Value, New, _, _) ->
    case binding(Name, New) of
        {value, Bound} -> same(Bound, Value, New);
        unbound -> {match, add_binding(Name, Value, New)}
    end;
pattern({match, _, Pattern1, Pattern2}, Value, New0, Sizes, Ef) ->
    {match, New} = pattern(Pattern1, Value, New0, Sizes, Ef),
    pattern(Pattern2, Value, New, Sizes, Ef);
pattern({cons, _, Head, Tail}, [Value | Values], New0, Sizes, Ef) ->
    {match, New} = pattern(Head, Value, New0, Sizes, Ef),
    pattern(Tail, Values, New, Sizes, Ef);
pattern({cons, _, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({tuple, _, Patterns}, Tuple, New, Sizes, Ef) when length(Patterns) =:= tuple_size(Tuple) ->
    elements_of(Patterns, tuple_to_list(Tuple), New, Sizes, Ef);
pattern({tuple, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({map, _, Fields}, #{} = Map, New, Sizes, Ef) ->
    map_fields(Fields, Map, New, Sizes, Ef);
pattern({map, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({bin, _, Segments}, Bits, New, Sizes, Ef) when is_bitstring(Bits) ->
    Eval = fun(Expr, Bs) ->
                   is_guard_expr(Expr) orelse throw(invalid),
                   try expr(Expr, Bs, none, none, none, #{})
                   catch error:{unbound, _} -> throw(invalid)
                   end
           end,
    Fail = fun(Anno, Reason, Stack) -> apply_error(Reason, Stack, Anno, New, Ef, none) end,
    eval_bits:match_bits(Segments, Bits, New, Sizes, match_fun(Sizes, Ef), Eval, Fail);
pattern({bin, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({op, _, '++', {nil, _}, Right}, Value, New, Sizes, Ef) ->
    pattern(Right, Value, New, Sizes, Ef);
pattern({op, _, '++', {cons, Anno, {Type, _, _} = Head, Tail}, Right}, Value, New, Sizes, Ef)
  when Type =:= integer; Type =:= char ->
    pattern({cons, Anno, Head, {op, Anno, '++', Tail, Right}}, Value, New, Sizes, Ef);
pattern({op, _, '++', {string, Anno, Chars}, Right}, Value, New, Sizes, Ef) ->
    Cells = lists:foldr(fun(C, Tail) -> {cons, Anno, {integer, Anno, C}, Tail} end, Right, Chars),
    pattern(Cells, Value, New, Sizes, Ef);
pattern(Op, Value, New, Sizes, Ef) when element(1, Op) =:= op ->
    case partial_eval(Op) of
        Op -> throw(invalid);
        Constant -> pattern(Constant, Value, New, Sizes, Ef)
    end;
pattern(_, _, _, _, _) ->
    throw(invalid).

same(Value, Value, New) -> {match, New};
same(_, _, _) -> throw(nomatch).

elements_of([Pattern | Patterns], [Value | Values], New0, Sizes, Ef) ->
    {match, New} = pattern(Pattern, Value, New0, Sizes, Ef),
    elements_of(Patterns, Values, New, Sizes, Ef);
elements_of([], [], New, _, _) ->
    {match, New}.

map_fields([{map_field_exact, _, Key0, Pattern} | Fields], Map, New0, Sizes, Ef) ->
    Value = try
                {value, Key, _} = expr(Key0, Sizes),
                maps:get(Key, Map)
            catch
                error:_ -> throw(nomatch)
            end,
    {match, New} = pattern(Pattern, Value, New0, Sizes, Ef),
    map_fields(Fields, Map, New, Sizes, Ef);
map_fields([], _, New, _, _) ->
    {match, New}.

match_fun(Sizes, Ef) ->
    fun(match, {Pattern, Value, New}) -> pattern(Pattern, Value, New, Sizes, Ef);
       (binding, {Name, Bs}) -> binding(Name, Bs);
       (add_binding, {Name, Value, Bs}) -> add_binding(Name, Value, Bs)
    end.

%%% -------------------------------------------------------------------- bindings

new_bindings() -> orddict:new().

%% Empty ones of the same kind.
new_bindings(Bs) when is_map(Bs) -> #{};
new_bindings(Bs) when is_list(Bs) -> orddict:new().

bindings(Bs) when is_map(Bs) -> maps:to_list(Bs);
bindings(Bs) when is_list(Bs) -> orddict:to_list(Bs).

binding(Name, Bs) when is_map(Bs) ->
    case Bs of
        #{Name := Value} -> {value, Value};
        #{} -> unbound
    end;
binding(Name, Bs) when is_list(Bs) ->
    case orddict:find(Name, Bs) of
        {ok, Value} -> {value, Value};
        error -> unbound
    end.

add_binding(Name, Value, Bs) when is_map(Bs) -> Bs#{Name => Value};
add_binding(Name, Value, Bs) when is_list(Bs) -> orddict:store(Name, Value, Bs).

del_binding(Name, Bs) when is_map(Bs) -> maps:remove(Name, Bs);
del_binding(Name, Bs) when is_list(Bs) -> orddict:erase(Name, Bs).

shadowing(New, Bs) when is_map(New) -> maps:merge(Bs, New);
shadowing(New, Bs) -> lists:foldl(fun({Name, Value}, Acc) -> orddict:store(Name, Value, Acc) end, Bs, New).

filtered(Keep, Bs) when is_map(Bs) -> maps:filter(Keep, Bs);
filtered(Keep, Bs) -> orddict:filter(Keep, Bs).

%% What two expressions side by side bound: a variable of both has one value.
merged(Bs1, Bs2, Anno, Ef) when is_map(Bs1) ->
    maps:merge_with(fun(_, Value, Value) -> Value;
                       (_, _, Value) -> apply_error({badmatch, Value}, ?STACK, Anno, Bs1, Ef, none)
                    end, Bs2, Bs1);
merged(Bs1, Bs2, Anno, Ef) ->
    lists:foldl(fun({Name, Value}, Bs) ->
                        case orddict:find(Name, Bs) of
                            {ok, Value} -> Bs;
                            {ok, Other} -> apply_error({badmatch, Other}, ?STACK, Anno, Bs, Ef, none);
                            error -> orddict:store(Name, Value, Bs)
                        end
                end, Bs2, Bs1).

%%% ------------------------------------------------------------------ odds and ends

to_terms(Abstracts) -> [to_term(Abstract) || Abstract <- Abstracts].

to_term(Abstract) -> erl_parse:anno_to_term(Abstract).

%% Whether an expression is a constant.
is_constant_expr(Expr) ->
    case eval_expr(Expr) of
        {ok, X} when is_number(X) -> true;
        _ -> false
    end.

eval_expr(Expr) ->
    try {ok, constant(Expr)}
    catch _:_ -> error
    end.

constant({op, _, Op, Operand}) -> erlang:Op(constant(Operand));
constant({op, _, Op, Left, Right}) -> erlang:Op(constant(Left), constant(Right));
constant({Type, _, Value}) when Type =:= integer; Type =:= char; Type =:= float; Type =:= atom;
                                Type =:= string -> Value;
constant({nil, _}) -> [].

%% Replaces an operation on constants by its value.
partial_eval(Expr) ->
    Anno = element(2, Expr),
    try partial(Expr) of
        Value when is_integer(Value) -> {integer, Anno, Value};
        Value when is_float(Value) -> {float, Anno, Value};
        _ -> Expr
    catch
        _:_ -> Expr
    end.

partial({op, _, Op, Operand}) -> erlang:Op(partial(Operand));
partial({op, _, Op, Left, Right}) -> erlang:Op(partial(Left), partial(Right));
partial({Type, _, Value}) when Type =:= integer; Type =:= char; Type =:= float -> Value.

%% The text of expressions to the text of their value.
eval_str(Text) when is_binary(Text) -> eval_str(binary_to_list(Text));
eval_str(Text) ->
    case erl_scan:tokens([], Text, 0) of
        {more, _} ->
            {error, "Incomplete form (missing .<cr>)??"};
        {done, {ok, Tokens, _}, Rest} ->
            case lists:all(fun(C) -> lists:member(C, [$\s, $\t, $\n, $\r]) end, Rest) of
                true -> eval_tokens(Tokens);
                false -> {error, lists:flatten(io_lib:format("Non-white space found after end-of-form :~ts",
                                                             [Rest]))}
            end
    end.

eval_tokens(Tokens) ->
    case erl_parse:parse_exprs(Tokens) of
        {ok, Exprs} ->
            try exprs(Exprs, new_bindings()) of
                {value, Value, _} -> {ok, Value}
            catch
                throw:Term -> {ok, {'EXIT', {{nocatch, Term}, []}}};
                Class:Reason -> {error, lists:flatten(io_lib:format("*** eval: ~tp", [{Class, Reason}]))}
            end;
        {error, {_, Module, Descriptor}} ->
            {error, lists:flatten(io_lib:format("~w: ~ts", [Module, Module:format_error(Descriptor)]))}
    end.

%%% ----------------------------------- expressions with pids, references and so on

%% `<0.1.0>', `#Ref<0.1.2.3>', `#Port<0.1>' and `#Fun<m.f.1>' as the shell reads them.
extended_parse_exprs(Tokens0) ->
    try substituted(Tokens0, []) of
        {Tokens, Bs} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Exprs} -> {ok, Exprs, Bs};
                Error -> Error
            end
    catch
        throw:{error, _} = Error -> Error
    end.

extended_parse_term(Tokens) ->
    case extended_parse_exprs(Tokens) of
        {ok, [Expr], Bs} ->
            try {ok, element(2, expr(Expr, Bs, none, none))}
            catch _:_ -> {error, {erl_anno:location(element(2, Expr)), ?MODULE, "bad term"}}
            end;
        {ok, [_, Expr | _], _} ->
            {error, {erl_anno:location(element(2, Expr)), ?MODULE, "bad term"}};
        Error ->
            Error
    end.

substituted([], Bs) -> {[], Bs};
substituted([{'<', A}, {float, _, F}, {'.', _}, {integer, _, N}, {'>', _} | Tokens], Bs) ->
    special(A, fun() -> list_to_pid(lists:flatten(io_lib:format("<~s.~w>", [first_two(F), N]))) end,
            Tokens, Bs);
substituted([{'#', A}, {var, _, Name} | Tokens0] = All, Bs) when Name =:= 'Port'; Name =:= 'Ref' ->
    case lists:splitwith(fun(Token) -> element(1, Token) =/= '>' end, Tokens0) of
        {[{'<', _} | Inside], [_ | Tokens]} ->
            Text = lists:flatten(["#", atom_to_list(Name), "<", [token_text(T) || T <- Inside], ">"]),
            Make = case Name of
                       'Port' -> fun() -> list_to_port(Text) end;
                       'Ref' -> fun() -> list_to_ref(Text) end
                   end,
            special(A, Make, Tokens, Bs);
        _ ->
            {Rest, Bs1} = substituted(tl(All), Bs),
            {[hd(All) | Rest], Bs1}
    end;
substituted([{'#', A}, {var, _, 'Fun'}, {'<', _}, {atom, _, M}, {'.', _}, {atom, _, F}, {'.', _},
             {integer, _, Arity}, {'>', _} | Tokens], Bs) ->
    special(A, fun() -> fun M:F/Arity end, Tokens, Bs);
substituted([Token | Tokens0], Bs0) ->
    {Tokens, Bs} = substituted(Tokens0, Bs0),
    {[Token | Tokens], Bs}.

special(Anno, Make, Tokens0, Bs0) ->
    Value = try Make()
            catch error:_ -> throw({error, {erl_anno:location(Anno), ?MODULE, "bad term"}})
            end,
    {Tokens, Bs} = substituted(Tokens0, Bs0),
    Name = list_to_atom("#value" ++ integer_to_list(length(Bs))),
    {[{var, Anno, Name} | Tokens], orddict:store(Name, Value, Bs)}.

%% "0.84" of the float that the scanner took it for.
first_two(F) -> io_lib:format("~w", [F]).

token_text({_, _, Value}) -> io_lib:format("~w", [Value]);
token_text({Symbol, _}) -> atom_to_list(Symbol).
