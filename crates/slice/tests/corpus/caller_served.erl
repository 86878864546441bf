%% Who enters the program fails; its server hears of it, or hears nothing for some time.
%% inputs: run(int, list(int))
-module(caller_served).
-behaviour(gen_server).
-export([run/2, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

run(N, L) ->
    {ok, P} = gen_server:start_link(?MODULE, N, []),
    [gen_server:cast(P, {add, X}) || X <- L],
    S = gen_server:call(P, sum),
    true = S < 6,
    gen_server:cast(P, {add, 100}),
    timer:sleep(10),
    exit({over, S}).

init(N) -> process_flag(trap_exit, true), {ok, {N, []}, 5}.
handle_call(sum, _, {N, L}) -> {reply, N + lists:sum(L), {N, L}, 5}.
handle_cast({add, X}, {N, L}) -> {noreply, {N, [X | L]}, 5}.
handle_info(timeout, {N, L}) -> R = {idle, N, L}, {noreply, {N, [R]}};
handle_info({'EXIT', _, R}, S) -> {stop, {parent, R}, S}.
terminate(Why, {N, L}) -> Last = {Why, N, length(L)}, Last.
