%% Enhanced remote procedure calls, for one node. A call to the own node without
%% time limit runs in the caller; otherwise it runs in a monitored process whose
%% exit reason is the outcome. Any other node is not connected.
%%
%% A request identifier is [Tag | Monitor]; outcomes carry the tag, so that a
%% process which exits on its own cannot be taken for a result.
-module(erpc).

-export([call/2, call/3, call/4, call/5, cast/2, cast/4,
         send_request/2, send_request/4, send_request/6,
         receive_response/1, receive_response/2, receive_response/3,
         wait_response/1, wait_response/2, wait_response/3, check_response/2, check_response/3,
         multicall/2, multicall/3, multicall/4, multicall/5, multicast/2, multicast/4,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).

-export([execute_call/4, execute_cast/3]).

-export_type([request_id/0, request_id_collection/0, timeout_time/0]).

-opaque request_id() :: nonempty_improper_list(reference(), reference()).
-opaque request_id_collection() :: #{reference() => nonempty_improper_list(reference(), term())}.
-type timeout_time() :: 0..16#FFFFFFFF | infinity | {abs, integer()}.

-define(MAX_TIMEOUT, 16#FFFFFFFF).
-define(BADARG(), error({?MODULE, badarg})).

%%% --------------------------------------------------------------------- calls

call(Node, Fun) -> call(Node, Fun, infinity).

call(Node, Fun, Timeout) when is_function(Fun, 0) -> call(Node, erlang, apply, [Fun, []], Timeout);
call(_, _, _) -> ?BADARG().

call(Node, M, F, A) -> call(Node, M, F, A, infinity).

call(Node, M, F, A, infinity) when Node =:= node(), is_atom(M), is_atom(F), is_list(A) ->
    try apply(M, F, A)
    catch
        exit:Reason -> exit({exception, Reason});
        error:Reason:Stack -> error({exception, Reason, trimmed(Stack, M, F, A)})
    end;
call(Node, M, F, A, Timeout) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    Time = milliseconds(Timeout),
    receive_response(request(Node, M, F, A), Time);
call(_, _, _, _, _) ->
    ?BADARG().

cast(Node, Fun) -> cast(Node, erlang, apply, [Fun, []]).

cast(Node, M, F, A) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    Node =:= node() andalso spawn(?MODULE, execute_cast, [M, F, A]),
    ok;
cast(_, _, _, _) ->
    ?BADARG().

multicast(Nodes, Fun) -> multicast(Nodes, erlang, apply, [Fun, []]).

multicast(Nodes, M, F, A) when is_list(Nodes) ->
    lists:foreach(fun(Node) -> cast(Node, M, F, A) end, Nodes);
multicast(_, _, _, _) ->
    ?BADARG().

%% Runs in the spawned process.
execute_call(Tag, M, F, A) ->
    exit(try
             {Tag, return, apply(M, F, A)}
         catch
             throw:Reason -> {Tag, throw, Reason};
             exit:Reason -> {Tag, exit, Reason};
             error:Reason:Stack -> {Tag, error, Reason, trimmed(Stack, M, F, A)}
         end).

execute_cast(M, F, A) ->
    try apply(M, F, A)
    catch
        error:Reason:Stack -> error({exception, {Reason, trimmed(Stack, M, F, A)}})
    end.

%% The stack without what is above the called function.
trimmed(Stack, M, F, A) ->
    IsOwn = fun({?MODULE, Own, _, _}) -> lists:member(Own, [execute_call, execute_cast, call, multicall]);
               (_) -> false
            end,
    case lists:splitwith(fun(Frame) -> not IsOwn(Frame) end, Stack) of
        {_, []} ->
            Stack;
        {Frames, _} ->
            Called = fun({Mod, Fun, Args, _}) ->
                             Mod =:= M andalso Fun =:= F andalso
                                 (Args =:= A orelse Args =:= length(A))
                     end,
            case Frames of
                [] -> [{M, F, A, []}];
                _ ->
                    case Called(lists:last(Frames)) of
                        true -> Frames;
                        false -> Frames ++ [{M, F, length(A), []}]
                    end
            end
    end.

%%% ------------------------------------------------------------------ requests

send_request(Node, Fun) when is_atom(Node), is_function(Fun, 0) ->
    request(Node, erlang, apply, [Fun, []]);
send_request(_, _) ->
    ?BADARG().

send_request(Node, Fun, Label, Ids) when is_atom(Node), is_function(Fun, 0), is_map(Ids) ->
    reqids_add(send_request(Node, Fun), Label, Ids);
send_request(Node, M, F, A) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    request(Node, M, F, A);
send_request(_, _, _, _) ->
    ?BADARG().

send_request(Node, M, F, A, Label, Ids) when is_map(Ids) ->
    reqids_add(send_request(Node, M, F, A), Label, Ids);
send_request(_, _, _, _, _, _) ->
    ?BADARG().

request(Node, M, F, A) when Node =:= node() ->
    Tag = make_ref(),
    {_, Ref} = spawn_monitor(?MODULE, execute_call, [Tag, M, F, A]),
    [Tag | Ref];
request(_, _, _, _) ->
    Ref = make_ref(),
    self() ! {'DOWN', Ref, process, undefined, noconnection},
    [make_ref() | Ref].

receive_response(Id) -> receive_response(Id, infinity).

receive_response([Tag | Ref], Timeout) when is_reference(Tag), is_reference(Ref) ->
    receive
        {'DOWN', Ref, process, _, Reason} -> outcome(Tag, Reason)
    after milliseconds(Timeout) ->
        abandon(Ref),
        error({?MODULE, timeout})
    end;
receive_response(_, _) ->
    ?BADARG().

wait_response(Id) -> wait_response(Id, 0).

wait_response([Tag | Ref], Timeout) when is_reference(Tag), is_reference(Ref) ->
    receive
        {'DOWN', Ref, process, _, Reason} -> {response, outcome(Tag, Reason)}
    after milliseconds(Timeout) ->
        no_response
    end;
wait_response(_, _) ->
    ?BADARG().

check_response(Message, [Tag | Ref]) when is_reference(Tag), is_reference(Ref) ->
    case Message of
        {'DOWN', Ref, process, _, Reason} -> {response, outcome(Tag, Reason)};
        _ -> no_response
    end;
check_response(_, _) ->
    ?BADARG().

abandon(Ref) ->
    erlang:demonitor(Ref, [flush]).

outcome(Tag, {Tag, return, Value}) -> Value;
outcome(Tag, {Tag, throw, Reason}) -> throw(Reason);
outcome(Tag, {Tag, exit, Reason}) -> exit({exception, Reason});
outcome(Tag, {Tag, error, Reason, Stack}) -> error({exception, Reason, Stack});
outcome(_, noconnection) -> error({?MODULE, noconnection});
outcome(_, Reason) -> exit({signal, Reason}).

milliseconds(infinity) -> infinity;
milliseconds({abs, Time}) when is_integer(Time) ->
    case Time - erlang:monotonic_time(millisecond) of
        Left when Left > ?MAX_TIMEOUT -> ?BADARG();
        Left -> max(0, Left)
    end;
milliseconds(Time) when is_integer(Time), Time >= 0, Time =< ?MAX_TIMEOUT -> Time;
milliseconds(_) -> ?BADARG().

%%% --------------------------------------------------------------- collections

reqids_new() -> #{}.

reqids_size(Ids) when is_map(Ids) -> map_size(Ids);
reqids_size(_) -> ?BADARG().

reqids_add([Tag | Ref], Label, Ids)
  when is_reference(Tag), is_reference(Ref), is_map(Ids), not is_map_key(Ref, Ids) ->
    Ids#{Ref => [Tag | Label]};
reqids_add(_, _, _) ->
    ?BADARG().

reqids_to_list(Ids) when is_map(Ids) ->
    [{[Tag | Ref], Label} || {Ref, [Tag | Label]} <- maps:to_list(Ids)];
reqids_to_list(_) ->
    ?BADARG().

receive_response(Ids, Timeout, Delete) when is_map(Ids), is_boolean(Delete) ->
    Time = milliseconds(Timeout),
    receive
        {'DOWN', Ref, process, _, Reason} when is_map_key(Ref, Ids) ->
            labelled(Ref, Reason, Ids, Delete, fun(Value) -> Value end)
    after case map_size(Ids) of 0 -> 0; _ -> Time end ->
        case map_size(Ids) of
            0 -> no_request;
            _ ->
                lists:foreach(fun abandon/1, maps:keys(Ids)),
                error({?MODULE, timeout})
        end
    end;
receive_response(_, _, _) ->
    ?BADARG().

wait_response(Ids, Timeout, Delete) when is_map(Ids), is_boolean(Delete) ->
    Time = milliseconds(Timeout),
    receive
        {'DOWN', Ref, process, _, Reason} when is_map_key(Ref, Ids) ->
            labelled(Ref, Reason, Ids, Delete, fun(Value) -> {response, Value} end)
    after case map_size(Ids) of 0 -> 0; _ -> Time end ->
        case map_size(Ids) of
            0 -> no_request;
            _ -> no_response
        end
    end;
wait_response(_, _, _) ->
    ?BADARG().

check_response(Message, Ids, Delete) when is_map(Ids), is_boolean(Delete) ->
    case Message of
        _ when map_size(Ids) =:= 0 -> no_request;
        {'DOWN', Ref, process, _, Reason} when is_map_key(Ref, Ids) ->
            labelled(Ref, Reason, Ids, Delete, fun(Value) -> {response, Value} end);
        _ -> no_response
    end;
check_response(_, _, _) ->
    ?BADARG().

labelled(Ref, Reason, Ids, Delete, Wrap) ->
    #{Ref := [Tag | Label]} = Ids,
    Left = case Delete of true -> maps:remove(Ref, Ids); false -> Ids end,
    try outcome(Tag, Reason) of
        Value -> {Wrap(Value), Label, Left}
    catch
        Class:Exception -> erlang:Class({Exception, Label, Left})
    end.

%%% ----------------------------------------------------------------- multicall

multicall(Nodes, Fun) -> multicall(Nodes, Fun, infinity).

multicall(Nodes, Fun, Timeout) when is_function(Fun, 0) ->
    multicall(Nodes, erlang, apply, [Fun, []], Timeout);
multicall(_, _, _) ->
    ?BADARG().

multicall(Nodes, M, F, A) -> multicall(Nodes, M, F, A, infinity).

multicall(Nodes, M, F, A, Timeout) when is_list(Nodes), is_atom(M), is_atom(F), is_list(A) ->
    lists:all(fun is_atom/1, Nodes) orelse ?BADARG(),
    Time = milliseconds(Timeout),
    Deadline = case Time of
                   infinity -> infinity;
                   _ -> {abs, erlang:monotonic_time(millisecond) + Time}
               end,
    Requests = [request(Node, M, F, A) || Node <- Nodes],
    [try
         {ok, receive_response(Id, Deadline)}
     catch
         Class:Reason -> {Class, Reason}
     end || Id <- Requests];
multicall(_, _, _, _, _) ->
    ?BADARG().
