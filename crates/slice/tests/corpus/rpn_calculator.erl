%% A stack machine.
%% inputs: eval(list(one(1; 2; 3; 5; '+'; '*'; '-'; dup; swap))), steps(list(one(4; '+'; dup)))
-module(rpn_calculator).
-export([eval/1, steps/1]).

eval(Ops) ->
    case run(Ops, []) of
        {ok, [Top | Rest]} -> {Top, length(Rest)};
        {ok, []} -> empty;
        {error, Op, Depth} -> {underflow, Op, Depth}
    end.

run([], Stack) -> {ok, Stack};
run([N | Ops], Stack) when is_integer(N) -> run(Ops, [N | Stack]);
run([dup | Ops], [A | S]) -> run(Ops, [A, A | S]);
run([swap | Ops], [A, B | S]) -> run(Ops, [B, A | S]);
run([Op | Ops], [B, A | S]) when Op =/= dup, Op =/= swap ->
    C = apply_op(Op, A, B),
    run(Ops, [C | S]);
run([Op | _], Stack) -> {error, Op, length(Stack)}.

apply_op('+', A, B) -> A + B;
apply_op('-', A, B) -> A - B;
apply_op('*', A, B) -> A * B.

steps(Ops) ->
    {Count, Deepest} = lists:foldl(fun measure/2, {0, 0}, Ops),
    {Count, Deepest}.

measure(Op, {N, Max}) ->
    Weight = case Op of dup -> 2; _ -> 1 end,
    {N + 1, max(Max, N * Weight)}.
