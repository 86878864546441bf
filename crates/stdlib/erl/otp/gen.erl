%% What the generic behaviours have in common: starting, naming, calling,
%% replying, asynchronous requests and the treatment of format_status.
%%
%% A call to a pid is monitor, send, receive, demonitor; a registered name adds
%% one registry lookup. The monitor doubles as a reply alias, so that no late
%% answer can reach the caller; a local call without time limit cannot have
%% late answers and does without the alias.
-module(gen).

-export([start/5, start/6, init_it/6, init_it/7,
         call/3, call/4, reply/2, stop/1, stop/3,
         send_request/3, send_request/5,
         wait_response/2, wait_response/3,
         receive_response/2, receive_response/3,
         check_response/2, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1,
         name/1, unregister_name/1, get_proc_name/1, get_parent/0,
         debug_options/2, hibernate_after/1,
         format_status_header/2, format_status/4]).

-export_type([reply_tag/0, request_id/0, request_id_collection/0]).

-opaque reply_tag() :: reference()
                     | nonempty_improper_list(alias, reference())
                     | nonempty_improper_list(nonempty_improper_list(alias, reference()), term()).
-opaque request_id() :: reference().
-opaque request_id_collection() :: #{request_id() => term()}.

-define(DEFAULT_TIMEOUT, 5000).
-define(MAX_TIMEOUT, 16#FFFFFFFF).
-define(IS_TIMEOUT(T), (T =:= infinity orelse (is_integer(T) andalso T >= 0))).

%%% ------------------------------------------------------------------ starting

start(GenMod, Linkage, Mod, Args, Options) ->
    start_process(Linkage, fun(Parent) -> [GenMod, self(), Parent, Mod, Args, Options] end, Options).

start(GenMod, Linkage, Name, Mod, Args, Options) ->
    case whereis_name(Name) of
        undefined ->
            start_process(Linkage,
                          fun(Parent) -> [GenMod, self(), Parent, Name, Mod, Args, Options] end,
                          Options);
        Pid ->
            {error, {already_started, Pid}}
    end.

start_process(Linkage, Arguments, Options) ->
    Timeout = option(timeout, Options, infinity),
    SpawnOpts = option(spawn_opt, Options, []),
    case Linkage of
        link ->
            proc_lib:start_link(?MODULE, init_it, Arguments(self()), Timeout, SpawnOpts);
        monitor ->
            case proc_lib:start_monitor(?MODULE, init_it, Arguments(self()), Timeout, SpawnOpts) of
                {{ok, Pid}, Ref} when is_pid(Pid) ->
                    {ok, {Pid, Ref}};
                {Failure, Ref} ->
                    receive {'DOWN', Ref, process, _, _} -> Failure end
            end;
        _ ->
            proc_lib:start(?MODULE, init_it, Arguments(self), Timeout, SpawnOpts)
    end.

option(Key, Options, Default) ->
    case lists:keyfind(Key, 1, Options) of
        {_, Value} -> Value;
        false -> Default
    end.

init_it(GenMod, Starter, Parent, Mod, Args, Options) ->
    GenMod:init_it(Starter, Parent, self(), Mod, Args, Options).

init_it(GenMod, Starter, Parent, Name, Mod, Args, Options) ->
    case register_name(Name) of
        true -> GenMod:init_it(Starter, Parent, Name, Mod, Args, Options);
        false -> proc_lib:init_ack(Starter, {error, {already_started, whereis_name(Name)}})
    end.

%%% --------------------------------------------------------------------- names

whereis_name({local, Name}) -> whereis(Name);
whereis_name({global, Name}) -> global:whereis_name(Name);
whereis_name({via, Registry, Name}) -> Registry:whereis_name(Name).

register_name({local, Name}) ->
    try register(Name, self()) catch error:_ -> false end;
register_name({global, Name}) ->
    global:register_name(Name, self()) =:= yes;
register_name({via, Registry, Name}) ->
    Registry:register_name(Name, self()) =:= yes.

unregister_name({local, Name}) ->
    try unregister(Name) catch error:_ -> ok end,
    ok;
unregister_name({global, Name}) ->
    _ = global:unregister_name(Name),
    ok;
unregister_name({via, Registry, Name}) ->
    _ = Registry:unregister_name(Name),
    ok;
unregister_name(Pid) when is_pid(Pid) ->
    ok.

name({local, Name}) -> Name;
name({global, Name}) -> Name;
name({via, _, Name}) -> Name;
name(Pid) when is_pid(Pid) -> Pid.

get_parent() ->
    case get('$ancestors') of
        [Parent | _] when is_pid(Parent) -> Parent;
        [Parent | _] when is_atom(Parent) -> parent_pid(Parent);
        _ -> exit(process_was_not_started_by_proc_lib)
    end.

parent_pid(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) -> Pid;
        undefined ->
            case global:whereis_name(Name) of
                undefined -> exit(could_not_find_registered_name);
                Pid -> Pid
            end
    end.

%% Turns a server reference into something that can be monitored and sent to.
locate(Name) when is_atom(Name) -> whereis(Name);
locate({global, Name}) -> global:whereis_name(Name);
locate({via, Registry, Name}) -> Registry:whereis_name(Name);
locate({Name, Node}) when Node =:= node() -> locate(Name);
locate({_, Node}) when is_atom(Node), node() =:= nonode@nohost -> exit({nodedown, Node});
locate({_, Node} = Remote) when is_atom(Node) -> Remote;
locate(Pid) when is_pid(Pid) -> Pid.

%%% --------------------------------------------------------------------- calls

call(Server, Label, Request) ->
    call(Server, Label, Request, ?DEFAULT_TIMEOUT).

node_of({_, Node}) -> Node;
node_of(Pid) -> node(Pid).

reply({_, [alias | Alias] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({_, [[alias | Alias] | _] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({To, Tag}, Reply) ->
    try To ! {Tag, Reply} catch _:_ -> ok end,
    ok.

stop(Server) ->
    stop(Server, normal, infinity).

stop(Server, Reason, Timeout) when ?IS_TIMEOUT(Timeout) ->
    do_for_proc(Server, fun(Process) -> proc_lib:stop(Process, Reason, Timeout) end).

%%% ----------------------------------------------------- asynchronous requests

send_request(Server, Label, Request) ->
    try do_for_proc(Server, fun(Process) -> send_to(Process, Label, Request) end)
    catch
        exit:Reason when not is_pid(Server) ->
            %% The failure shows when the response is asked for.
            Ref = make_ref(),
            self() ! {'DOWN', Ref, process, Server, Reason},
            Ref
    end.

send_to(Process, Label, Request) ->
    Ref = erlang:monitor(process, Process, [{alias, demonitor}]),
    _ = erlang:send(Process, {Label, {self(), [alias | Ref]}, Request}, [noconnect]),
    Ref.

send_request(Server, Tag, Request, Label, Ids) when is_map(Ids) ->
    Ids#{send_request(Server, Tag, Request) => Label}.

wait_response(Id, Timeout) ->
    response_within(Id, milliseconds(Timeout)).

response_within(Id, Milliseconds) ->
    receive
        {[alias | Id], Reply} ->
            erlang:demonitor(Id, [flush]),
            {reply, Reply};
        {'DOWN', Id, _, Object, Reason} ->
            {error, {Reason, Object}}
    after Milliseconds ->
        timeout
    end.

receive_response(Id, Timeout) ->
    case response_within(Id, milliseconds(Timeout)) of
        timeout ->
            erlang:demonitor(Id, [flush]),
            receive
                {[alias | Id], Reply} -> {reply, Reply}
            after 0 ->
                timeout
            end;
        Response ->
            Response
    end.

check_response(Message, Id) when is_reference(Id) ->
    case Message of
        {[alias | Id], Reply} ->
            erlang:demonitor(Id, [flush]),
            {reply, Reply};
        {'DOWN', Id, _, Object, Reason} ->
            {error, {Reason, Object}};
        _ ->
            no_reply
    end;
check_response(_, _) ->
    error(badarg).

wait_response(Ids, Timeout, Delete) when is_map(Ids), is_boolean(Delete) ->
    one_response_within(Ids, milliseconds(Timeout), Delete);
wait_response(_, _, _) ->
    error(badarg).

one_response_within(Ids, _, _) when map_size(Ids) =:= 0 ->
    no_request;
one_response_within(Ids, Milliseconds, Delete) ->
    receive
        {[alias | Id], _} = Message when is_map_key(Id, Ids) ->
            one_response(Id, Message, Ids, Delete);
        {'DOWN', Id, _, _, _} = Message when is_map_key(Id, Ids) ->
            one_response(Id, Message, Ids, Delete)
    after Milliseconds ->
        timeout
    end.

one_response(Id, Message, Ids, Delete) ->
    Response = check_response(Message, Id),
    #{Id := Label} = Ids,
    {Response, Label, case Delete of true -> maps:remove(Id, Ids); false -> Ids end}.

receive_response(Ids, Timeout, Delete) ->
    case wait_response(Ids, Timeout, Delete) of
        timeout ->
            lists:foreach(fun(Id) when is_reference(Id) -> erlang:demonitor(Id, [flush]);
                             (_) -> error(badarg)
                          end, maps:keys(Ids)),
            drop_responses(Ids),
            timeout;
        Response ->
            Response
    end.

drop_responses(Ids) ->
    receive
        {[alias | Id], _} when is_map_key(Id, Ids) -> drop_responses(Ids)
    after 0 ->
        ok
    end.

check_response(Message, Ids, Delete) when is_map(Ids), is_boolean(Delete) ->
    case Message of
        _ when map_size(Ids) =:= 0 -> no_request;
        {[alias | Id], _} when is_map_key(Id, Ids) -> one_response(Id, Message, Ids, Delete);
        {'DOWN', Id, _, _, _} when is_map_key(Id, Ids) -> one_response(Id, Message, Ids, Delete);
        _ -> no_reply
    end;
check_response(_, _, _) ->
    error(badarg).

milliseconds(infinity) ->
    infinity;
milliseconds({abs, Time}) when is_integer(Time) ->
    case Time - erlang:monotonic_time(millisecond) of
        Left when Left > ?MAX_TIMEOUT -> error(badarg);
        Left -> max(0, Left)
    end;
milliseconds(Timeout) when is_integer(Timeout), Timeout >= 0, Timeout =< ?MAX_TIMEOUT ->
    Timeout;
milliseconds(_) ->
    error(badarg).

reqids_new() -> #{}.

reqids_size(Ids) when is_map(Ids) -> map_size(Ids);
reqids_size(_) -> error(badarg).

reqids_add(Id, Label, Ids) when is_reference(Id), is_map(Ids), not is_map_key(Id, Ids) ->
    Ids#{Id => Label};
reqids_add(_, _, _) ->
    error(badarg).

reqids_to_list(Ids) when is_map(Ids) -> maps:to_list(Ids);
reqids_to_list(_) -> error(badarg).

%%% ------------------------------------------------------------------- options

hibernate_after(Options) ->
    option(hibernate_after, Options, infinity).

debug_options(Name, Options) ->
    case option(debug, Options, []) of
        [] -> [];
        Debug ->
            try sys:debug_options(Debug)
            catch _:_ ->
                error_logger:format("~tp: ignoring erroneous debug options - ~tp~n", [Name, Debug]),
                []
            end
    end.

%%% -------------------------------------------------------------------- status

format_status_header(Title, Pid) when is_pid(Pid) -> Title ++ " " ++ pid_to_list(Pid);
format_status_header(Title, Name) when is_atom(Name) -> Title ++ " " ++ atom_to_list(Name);
format_status_header(Title, Name) -> {Title, Name}.

%% Lets the callback module edit Status. The result has an 'EXIT' text when the
%% callback misbehaved, and '$status' when it is of the old kind (two arguments,
%% called with Args).
format_status(Mod, Opt, Status, Args) ->
    case erlang:function_exported(Mod, format_status, 1) of
        true ->
            edited_status(Mod, Status);
        false when is_list(Args) ->
            case erlang:function_exported(Mod, format_status, 2) of
                true -> old_status(Mod, Opt, Status, Args);
                false -> Status
            end;
        false ->
            Status
    end.

edited_status(Mod, Status) ->
    try Mod:format_status(Status) of
        #{} = Edited ->
            Merged = maps:merge(Status, Edited),
            case map_size(Merged) =:= map_size(Edited) of
                true -> Merged;
                false -> misbehaved(Mod, "/1 returned a map with unknown keys", Status)
            end;
        _ ->
            misbehaved(Mod, "/1 did not return a map", Status)
    catch
        _:_ -> misbehaved(Mod, "/1 crashed", Status)
    end.

old_status(Mod, Opt, Status, Args) ->
    try Mod:format_status(Opt, Args) of
        Result -> Status#{'$status' => Result}
    catch
        throw:Result -> Status#{'$status' => Result};
        _:_ -> misbehaved(Mod, "/2 crashed", Status)
    end.

misbehaved(Mod, How, Status) ->
    Status#{'EXIT' => atom_to_list(Mod) ++ ":format_status" ++ How}.

%%% -------------------------------------------------------------------- frames
%%
%% The line of the exit is that of OTP 25.2.3.

-file("gen.erl", 214).
call(Server, Label, Request, Timeout) when is_pid(Server), ?IS_TIMEOUT(Timeout) ->
    do_call(Server, Label, Request, Timeout);
call(Server, Label, Request, Timeout) when ?IS_TIMEOUT(Timeout) ->
    do_for_proc(Server, fun(Process) -> do_call(Process, Label, Request, Timeout) end).

-file("gen.erl", 224).
do_call(Process, _, _, _) when Process =:= self() ->
    exit(calling_self);
do_call(Process, Label, Request, infinity) when is_pid(Process), node(Process) =:= node() ->
    Ref = erlang:monitor(process, Process),

    %% Exactly one of the two messages comes, and the reply comes only once.


    %%



    Process ! {Label, {self(), Ref}, Request}, receive

        {Ref, Reply} ->
            erlang:demonitor(Ref, [flush]),
            {ok, Reply};

        {'DOWN', Ref, _, _, Reason} -> exit(Reason)
    end;
do_call(Process, Label, Request, Timeout) ->
    Ref = erlang:monitor(process, Process, [{alias, demonitor}]),






    %% What waits is seen at the line of the sending.


    erlang:send(Process, {Label, {self(), [alias | Ref]}, Request}, [noconnect]), receive

        {[alias | Ref], Reply} ->
            erlang:demonitor(Ref, [flush]),
            {ok, Reply};


        {'DOWN', Ref, _, _, noconnection} ->
            exit({nodedown, node_of(Process)});
        {'DOWN', Ref, _, _, Reason} ->
            exit(Reason)
    after Timeout ->
        erlang:demonitor(Ref, [flush]),
        receive {[alias | Ref], Reply} -> {ok, Reply}
        after 0 ->


            exit(timeout)
        end
    end.

-file("gen.erl", 558).
%% Does Action with the process that Server stands for. A name in a registry
%% may outlive the node of its process.
do_for_proc(Server, Action) ->
    Process = locate(Server),
    Registered = is_tuple(Server) andalso lists:member(element(1, Server), [global, via]),
    if
        Process =:= undefined -> exit(noproc);
        not Registered -> Action(Process);
        true ->
            Node = node(Process),
            try Action(Process)
            catch exit:{nodedown, Node} -> exit(noproc)
            end
    end.

-file("gen.erl", 645).
%% For enter_loop: the process must really have the name it claims.
get_proc_name({local, Name}) ->
    case process_info(self(), registered_name) of
        {registered_name, Name} ->
            Name;

        {registered_name, _} ->
            exit(process_not_registered);
        [] -> exit(process_not_registered)
    end;
get_proc_name({global, Name}) ->
    case global:whereis_name(Name) of
        undefined -> exit(process_not_registered_globally);
        Pid when Pid =:= self() -> Name;


        _ -> exit(process_not_registered_globally)
    end;
get_proc_name({via, Registry, Name}) ->
    case Registry:whereis_name(Name) of
        undefined -> exit({process_not_registered_via, Registry});
        Pid when Pid =:= self() -> Name;


        _ -> exit({process_not_registered_via, Registry})
    end;
get_proc_name(Pid) when is_pid(Pid) ->
    Pid.
