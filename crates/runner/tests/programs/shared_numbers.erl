%% Counters, atomics and persistent terms.
-module(shared_numbers).
-export([main/0]).
main() ->
    A = atomics:new(2, [{signed, true}]),
    ok = atomics:put(A, 1, 10),
    ok = atomics:add(A, 1, -15),
    C = counters:new(1, [atomics]),
    Me = self(),
    [spawn(fun() -> counters:add(C, 1, N), Me ! done end) || N <- lists:seq(1, 10)],
    [receive done -> ok end || _ <- lists:seq(1, 10)],
    persistent_term:put({?MODULE, key}, #{a => 1}),
    [atomics:get(A, 1), atomics:exchange(A, 1, 7), atomics:compare_exchange(A, 1, 7, 8), atomics:compare_exchange(A, 1, 7, 9),
     counters:get(C, 1), persistent_term:get({?MODULE, key}), persistent_term:get(none, default),
     persistent_term:erase({?MODULE, key})].
