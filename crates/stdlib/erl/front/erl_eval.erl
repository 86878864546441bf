%% Evaluates abstract expressions.
%%
%% Every expression has a value and leaves bindings behind. `Ret' says what is
%% wanted: both (`none'), only the value (`value', for the body of a fun that
%% compiled code called: then its last call is a tail call), or the value with
%% given bindings (the body of a fun that was called from here).
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

%% Who is asked for functions.
-record(cx, {local, external}).

-define(STACK, element(2, erlang:process_info(self(), current_stacktrace))).

%%% ------------------------------------------------------------------ interface

exprs(Exprs, Bs) ->
    case check_command(Exprs, Bs) of
        ok -> body(Exprs, Bs, #cx{local = none, external = none}, none);
        {error, {_, _, Error}} -> erlang:raise(error, Error, ?STACK)
    end.

exprs(Exprs, Bs, Local) -> exprs(Exprs, Bs, Local, none).

exprs(Exprs, Bs, Local, External) -> body(Exprs, Bs, #cx{local = Local, external = External}, none).

expr(Expr, Bs) ->
    case check_command([Expr], Bs) of
        ok -> eval(Expr, Bs, #cx{local = none, external = none}, none);
        {error, {_, _, Error}} -> erlang:raise(error, Error, ?STACK)
    end.

expr(Expr, Bs, Local) -> expr(Expr, Bs, Local, none, none).

expr(Expr, Bs, Local, External) -> expr(Expr, Bs, Local, External, none).

expr(Expr, Bs, Local, External, Ret) -> eval(Expr, Bs, #cx{local = Local, external = External}, Ret).

expr_list(Exprs, Bs) -> expr_list(Exprs, Bs, none, none).

expr_list(Exprs, Bs, Local) -> expr_list(Exprs, Bs, Local, none).

expr_list(Exprs, Bs, Local, External) -> values(Exprs, Bs, #cx{local = Local, external = External}).

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
        {Bs, _, _, Clauses} -> {fun_data, Bs, Clauses};
        {Bs, _, _, Clauses, Name} -> {named_fun_data, Bs, Name, Clauses};
        false -> false
    end;
fun_data(_) ->
    false.

made_here(Fun) ->
    case {erlang:fun_info(Fun, module), erlang:fun_info(Fun, env)} of
        {{module, ?MODULE}, {env, [{_, #cx{}, _, _} = Data]}} -> Data;
        {{module, ?MODULE}, {env, [{_, #cx{}, _, _, _} = Data]}} -> Data;
        _ -> false
    end.

%%% ----------------------------------------------------------------- expressions

body([Expr], Bs, Cx, Ret) ->
    eval(Expr, Bs, Cx, Ret);
body([Expr | Exprs], Bs0, Cx, Ret) ->
    {value, _, Bs} = eval(Expr, Bs0, Cx, none),
    body(Exprs, Bs, Cx, Ret).

returned(Value, _, value) -> Value;
returned(Value, Bs, none) -> {value, Value, Bs};
returned(Value, _, Bs) -> {value, Value, Bs}.

eval({var, Anno, Name}, Bs, Cx, Ret) ->
    case binding(Name, Bs) of
        {value, Value} -> returned(Value, Bs, Ret);
        unbound -> failed({unbound, Name}, ?STACK, Anno, Bs, Cx, Ret)
    end;
eval({Type, _, Value}, Bs, _, Ret)
  when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string ->
    returned(Value, Bs, Ret);
eval({nil, _}, Bs, _, Ret) ->
    returned([], Bs, Ret);
eval({cons, Anno, Head0, Tail0}, Bs0, Cx, Ret) ->
    {value, Head, Bs1} = eval(Head0, Bs0, Cx, none),
    {value, Tail, Bs2} = eval(Tail0, Bs0, Cx, none),
    returned([Head | Tail], merged(Bs1, Bs2, Anno, Cx), Ret);
eval({tuple, _, Exprs}, Bs0, Cx, Ret) ->
    {Values, Bs} = values(Exprs, Bs0, Cx),
    returned(list_to_tuple(Values), Bs, Ret);
eval({map, _, Fields}, Bs0, Cx, Ret) ->
    {Pairs, Bs} = fields(Fields, Bs0, Cx, []),
    returned(lists:foldl(fun({map_field_assoc, Key, Value}, Map) -> maps:put(Key, Value, Map) end,
                         #{}, Pairs), Bs, Ret);
eval({map, Anno, Base, Fields}, Bs0, Cx, Ret) ->
    {value, Map0, Bs1} = eval(Base, Bs0, Cx, none),
    {Pairs, Bs2} = fields(Fields, Bs0, Cx, []),
    _ = maps:put(k, v, Map0),
    Map = lists:foldl(fun({map_field_assoc, Key, Value}, M) -> maps:put(Key, Value, M);
                         ({map_field_exact, Key, Value}, M) -> maps:update(Key, Value, M)
                      end, Map0, Pairs),
    returned(Map, merged(Bs2, Bs1, Anno, Cx), Ret);
eval({bin, _, Segments}, Bs0, Cx, Ret) ->
    Eval = fun(Expr, Bs) -> eval(Expr, Bs, Cx, none) end,
    Fail = fun(Anno, Reason, Stack) -> failed(Reason, Stack, Anno, Bs0, Cx, Ret) end,
    {value, Value, Bs} = eval_bits:expr_grp(Segments, Bs0, Eval, Fail),
    returned(Value, Bs, Ret);
eval({lc, _, Expr, Qualifiers}, Bs, Cx, Ret) ->
    Collect = fun(B, Acc) ->
                      {value, Value, _} = eval(Expr, B, Cx, none),
                      [Value | Acc]
              end,
    returned(lists:reverse(comprehend(Qualifiers, Collect, Bs, Cx, [])), Bs, Ret);
eval({bc, _, Expr, Qualifiers}, Bs, Cx, Ret) ->
    Collect = fun(B, Acc) ->
                      {value, Value, _} = eval(Expr, B, Cx, none),
                      <<Acc/bitstring, Value/bitstring>>
              end,
    returned(comprehend(Qualifiers, Collect, Bs, Cx, <<>>), Bs, Ret);
eval({block, _, Exprs}, Bs, Cx, Ret) ->
    body(Exprs, Bs, Cx, Ret);
eval({'if', Anno, Clauses}, Bs, Cx, Ret) ->
    case matching(Clauses, [], Bs, Cx) of
        {Body, Bs1} -> body(Body, Bs1, Cx, Ret);
        nomatch -> failed(if_clause, ?STACK, Anno, Bs, Cx, Ret)
    end;
eval({'case', Anno, Expr, Clauses}, Bs0, Cx, Ret) ->
    {value, Value, Bs} = eval(Expr, Bs0, Cx, none),
    case matching(Clauses, [Value], Bs, Cx) of
        {Body, Bs1} -> body(Body, Bs1, Cx, Ret);
        nomatch -> failed({case_clause, Value}, ?STACK, Anno, Bs, Cx, Ret)
    end;
eval({'try', Anno, Body, Of, Catch, After}, Bs, Cx, Ret) ->
    try_expr(Anno, Body, Of, Catch, After, Bs, Cx, Ret);
eval({'receive', _, Clauses}, Bs, Cx, Ret) ->
    {Body, Bs1} = prim_eval:'receive'(fun(Message) -> matching(Clauses, [Message], Bs, Cx) end, infinity),
    body(Body, Bs1, Cx, Ret);
eval({'receive', _, Clauses, Timeout, After}, Bs0, Cx, Ret) ->
    {value, Time, Bs} = eval(Timeout, Bs0, Cx, none),
    case prim_eval:'receive'(fun(Message) -> matching(Clauses, [Message], Bs0, Cx) end, Time) of
        {Body, Bs1} -> body(Body, Bs1, Cx, Ret);
        timeout -> body(After, Bs, Cx, Ret)
    end;
eval({'catch', _, Expr}, Bs0, Cx, Ret) ->
    try eval(Expr, Bs0, Cx, none) of
        {value, Value, Bs} -> returned(Value, Bs, Ret)
    catch
        throw:Term -> returned(Term, Bs0, Ret);
        exit:Reason -> returned({'EXIT', Reason}, Bs0, Ret);
        error:Reason:Stack -> returned({'EXIT', {Reason, Stack}}, Bs0, Ret)
    end;
eval({match, Anno, Pattern, Expr}, Bs0, Cx, Ret) ->
    {value, Value, Bs1} = eval(Expr, Bs0, Cx, none),
    case match(Pattern, Value, Anno, Bs1, Bs1, Cx) of
        {match, Bs} -> returned(Value, Bs, Ret);
        nomatch -> failed({badmatch, Value}, ?STACK, Anno, Bs0, Cx, Ret)
    end;
eval({'maybe', _, Exprs}, Bs, Cx, Ret) ->
    {_, Value} = maybe_body(Exprs, Bs, Cx),
    returned(Value, Bs, Ret);
eval({'maybe', Anno, Exprs, {'else', _, Clauses}}, Bs0, Cx, Ret) ->
    case maybe_body(Exprs, Bs0, Cx) of
        {success, Value} ->
            returned(Value, Bs0, Ret);
        {failure, Value} ->
            case matching(Clauses, [Value], Bs0, Cx) of
                {Body, Bs} -> body(Body, Bs, Cx, Ret);
                nomatch -> failed({else_clause, Value}, ?STACK, Anno, Bs0, Cx, Ret)
            end
    end;
eval({op, Anno, Op, Operand}, Bs0, Cx, Ret) ->
    {value, Value, Bs} = eval(Operand, Bs0, Cx, none),
    call({erlang, Op}, [Value], Anno, Bs, Cx, Ret);
eval({op, Anno, Op, Left, Right}, Bs0, Cx, Ret) when Op =:= 'andalso'; Op =:= 'orelse' ->
    {value, Value, Bs} = eval(Left, Bs0, Cx, none),
    case Value of
        Decided when Decided =:= (Op =:= 'orelse') ->
            returned(Decided, Bs, Ret);
        Open when is_boolean(Open) ->
            {value, Second, _} = eval(Right, Bs, Cx, none),
            returned(Second, Bs, Ret);
        _ ->
            returned(failed({badarg, Value}, ?STACK, Anno, Bs0, Cx, Ret), Bs, Ret)
    end;
eval({op, Anno, Op, Left, Right}, Bs0, Cx, Ret) ->
    {value, A, Bs1} = eval(Left, Bs0, Cx, none),
    {value, B, Bs2} = eval(Right, Bs0, Cx, none),
    call({erlang, Op}, [A, B], Anno, merged(Bs1, Bs2, Anno, Cx), Cx, Ret);
eval({'fun', _, {function, Module, Name, Arity}}, Bs0, Cx, Ret) ->
    {[M, F, A], Bs} = values([Module, Name, Arity], Bs0, Cx),
    returned(erlang:make_fun(M, F, A), Bs, Ret);
eval({'fun', Anno, {function, Name, Arity}}, Bs, Cx, Ret) ->
    failed(undef, [{?MODULE, Name, Arity} | ?STACK], Anno, Bs, Cx, Ret);
eval({'fun', Anno, {clauses, Clauses}}, Bs, Cx, Ret) ->
    Data = {captured(Clauses, Bs), Cx, Anno, Clauses},
    case new_fun(arity(Clauses), Data) of
        false ->
            Reason = {argument_limit, {'fun', erl_anno:location(Anno), to_terms(Clauses)}},
            failed(Reason, ?STACK, Anno, Bs, Cx, Ret);
        Fun ->
            returned(Fun, Bs, Ret)
    end;
eval({named_fun, Anno, Name, Clauses}, Bs, Cx, Ret) ->
    Data = {captured(Clauses, Bs), Cx, Anno, Clauses, Name},
    case new_named_fun(arity(Clauses), Data) of
        false ->
            Reason = {argument_limit, {named_fun, erl_anno:location(Anno), Name, to_terms(Clauses)}},
            failed(Reason, ?STACK, Anno, Bs, Cx, Ret);
        Fun ->
            returned(Fun, Bs, Ret)
    end;
eval({call, Anno, {remote, _, Module, Name}, Args0}, Bs0, Cx, Ret) ->
    {value, M, Bs1} = eval(Module, Bs0, Cx, none),
    {value, F, Bs2} = eval(Name, Bs0, Cx, none),
    {Args, Bs} = values(Args0, merged(Bs1, Bs2, Anno, Cx), Cx),
    case is_atom(M) andalso erl_internal:bif(M, F, length(Args)) of
        true -> bif(F, Args, Anno, Bs, Cx, Ret);
        false -> call({M, F}, Args, Anno, Bs, Cx, Ret)
    end;
eval({call, Anno, {atom, _, Name}, Args0}, Bs0, Cx, Ret) ->
    case erl_internal:bif(Name, length(Args0)) of
        true ->
            {Args, Bs} = values(Args0, Bs0, Cx),
            bif(Name, Args, Anno, Bs, Cx, Ret);
        false ->
            local(Name, Args0, Anno, Bs0, Cx, Ret)
    end;
eval({call, Anno, Callee, Args0}, Bs0, Cx, Ret) ->
    {value, Fun, Bs1} = eval(Callee, Bs0, Cx, none),
    {Args, Bs} = values(Args0, Bs1, Cx),
    case Fun of
        {M, F} when is_atom(M), is_atom(F) -> failed({badfun, Fun}, ?STACK, Anno, Bs0, Cx, Ret);
        _ -> call(Fun, Args, Anno, Bs, Cx, Ret)
    end;
eval({record_field, Anno, _, Name, _}, Bs, Cx, Ret) -> undefined_record(Name, Anno, Bs, Cx, Ret);
eval({record_index, Anno, Name, _}, Bs, Cx, Ret) -> undefined_record(Name, Anno, Bs, Cx, Ret);
eval({record, Anno, Name, _}, Bs, Cx, Ret) -> undefined_record(Name, Anno, Bs, Cx, Ret);
eval({record, Anno, _, Name, _}, Bs, Cx, Ret) -> undefined_record(Name, Anno, Bs, Cx, Ret);
eval({remote, Anno, _, _}, Bs, Cx, Ret) -> failed({badexpr, ':'}, ?STACK, Anno, Bs, Cx, Ret).

undefined_record(Name, Anno, Bs, Cx, Ret) -> failed({undef_record, Name}, ?STACK, Anno, Bs, Cx, Ret).

%% Errors are calls of erlang:raise/3, which a handler of functions may see.
failed(Reason, Stack, Anno, Bs, Cx, Ret) ->
    call({erlang, raise}, [error, Reason, Stack], Anno, Bs, Cx, Ret).

%% Expressions side by side: none sees what another binds.
values(Exprs, Bs, Cx) -> values(Exprs, [], Bs, Bs, Cx).

values([Expr | Exprs], Values, Before, Bs0, Cx) ->
    {value, Value, Bs1} = eval(Expr, Before, Cx, none),
    values(Exprs, [Value | Values], Before, merged(Bs1, Bs0, element(2, Expr), Cx), Cx);
values([], Values, _, Bs, _) ->
    {lists:reverse(Values), Bs}.

fields([{Kind, _, Key0, Value0} | Fields], Bs0, Cx, Pairs)
  when Kind =:= map_field_assoc; Kind =:= map_field_exact ->
    {value, Key, Bs1} = eval(Key0, Bs0, Cx, none),
    {value, Value, Bs} = eval(Value0, Bs1, Cx, none),
    fields(Fields, Bs, Cx, [{Kind, Key, Value} | Pairs]);
fields([], Bs, _, Pairs) ->
    {lists:reverse(Pairs), Bs}.

maybe_body([{maybe_match, Anno, Pattern, Expr} | Exprs], Bs0, Cx) ->
    {value, Value, Bs1} = eval(Expr, Bs0, Cx, none),
    case match(Pattern, Value, Anno, Bs1, Bs1, Cx) of
        {match, _} when Exprs =:= [] -> {success, Value};
        {match, Bs} -> maybe_body(Exprs, Bs, Cx);
        nomatch -> {failure, Value}
    end;
maybe_body([Expr | Exprs], Bs0, Cx) ->
    case eval(Expr, Bs0, Cx, none) of
        {value, Value, _} when Exprs =:= [] -> {success, Value};
        {value, _, Bs} -> maybe_body(Exprs, Bs, Cx)
    end.

try_expr(Anno, Body, Of, Catch, After, Bs, Cx, Ret) ->
    check_stack_variables(Catch, Anno, Bs, Cx, Ret),
    try body(Body, Bs, Cx, none) of
        {value, Value, Bs1} when Of =:= [] ->
            returned(Value, Bs1, Ret);
        {value, Value, Bs1} ->
            case matching(Of, [Value], Bs1, Cx) of
                {Body2, Bs2} -> body(Body2, Bs2, Cx, Ret);
                nomatch -> failed({try_clause, Value}, ?STACK, Anno, Bs, Cx, Ret)
            end
    catch
        Class:Reason:Stack when Catch =:= [] ->
            erlang:raise(Class, Reason, Stack);
        Class:Reason:Stack ->
            case matching(Catch, [{Class, Reason, Stack}], Bs, Cx) of
                {Body2, Bs2} -> body(Body2, Bs2, Cx, Ret);
                nomatch -> erlang:raise(Class, Reason, Stack)
            end
    after
        After =:= [] orelse body(After, Bs, Cx, none)
    end.

check_stack_variables([{clause, _, [{tuple, _, [_, _, {var, _, Name}]}], _, _} | Clauses], Anno, Bs, Cx, Ret) ->
    case binding(Name, Bs) of
        {value, _} -> failed(stacktrace_bound, ?STACK, Anno, Bs, Cx, Ret);
        unbound -> check_stack_variables(Clauses, Anno, Bs, Cx, Ret)
    end;
check_stack_variables([{clause, _, [{tuple, _, [_, _, Other]}], _, _} | _], Anno, Bs, Cx, Ret) ->
    failed({illegal_stacktrace_variable, Other}, ?STACK, Anno, Bs, Cx, Ret);
check_stack_variables([], _, _, _, _) ->
    ok.

%%% -------------------------------------------------------------- comprehensions

comprehend([{generate, Anno, Pattern, Expr} | Qualifiers], Collect, Bs, Cx, Acc) ->
    {value, List, _} = eval(Expr, Bs, Cx, none),
    elements(List, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc);
comprehend([{b_generate, Anno, Pattern, Expr} | Qualifiers], Collect, Bs, Cx, Acc) ->
    {value, Bits, _} = eval(Expr, Bs, Cx, none),
    segments(Bits, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc);
comprehend([Filter | Qualifiers], Collect, Bs, Cx, Acc) ->
    case filter(Filter, Bs, Cx) of
        {true, Bs1} -> comprehend(Qualifiers, Collect, Bs1, Cx, Acc);
        false -> Acc
    end;
comprehend([], Collect, Bs, _, Acc) ->
    Collect(Bs, Acc).

elements([Value | Rest], Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc0) ->
    Acc = case match(Pattern, Value, Anno, new_bindings(Bs), Bs, Cx) of
              {match, New} -> comprehend(Qualifiers, Collect, shadowing(New, Bs), Cx, Acc0);
              nomatch -> Acc0
          end,
    elements(Rest, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc);
elements([], _, _, _, _, _, _, Acc) ->
    Acc;
elements(Other, Anno, _, _, _, Bs, Cx, _) ->
    failed({bad_generator, Other}, ?STACK, Anno, Bs, Cx, none).

segments(Bits, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc) when is_bitstring(Bits) ->
    Eval = fun(Expr, B) -> eval(Expr, B, Cx, none) end,
    Fail = fun(A, Reason, Stack) -> failed(Reason, Stack, A, Bs, Cx, none) end,
    case eval_bits:bin_gen(Pattern, Bits, new_bindings(Bs), Bs, match_fun(Bs, Cx), Eval, Fail) of
        {match, Rest, New} ->
            Acc1 = comprehend(Qualifiers, Collect, shadowing(New, Bs), Cx, Acc),
            segments(Rest, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc1);
        {nomatch, Rest} ->
            segments(Rest, Anno, Pattern, Qualifiers, Collect, Bs, Cx, Acc);
        done ->
            Acc
    end;
segments(Other, Anno, _, _, _, Bs, Cx, _) ->
    failed({bad_generator, Other}, ?STACK, Anno, Bs, Cx, none).

filter(Filter, Bs, Cx) ->
    case is_guard_test(Filter) of
        true ->
            guard_test(Filter, Bs, Cx) andalso {true, Bs};
        false ->
            case eval(Filter, Bs, Cx, none) of
                {value, true, Bs1} -> {true, Bs1};
                {value, false, _} -> false;
                {value, Other, _} -> failed({bad_filter, Other}, ?STACK, element(2, Filter), Bs, Cx, none)
            end
    end.

%%% ------------------------------------------------------------------------ funs

arity([{clause, _, Patterns, _, _} | _]) -> length(Patterns).

%% The variables of the surroundings whose names occur in clauses.
captured(Clauses, Bs) ->
    Names = names(Clauses, #{}),
    filtered(fun(Name, _) -> is_map_key(Name, Names) end, Bs).

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
run(Args, {Bs, Cx, Anno, Clauses}) -> apply_clauses(Clauses, Args, Anno, Bs, Cx, value).

run(Args, Fun, {Bs, Cx, Anno, Clauses, Name}) ->
    apply_clauses(Clauses, Args, Anno, add_binding(Name, Fun, Bs), Cx, value).

apply_clauses([{clause, _, Patterns, Guard, Body} | Clauses], Args, Anno, Bs, Cx, Ret) ->
    case match_all(Patterns, Args, Anno, new_bindings(Bs), Bs, Cx) of
        {match, New} ->
            Inside = shadowing(New, Bs),
            case guard(Guard, Inside, Cx) of
                true -> body(Body, Inside, Cx, Ret);
                false -> apply_clauses(Clauses, Args, Anno, Bs, Cx, Ret)
            end;
        nomatch ->
            apply_clauses(Clauses, Args, Anno, Bs, Cx, Ret)
    end;
apply_clauses([], Args, Anno, Bs, Cx, Ret) ->
    failed(function_clause, [{?MODULE, '-inside-an-interpreted-fun-', Args} | ?STACK], Anno, Bs, Cx, Ret).

%%% ----------------------------------------------------------------------- calls

%% Functions that are called without a module and are no builtins.
local(Name, Args0, _, Bs0, #cx{local = {value, Handler}} = Cx, Ret) ->
    {Args, Bs} = values(Args0, Bs0, Cx),
    case Ret of
        value -> Handler(Name, Args);
        _ -> returned(Handler(Name, Args), Bs, Ret)
    end;
local(Name, Args0, _, Bs0, #cx{local = {value, Handler, More}} = Cx, Ret) ->
    {Args, Bs} = values(Args0, Bs0, Cx),
    returned(apply(Handler, [Name, Args | More]), Bs, Ret);
local(Name, Args, Anno, Bs, #cx{local = {eval, Handler}}, Ret) ->
    handled(Handler(Name, Args, Bs), Anno, Ret);
local(Name, Args, Anno, Bs, #cx{local = {eval, Handler, More}}, Ret) ->
    handled(apply(Handler, [Name, Args, Bs | More]), Anno, Ret);
local(Name, Args0, _, Bs0, #cx{local = {Module, Function}} = Cx, Ret) ->
    {Args, Bs} = values(Args0, Bs0, Cx),
    returned(Module:Function(Name, Args), Bs, Ret);
local(Name, Args, Anno, _, #cx{local = {Module, Function, More}}, Ret) ->
    handled(apply(Module, Function, [Name, Args | More]), Anno, Ret);
local(Name, Args, Anno, Bs, #cx{local = none} = Cx, Ret) ->
    failed(undef, [{?MODULE, Name, length(Args)} | ?STACK], Anno, Bs, Cx, Ret).

handled({value, Value, Bs}, _, Ret) -> returned(Value, Bs, Ret);
handled({eval, Fun, Args, Bs}, Anno, Ret) ->
    call(Fun, Args, Anno, Bs, #cx{local = none, external = none}, Ret).

%% A handler of functions does not see apply/2,3 but what they call.
bif(apply, [erlang, apply, Args], Anno, Bs, Cx, Ret) -> bif(apply, Args, Anno, Bs, Cx, Ret);
bif(apply, [M, F, Args], Anno, Bs, Cx, Ret) -> call({M, F}, Args, Anno, Bs, Cx, Ret);
bif(apply, [Fun, Args], Anno, Bs, Cx, Ret) -> call(Fun, Args, Anno, Bs, Cx, Ret);
bif(Name, Args, Anno, Bs, Cx, Ret) -> call({erlang, Name}, Args, Anno, Bs, Cx, Ret).

call({M, F} = Function, Args, Anno, Bs, #cx{external = External}, Ret) ->
    case External of
        none when Ret =:= value -> apply(M, F, Args);
        none -> returned(apply(M, F, Args), Bs, Ret);
        {value, Handler} when Ret =:= value -> ask(Handler, Anno, Function, Args);
        {value, Handler} -> returned(ask(Handler, Anno, Function, Args), Bs, Ret)
    end;
call(Fun, Args, Anno, Bs, #cx{external = External} = Cx, Ret) ->
    case is_function(Fun) andalso made_here(Fun) of
        false ->
            case External of
                none when Ret =:= value -> apply(Fun, Args);
                none -> returned(apply(Fun, Args), Bs, Ret);
                {value, Handler} when Ret =:= value -> ask(Handler, Anno, Fun, Args);
                {value, Handler} -> returned(ask(Handler, Anno, Fun, Args), Bs, Ret)
            end;
        _ when not is_function(Fun, length(Args)) ->
            failed({badarity, {Fun, Args}}, ?STACK, Anno, Bs, Cx, Ret);
        {FunBs, FunCx, FunAnno, Clauses} ->
            apply_clauses(Clauses, Args, FunAnno, FunBs, FunCx, after_fun(Ret, Bs));
        {FunBs, FunCx, FunAnno, Clauses, Name} ->
            Own = add_binding(Name, Fun, FunBs),
            apply_clauses(Clauses, Args, FunAnno, Own, FunCx, after_fun(Ret, Bs))
    end.

after_fun(none, Bs) -> Bs;
after_fun(Ret, _) -> Ret.

ask(Handler, Anno, Function, Args) when is_function(Handler, 3) -> Handler(Anno, Function, Args);
ask(Handler, _, Function, Args) when is_function(Handler, 2) -> Handler(Function, Args).

%%% ------------------------------------------------------------ clauses and guards

match_clause(Clauses, Values, Bs, Local) ->
    matching(Clauses, Values, Bs, #cx{local = Local, external = none}).

matching([{clause, Anno, Patterns, Guard, Body} | Clauses], Values, Bs, Cx) ->
    case match_all(Patterns, Values, Anno, Bs, Bs, Cx) of
        {match, Bs1} ->
            case guard(Guard, Bs1, Cx) of
                true -> {Body, Bs1};
                false -> matching(Clauses, Values, Bs, Cx)
            end;
        nomatch ->
            matching(Clauses, Values, Bs, Cx)
    end;
matching([], _, _, _) ->
    nomatch.

guard([], _, _) -> true;
guard([Tests | _] = Alternatives, Bs, Cx) when is_list(Tests) ->
    lists:any(fun(Conjunction) -> tests(Conjunction, Bs, Cx) end, Alternatives);
guard(Tests, Bs, Cx) -> tests(Tests, Bs, Cx).

tests([Test | Tests], Bs, Cx) ->
    case is_guard_test(Test) of
        true -> guard_test(Test, Bs, Cx) andalso tests(Tests, Bs, Cx);
        false -> failed(guard_expr, ?STACK, element(2, Test), Bs, Cx, none)
    end;
tests([], _, _) ->
    true.

guard_test(Test, Bs, Cx) ->
    try eval(new_test(Test), Bs, Cx, none) of
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
match_all([Pattern | Patterns], [Value | Values], Anno, New0, Sizes, Cx) ->
    case match(Pattern, Value, Anno, New0, Sizes, Cx) of
        {match, New} -> match_all(Patterns, Values, Anno, New, Sizes, Cx);
        nomatch -> nomatch
    end;
match_all([], [], _, New, _, _) -> {match, New};
match_all(_, _, _, _, _, _) -> nomatch.

match(Pattern, Value, Anno, New, Sizes, Cx) ->
    try pattern(Pattern, Value, New, Sizes, Cx)
    catch
        throw:nomatch -> nomatch;
        throw:invalid -> failed({illegal_pattern, to_term(Pattern)}, ?STACK, Anno, New, Cx, none)
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
pattern({match, _, Pattern1, Pattern2}, Value, New0, Sizes, Cx) ->
    {match, New} = pattern(Pattern1, Value, New0, Sizes, Cx),
    pattern(Pattern2, Value, New, Sizes, Cx);
pattern({cons, _, Head, Tail}, [Value | Values], New0, Sizes, Cx) ->
    {match, New} = pattern(Head, Value, New0, Sizes, Cx),
    pattern(Tail, Values, New, Sizes, Cx);
pattern({cons, _, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({tuple, _, Patterns}, Tuple, New, Sizes, Cx) when length(Patterns) =:= tuple_size(Tuple) ->
    elements_of(Patterns, tuple_to_list(Tuple), New, Sizes, Cx);
pattern({tuple, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({map, _, Fields}, #{} = Map, New, Sizes, Cx) ->
    map_fields(Fields, Map, New, Sizes, Cx);
pattern({map, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({bin, _, Segments}, Bits, New, Sizes, Cx) when is_bitstring(Bits) ->
    Eval = fun(Expr, Bs) ->
                   is_guard_expr(Expr) orelse throw(invalid),
                   try eval(Expr, Bs, #cx{local = none, external = none}, none)
                   catch error:{unbound, _} -> throw(invalid)
                   end
           end,
    Fail = fun(Anno, Reason, Stack) -> failed(Reason, Stack, Anno, New, Cx, none) end,
    eval_bits:match_bits(Segments, Bits, New, Sizes, match_fun(Sizes, Cx), Eval, Fail);
pattern({bin, _, _}, _, _, _, _) ->
    throw(nomatch);
pattern({op, _, '++', {nil, _}, Right}, Value, New, Sizes, Cx) ->
    pattern(Right, Value, New, Sizes, Cx);
pattern({op, _, '++', {cons, Anno, {Type, _, _} = Head, Tail}, Right}, Value, New, Sizes, Cx)
  when Type =:= integer; Type =:= char ->
    pattern({cons, Anno, Head, {op, Anno, '++', Tail, Right}}, Value, New, Sizes, Cx);
pattern({op, _, '++', {string, Anno, Chars}, Right}, Value, New, Sizes, Cx) ->
    Cells = lists:foldr(fun(C, Tail) -> {cons, Anno, {integer, Anno, C}, Tail} end, Right, Chars),
    pattern(Cells, Value, New, Sizes, Cx);
pattern(Op, Value, New, Sizes, Cx) when element(1, Op) =:= op ->
    case partial_eval(Op) of
        Op -> throw(invalid);
        Constant -> pattern(Constant, Value, New, Sizes, Cx)
    end;
pattern(_, _, _, _, _) ->
    throw(invalid).

same(Value, Value, New) -> {match, New};
same(_, _, _) -> throw(nomatch).

elements_of([Pattern | Patterns], [Value | Values], New0, Sizes, Cx) ->
    {match, New} = pattern(Pattern, Value, New0, Sizes, Cx),
    elements_of(Patterns, Values, New, Sizes, Cx);
elements_of([], [], New, _, _) ->
    {match, New}.

map_fields([{map_field_exact, _, Key0, Pattern} | Fields], Map, New0, Sizes, Cx) ->
    Value = try
                {value, Key, _} = expr(Key0, Sizes),
                maps:get(Key, Map)
            catch
                error:_ -> throw(nomatch)
            end,
    {match, New} = pattern(Pattern, Value, New0, Sizes, Cx),
    map_fields(Fields, Map, New, Sizes, Cx);
map_fields([], _, New, _, _) ->
    {match, New}.

match_fun(Sizes, Cx) ->
    fun(match, {Pattern, Value, New}) -> pattern(Pattern, Value, New, Sizes, Cx);
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
merged(Bs1, Bs2, Anno, Cx) when is_map(Bs1) ->
    maps:merge_with(fun(_, Value, Value) -> Value;
                       (_, _, Value) -> failed({badmatch, Value}, ?STACK, Anno, Bs1, Cx, none)
                    end, Bs2, Bs1);
merged(Bs1, Bs2, Anno, Cx) ->
    orddict:merge(fun(_, Value, Value) -> Value;
                     (_, _, Value) -> failed({badmatch, Value}, ?STACK, Anno, Bs1, Cx, none)
                  end, Bs1, Bs2).

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
