%% Global names and locks, for one node. The process global_name_server becomes the server (kernel:wait/2)
%% with the first name or lock; where no node was booted it starts then. Names are read from the table
%% global_names.
%% A name or lock goes when its process ends.
-module(global).
-behaviour(gen_server).

-export([register_name/2, register_name/3, re_register_name/2, re_register_name/3,
         unregister_name/1, whereis_name/1, registered_names/0, send/2, sync/0, info/0,
         set_lock/1, set_lock/2, set_lock/3, del_lock/1, del_lock/2,
         trans/2, trans/3, trans/4, node_disconnected/1, disconnect/0,
         random_exit_name/3, random_notify_name/3, notify_all_name/3]).

-export([new_table/0, start/0, start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-export_type([id/0]).

-type id() :: {ResourceId :: term(), LockRequesterId :: term()}.

-define(SERVER, global_name_server).

%% names: monitor => name. locks: resource => {requester, [{pid, monitor}]}.
-record(state, {names = #{}, locks = #{}}).

%%% --------------------------------------------------------------------- names

register_name(Name, Pid) -> register_name(Name, Pid, fun ?MODULE:random_exit_name/3).

register_name(Name, Pid, Resolve) when is_pid(Pid), is_function(Resolve, 3) orelse is_tuple(Resolve) ->
    call({register, Name, Pid}).

re_register_name(Name, Pid) -> re_register_name(Name, Pid, fun ?MODULE:random_exit_name/3).

re_register_name(Name, Pid, Resolve) when is_pid(Pid), is_function(Resolve, 3) orelse is_tuple(Resolve) ->
    call({re_register, Name, Pid}).

unregister_name(Name) ->
    case whereis_name(Name) of
        undefined -> ok;
        _ -> call({unregister, Name})
    end.

whereis_name(Name) ->
    try ets:lookup(global_names, Name) of
        [{_, Pid, _}] ->
            case is_process_alive(Pid) of
                true -> Pid;
                false -> undefined
            end;
        [] -> undefined
    catch
        error:badarg -> undefined           % nothing was ever registered
    end.

registered_names() ->
    try [Name || {Name, _, _} <- ets:tab2list(global_names)]
    catch error:badarg -> []
    end.

send(Name, Message) ->
    case whereis_name(Name) of
        Pid when is_pid(Pid) ->
            Pid ! Message,
            Pid;
        undefined ->
            exit({badarg, {Name, Message}})
    end.

%% Conflicts of names come from connecting nodes, so these are never called.
random_exit_name(_, Pid, _) -> Pid.
random_notify_name(_, Pid, _) -> Pid.
notify_all_name(_, _, _) -> none.

%%% --------------------------------------------------------------------- locks

set_lock(Id) -> set_lock(Id, [node() | nodes()]).

set_lock(Id, Nodes) -> set_lock(Id, Nodes, infinity).

set_lock({_, _} = Id, Nodes, Retries)
  when is_list(Nodes), Retries =:= infinity orelse (is_integer(Retries) andalso Retries >= 0) ->
    try_lock(Id, Retries, 1).

try_lock(Id, Retries, Times) ->
    case call({set_lock, Id}) of
        true -> true;
        false when Retries =:= 0 -> false;
        false ->
            timer:sleep(min(8000, 250 * Times)),
            try_lock(Id, case Retries of infinity -> infinity; _ -> Retries - 1 end, Times * 2)
    end.

del_lock(Id) -> del_lock(Id, [node() | nodes()]).

del_lock({_, _} = Id, Nodes) when is_list(Nodes) ->
    call({del_lock, Id}).

trans(Id, Fun) -> trans(Id, Fun, [node() | nodes()]).

trans(Id, Fun, Nodes) -> trans(Id, Fun, Nodes, infinity).

trans(Id, Fun, Nodes, Retries) ->
    case set_lock(Id, Nodes, Retries) of
        true ->
            try Fun() after del_lock(Id, Nodes) end;
        false ->
            aborted
    end.

sync() -> ok.

info() -> [].

node_disconnected(_) -> ok.

disconnect() -> [].

%%% -------------------------------------------------------------------- server

start() -> gen_server:start({local, ?SERVER}, ?MODULE, [], []).

start_link() -> gen_server:start_link({local, ?SERVER}, ?MODULE, [], []).

call(Request) ->
    try gen_server:call(?SERVER, Request, infinity)
    catch
        exit:{noproc, _} ->
            start(),
            gen_server:call(?SERVER, Request, infinity)
    end.

init([]) ->
    process_flag(trap_exit, true),
    ets:info(global_names, owner) =:= self() orelse new_table(),
    {ok, #state{}}.

new_table() -> ets:new(global_names, [set, named_table, protected, {read_concurrency, true}]).

handle_call({register, Name, Pid}, _, State) ->
    case whereis_name(Name) of
        undefined -> {reply, yes, add_name(Name, Pid, remove_name(Name, State))};
        _ -> {reply, no, State}
    end;
handle_call({re_register, Name, Pid}, _, State) ->
    {reply, yes, add_name(Name, Pid, remove_name(Name, State))};
handle_call({unregister, Name}, _, State) ->
    {reply, ok, remove_name(Name, State)};
handle_call({set_lock, {Resource, Requester}}, {Pid, _}, #state{locks = Locks} = State) ->
    case Locks of
        #{Resource := {Requester, Holders}} ->
            New = [{Pid, monitor(process, Pid)} | Holders],
            {reply, true, State#state{locks = Locks#{Resource := {Requester, New}}}};
        #{Resource := _} ->
            {reply, false, State};
        _ ->
            New = [{Pid, monitor(process, Pid)}],
            {reply, true, State#state{locks = Locks#{Resource => {Requester, New}}}}
    end;
handle_call({del_lock, {Resource, Requester}}, {Pid, _}, #state{locks = Locks} = State) ->
    case Locks of
        #{Resource := {Requester, Holders}} ->
            case lists:keytake(Pid, 1, Holders) of
                {value, {_, Ref}, Left} ->
                    demonitor(Ref, [flush]),
                    {reply, true, State#state{locks = with_holders(Resource, Requester, Left, Locks)}};
                false ->
                    {reply, true, State}
            end;
        _ ->
            {reply, true, State}
    end;
handle_call(info, _, State) ->
    {reply, State, State};
handle_call(_, _, State) ->
    {noreply, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info({'DOWN', Ref, process, _, _}, #state{names = Names, locks = Locks} = State) ->
    case Names of
        #{Ref := Name} ->
            ets:delete(global_names, Name),
            {noreply, State#state{names = maps:remove(Ref, Names)}};
        _ ->
            Left = maps:fold(fun(Resource, {Requester, Holders}, Acc) ->
                                     with_holders(Resource, Requester, lists:keydelete(Ref, 2, Holders), Acc)
                             end, Locks, Locks),
            {noreply, State#state{locks = Left}}
    end;
handle_info(_, State) ->
    {noreply, State}.

add_name(Name, Pid, #state{names = Names} = State) ->
    Ref = monitor(process, Pid),
    ets:insert(global_names, {Name, Pid, Ref}),
    State#state{names = Names#{Ref => Name}}.

remove_name(Name, #state{names = Names} = State) ->
    case ets:take(global_names, Name) of
        [{_, _, Ref}] ->
            demonitor(Ref, [flush]),
            State#state{names = maps:remove(Ref, Names)};
        [] ->
            State
    end.

with_holders(Resource, _, [], Locks) -> maps:remove(Resource, Locks);
with_holders(Resource, Requester, Holders, Locks) -> Locks#{Resource => {Requester, Holders}}.
