%% A server that is asked for more than a set tells apart: each request reaches its own clause.
%% Of the functions that may be called from outside only those that make their process known can
%% be heard of when it ends.
-module(requests).
-behaviour(gen_server).
-export([start/0, watch/1, pure/1, op0/1, op1/1, op2/1, op3/1, op4/1, op5/1, op6/1, op7/1, op8/1, op9/1, op10/1, op11/1, op12/1, op13/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start() -> gen_server:start_link({local, requests}, ?MODULE, [], []).

watch(X) -> gen_server:call(requests, {watch, self(), X}).

pure(X) -> X + 1.

op0(X) -> gen_server:cast(requests, {op0, X}).
op1(X) -> gen_server:cast(requests, {op1, X}).
op2(X) -> gen_server:cast(requests, {op2, X}).
op3(X) -> gen_server:cast(requests, {op3, X}).
op4(X) -> gen_server:cast(requests, {op4, X}).
op5(X) -> gen_server:cast(requests, {op5, X}).
op6(X) -> gen_server:cast(requests, {op6, X}).
op7(X) -> gen_server:cast(requests, {op7, X}).
op8(X) -> gen_server:cast(requests, {op8, X}).
op9(X) -> gen_server:cast(requests, {op9, X}).
op10(X) -> gen_server:cast(requests, {op10, X}).
op11(X) -> gen_server:cast(requests, {op11, X}).
op12(X) -> gen_server:cast(requests, {op12, X}).
op13(X) -> gen_server:cast(requests, {op13, X}).

init([]) -> {ok, []}.

handle_call({watch, Who, _}, _, S) -> monitor(process, Who), {reply, ok, S}.

handle_cast({op0, X}, S) -> {noreply, [X | S]};
handle_cast({op1, X}, S) -> {noreply, [X | S]};
handle_cast({op2, X}, S) -> {noreply, [X | S]};
handle_cast({op3, X}, S) -> {noreply, [X | S]};
handle_cast({op4, X}, S) -> {noreply, [X | S]};
handle_cast({op5, X}, S) -> {noreply, [X | S]};
handle_cast({op6, X}, S) -> {noreply, [X | S]};
handle_cast({op7, X}, S) -> {noreply, [X | S]};
handle_cast({op8, X}, S) -> {noreply, [X | S]};
handle_cast({op9, X}, S) -> {noreply, [X | S]};
handle_cast({op10, X}, S) -> {noreply, [X | S]};
handle_cast({op11, X}, S) -> {noreply, [X | S]};
handle_cast({op12, X}, S) -> {noreply, [X | S]};
handle_cast({op13, X}, S) -> {noreply, [X | S]}.

handle_info({'DOWN', _, process, _, _}, S) -> {noreply, S}.
