%% gen_udp: datagrams inside of this node. Each socket is a port with a process behind it (erlscope_udp).
-module(gen_udp).

-export([open/1, open/2, close/1, connect/2, connect/3, send/2, send/3, send/4, send/5, recv/2, recv/3,
         controlling_process/2]).

-export_type([socket/0, option/0, option_name/0]).

-type socket() :: inet:socket().
-type option() :: term().
-type option_name() :: term().

open(Port) -> open(Port, []).

open(Port, Given) when is_list(Given) ->
    case is_integer(Port) andalso Port >= 0 andalso Port =< 65535 andalso erlscope_socket:options(udp, Given, #{}) of
        {ok, Options, Start} ->
            Family = inet:family(Start, inet),
            Number = case Port of
                         0 -> maps:get(port, Start, 0);
                         _ -> Port
                     end,
            case inet:address(Start#{port => Number}, Family) of
                {ok, {local, Path}} -> erlscope_udp:start({Options, Family, {local, unicode:characters_to_binary(Path)}});
                {ok, Address} -> erlscope_udp:start({Options, Family, Address});
                error -> exit(badarg)
            end;
        _ -> exit(badarg)
    end.

close(Socket) -> inet:close(Socket).

connect(Socket, {Address, Port}) -> connect(Socket, Address, Port);
connect(Socket, #{addr := Address, port := Port}) -> connect(Socket, Address, Port).

connect(Socket, Address, Port) ->
    case there(Address, Port) of
        {ok, There} -> erlscope_socket:call(Socket, {connect, There});
        Error -> Error
    end.

send(Socket, Data) -> send_to(Socket, peer, Data).

send(Socket, #{addr := Address, port := Port}, Data) -> send(Socket, Address, Port, Data);
send(Socket, {local, _} = Local, Data) -> send(Socket, Local, 0, Data);
send(Socket, {Address, Port}, Data) -> send(Socket, Address, Port, Data).

send(Socket, {_, Port} = Destination, Ancillary, Data) when is_integer(Port), is_list(Ancillary), is_binary(Data) ->
    send(Socket, Destination, Data);
send(Socket, Address, Port, Data) ->
    case there(Address, Port) of
        {ok, There} -> send_to(Socket, There, Data);
        Error -> Error
    end.

send(Socket, Address, Port, _Ancillary, Data) -> send(Socket, Address, Port, Data).

send_to(Socket, To, Data) ->
    try iolist_to_binary(Data) of
        Bytes -> erlscope_socket:call(Socket, {send, To, Bytes})
    catch error:badarg -> {error, einval}
    end.

there({local, Path}, _) -> {ok, {local, unicode:characters_to_binary(Path)}};
there(any, Port) -> {ok, {{127, 0, 0, 1}, Port}};
there(loopback, Port) -> {ok, {{127, 0, 0, 1}, Port}};
there(Address, Port) ->
    Family = case Address of
                 _ when is_tuple(Address), tuple_size(Address) =:= 8 -> inet6;
                 _ -> inet
             end,
    case inet:getaddr(Address, Family) of
        {ok, Found} ->
            case erlscope_net:is_own(Found) of
                true -> {ok, {Found, Port}};
                false ->
                    Text = inet:ntoa(Found) ++ ":" ++ integer_to_list(Port),
                    erlscope_native:unsupported("gen_udp:send/4 (" ++ Text ++ "): other hosts are not reached")
            end;
        Error -> Error
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).

recv(Socket, Length, Timeout) when is_port(Socket), is_integer(Length), Length >= 0 ->
    erlscope_socket:call(Socket, recv, Timeout).

controlling_process(Socket, Pid) when is_port(Socket), is_pid(Pid) ->
    erlscope_socket:hand_over(Socket, Pid, #{udp => 1, udp_error => 1, udp_passive => 1}).
