%% Tables: what is inserted under a table's name or identifier can be looked up there.
-module(ets).
new(Name, O) -> T = either(Name, '$ref'()), heir(item(O), T), T.
heir({heir, P, D}, T) -> P ! {'ETS-TRANSFER', T, any(), D}.
rows(X) -> either(tuples(X), item(X)).
item([X | _]) -> X;
item([_ | T]) -> item(T).
insert(T, X) -> '$put'(ets, T, rows(X)), true.
insert_new(T, X) -> '$put'(ets, T, rows(X)), boolean().
lookup(T, _) -> list('$get'(ets, T)).
lookup_element(T, _, N) -> '$element'(N, '$get'(ets, T)).
lookup_element(T, _, N, D) -> either(D, '$element'(N, '$get'(ets, T))).
take(T, _) -> list('$get'(ets, T)).
tab2list(T) -> list('$get'(ets, T)).
slot(T, _) -> either('$end_of_table', list('$get'(ets, T))).
foldl(F, A, T) -> fold(F, A, T).
foldr(F, A, T) -> fold(F, A, T).
fold(F, A, T) -> either(A, fold(F, F('$get'(ets, T), A), T)).
match(T, _) -> list(list(fields('$get'(ets, T)))).
match(T, _, _) -> either('$end_of_table', {list(list(fields('$get'(ets, T)))), any()}).
match(_) -> either('$end_of_table', {list(list(fields('$get'(ets, any())))), any()}).
match_object(T, _) -> list('$get'(ets, T)).
match_object(T, _, _) -> either('$end_of_table', {list('$get'(ets, T)), any()}).
match_object(_) -> either('$end_of_table', {list('$get'(ets, any())), any()}).
select(T, _) -> R = '$get'(ets, T), list(either(R, list(fields(R)), fields(R), tuple(fields(R)))).
select(T, S, _) -> either('$end_of_table', {select(T, S), any()}).
select(_) -> either('$end_of_table', {select(any(), any()), any()}).
select_reverse(T, S) -> select(T, S).
select_reverse(T, S, _) -> either('$end_of_table', {select(T, S), any()}).
first(T) -> either('$end_of_table', fields('$get'(ets, T))).
last(T) -> either('$end_of_table', fields('$get'(ets, T))).
next(T, _) -> either('$end_of_table', fields('$get'(ets, T))).
prev(T, _) -> either('$end_of_table', fields('$get'(ets, T))).
update_element(T, _, E) -> update(T, E), boolean().
update_element(T, _, E, R) -> update(T, E), '$put'(ets, T, R), boolean().
update(T, {_, V}) -> '$put'(ets, T, tuple(either(fields('$get'(ets, T)), V)));
update(T, [{_, V} | _]) -> '$put'(ets, T, tuple(either(fields('$get'(ets, T)), V))).
update_counter(_, _, _) -> either(number(), list(number())).
update_counter(T, _, _, R) -> '$put'(ets, T, R), either(number(), list(number())).
rename(T, Name) -> '$put'(ets, Name, '$get'(ets, T)), Name.
give_away(T, P, D) -> P ! {'ETS-TRANSFER', T, self(), D}, true.
all() -> list(any()).
delete(_) -> true.
delete(_, _) -> true.
delete_all_objects(_) -> true.
delete_object(_, _) -> true.
file2tab(_) -> any().
file2tab(_, _) -> any().
fun2ms(_) -> any().
i() -> ok.
info(_) -> any().
info(_, _) -> any().
init_table(T, F) -> '$put'(ets, T, rows(F(read))), true.
is_compiled_ms(_) -> boolean().
match_delete(_, _) -> true.
match_spec_compile(_) -> any().
match_spec_run(L, _) -> list(item(L)).
member(_, _) -> boolean().
repair_continuation(C, _) -> C.
safe_fixtable(_, _) -> true.
select_count(_, _) -> number().
select_delete(_, _) -> number().
select_replace(_, _) -> number().
setopts(T, O) -> heir(either(O, item(O)), T), true.
tab2file(_, _) -> any().
tab2file(_, _, _) -> any().
tabfile_info(_) -> any().
table(_) -> any().
table(_, _) -> any().
test_ms(_, _) -> any().
to_dets(_, _) -> any().
from_dets(_, _) -> true.
whereis(T) -> either(undefined, T).
