%% More kinds of requests than are told apart.
-module(many_requests).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, S} = gen_server:start(?MODULE, none, []),
    1 = gen_server:call(S, {r1, 1}), 2 = gen_server:call(S, {r2, 2}),
    3 = gen_server:call(S, {r3, 3}), 4 = gen_server:call(S, {r4, 4}),
    5 = gen_server:call(S, {r5, 5}), 6 = gen_server:call(S, {r6, 6}),
    7 = gen_server:call(S, {r7, 7}), 8 = gen_server:call(S, {r8, 8}),
    9 = gen_server:call(S, {r9, 9}), 10 = gen_server:call(S, {r10, 10}),
    11 = gen_server:call(S, {r11, 11}), 12 = gen_server:call(S, {r12, 12}),
    13 = gen_server:call(S, {r13, 13}), 14 = gen_server:call(S, {r14, 14}),
    15 = gen_server:call(S, {r15, 15}), 16 = gen_server:call(S, {r16, 16}),
    17 = gen_server:call(S, {r17, 17}), 18 = gen_server:call(S, {r18, 18}),
    19 = gen_server:call(S, {r19, 19}), 20 = gen_server:call(S, {r20, 20}),
    21 = gen_server:call(S, {r21, 21}), 22 = gen_server:call(S, {r22, 22}),
    23 = gen_server:call(S, {r23, 23}), 24 = gen_server:call(S, {r24, 24}),
    25 = gen_server:call(S, {r25, 25}), 26 = gen_server:call(S, {r26, 26}),
    27 = gen_server:call(S, {r27, 27}), 28 = gen_server:call(S, {r28, 28}),
    29 = gen_server:call(S, {r29, 29}), 30 = gen_server:call(S, {r30, 30}),
    31 = gen_server:call(S, {r31, 31}), 32 = gen_server:call(S, {r32, 32}),
    33 = gen_server:call(S, {r33, 33}), 34 = gen_server:call(S, {r34, 34}),
    35 = gen_server:call(S, {r35, 35}), 36 = gen_server:call(S, {r36, 36}),
    37 = gen_server:call(S, {r37, 37}), 38 = gen_server:call(S, {r38, 38}),
    39 = gen_server:call(S, {r39, 39}), 40 = gen_server:call(S, {r40, 40}),
    [S ! {tick, N, self()} || N <- [1, 2, 3]],
    io:format("~p~n", [[receive {tock, N} -> N end || _ <- [1, 2, 3]]]),
    gen_server:cast(S, stop).

init(none) -> {ok, 0}.

handle_call({r1, X}, _, S) -> {reply, X, S};
handle_call({r2, X}, _, S) -> {reply, X, S};
handle_call({r3, X}, F, S) -> answer(F, X, S);
handle_call({r4, X}, _, S) -> {reply, X, S};
handle_call({r5, X}, _, S) -> {reply, X, S};
handle_call({r6, X}, F, S) -> answer(F, X, S);
handle_call({r7, X}, _, S) -> {reply, X, S};
handle_call({r8, X}, _, S) -> {reply, X, S};
handle_call({r9, X}, F, S) -> answer(F, X, S);
handle_call({r10, X}, _, S) -> {reply, X, S};
handle_call({r11, X}, _, S) -> {reply, X, S};
handle_call({r12, X}, F, S) -> answer(F, X, S);
handle_call({r13, X}, _, S) -> {reply, X, S};
handle_call({r14, X}, _, S) -> {reply, X, S};
handle_call({r15, X}, F, S) -> answer(F, X, S);
handle_call({r16, X}, _, S) -> {reply, X, S};
handle_call({r17, X}, _, S) -> {reply, X, S};
handle_call({r18, X}, F, S) -> answer(F, X, S);
handle_call({r19, X}, _, S) -> {reply, X, S};
handle_call({r20, X}, _, S) -> {reply, X, S};
handle_call({r21, X}, F, S) -> answer(F, X, S);
handle_call({r22, X}, _, S) -> {reply, X, S};
handle_call({r23, X}, _, S) -> {reply, X, S};
handle_call({r24, X}, F, S) -> answer(F, X, S);
handle_call({r25, X}, _, S) -> {reply, X, S};
handle_call({r26, X}, _, S) -> {reply, X, S};
handle_call({r27, X}, F, S) -> answer(F, X, S);
handle_call({r28, X}, _, S) -> {reply, X, S};
handle_call({r29, X}, _, S) -> {reply, X, S};
handle_call({r30, X}, F, S) -> answer(F, X, S);
handle_call({r31, X}, _, S) -> {reply, X, S};
handle_call({r32, X}, _, S) -> {reply, X, S};
handle_call({r33, X}, F, S) -> answer(F, X, S);
handle_call({r34, X}, _, S) -> {reply, X, S};
handle_call({r35, X}, _, S) -> {reply, X, S};
handle_call({r36, X}, F, S) -> answer(F, X, S);
handle_call({r37, X}, _, S) -> {reply, X, S};
handle_call({r38, X}, _, S) -> {reply, X, S};
handle_call({r39, X}, F, S) -> answer(F, X, S);
handle_call({r40, X}, _, S) -> {reply, X, S}.

answer(From, X, S) -> gen_server:reply(From, X), {noreply, S}.

handle_cast(stop, S) -> {stop, normal, S}.

handle_info({tick, N, From}, S) -> From ! {tock, N}, {noreply, S}.
