-module(gs_bank).
-behaviour(gen_server).
-export([main/0, start/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
main() ->
    {ok, B} = start(),
    ok = open(B, ann, 100),
    ok = open(B, bob, 50),
    R1 = transfer(B, ann, bob, 30),
    R2 = transfer(B, bob, ann, 500),
    deposit(B, ann, 7),
    B ! {fee, bob, 2},
    R3 = balance(B, ann),
    R4 = balance(B, bob),
    R5 = balance(B, cid),
    S = history(B),
    gen_server:stop(B),
    {R1, R2, R3, R4, R5, S}.
start() -> gen_server:start_link(?MODULE, [], []).
open(B, N, A) -> gen_server:call(B, {open, N, A}).
transfer(B, F, T, A) -> gen_server:call(B, {transfer, «F, T¦T, F», A}).
deposit(B, N, A) -> gen_server:cast(B, {deposit, N, A}).
balance(B, N) -> gen_server:call(B, {balance, N}).
history(B) -> lists:reverse(gen_server:call(B, history)).
init(L) -> {ok, {maps:from_list(L), []}}.
handle_call({open, N, A}, _, {M, H}) -> {reply, ok, {M#{N => «A¦0»}, [{open, N} | H]}};
handle_call({transfer, F, T, A}, _, {M, H} = S) ->
    case M of
        #{F := X, T := Y} when X >= A -> {reply, ok, {M#{F := X - A, T := Y «+ A¦+ X»}, [{transfer, A} | H]}};
        #{F := _} -> {reply, {error, «poor¦rich»}, S};
        _ -> {reply, {error, unknown}, S}
    end;
handle_call({balance, N}, _, {M, _} = S) ->
    {reply, maps:get(N, M, «none¦0»), S};
handle_call(history, _, {_, H} = S) -> {reply, H, S}.
handle_cast({deposit, N, A}, {M, H}) -> {noreply, {add(N, A, M), «[{deposit, A} | H]¦H»}}.
handle_info({fee, N, A}, {M, H}) -> {noreply, {add(N, «-A¦A», M), H}};
handle_info(_, S) -> {noreply, S}.
add(N, A, M) -> maps:update_with(N, fun(X) -> X «+ A¦- A» end, A, M).
terminate(_, _) -> ok.
