-module(cases_ms_transform).
-export([scripts/0, skipped/0]).

%% All of it is in scripts/0; messages are our own.
skipped() -> ms_transform:module_info(exports).

scripts() ->
    [{P, 1, fun(Lib) -> transformed(Lib(ms_transform), P) end} || P <- programs()] ++
    [{P, 1, fun(Lib) -> shell(Lib(ms_transform), P) end} || P <- shell_funs()] ++
    [{"messages", 1, fun(Lib) ->
         %% Every descriptor has a text.
         [is_list(lists:flatten((Lib(ms_transform)):format_error(E)))
          || E <- [1, 2, 3, 4, {7, r}, {8, r, f}, {9, r, f}, {10, '$1'}, {11, 'X'}, 16, 116, {17, f, 1}, {117, f, 1}, {18, "if"}, {118, "if"},
                   {19, r, f}, {119, r, f}, {20, r}, {120, r}, {21, r, f}, {22, m, f, 0}, {122, m, f, 0}, {23, 'X'}, {24, '++'}, {50, 'X'}, {6, "X"}]]
     end}].

transformed(M, Program) ->
    Text = "-record(r, {a, b = 5, c}). -record(s, {x :: integer(), y = [1]}).\nf(A, B) ->\n" ++ Program ++ ".",
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    Forms = [{attribute, 1, file, {"f.erl", 1}} | parse(Tokens, [])],
    case M:parse_transform(Forms, []) of
        {error, Errors, Ws} -> {error, Errors, Ws};
        {warning, New, Ws} -> {lists:last(New), hd(New), Ws};
        New -> {lists:last(New), hd(New)}
    end.

parse([], []) -> [];
parse([{dot, _} = Dot | Rest], Acc) ->
    {ok, Form} = erl_parse:parse_form(lists:reverse([Dot | Acc])),
    [Form | parse(Rest, [])];
parse([Token | Rest], Acc) -> parse(Rest, [Token | Acc]).

programs() ->
    ["ets:fun2ms(fun(" ++ F ++ " end)" || F <- clauses()] ++
    ["dbg:fun2ms(fun(" ++ F ++ " end)" || F <- ["[X, Y]) -> return_trace()", "X) -> message(caller())", "[]) -> true", "{X}) -> X", "[X] = Y) when X > A -> {X, Y}"]] ++
    ["ets:fun2ms(F)", "C = 5, ets:fun2ms(fun({C, D}) -> {C, D, A} end)", "case A of x -> Y = 1; Z -> Y = Z end, ets:fun2ms(fun({Y, Z}) -> Y end)",
     "[ets:fun2ms(fun({Q}) -> Q end) || Q <- A]", "F = fun(Q) -> ets:fun2ms(fun({Q, A}) -> Q end) end, ets:fun2ms(fun({Q}) -> Q end)",
     "Q = ets:fun2ms(fun({Q}) -> Q end)", "try A catch E -> ets:fun2ms(fun({E}) -> E end) end", "foo:fun2ms(fun(X) -> X end)", "lists:map(fun(X) -> X end, A)"].

clauses() ->
    ["{X, Y}) -> X", "{X, Y}) when X > 3, Y < A -> {X, Y}", "{X, _}) when X; is_atom(X) -> [X, 1]", "X) -> X", "{X} = Y) -> Y", "Y = {X}) -> {X, Y}",
     "#r{a = X}) -> X", "#r{a = X, _ = 7}) -> X#r.b", "#r{a = X} = R) -> R#r{b = X}", "R) when is_record(R, r) -> #r{a = R}", "{X}) -> #s{_ = X}", "{X}) -> #r.b",
     "#nope{}) -> a", "#r{zz = 1}) -> a", "#r{a = 1, a = 2}) -> a", "{X}) -> X#r.zz", "{X}) -> #r{zz = 1}", "{X}) when is_record(X, nope) -> a",
     "{X, X}) -> X", "{'$1'}) -> a", "{'$x'}) -> '$y'", "{X}) -> case X of a -> b end", "{X}) -> foo(X)", "{X}) -> m:f(X)", "{X}) -> erlang:is_atom(X)",
     "{X}) -> erlang:'+'(X, 1)", "{X}) when atom(X) -> integer(X)", "{X}) when X = 3 -> X", "{X = 3}) -> X", "{X}) -> <<X>>", "{<<X>>}) -> X", "{<<\"a\">>}) -> <<\"b\", A>>",
     "{X}) -> -5 + 3", "{X}) -> X + 1 * 2", "{X}) when X andalso not B -> X orelse A", "{#{k := V}}) -> #{V => [V | A], \"s\" => $c}", "a) -> b", "X, Y) -> X",
     "{X}) -> object(), bindings()", "{X}) when is_map_key(X, A) -> map_get(a, X)", "{X}) -> {{X}, 1.5, []}", "{X}) -> binary_part(X, 1, 2)", "{X}) when length(X) == 3; hd(X) =:= a -> tl(X)",
     "{X}) -> a; ({X, Y}) -> b", "{X}) -> fun(Z) -> Z end", "{X}) -> if X -> a end", "{X}) -> [Z || Z <- X]", "{X}) -> begin X end", "{X}) -> X ! a", "\"ab\" ++ X) -> X",
     "{\"ab\" ++ X}) -> X", "{X}) -> self()", "{X}) -> trace(a, b)", "{X}) -> spawn(X)", "{_A, _}) -> _A"].

shell_funs() ->
    ["fun({X, Y}) when X > Y -> {X, A} end", "fun({X}) -> Unbound end", "fun({X}) -> <<A:8>> end", "fun({X}) -> foo(X) end", "fun({X}) when X; A -> A end",
     "fun(#{a := X}) -> X end", "fun({#{a := X}}) -> #{b => X, c => A} end"].

shell(M, Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [{'fun', _, {clauses, Clauses}}]} = erl_parse:parse_exprs(Tokens),
    case M:transform_from_shell(ets, Clauses, [{'A', 42}]) of
        {error, [{_, Errors}], []} -> {error, [R || {_, _, R} <- Errors]};
        Spec -> Spec
    end.
