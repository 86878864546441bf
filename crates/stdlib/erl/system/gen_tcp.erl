%% gen_tcp: connections inside of this node. Each socket is a port with a process behind it (erlscope_tcp); addresses are those
%% of erlscope_net.
-module(gen_tcp).

-export([connect/2, connect/3, connect/4, listen/2, accept/1, accept/2, send/2, recv/2, recv/3, unrecv/2, close/1,
         shutdown/2, controlling_process/2]).

-export_type([socket/0, option/0, option_name/0, connect_option/0, listen_option/0]).

-type socket() :: inet:socket().
-type option() :: term().
-type option_name() :: term().
-type connect_option() :: term().
-type listen_option() :: term().

connect(SocketAddress, Options) -> connect(SocketAddress, Options, infinity).

connect(#{family := Family} = SocketAddress, Options, Timeout) when is_list(Options) ->
    case SocketAddress of
        #{path := Path} -> connect({local, Path}, 0, [Family | Options], Timeout);
        #{addr := Address, port := Port} -> connect(Address, Port, [Family | Options], Timeout);
        _ -> {error, einval}
    end;
connect(Address, Port, Options) -> connect(Address, Port, Options, infinity).

connect(Address, Port, Given, Timeout) when is_list(Given) ->
    Start = case Address of
                {local, _} -> #{family => local};
                _ when is_tuple(Address), tuple_size(Address) =:= 8 -> #{family => inet6};
                _ -> #{}
            end,
    case is_port_number(Port) andalso erlscope_socket:options(tcp, Given, Start) of
        {ok, Options, Begin} -> connect_to(Address, port_number(Port), Options, Begin, Timeout);
        _ when is_integer(Port), (Port < 0 orelse Port > 65535) -> error(function_clause);
        _ -> exit(badarg)
    end.

connect_to(Address, Port, Options, Start, Timeout) ->
    Family = inet:family(Start, inet),
    case {there(Address, Port, Family), inet:address(Start, Family)} of
        {{ok, There}, {ok, Here}} ->
            case erlscope_tcp:start(connecting, {Options, Family, Here}) of
                {ok, Socket} ->
                    case erlscope_socket:call(Socket, {connect, There}, Timeout) of
                        ok -> {ok, Socket};
                        Error ->
                            close(Socket),
                            Error
                    end;
                Error -> Error
            end;
        {_, error} -> exit(badarg);
        {Error, _} -> Error
    end.

there({local, _} = Address, _, _) -> {ok, local(Address)};
there(any, Port, Family) -> {ok, {erlscope_net:any(Family), Port}};
there(loopback, Port, Family) -> {ok, {erlscope_net:loopback(erlscope_net:any(Family)), Port}};
there(Address, Port, Family) ->
    case inet:getaddr(Address, Family) of
        {ok, Found} ->
            case erlscope_net:is_own(Found) of
                true -> {ok, {Found, Port}};
                false ->
                    Text = inet:ntoa(Found) ++ ":" ++ integer_to_list(Port),
                    erlscope_native:unsupported("gen_tcp:connect/4 (" ++ Text ++ "): other hosts are not reached")
            end;
        Error -> Error
    end.

local({local, Path}) -> {local, unicode:characters_to_binary(Path)}.

is_port_number(Port) -> is_integer(Port) andalso Port >= 0 andalso Port =< 65535 orelse is_atom(Port) orelse is_list(Port).

port_number(Port) when is_integer(Port) -> Port;
port_number(Name) ->
    case inet:getservbyname(Name, tcp) of
        {ok, Port} -> Port;
        {error, _} -> exit(badarg)
    end.

listen(Port, Given) when is_list(Given) ->
    case is_port_number(Port) andalso erlscope_socket:options(tcp, Given, #{}) of
        {ok, Options, Start} ->
            Family = inet:family(Start, inet),
            Number = case port_number(Port) of
                         0 -> maps:get(port, Start, 0);
                         N -> N
                     end,
            case inet:address(Start#{port => Number}, Family) of
                {ok, {local, _} = Address} -> erlscope_tcp:start(listening, {Options, Family, local(Address)});
                {ok, Address} -> erlscope_tcp:start(listening, {Options, Family, Address});
                error -> exit(badarg)
            end;
        _ -> exit(badarg)
    end.

accept(Socket) -> accept(Socket, infinity).

accept(Socket, Timeout) -> erlscope_socket:call(Socket, accept, Timeout).

send(Socket, Data) when is_port(Socket) ->
    try iolist_to_binary(Data) of
        Bytes -> erlscope_socket:call(Socket, {send, Bytes})
    catch error:badarg -> {error, einval}
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).

recv(Socket, Length, Timeout) when is_port(Socket), is_integer(Length), Length >= 0 ->
    erlscope_socket:call(Socket, {recv, Length}, Timeout).

unrecv(Socket, Data) -> erlscope_socket:call(Socket, {unrecv, iolist_to_binary(Data)}).

close(Socket) -> inet:close(Socket).

shutdown(Socket, How) when is_port(Socket), (How =:= read orelse How =:= write orelse How =:= read_write) ->
    case erlscope_socket:call(Socket, {shutdown, How}) of
        {error, closed} -> {error, closed};
        Answer -> Answer
    end.

controlling_process(Socket, Pid) when is_port(Socket), is_pid(Pid) ->
    erlscope_socket:hand_over(Socket, Pid, #{tcp => 1, tcp_closed => 1, tcp_error => 1, tcp_passive => 1, http => 1}).
