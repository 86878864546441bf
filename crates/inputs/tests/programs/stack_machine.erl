-module(stack_machine).
%% A machine with a stack.
-export([main/1]).
-type instruction() :: {push, integer()} | add | sub | mul | dup | swap | drop | {jz, 1..3}.
-spec main([instruction()]) -> term().
main(Code) -> run(Code, []).

run([{push, N} | T], S) -> run(T, [N | S]);
run([add | T], [A, B | S]) -> run(T, [B + A | S]);
run([sub | T], [A, B | S]) -> run(T, [B - A | S]);
run([mul | T], [A, B | S]) -> run(T, [B * A | S]);
run([dup | T], [A | S]) -> run(T, [A, A | S]);
run([swap | T], [A, B | S]) -> run(T, [B, A | S]);
run([drop | T], [_ | S]) -> run(T, S);
run([{jz, N} | T], [0 | S]) when length(T) >= N -> run(lists:nthtail(N, T), S);
run([{jz, _} | T], [0 | _]) -> {jump_too_far, length(T)};
run([{jz, _} | T], [_ | S]) -> run(T, S);
run([I | _], _) -> {underflow, I};
run([], [42]) -> answer;
run([], [_]) -> one;
run([], []) -> empty;
run([], [_, _, _, _ | _]) -> many;
run([], _) -> some.
