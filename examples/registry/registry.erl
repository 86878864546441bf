%% Names for processes, kept by a server that watches them: when a process ends its name is free again.
-module(registry).
-behaviour(gen_server).
-export([start_link/0, stop/0, claim/1, whois/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> gen_server:start_link({local, registry}, ?MODULE, [], []).
stop() -> gen_server:stop(registry).

%% The caller gets the name: true, or false if somebody has it.
claim(Name) -> gen_server:call(registry, {claim, Name}).
whois(Name) -> gen_server:call(registry, {whois, Name}).

init([]) -> {ok, #{}}.

handle_call({claim, Name}, {Pid, _}, Names) ->
    case Names of
        #{Name := _} -> {reply, false, Names};
        #{} -> {reply, true, Names#{Name => {Pid, monitor(process, Pid)}}}
    end;
handle_call({whois, Name}, _From, Names) ->
    {reply, case Names of #{Name := {Pid, _}} -> Pid; #{} -> nobody end, Names}.

handle_cast(_, Names) -> {noreply, Names}.

handle_info({'DOWN', Ref, process, _, _}, Names) ->
    {noreply, maps:filter(fun(_, {_, R}) -> R =/= Ref end, Names)}.
