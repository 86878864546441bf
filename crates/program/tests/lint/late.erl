%% What later passes of the compiler say: clauses that are never reached, results never used.
%%% later passes c
a(X) -> case X of _ -> 1; a -> 2; b -> 3 end.      %! 27 warning nomatch, 35 warning nomatch
b(X) -> case X of Y -> Y; a -> 2 end.              %! 27 warning nomatch
c(_) -> 1;
c(a) -> 2;                                         %! 1 warning nomatch
c(b) -> 3.                                         %! 1 warning nomatch
d(X, _) -> X;
d(_, Y) -> Y.                                      %! 1 warning nomatch
e(X, X) -> 1;
e(_, _) -> 2.
f(X) when true -> X;
f(_) -> 2.                                         %! 1 warning nomatch
g(X) -> if true -> 1; X -> 2 end.                  %! 23 warning nomatch
h() -> receive _ -> 1; a -> 2 end.                 %! 24 warning nomatch
i() -> fun(_) -> 1; (a) -> 2 end.                  %! 21 warning nomatch
j() -> try k() of _ -> 1; a -> 2 catch _:_ -> 1; error:x -> 2 end. %! 27 warning nomatch, 50 warning nomatch
k() -> {a, b}, ok.                                 %! 8 warning ignored
l() -> [1, 2], ok.                                 %! 8 warning ignored
m() -> "abc", ok.                                  %! 8 warning ignored
n() -> <<1>>, ok.
o() -> #{}, ok.                                    %! 8 warning ignored
p() -> foo, ok.
q() -> 1, ok.                                      %! 8 warning ignored
r(X) -> X, ok.
s(X) -> {X}, ok.                                   %! 9 warning ignored
t(X) -> X + 1, ok.                                 %! 11 warning ignored
u(X) -> length(X), ok.                             %! 9 warning ignored
v(X) -> X == 1, ok.                                %! 11 warning ignored
w(X) -> fun() -> X end, ok.                        %! 9 warning ignored
x(X) -> self(), is_atom(X), element(1, X), ok.     %! 9 warning ignored, 17 warning ignored
y(X) -> [Y || Y <- X], ok.
z(X) -> begin {X} end, ok.                         %! 15 warning ignored
aa(X) -> case X of a -> {X}; b -> ok end, ok.
ab(X) -> _ = {X}, ok.
ac(X) -> not X, -X, ok.                            %! 10 warning ignored, 17 warning ignored
ad(X) -> [X | 1], ok.                              %! 10 warning ignored
ae(X) -> X#{a => 1}, ok.
af() -> fun af/0, fun lists:map/2, ok.
ag(X) -> X ++ [], ok.
ah() -> list_to_atom("a"), node(), make_ref(), date(), ok. %! 28 warning ignored, 36 warning ignored, 48 warning ignored
ai(X) -> atom_to_list(X), tuple_to_list(X), hd(X), tl(X), abs(X), ok. %! 10 warning ignored, 27 warning ignored, 45 warning ignored, 52 warning ignored, 59 warning ignored
aj(X) -> {f(X)}, ok.
ak(X) -> [f(X)], ok.
al() -> 1 + a.                                     %! 11 warning failed
am() -> atom_to_list(1).
an() -> hd([]).
ao() -> 1 / 0.                                     %! 11 warning failed
ap(X) when a + 1 > X -> 1; ap(_) -> 2.             %! 14 warning failed
aq(X) when false -> X; aq(_) -> 2.                 %! 1 warning nomatch
ar() -> case {a, b} of {a, c} -> 1; {a, b} -> 2 end.
as() -> case a of b -> 1 end.
at(X) -> case X of {a} -> 1; {a} -> 2 end.
au(X) -> case X of [a] -> 1; _ -> 2 end.
av() -> {a} = b.
aw() -> a = b.
ax(X) -> maps:get(a, X), lists:reverse(X), ok.
ay(X) -> X andalso {X}, ok.
az(X) -> case X of a -> ok end, ok.
ba(X) -> erlang:length(X), erlang:'+'(X, 1), ok.
bb() -> $a, 1.0, [], {}, ok.                       %! 9 warning ignored, 13 warning ignored, 22 warning ignored
bc(X) -> catch {X}, ok.
bd(X) -> if X -> 1; true -> 2; X -> 3 end.         %! 32 warning nomatch
be(X) -> case X of Z when true -> Z; a -> 2 end.   %! 38 warning nomatch
bf() -> fun F(_) -> F; F(a) -> 2 end.              %! 24 warning nomatch
bg() -> receive X -> X; a -> 2 after 1 -> 3 end.   %! 25 warning nomatch
bh(X) -> try X of Y -> Y; a -> b catch X -> 1; _ -> 2; _:_ -> 3; _ -> 4 end. %! 27 warning nomatch
%%% later passes d
a(X) -> case X of _ -> case X of Y -> Y; b -> c end; a -> case X of _ -> 1; a -> 2 end end. %! 42 warning nomatch, 54 warning nomatch
b(X) -> X = {X}, ok.
c(X) -> begin X + 1 end, ok.                       %! 17 warning ignored
d(X) -> try {X} catch _:_ -> 1 end, ok.
f(X) -> case X of a -> 1, ok; b -> ok end.         %! 24 warning ignored
g(X) -> if X -> 1; false -> 2; true -> 3 end.      %! 20 warning nomatch
h(X) -> fun() -> {X}, ok end.                      %! 18 warning ignored
i(X) -> [begin {Y}, Y end || Y <- X].              %! 16 warning ignored
j(X) -> receive after X -> {X}, 2 end.             %! 28 warning ignored
k(_X) -> exit(a), {b}, ok.                         %! 19 warning ignored
l(X) -> Y = X, Y + 1, ok.                          %! 18 warning ignored
m(X) -> <<X>>, <<X:8>>, ok.
n() -> fun F() -> F end, ok.
o(X) -> #{X => 1}, ok.                             %! 9 warning ignored
p(X) -> case X of {_, _} = Y -> Y; _ = Z -> Z; a -> 1 end.
q(X) -> case X of _ when X > 1; true -> 1; a -> 1 end.
r() -> 1 + 2, ok.
s(X) -> X ++ X, ok.                                %! 11 warning ignored
t(X) -> [X | X], ok.                               %! 9 warning ignored
u(X) -> fun() -> ok end, {X, fun() -> X end}, ok.  %! 9 warning ignored
v(X) -> maybe_x, "x" ++ X, ok.
w(X) when X -> 1, {2}; w(_) -> 2.                  %! 16 warning ignored
%%% later passes switched off
-compile([nowarn_nomatch, nowarn_ignored, nowarn_failed]).
f(X) -> case X of _ -> {X}, 1 + a; b -> c end.
%%% nothing where there are errors
f(X) -> case X of _ -> 1; b -> Y end.              %! 32 error unbound_var
