%% A bank account as a gen_server.
%% inputs: session(int, int), overdraw(int), stop(int)
-module(gen_server_account).
-behaviour(gen_server).
-export([session/2, overdraw/1, stop/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-record(state, {owner, balance = 0, history = []}).

session(Deposit, Withdraw) ->
    {ok, Pid} = gen_server:start(?MODULE, [kim, 100], []),
    ok = gen_server:cast(Pid, {deposit, Deposit}),
    Reply = gen_server:call(Pid, {withdraw, Withdraw}),
    Balance = gen_server:call(Pid, balance),
    gen_server:stop(Pid),
    {Reply, Balance}.

overdraw(N) ->
    {ok, Pid} = gen_server:start(?MODULE, [lee, N], []),
    R = gen_server:call(Pid, {withdraw, N + 1}),
    Pid ! {interest, 10},
    B = gen_server:call(Pid, balance),
    gen_server:stop(Pid),
    {R, B}.

stop(N) ->
    {ok, Pid} = gen_server:start(?MODULE, [sam, N], []),
    Final = gen_server:call(Pid, close),
    Final.

init([Owner, Start]) ->
    {ok, #state{owner = Owner, balance = Start}}.

handle_call({withdraw, N}, _From, #state{balance = B} = S) when N =< B ->
    New = B - N,
    {reply, {ok, New}, S#state{balance = New, history = [N | S#state.history]}};
handle_call({withdraw, _}, _From, S) ->
    {reply, {refused, S#state.owner}, S};
handle_call(balance, _From, S) ->
    {reply, S#state.balance, S};
handle_call(close, _From, #state{owner = O, balance = B} = S) ->
    {stop, normal, {closed, O, B}, S}.

handle_cast({deposit, N}, S) ->
    Sum = S#state.balance + N,
    {noreply, S#state{balance = Sum}}.

handle_info({interest, Percent}, #state{balance = B} = S) ->
    {noreply, S#state{balance = B + B * Percent div 100}}.

terminate(_Reason, _State) -> ok.
