%% A gen_server whose callback module says which requests it can serve now: `cpre/3`, with the
%% request, who made it and the state, gives `{Served, State}`. A request that cannot be served comes
%% behind all that have arrived; where others keep coming, it may wait for ever. `gen_server_qcpre`
%% is fair.
%%
%% EDBC sends such a request to the server again, which goes round and round while nobody comes.
%% Here what has arrived is taken out of the mailbox, so that the request can stand behind it; one
%% that was tried is tried again when another one was served.
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

%% Requests that are to be tried now, in this order, and those that were tried and wait.
-record(server, {module, state, fresh = [], stale = []}).

init({Module, Args}) ->
    Around = fun(State) -> #server{module = Module, state = State} end,
    erlscope_contract:with_state(Module:init(Args), Around).

handle_call(Request, From, Server) ->
    serve({call, Request, From}, Server).

handle_cast(Request, Server) ->
    serve({cast, Request}, Server).

handle_info(Info, #server{module = Module, state = State} = Server) ->
    case erlang:function_exported(Module, handle_info, 2) of
        true -> served(Server, Module:handle_info(Info, State));
        false -> {noreply, Server}
    end.

handle_continue(Info, #server{module = Module, state = State} = Server) ->
    served(Server, Module:handle_continue(Info, State)).

terminate(Reason, #server{module = Module, state = State}) ->
    case erlang:function_exported(Module, terminate, 2) of
        true -> Module:terminate(Reason, State);
        false -> ok
    end.

code_change(Old, #server{module = Module, state = State} = Server, Extra) ->
    case erlang:function_exported(Module, code_change, 3) of
        true ->
            Around = fun(Next) -> Server#server{state = Next} end,
            erlscope_contract:with_state(Module:code_change(Old, State, Extra), Around);
        false ->
            {ok, Server}
    end.

serve(Request, #server{module = Module, state = State, fresh = Fresh, stale = Stale} = Server) ->
    case erlscope_contract:may_serve(Module, Request, State) of
        {true, Next} ->
            served(Server#server{state = Next}, erlscope_contract:serve(Module, Request, Next));
        {false, State} ->
            go_on(Server#server{fresh = Fresh ++ arrived(), stale = Stale ++ [Request]});
        {false, Next} ->
            All = Fresh ++ arrived() ++ Stale ++ [Request],
            go_on(Server#server{state = Next, fresh = All, stale = []})
    end.

%% The requests in the mailbox.
arrived() ->
    receive
        {'$gen_call', From, Request} -> [{call, Request, From} | arrived()];
        {'$gen_cast', Request} -> [{cast, Request} | arrived()]
    after 0 -> []
    end.

%% Something was served: those that wait are tried again.
served(#server{fresh = Fresh, stale = Stale} = Server, {noreply, State}) ->
    go_on(Server#server{state = State, fresh = Fresh ++ Stale, stale = []});
served(#server{module = Module} = Server, {noreply, State, {continue, Info}}) ->
    served(Server#server{state = State}, Module:handle_continue(Info, State));
served(#server{fresh = [], stale = []} = Server, {noreply, State, Then}) ->
    {noreply, Server#server{state = State}, Then};
served(Server, {noreply, State, _}) ->
    served(Server, {noreply, State});
served(Server, {stop, Reason, State}) ->
    {stop, Reason, Server#server{state = State}};
served(_, Other) ->
    Other.

go_on(#server{fresh = []} = Server) ->
    {noreply, Server};
go_on(#server{fresh = [Request | Rest]} = Server) ->
    serve(Request, Server#server{fresh = Rest}).
