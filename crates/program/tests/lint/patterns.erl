%% Patterns, guards, bit syntax, maps.
%%% illegal patterns
f(g(X)) -> X.                                      %! 4 error syntax_error
g(X + 1) -> X.                                     %! 5 error illegal_pattern, 13 error unbound_var
h(1 + 2) -> ok.
i(a + 2) -> ok.                                    %! 5 error illegal_pattern
j(-1, +2, bnot 3, - - 4) -> ok.
k(not true) -> ok.                                 %! 3 error illegal_pattern
l({1, fun() -> ok end}) -> ok.                     %! 7 error illegal_pattern
m(1 div 0) -> ok.                                  %! 5 error illegal_pattern
n(X) -> [Y || Y <- X] = X.                         %! 9 error illegal_pattern
o(1.0 * 2) -> ok.
p($a + 1) -> ok.
q(1 bsl 3) -> ok.
r(1 =:= 1) -> ok.                                  %! 5 error illegal_pattern
%%% append
f("abc" ++ X) -> X.
g([] ++ X) -> X.
h([1, 2] ++ X) -> X.
i([1, X] ++ Y) -> {X, Y}.                          %! 3 error illegal_pattern, 20 error unbound_var, 23 error unbound_var
j([X] ++ Y) -> {X, Y}.                             %! 7 error illegal_pattern, 17 error unbound_var, 20 error unbound_var
k(X ++ Y) -> {X, Y}.                               %! 5 error illegal_pattern, 15 error unbound_var, 18 error unbound_var
l([1, 2, X] ++ Y) -> {X, Y}.                       %! 7 error illegal_pattern, 23 error unbound_var, 26 error unbound_var
m("a" ++ "b" ++ X) -> X.
n([$a | "bc"] ++ X) -> X.
%%% aliases
f(X = Y) -> {X, Y}.
g(<<X>> = <<Y>>) -> {X, Y}.                        %! 3 error illegal_bin_pattern
h({<<X>>} = {<<Y>>}) -> {X, Y}.                    %! 4 error illegal_bin_pattern
i({X, <<_>>} = {<<_>>, X}) -> X.
j(X) -> <<A>> = <<B>> = X, {A, B}.                 %! 9 error illegal_bin_pattern
k(#{a := X} = #{b := Y}) -> {X, Y}.
l(#{X := _} = #{b := _}) -> X.                     %! 5 error unbound_var
m([a, <<_>>] = [b | [<<_>>]]) -> ok.               %! 7 error illegal_bin_pattern
n(X) -> {<<A>>} = {<<B>>} = X, {A, B}.
%%% alias in records
-record(r, {a, b}).
-record(s, {b, a}).
f(#r{a = <<_>>} = #r{a = <<_>>}) -> ok.            %! 10 error illegal_bin_pattern
g(#r{a = <<_>>} = #s{a = <<_>>}) -> ok.
h(#r{a = <<_>>} = #s{b = <<_>>}) -> ok.            %! 10 error illegal_bin_pattern
%%% maps
f(#{a => X}) -> X.                                 %! 7 error illegal_pattern, 17 error unbound_var
g(#{a := X}) -> X.
h() -> #{a := 1}.                                  %! 12 error illegal_map_construction
i(M) -> M#{a := 1, b => 2}.
j(#{K := V}) -> {K, V}.                            %! 5 error unbound_var
k(K, #{K := V}) -> V.                              %! 8 error unbound_var
l(K) -> fun(#{K := V}) -> V end.
m(K, M) -> #{K := V, {K, 1} := W} = M, {V, W}.
n(M) -> #{f() := V} = M, V.                        %! 11 error illegal_guard_local_call
f() -> ok.
o(M#{a := 1}) -> ok.                               %! 4 error syntax_error
p(K, M) -> #{K + 1 := V} = M, V.
q(M) -> #{lists:map(a, b) := V} = M, V.            %! 11 error illegal_guard_expr
%%% guards
f(X) when f(X) -> ok.                              %! 11 error illegal_guard_local_call
g(X) when lists:member(X, []) -> ok.               %! 3 warning unused_var, 11 error illegal_guard_expr
h(X) when erlang:is_atom(X) -> ok.
i(X) when erlang:foo(X) -> ok.                     %! 11 error illegal_guard_expr
j(X) when X ++ [] =:= [] -> ok.                    %! 13 error illegal_guard_expr
k(X) when X ! a -> ok.                             %! 13 error illegal_guard_expr
l(X) when fun() -> ok end =:= X -> ok.             %! 11 error illegal_guard_expr
m(X) when case X of a -> true end -> ok.           %! 3 warning unused_var, 11 error illegal_guard_expr
n(X) when X = 1 -> ok.                             %! 3 warning unused_var, 11 error illegal_guard_expr
o(X) when foo(X) -> ok.                            %! 11 error illegal_guard_expr
p(X) when X:is_atom(1) -> ok.                      %! 3 warning unused_var, 11 error illegal_guard_expr
q(X) when erlang:'+'(X, 1) > 1, erlang:'not'(X), erlang:'++'(X, X) -> ok. %! 50 error illegal_guard_expr
r(X) when is_atom(X) andalso (X == a orelse X /= b) -> ok.
s(X) when [X || X <- []] -> ok.                    %! 3 warning unused_var, 11 error illegal_guard_expr
t(X) when abs(X) > 1, length(X) > 1, hd(X), map_get(a, X), is_map_key(a, X) -> ok.
u(X) when max(X, 1) -> ok.                         %! 11 error illegal_guard_expr
v(X) when X() -> ok.                               %! 3 warning unused_var, 11 error illegal_guard_expr
w(X) when catch X -> ok.                           %! 3 warning unused_var, 11 error illegal_guard_expr
x(X) when {X, [X | X], #{X => X}, <<X>>} =:= a -> ok.
y(X) when #{X := 1} =:= X -> ok.                   %! 15 error illegal_map_construction
z() when self() =:= a, node() =:= b, node(a) -> ok.
%%% obsolete guards
f(X) when atom(X) -> ok.                           %! 11 warning obsolete_guard
g(X) when integer(X), list(X); float(X) -> ok.     %! 11 warning obsolete_guard, 23 warning obsolete_guard, 32 warning obsolete_guard
h(X) when not atom(X) -> ok.                       %! 15 error illegal_guard_expr
i(X) when record(X, r) -> ok.                      %! 11 warning obsolete_guard, 21 error undefined_record
%%% obsolete guards hidden
is_atom(_) -> true.
f(X) when atom(X) -> ok.                           %! 11 warning obsolete_guard, 11 error obsolete_guard_overridden
g(X) when is_atom(X) -> ok.                        %! 11 error illegal_guard_local_call
%%% local functions in guards
is_list(_) -> true.
-compile({no_auto_import, [is_list/1, is_integer/1]}).
f(X) when is_list(X) -> ok.                        %! 11 error illegal_guard_local_call
g(X) when is_integer(X) -> ok.                     %! 11 error illegal_guard_local_call
h(X) when is_list(X), X > 1 -> ok.                 %! 11 error illegal_guard_local_call
%%% records in guards
-record(r, {a = f(), b = 1}).
-record(s, {a = 1}).
f() -> ok.
f(X) when X#r.a -> ok.
g(X) when X =:= #r{} -> ok.                        %! 17 error illegal_guard_local_call
h(X) when X =:= #r{a = 1} -> ok.
i(X) when is_record(X, r) -> ok.
j(X) when is_record(X, t) -> ok.                   %! 24 error undefined_record
k(X) when is_record(X, r, 3) -> ok.
l(X, Y) when is_record(X, Y) -> ok.                %! 14 error illegal_guard_expr
m(X, Y) when is_record(X, Y, 2) -> ok.             %! 14 error illegal_guard_expr
n(X) when X#s{a = 1} -> ok.                        %! 3 warning unused_var, 12 error illegal_guard_expr
o(X) when #s.a =:= X, X#s.b -> ok.                 %! 27 error undefined_field
%%% bits in expressions
f(X) -> <<X:8, X:16/little, X/binary, X:4/bits, X/float, X/utf8>>.
g(X) -> <<X:7/float>>.                             %! 11 warning bad_bitsize
h(X) -> <<X/foo>>.                                 %! 11 error undefined_bittype
i(X) -> <<X/integer-float>>.                       %! 11 error bittype_mismatch
j(X) -> <<X/unit:8>>.                              %! 11 error bittype_unit
k(X) -> <<X:8/utf8>>.                              %! 11 error utf_bittype_size_or_unit
l(X) -> <<X/signed-unsigned>>.                     %! 11 error bittype_mismatch
m(X) -> <<X/big-little>>.                          %! 11 error bittype_mismatch
n(X) -> <<X:8/unit:2-unit:4>>.                     %! 11 error bittype_mismatch
o(X) -> <<X:1/unit:300>>.                          %! 11 error undefined_bittype
p(X) -> <<X:all>>, <<X:all/binary>>.               %! 11 error illegal_bitsize
q(X) -> <<X:(X + 1), X:(2 * 8)/float, X:f(X)>>.    %! 42 error syntax_error
r(X) -> <<X:1/unit:16-float>>.
s(X) -> <<X/utf8-unit:8>>.                         %! 11 error utf_bittype_size_or_unit
t() -> <<"abc", "abc":16, "abc"/utf8, $a>>.
u(X) -> <<X:8/bytes-unit:8, X/bytes-unit:4>>.      %! 29 error bittype_mismatch
%%% bits in patterns
f(<<X:8, Y/binary>>) -> {X, Y}.
g(<<X/binary, Y:8>>) -> {X, Y}.                    %! 5 error unsized_binary_not_at_end
h(<<N, X:N>>) -> X.
i(<<X:N, N>>) -> {X, N}.                           %! 7 error unbound_var
j(N) -> fun(<<X:N>>) -> X end.
k(<<X:(8 + 8)>>) -> X.
l(<<N, X:(N * 8)>>) -> X.
m(<<N, X:(foo(N))>>) -> X.                         %! 11 error illegal_bitsize
n(<<N, X:(lists:sum(N))>>) -> X.                   %! 5 warning unused_var, 11 error illegal_bitsize
o(<<X:a>>) -> X.                                   %! 7 warning non_integer_bitsize
p(<<X:1.0>>) -> X.                                 %! 7 warning non_integer_bitsize
q(<<X:{1}>>) -> X.                                 %! 7 warning non_integer_bitsize
r(<<"abc":8>>) -> ok.                              %! 5 error typed_literal_string
s(<<"abc"/utf8, "b">>) -> ok.
t(<<"abc"/integer>>) -> ok.                        %! 5 error typed_literal_string
u(<<{a}>>) -> ok.                                  %! 5 error illegal_pattern
v(<<(1 + 2)>>) -> ok.
w(<< <<1>> >>) -> ok.                              %! 6 error illegal_pattern
x(<<X, X>>) -> X.
y(<<_X, _X>>) -> ok.                               %! 9 warning match_underscore_var
z(<<X/binary-unit:1, Y/bits>>) -> {X, Y}.          %! 5 error unsized_binary_not_at_end
%%% bits in patterns, uses
f(A) -> <<B:A, C:B>> = f(A), C.
g() -> <<A:8, B:A/binary>> = f(1), B.
h() -> <<A:8, B:(A - C)/binary>> = f(1), B.        %! 22 error unbound_var
i(A) -> <<A:A>> = f(1).
j(X) -> case X of 1 -> A = 1; _ -> ok end, <<_:A>> = X. %! 48 error unsafe_var
k(X) -> case X of 1 -> A = 1; _ -> A = 2 end, <<_:A>> = X.
l(<<N, _:(byte_size(<<N>>))>>) -> ok.
%%% bit generators
f(X) -> [Y || <<Y/binary>> <= X].                  %! 17 error unsized_binary_in_bin_gen_pattern
g(X) -> [Y || <<Y:3/binary>> <= X].
h(X) -> [Y || <<Y, _/bits>> <= X].                 %! 20 error unsized_binary_in_bin_gen_pattern
i(X) -> [Y || <<Y:N>> <= X].                       %! 19 error unbound_var
%%% bitstring comprehension
f(X) -> << <<Y>> || <<Y:4>> <= X, Y > 1 >>.
g(X) -> << Y || <<Y:4>> <= X >>.
%%% too many arguments
f() -> ok.
%%% remote as expression
f() -> a:b.                                        %! 8 error illegal_expr
g() -> {a:b, 1}.                                   %! 9 error illegal_expr
