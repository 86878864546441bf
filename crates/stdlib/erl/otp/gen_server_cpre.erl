%% A gen_server whose callback module says which requests it can serve now: `cpre/3`, with the
%% request, who made it and the state, gives `{Served, State}`. A request that cannot be served is
%% sent to the server again, so it comes behind all that have arrived; where others keep coming, it
%% may wait for ever. `gen_server_qcpre` is fair.
%%
%% A callback module may have `cpre_cast/2` for casts (the cast and the state); without it all are
%% served.
-module(gen_server_cpre).
-behaviour(gen_server).

-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3, call/2, call/3, cast/2,
         reply/2, abcast/2, abcast/3, multi_call/2, multi_call/3, multi_call/4]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2,
         code_change/3]).

-callback init(Args :: term()) ->
    {ok, State :: term()} | {ok, State :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term()} | ignore.
-callback handle_call(Request :: term(), From :: {pid(), Tag :: term()}, State :: term()) ->
    {reply, Reply :: term(), NewState :: term()} |
    {reply, Reply :: term(), NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), Reply :: term(), NewState :: term()} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_cast(Request :: term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_info(Info :: timeout | term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_continue(Info :: term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback terminate(Reason :: term(), State :: term()) -> term().
-callback code_change(OldVsn :: term(), State :: term(), Extra :: term()) ->
    {ok, NewState :: term()} | {error, Reason :: term()}.
-callback cpre(Request :: term(), From :: {pid(), Tag :: term()}, State :: term()) ->
    {Served :: boolean(), NewState :: term()}.
-callback cpre_cast(Request :: term(), State :: term()) ->
    {Served :: boolean(), NewState :: term()}.
-optional_callbacks([handle_info/2, handle_continue/2, terminate/2, code_change/3, cpre_cast/2]).

start(Module, Args, Options) ->
    gen_server:start(?MODULE, {Module, Args}, Options).
start(Name, Module, Args, Options) ->
    gen_server:start(Name, ?MODULE, {Module, Args}, Options).
start_link(Module, Args, Options) ->
    gen_server:start_link(?MODULE, {Module, Args}, Options).
start_link(Name, Module, Args, Options) ->
    gen_server:start_link(Name, ?MODULE, {Module, Args}, Options).
stop(Server) -> gen_server:stop(Server).
stop(Server, Reason, Timeout) -> gen_server:stop(Server, Reason, Timeout).
call(Server, Request) -> gen_server:call(Server, Request).
call(Server, Request, Timeout) -> gen_server:call(Server, Request, Timeout).
cast(Server, Request) -> gen_server:cast(Server, Request).
reply(From, Reply) -> gen_server:reply(From, Reply).
abcast(Name, Request) -> gen_server:abcast(Name, Request).
abcast(Nodes, Name, Request) -> gen_server:abcast(Nodes, Name, Request).
multi_call(Name, Request) -> gen_server:multi_call(Name, Request).
multi_call(Nodes, Name, Request) -> gen_server:multi_call(Nodes, Name, Request).
multi_call(Nodes, Name, Request, Timeout) ->
    gen_server:multi_call(Nodes, Name, Request, Timeout).

%% The state is that of the callback module, and which one that is.

init({Module, Args}) ->
    with(Module, Module:init(Args)).

handle_call(Request, From, {Module, State}) ->
    case Module:cpre(Request, From, State) of
        {true, Next} ->
            with(Module, Module:handle_call(Request, From, Next));
        {false, Next} ->
            self() ! {'$gen_call', From, Request},
            {noreply, {Module, Next}}
    end.

handle_cast(Request, {Module, State}) ->
    case erlscope_contract:may_cast(Module, Request, State) of
        {true, Next} ->
            with(Module, Module:handle_cast(Request, Next));
        {false, Next} ->
            self() ! {'$gen_cast', Request},
            {noreply, {Module, Next}}
    end.

handle_info(Info, {Module, State}) ->
    case erlang:function_exported(Module, handle_info, 2) of
        true -> with(Module, Module:handle_info(Info, State));
        false -> {noreply, {Module, State}}
    end.

handle_continue(Info, {Module, State}) ->
    with(Module, Module:handle_continue(Info, State)).

terminate(Reason, {Module, State}) ->
    case erlang:function_exported(Module, terminate, 2) of
        true -> Module:terminate(Reason, State);
        false -> ok
    end.

code_change(Old, {Module, State}, Extra) ->
    case erlang:function_exported(Module, code_change, 3) of
        true -> with(Module, Module:code_change(Old, State, Extra));
        false -> {ok, {Module, State}}
    end.

%% What a callback gave, with our state around its own.
with(Module, Result) ->
    erlscope_contract:with_state(Result, fun(State) -> {Module, State} end).
