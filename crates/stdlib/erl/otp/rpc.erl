%% Remote procedure calls of the old kind, on top of erpc, for one node.
-module(rpc).

-export([call/4, call/5, block_call/4, block_call/5, cast/4, abcast/2, abcast/3,
         sbcast/2, sbcast/3, eval_everywhere/3, eval_everywhere/4,
         multicall/3, multicall/4, multicall/5, server_call/4,
         multi_server_call/2, multi_server_call/3,
         async_call/4, yield/1, nb_yield/1, nb_yield/2, parallel_eval/1, pmap/3,
         pinfo/1, pinfo/2]).

-export_type([key/0]).

-opaque key() :: erpc:request_id().

call(Node, M, F, A) -> call(Node, M, F, A, infinity).

call(Node, M, F, A, Timeout) ->
    bad_or_value(fun() -> erpc:call(Node, M, F, A, Timeout) end).

%% OTP evaluates block calls one by one in a server; here they are calls.
block_call(Node, M, F, A) -> call(Node, M, F, A).
block_call(Node, M, F, A, Timeout) -> call(Node, M, F, A, Timeout).

bad_or_value(Call) ->
    try Call() of
        {'EXIT', _} = Exit -> {badrpc, Exit};
        Value -> Value
    catch
        Class:Reason -> bad(Class, Reason)
    end.

bad(throw, {'EXIT', _} = Exit) -> {badrpc, Exit};
bad(throw, Value) -> Value;
bad(exit, {exception, Reason}) -> {badrpc, {'EXIT', Reason}};
bad(exit, {signal, Reason}) -> {badrpc, {'EXIT', Reason}};
bad(error, {exception, Reason, Stack}) -> {badrpc, {'EXIT', {Reason, Stack}}};
bad(error, {erpc, badarg}) -> error(badarg);
bad(error, {erpc, noconnection}) -> {badrpc, nodedown};
bad(error, {erpc, timeout}) -> {badrpc, timeout};
bad(error, {erpc, Reason}) -> {badrpc, {'EXIT', Reason}};
bad(Class, Reason) -> erlang:Class(Reason).

cast(Node, M, F, A) ->
    try erpc:cast(Node, M, F, A) of
        ok -> true
    catch
        error:{erpc, badarg} -> error(badarg)
    end.

abcast(Name, Message) -> abcast([node() | nodes()], Name, Message).

abcast(Nodes, Name, Message) ->
    lists:foreach(fun(Node) ->
                          try erlang:send({Name, Node}, Message) catch error:_ -> ok end
                  end, Nodes),
    abcast.

sbcast(Name, Message) -> sbcast([node() | nodes()], Name, Message).

sbcast(Nodes, Name, Message) ->
    {Good, Bad} = lists:partition(fun(Node) -> Node =:= node() andalso whereis(Name) =/= undefined end, Nodes),
    [Name ! Message || _ <- Good],
    {Good, Bad}.

eval_everywhere(M, F, A) -> eval_everywhere([node() | nodes()], M, F, A).

eval_everywhere(Nodes, M, F, A) ->
    lists:foreach(fun(Node) -> cast(Node, M, F, A) end, Nodes),
    abcast.

multicall(M, F, A) -> multicall([node() | nodes()], M, F, A, infinity).

multicall(Nodes, M, F, A) when is_list(Nodes) -> multicall(Nodes, M, F, A, infinity);
multicall(M, F, A, Timeout) -> multicall([node() | nodes()], M, F, A, Timeout).

multicall(Nodes, M, F, A, Timeout) ->
    Results = try erpc:multicall(Nodes, M, F, A, Timeout)
              catch error:{erpc, badarg} -> error(badarg)
              end,
    Pairs = lists:zip(Nodes, Results),
    IsBad = fun({_, {error, {erpc, Reason}}}) -> Reason =:= timeout orelse Reason =:= noconnection;
               (_) -> false
            end,
    {Bad, Good} = lists:partition(IsBad, Pairs),
    {[case Result of
          {ok, {'EXIT', _} = Exit} -> {badrpc, Exit};
          {ok, Value} -> Value;
          {Class, Reason} -> bad(Class, Reason)
      end || {_, Result} <- Good],
     [Node || {Node, _} <- Bad]}.

server_call(Node, Name, Wrapper, Message) when is_atom(Node), is_atom(Name) ->
    case Node =:= node() of
        false ->
            {error, nodedown};
        true ->
            Ref = erlang:monitor(process, Name),
            catch Name ! {self(), Message},
            receive
                {'DOWN', Ref, _, _, _} -> {error, nodedown};
                {Wrapper, Node, Reply} ->
                    erlang:demonitor(Ref, [flush]),
                    Reply
            end
    end.

multi_server_call(Name, Message) -> multi_server_call([node() | nodes()], Name, Message).

multi_server_call(Nodes, Name, Message) when is_list(Nodes), is_atom(Name) ->
    lists:foldl(fun(Node, {Replies, Bad}) ->
                        case server_call(Node, Name, Name, Message) of
                            {error, nodedown} -> {Replies, [Node | Bad]};
                            Reply -> {[Reply | Replies], Bad}
                        end
                end, {[], []}, Nodes).

async_call(Node, M, F, A) ->
    try erpc:send_request(Node, M, F, A)
    catch error:{erpc, badarg} -> error(badarg)
    end.

yield(Key) -> bad_or_value(fun() -> erpc:receive_response(Key) end).

nb_yield(Key) -> nb_yield(Key, 0).

nb_yield(Key, Timeout) ->
    try erpc:wait_response(Key, Timeout) of
        no_response -> timeout;
        {response, {'EXIT', _} = Exit} -> {value, {badrpc, Exit}};
        {response, Value} -> {value, Value}
    catch
        Class:Reason -> {value, bad(Class, Reason)}
    end.

parallel_eval(Calls) ->
    Keys = [async_call(node(), M, F, A) || {M, F, A} <- Calls],
    [yield(Key) || Key <- Keys].

pmap({M, F}, Extra, List) when is_atom(M), is_atom(F) ->
    Results = parallel_eval([{M, F, [Element | Extra]} || Element <- List]),
    case [Bad || {badrpc, _} = Bad <- Results] of
        [] -> Results;
        _ -> exit(badrpc)
    end.

pinfo(Pid) -> process_info(Pid).

pinfo(Pid, Items) -> process_info(Pid, Items).
