%% A gen_server whose callback module says which requests it can serve now (`cpre/3`, as for
%% `gen_server_cpre`), and that serves those that had to wait in the order in which they came.
%%
%% There are three queues. Requests of the *current* one are tried before new ones are received. One
%% that cannot be served goes to *old* if it came from there, and to *new* if it was received. Each
%% time that serving one has changed the state, all of them can be tried again: current becomes old,
%% then current, then new.
-module(gen_server_qcpre).
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

-record(server, {module, state, current = [], old = [], new = []}).

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

init({Module, Args}) ->
    Around = fun(State) -> #server{module = Module, state = State} end,
    erlscope_contract:with_state(Module:init(Args), Around).

handle_call(Request, From, Server) ->
    serve({call, Request, From}, mailbox, Server).

handle_cast(Request, Server) ->
    serve({cast, Request}, mailbox, Server).

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

%% Serves a request that can be served, or lets it wait.
serve(Request, Origin, #server{module = Module, state = State} = Server) ->
    case erlscope_contract:may_serve(Module, Request, State) of
        {true, Next} ->
            Result = erlscope_contract:serve(Module, Request, Next),
            served(Server#server{state = Next}, Result);
        {false, Next} when Origin =:= mailbox ->
            try_current(Server#server{state = Next, new = Server#server.new ++ [Request]});
        {false, Next} ->
            try_current(Server#server{state = Next, old = Server#server.old ++ [Request]})
    end.

%% A request was served: if that changed the state, those that wait are tried again.
served(#server{state = Before} = Server, {noreply, State}) ->
    try_current(changed(Before, Server#server{state = State}));
served(#server{module = Module, state = Before} = Server, {noreply, State, {continue, Info}}) ->
    Next = changed(Before, Server#server{state = State}),
    served(Next, Module:handle_continue(Info, State));
served(#server{state = Before} = Server, {noreply, State, Then}) ->
    case changed(Before, Server#server{state = State}) of
        #server{current = []} = Next -> {noreply, Next, Then};
        Next -> try_current(Next)
    end;
served(Server, {stop, Reason, State}) ->
    {stop, Reason, Server#server{state = State}};
served(_, Other) ->
    Other.

changed(State, #server{state = State} = Server) ->
    Server;
changed(_, #server{current = Current, old = Old, new = New} = Server) ->
    Server#server{current = Old ++ Current ++ New, old = [], new = []}.

%% The requests of the current queue come before those that are to be received.
try_current(#server{current = []} = Server) ->
    {noreply, Server};
try_current(#server{current = [Request | Rest]} = Server) ->
    serve(Request, current, Server#server{current = Rest}).
