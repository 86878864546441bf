%% A little machine: its state is a record of lists, maps and handlers.
%% inputs: run(list(one({push, 2}; {push, 7}; add; sub; {jz, 2}; {jmp, 1}; dup; {store, x}; {load, x}; {load, y}; print; {call, twice}; {'try', 2})), nat)
-module(stack_machine).
-export([run/2]).
-record(vm, {pc = 0, stack = [], env = #{}, out = [], fuel, handlers = []}).
run(Prog, Fuel) ->
    Code = list_to_tuple(Prog ++ [halt]),
    Final = loop(Code, #vm{fuel = Fuel + 5}),
    case Final of
        {ok, #vm{stack = S, out = O, env = E}} -> {ok, S, lists:reverse(O), maps:to_list(E)};
        {error, Why, #vm{pc = Pc, fuel = F}} -> {error, Why, Pc, F > 0}
    end.
loop(_, #vm{fuel = 0} = V) -> {error, fuel, V};
loop(Code, #vm{pc = Pc, fuel = F} = V) when Pc < tuple_size(Code) ->
    V1 = V#vm{pc = Pc + 1, fuel = F - 1},
    try step(element(Pc + 1, Code), V1) of
        {halt, V2} -> {ok, V2};
        V2 -> loop(Code, V2)
    catch
        throw:Reason ->
            case V#vm.handlers of
                [H | Hs] -> loop(Code, V#vm{pc = H, handlers = Hs, fuel = F - 1, stack = [length(V#vm.stack)]});
                [] -> {error, Reason, V}
            end;
        error:{badkey, K} -> {error, {unset, K}, V}
    end;
loop(_, V) -> {error, pc, V}.
step({push, N}, V) -> push(N, V);
step(add, V) -> {[A, B], V1} = pop(2, V), push(A + B, V1);
step(sub, V) -> {[A, B], V1} = pop(2, V), push(B - A, V1);
step(dup, V) -> {[A], V1} = pop(1, V), push(A, push(A, V1));
step({jz, N}, V) -> case pop(1, V) of {[0], V1} -> V1#vm{pc = V1#vm.pc + N}; {_, V1} -> V1 end;
step({jmp, N}, #vm{pc = Pc} = V) -> V#vm{pc = Pc + N};
step({store, K}, #vm{env = E} = V) -> {[A], V1} = pop(1, V), V1#vm{env = E#{K => A}};
step({load, K}, #vm{env = E} = V) -> push(maps:get(K, E), V);
step(print, #vm{out = O} = V) -> {[A], V1} = pop(1, V), V1#vm{out = [A | O]};
step({call, twice}, V) -> {[A], V1} = pop(1, V), push(A * 2, V1);
step({'try', N}, #vm{pc = Pc, handlers = H} = V) -> V#vm{handlers = [Pc + N | H]};
step(halt, V) -> {halt, V}.
push(X, #vm{stack = S} = V) when length(S) < 5 -> V#vm{stack = [X | S]};
push(_, _) -> throw(overflow).
pop(N, #vm{stack = S} = V) when length(S) >= N -> {A, R} = lists:split(N, S), {A, V#vm{stack = R}};
pop(_, _) -> throw(underflow).
