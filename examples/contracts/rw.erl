%% Readers and writers, without the care that they need.
-module(rw).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-record(state, {readers = 0, writer = false}).

-invariant("#state{readers = N, writer = W} -> N >= 0 andalso (not W orelse N =:= 0)").

main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    spawn(fun() -> catch gen_server:call(P, read, infinity), gen_server:cast(P, done_reading) end),
    catch gen_server:call(P, write, infinity),
    gen_server:cast(P, done_writing).

init([]) -> {ok, #state{}}.

handle_call(read, _, S) -> {reply, pass, S#state{readers = S#state.readers + 1}};
handle_call(write, _, S) -> {reply, pass, S#state{writer = true}}.

handle_cast(done_reading, S) -> {noreply, S#state{readers = S#state.readers - 1}};
handle_cast(done_writing, S) -> {noreply, S#state{writer = false}}.
