%% The life of a gen_server: what it continues with, time-outs, stopping for a reason, answers that come later.
%% inputs: continued(int), timed(int), ended(int), later(int, int), refused(one(0; 1))
-module(gen_server_life).
-behaviour(gen_server).
-export([continued/1, timed/1, ended/1, later/2, refused/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

continued(N) ->
    {ok, Pid} = gen_server:start(?MODULE, {continue, N, N * 3}, []),
    Value = gen_server:call(Pid, value),
    Steps = gen_server:call(Pid, steps),
    gen_server:stop(Pid),
    {Value, Steps}.

timed(N) ->
    {ok, Pid} = gen_server:start(?MODULE, {plain, N, self()}, []),
    gen_server:cast(Pid, {soon, N + 1}),
    Got = receive {timed_out, T} -> T end,
    gen_server:stop(Pid),
    Got.

ended(N) ->
    {Pid, Ref} = started(N),
    Last = gen_server:call(Pid, {finish, N - 1}),
    receive {'DOWN', Ref, process, _, Reason} -> {Last, Reason} end.

started(N) ->
    {ok, Pid} = gen_server:start(?MODULE, {plain, N, none}, []),
    {Pid, monitor(process, Pid)}.

later(A, B) ->
    {ok, Pid} = gen_server:start(?MODULE, {plain, A, none}, []),
    Me = self(),
    spawn(fun() -> Me ! {waited, gen_server:call(Pid, wait)} end),
    receive after 10 -> ok end,
    gen_server:cast(Pid, {release, B}),
    Answer = receive {waited, X} -> X end,
    gen_server:stop(Pid),
    Answer.

refused(N) ->
    case gen_server:start(?MODULE, {refuse, N, none}, []) of
        {ok, Pid} ->
            V = gen_server:call(Pid, value),
            gen_server:stop(Pid),
            {started, V};
        {error, Why} ->
            {not_started, Why}
    end.

init({continue, N, Extra}) -> {ok, {N, 0, none}, {continue, {add, Extra}}};
init({plain, N, Owner}) -> {ok, {N, 0, Owner}};
init({refuse, 0, _}) -> {stop, {shutdown, zero}};
init({refuse, N, Owner}) -> {ok, {N, 0, Owner}}.

handle_continue({add, Extra}, {N, Steps, Owner}) ->
    {noreply, {N + Extra, Steps + 1, Owner}}.

handle_call(value, _From, {N, Steps, Owner}) ->
    {reply, N, {N, Steps + 1, Owner}};
handle_call(steps, _From, {_, Steps, _} = State) ->
    {reply, Steps, State};
handle_call({finish, M}, _From, {N, Steps, Owner}) ->
    {stop, {shutdown, M}, N + M, {N, Steps, Owner}};
handle_call(wait, From, {N, Steps, none}) ->
    {noreply, {N, Steps, {waiting, From}}}.

handle_cast({soon, N}, {_, Steps, Owner}) ->
    {noreply, {N, Steps, Owner}, 10};
handle_cast({release, B}, {N, Steps, {waiting, From}}) ->
    gen_server:reply(From, {N, B}),
    {noreply, {N, Steps, none}}.

handle_info(timeout, {N, Steps, Owner}) ->
    Owner ! {timed_out, N},
    {noreply, {N, Steps + 1, Owner}}.

terminate(_Reason, {_, _, _}) -> ok.
