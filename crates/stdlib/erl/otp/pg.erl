%% Process groups, for one node. A scope is a server and a table, both with the
%% scope's name; reading members is a look into the table, which holds
%% {Group, Pids}, a process once for each time it joined, the last first.
-module(pg).
-behaviour(gen_server).

-export([start/1, start_link/0, start_link/1, join/2, join/3, leave/2, leave/3,
         monitor_scope/0, monitor_scope/1, monitor/1, monitor/2, demonitor/1, demonitor/2,
         get_members/1, get_members/2, get_local_members/1, get_local_members/2,
         which_groups/0, which_groups/1, which_local_groups/0, which_local_groups/1]).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-export_type([group/0]).

-type group() :: any().

%% members: pid => {monitor, [group]}. watchers: monitor of a subscriber => {pid, all | group}.
-record(state, {scope, members = #{}, watchers = #{}}).

start(Scope) when is_atom(Scope) -> gen_server:start({local, Scope}, ?MODULE, [Scope], []).

start_link() -> start_link(?MODULE).

start_link(Scope) when is_atom(Scope) -> gen_server:start_link({local, Scope}, ?MODULE, [Scope], []).

join(Group, PidOrPids) -> join(?MODULE, Group, PidOrPids).

join(Scope, Group, PidOrPids) when is_pid(PidOrPids); is_list(PidOrPids) ->
    gen_server:call(Scope, {join, Group, local_pids(PidOrPids)}, infinity).

leave(Group, PidOrPids) -> leave(?MODULE, Group, PidOrPids).

leave(Scope, Group, PidOrPids) when is_pid(PidOrPids); is_list(PidOrPids) ->
    gen_server:call(Scope, {leave, Group, local_pids(PidOrPids)}, infinity).

local_pids(Pids) when is_list(Pids) -> lists:append([local_pids(Pid) || Pid <- Pids]);
local_pids(Pid) when is_pid(Pid), node(Pid) =:= node() -> [Pid];
local_pids(Bad) -> error({nolocal, Bad}).

monitor_scope() -> monitor_scope(?MODULE).

monitor_scope(Scope) -> gen_server:call(Scope, monitor, infinity).

monitor(Group) -> ?MODULE:monitor(?MODULE, Group).

monitor(Scope, Group) -> gen_server:call(Scope, {monitor, Group}, infinity).

demonitor(Ref) when is_reference(Ref) -> ?MODULE:demonitor(?MODULE, Ref).

demonitor(Scope, Ref) when is_reference(Ref) ->
    gen_server:call(Scope, {demonitor, Ref}, infinity) =:= ok andalso flush(Ref).

flush(Ref) ->
    receive {Ref, _, _, _} -> flush(Ref) after 0 -> ok end.

get_members(Group) -> get_members(?MODULE, Group).

get_members(Scope, Group) ->
    try ets:lookup_element(Scope, Group, 2) catch error:badarg -> [] end.

get_local_members(Group) -> get_members(?MODULE, Group).
get_local_members(Scope, Group) -> get_members(Scope, Group).

which_groups() -> which_groups(?MODULE).

which_groups(Scope) when is_atom(Scope) -> [Group || {Group, _} <- ets:tab2list(Scope)].

which_local_groups() -> which_groups(?MODULE).
which_local_groups(Scope) -> which_groups(Scope).

%%% -------------------------------------------------------------------- server

init([Scope]) ->
    Scope = ets:new(Scope, [set, protected, named_table, {read_concurrency, true}]),
    {ok, #state{scope = Scope}}.

handle_call({join, Group, Pids}, _, #state{scope = Scope} = State) ->
    ets:insert(Scope, {Group, lists:foldl(fun(Pid, Acc) -> [Pid | Acc] end, get_members(Scope, Group), Pids)}),
    announce(join, Group, Pids, State),
    {reply, ok, lists:foldl(fun(Pid, S) -> joined(Pid, Group, S) end, State, Pids)};
handle_call({leave, Group, Pids}, _, #state{members = Members} = State) ->
    IsMember = fun(Pid) ->
                       case Members of
                           #{Pid := {_, Groups}} -> lists:member(Group, Groups);
                           _ -> false
                       end
               end,
    case [Pid || Pid <- Pids, IsMember(Pid)] of
        [] ->
            {reply, not_joined, State};
        Leaving ->
            remove(Group, Leaving, State),
            announce(leave, Group, Leaving, State),
            {reply, ok, lists:foldl(fun(Pid, S) -> left(Pid, Group, S) end, State, Leaving)}
    end;
handle_call(monitor, {Pid, _}, #state{scope = Scope, watchers = Watchers} = State) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, maps:from_list(ets:tab2list(Scope))}, State#state{watchers = Watchers#{Ref => {Pid, all}}}};
handle_call({monitor, Group}, {Pid, _}, #state{scope = Scope, watchers = Watchers} = State) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, get_members(Scope, Group)}, State#state{watchers = Watchers#{Ref => {Pid, {group, Group}}}}};
handle_call({demonitor, Ref}, _, #state{watchers = Watchers} = State) ->
    case maps:take(Ref, Watchers) of
        {_, Left} ->
            erlang:demonitor(Ref, [flush]),
            {reply, ok, State#state{watchers = Left}};
        error ->
            {reply, false, State}
    end;
handle_call(_, _, _) ->
    error(badarg).

handle_cast(_, _) -> error(badarg).

handle_info({'DOWN', Ref, process, Pid, _}, #state{members = Members, watchers = Watchers} = State) ->
    case Members of
        #{Pid := {Ref, Groups}} ->
            [begin
                 Times = [Pid || G <- Groups, G =:= Group],
                 remove(Group, Times, State),
                 announce(leave, Group, Times, State)
             end || Group <- lists:usort(Groups)],
            {noreply, State#state{members = maps:remove(Pid, Members)}};
        _ ->
            {noreply, State#state{watchers = maps:remove(Ref, Watchers)}}
    end;
handle_info({What, _}, State) when What =:= nodeup; What =:= nodedown ->
    {noreply, State};
handle_info(_, _) ->
    error(badarg).

terminate(_, #state{scope = Scope}) ->
    true = ets:delete(Scope).

joined(Pid, Group, #state{members = Members} = State) ->
    New = case Members of
              #{Pid := {Ref, Groups}} -> {Ref, [Group | Groups]};
              _ -> {erlang:monitor(process, Pid), [Group]}
          end,
    State#state{members = Members#{Pid => New}}.

left(Pid, Group, #state{members = Members} = State) ->
    case Members of
        #{Pid := {Ref, [Group]}} ->
            erlang:demonitor(Ref, [flush]),
            State#state{members = maps:remove(Pid, Members)};
        #{Pid := {Ref, Groups}} ->
            State#state{members = Members#{Pid := {Ref, lists:delete(Group, Groups)}}};
        _ ->
            State
    end.

remove(Group, Pids, #state{scope = Scope}) ->
    case get_members(Scope, Group) -- Pids of
        [] -> ets:delete(Scope, Group);
        Left -> ets:insert(Scope, {Group, Left})
    end.

announce(What, Group, Pids, #state{watchers = Watchers}) ->
    maps:foreach(fun(Ref, {Pid, all}) -> Pid ! {Ref, What, Group, Pids};
                    (Ref, {Pid, {group, G}}) when G =:= Group -> Pid ! {Ref, What, Group, Pids};
                    (_, _) -> ok
                 end, Watchers).
