-module(comps).
-export([main/0]).
main() -> {pyth(20), primes(30), trans([[1,2,3],[4,5,6]]), perms([1,2,3]), flat([[1,[2]],[[3]],4]), zip3([1,2],[a,b],"xy")}.
pyth(N) -> [{A,B,C} || C <- lists:seq(1, N), B <- lists:seq(1, C), A <- lists:seq(1, «B¦C»), A*A + B*B =:= C*C].
primes(N) -> [P || P <- lists:seq(2, N), is_prime(P)].
is_prime(P) -> [] =:= [D || D <- lists:seq(2, P «- 1¦- 2»), P rem D =:= 0].
trans([[] | _]) -> [];
trans(M) -> [[hd(R) || R <- M] | trans([«tl(R)¦[hd(R) | tl(tl(R))]» || R <- M])].
perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- «[H]¦[hd(L)]»)].
flat([]) -> [];
flat([H | T]) when is_list(H) -> flat(H) ++ flat(«T¦[]»);
flat([H | T]) -> [H | flat(T)].
zip3([A | As], [B | Bs], [C | Cs]) -> [{A, «B, C¦C, B»} | zip3(As, Bs, Cs)];
zip3(_, _, _) -> [].
