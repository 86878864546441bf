-module(cases_rand).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [int/2, list/2, freq/1, elements/1, tuple/1]).

cases() ->
    Mwc = int(1, 1 bsl 58),
    Float = freq([{1, int(-100, 100)}, {2, elements([1.5, -0.1, 1.0e-300, 0.0, 5.0e-324])}]),
    Words = fun() -> rand:exro928_seed(rand:uniform(1000)) end,
    [{mwc59, [Mwc]}, {mwc59_float, [Mwc]}, {mwc59_value, [Mwc]}, {mwc59_value32, [Mwc]}, {mwc59_seed, [int(0, 1 bsl 60)]},
     {splitmix64_next, [int(-5, 1 bsl 66)]}, {float2str, [Float]}, {bc64, [int(1, 1 bsl 64)], [{wrong, 0}]},
     {make_float, [int(0, 1), int(0, 2046), int(0, 1 bsl 52)]}, {seed58, [int(0, 4), int(0, 1 bsl 60)], [{wrong, 0}]},
     {exro928_seed, [fun seed/0]}, {exro928_next, [Words]}, {exro928_next_state, [Words]},
     {exro928_jump_2pow20, [Words], [{count, 3}]}, {exro928_jump_2pow512, [Words], [{count, 3}]},
     {exsp_next, [fun() -> [rand:uniform(1 bsl 58) | rand:uniform(1 bsl 58)] end]},
     {exsp_jump, [fun() -> [rand:uniform(1 bsl 58) | rand:uniform(1 bsl 58)] end], [{count, 50}]}].

%% Run by scripts/0, or with seeds from the clock, or printing.
skipped() ->
    [{F, A} || {F, A} <- rand:module_info(exports) -- [{module_info, 0}, {module_info, 1}]].

algorithms() -> [exsss, exsp, exsplus, exrop, exro928ss, exs1024s, exs1024, exs64, dummy].

seed() ->
    N = fun() -> rand:uniform(1 bsl arb:pick([8, 40, 70])) - 100 end,
    case rand:uniform(4) of
        1 -> {N(), N(), N()};
        2 -> N();
        3 -> [N() || _ <- lists:seq(1, rand:uniform(3))];
        4 -> arb:pick([[], [0], [0, 0], [a], [1, b], foo, {1, 2}, [1 | 2]])
    end.

scripts() ->
    [{atom_to_list(Alg), 100, fun(Lib) -> run(Lib(rand), Alg, seed(), rand:uniform(1 bsl arb:pick([4, 30, 57, 58, 60, 130]))) end}
     || Alg <- algorithms()] ++
    [{"errors", 100, fun(Lib) ->
         M = Lib(rand),
         State = M:seed_s(arb:pick(algorithms() -- [dummy]), 1),
         N = arb:pick([0, -1, a, 1.0, <<>>]),
         F = arb:pick([fun() -> M:uniform_s(N, State) end, fun() -> M:bytes_s(N, State) end,
                       fun() -> M:seed_s(foo, 1) end, fun() -> M:seed_s(N) end, fun() -> M:normal_s(0, N, State) end,
                       fun() -> M:jump(M:seed_s(arb:pick([exs64, dummy]), 3)) end]),
         try F() of {V, _} -> V; V -> V catch C:R -> {C, R} end
     end}].

%% Every function a few times, on the process's state and on an explicit one.
run(M, Alg, Seed, N) ->
    Saved = get(rand_seed),
    try
        State = M:seed_s(Alg, Seed),
        {Floats, S1} = times(20, fun M:uniform_s/1, State),
        {Ints, S2} = times(20, fun(S) -> M:uniform_s(N, S) end, S1),
        %% The two numbers of dummy may both miss the normal distribution, for ever.
        {Normals, S3} = case Alg of dummy -> {none, S2}; _ -> times(60, fun M:normal_s/1, S2) end,
        {Reals, S4} = times(30, fun M:uniform_real_s/1, S3),
        {Bytes, S5} = M:bytes_s(rand:uniform(60), S4),
        {Scaled, S6} = case Alg of dummy -> {none, S5}; _ -> M:normal_s(3, 2.5, S5) end,
        Jumped = case lists:member(Alg, [exs64, dummy]) orelse rand:uniform(20) > 1 of
                     true -> none;
                     false -> M:export_seed_s(M:jump(S6))
                 end,
        M:seed(Alg, Seed),
        Process = [M:uniform(), M:uniform(N), M:uniform_real(), case Alg of dummy -> none; _ -> {M:normal(), M:normal(1, 2)} end, M:bytes(5), M:export_seed()],
        M:seed(M:export_seed()),
        {Floats, Ints, Normals, Reals, Bytes, Scaled, Jumped, Process, M:uniform(), M:export_seed_s(S6)}
    after
        put(rand_seed, Saved)
    end.

times(0, _, State) -> {[], State};
times(N, Fun, State) ->
    {V, State1} = Fun(State),
    {Vs, State2} = times(N - 1, Fun, State1),
    {[V | Vs], State2}.
