-module(cases_random).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [int/2, tuple/1]).

cases() ->
    Seed = tuple([int(0, 30268), int(0, 30306), int(0, 30322)]),
    [{seed0, []}, {uniform_s, [Seed]}, {uniform_s, [int(0, 100), Seed]}].

%% With a state in the process dictionary: scripts/0.
skipped() -> [{seed, 0}, {seed, 1}, {seed, 3}, {uniform, 0}, {uniform, 1}].

scripts() ->
    [{"the state of the process", 50, fun(Lib) ->
         M = Lib(random),
         erase(random_seed),
         A = rand:uniform(1 bsl 60),
         [M:uniform(), M:seed(), M:uniform(), M:seed(A), M:uniform(10), M:seed({1, 2, A}), M:uniform(A),
          M:seed(-A, A, 0), [M:uniform() || _ <- lists:seq(1, 20)], get(random_seed)]
     end}].
