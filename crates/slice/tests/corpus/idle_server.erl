%% A server that hears that nothing comes, continues, and has last words.
%% inputs: run(list(one(ping; {wait, 3}; {wait, 8}; {after_, 2}; stop)), int)
-module(idle_server).
-behaviour(gen_server).
-export([run/2, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

run(Evs, N) ->
    Me = self(),
    {ok, P} = gen_server:start({local, a_gst}, ?MODULE, {Me, N}, []),
    Rs = [ev(P, E) || E <- Evs],
    Idle = flush([]),
    catch gen_server:stop(a_gst, normal, 50),
    Last = receive {last, L} -> L after 5 -> none end,
    {Rs, Idle, Last}.

ev(_, {wait, T}) -> timer:sleep(T), waited;
ev(P, ping) -> try gen_server:call(P, ping) catch exit:{R, _} -> {gone, R} end;
ev(P, {after_, T}) -> erlang:send_after(T, P, alarm), ok;
ev(P, stop) -> gen_server:cast(P, stop).

flush(Acc) -> receive {idle, C} -> flush([C | Acc]) after 6 -> lists:reverse(Acc) end.

init({Boss, N}) -> {ok, {Boss, N, 0}, {continue, setup}}.
handle_continue(setup, {B, N, C}) when N < 0 -> {stop, {negative, N}, {B, N, C}};
handle_continue(setup, {B, N, C}) -> {noreply, {B, N * 2, C}, 5}.
handle_call(ping, _, {B, N, C}) -> {reply, {N, C}, {B, N, C + 1}, 5}.
handle_cast(stop, S) -> {stop, normal, S}.
handle_info(timeout, {B, N, C}) -> B ! {idle, C}, {noreply, {B, N, C}};
handle_info(alarm, {B, N, C}) -> {noreply, {B, N + 1, C}, 2}.
terminate(R, {B, N, C}) -> B ! {last, {R, N, C}}.
