%% What gen_tcp, gen_udp and inet share: asking the process behind a socket, and the options that sockets have.
-module(erlscope_socket).

-export([call/2, call/3, cast/2, close/1, hand_over/3]).
-export([options/3, set/3, get/2, defaults/1]).

%% ---- asking ----

call(Socket, Request) -> call(Socket, Request, infinity).

%% The answer to a request; {error, closed} if there is no such socket (any more), {error, timeout} if there is none in time.
call(Socket, Request, Timeout) when is_port(Socket) ->
    Ref = erlang:monitor(port, Socket),
    Socket ! {Ref, self(), Request},
    receive
        {Ref, Answer} ->
            erlang:demonitor(Ref, [flush]),
            Answer;
        {'DOWN', Ref, port, _, _} -> {error, closed}
    after Timeout ->
        %% Who has answered meanwhile does not mind; who has not does it now.
        Socket ! {Ref, self(), cancel},
        receive
            {Ref, Answer} ->
                erlang:demonitor(Ref, [flush]),
                Answer;
            {'DOWN', Ref, port, _, _} -> {error, closed}
        end
    end;
call(_, _, _) -> {error, einval}.

cast(Socket, Request) -> Socket ! {cast, Request}.

%% Closes a socket; the caller is not told of its end any more.
close(Socket) ->
    unlink(Socket),
    _ = call(Socket, close),
    receive {'EXIT', Socket, _} -> ok after 0 -> ok end.

%% Gives a socket to another process, with what has come for the old owner.
hand_over(Socket, New, Tags) ->
    case erlang:port_info(Socket, connected) of
        undefined -> {error, closed};
        {connected, New} -> ok;
        {connected, Old} when Old =/= self() -> {error, not_owner};
        _ ->
            case call(Socket, {hold, New}) of
                {ok, Active} ->
                    unlink(Socket),
                    receive {'EXIT', Socket, _} -> ok after 0 -> ok end,
                    move(Socket, New, Tags),
                    cast(Socket, {release, Active}),
                    ok;
                Error -> Error
            end
    end.

move(Socket, New, Tags) ->
    receive
        Message when is_tuple(Message), tuple_size(Message) >= 2, element(2, Message) =:= Socket,
                     is_atom(element(1, Message)), is_map_key(element(1, Message), Tags) ->
            New ! Message,
            move(Socket, New, Tags)
    after 0 -> ok
    end.

%% ---- options ----

%% Options of a new socket: {ok, Options, Start} where Start has what only matters at the start (ip, port, family), or error.
options(Kind, Given, Start) -> options(Given, defaults(Kind), Start, Kind).

options([], Options, Start, _) -> {ok, Options, Start};
options([Option | More], Options, Start, Kind) ->
    case Option of
        {ip, Address} -> options(More, Options, address(Address, Start), Kind);
        {ifaddr, Address} -> options(More, Options, address(Address, Start), Kind);
        {port, Port} when is_integer(Port), Port >= 0, Port =< 65535 -> options(More, Options, Start#{port => Port}, Kind);
        {port, Name} when is_atom(Name) ->
            case inet:getservbyname(Name, tcp) of
                {ok, Port} -> options(More, Options, Start#{port => Port}, Kind);
                _ -> error
            end;
        Family when Family =:= inet; Family =:= inet6; Family =:= local -> options(More, Options, Start#{family => Family}, Kind);
        {fd, _} -> options(More, Options, Start, Kind);
        {inet_backend, _} -> options(More, Options, Start, Kind);
        {Module, _} when Module =:= tcp_module; Module =:= udp_module -> options(More, Options, Start, Kind);
        _ ->
            case set(Kind, Option, Options) of
                {ok, New} -> options(More, New, Start, Kind);
                error -> error
            end
    end;
options(_, _, _, _) -> error.

address({local, _} = Address, Start) -> Start#{ip => Address, family => local};
address(any, Start) -> Start;
address(loopback, Start) -> Start#{ip => loopback};
address(Address, Start) when tuple_size(Address) =:= 8 -> Start#{ip => Address, family => inet6};
address(Address, Start) -> Start#{ip => Address}.

set(_, list, Options) -> {ok, Options#{mode => list}};
set(_, binary, Options) -> {ok, Options#{mode => binary}};
set(Kind, {active, N}, #{active := Now} = Options) when is_integer(N), N >= -32768, N =< 32767 ->
    Sum = case Now of
              M when is_integer(M) -> M + N;
              _ -> N
          end,
    if
        Sum > 32767 -> error;
        Sum =< 0, Kind =/= start -> {ok, Options#{active => false, passive => true}};
        true -> {ok, Options#{active => Sum}}
    end;
set(_, {active, How}, Options) when How =:= true; How =:= false; How =:= once -> {ok, Options#{active => How}};
set(_, {active, _}, _) -> error;
set(_, {packet, raw}, Options) -> {ok, Options#{packet => raw}};
set(_, {packet, 0}, Options) -> {ok, Options#{packet => 0}};
set(_, {packet, Type}, Options) ->
    case lists:member(Type, [1, 2, 4, asn1, cdr, sunrm, fcgi, tpkt, line, http, http_bin, httph, httph_bin]) of
        true -> {ok, Options#{packet => Type, headers => false}};
        false -> error
    end;
set(_, {mode, Mode}, Options) when Mode =:= list; Mode =:= binary -> {ok, Options#{mode => Mode}};
set(_, {mode, _}, _) -> error;
set(_, {raw, _, _, _}, Options) -> {ok, Options};
set(_, {Membership, _}, Options) when Membership =:= add_membership; Membership =:= drop_membership -> {ok, Options};
set(_, {Name, Value}, Options) ->
    case Options of
        #{Name := Before} when is_boolean(Before), not is_boolean(Value) -> error;
        #{Name := Before} when is_integer(Before), not is_integer(Value) -> error;
        #{Name := _} -> {ok, Options#{Name => Value}};
        _ -> error
    end;
set(_, _, _) -> error.

%% The value of an option: {ok, [Option]}, nothing for those that need the system.
get({raw, _, _, _}, _) -> {ok, []};
get(Name, Options) ->
    case Options of
        #{Name := Value} when Name =/= headers, Name =/= passive -> {ok, [{Name, Value}]};
        _ -> error
    end.

defaults(tcp) ->
    maps:merge(defaults(both),
               #{backlog => 5, exit_on_close => true, nodelay => false, keepalive => false, send_timeout => infinity,
                 send_timeout_close => false, high_watermark => 8192, low_watermark => 4096, packet => 0, packet_size => 0,
                 delay_send => false, linger => {false, 0}, show_econnreset => false, line_delimiter => 10, nopush => false,
                 buffer => 1460, recbuf => 131072, sndbuf => 2626560, headers => false});
defaults(udp) ->
    maps:merge(defaults(both),
               #{broadcast => false, multicast_if => {0, 0, 0, 0}, multicast_loop => true, multicast_ttl => 1,
                 read_packets => 5, buffer => 9216, recbuf => 212992, sndbuf => 212992, add_membership => undefined,
                 drop_membership => undefined});
defaults(both) ->
    #{active => true, mode => list, header => 0, deliver => term, reuseaddr => false, reuseport => false, dontroute => false,
      priority => 0, tos => 0, ttl => 64, tclass => 0, recvtos => false, recvttl => false, recvtclass => false,
      pktoptions => [], ipv6_v6only => false, high_msgq_watermark => 8192, low_msgq_watermark => 4096, debug => false,
      netns => "", bind_to_device => <<>>, exclusiveaddruse => false, reuseport_lb => false}.
