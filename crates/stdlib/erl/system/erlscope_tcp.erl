%% The process behind a TCP socket (or a local one): it listens, or is one end of a connection.
%%
%% Bytes go from one end to the other as messages {data, Bytes}; {fin} says that there are no more, as does the end of the
%% other's process, which each monitors. How they are cut is the sender's matter, but for packets that the options ask for
%% and pieces of at most the size of the buffer, as the system gives them. A sender waits while what the other side has not
%% taken is more than their buffers hold: it says so ({full}), and is told from then on how much was taken.
-module(erlscope_tcp).

-export([start/2, listening/1, connecting/1, accepted/1]).

%% owner: who gets messages. peer: the other end. here, there: addresses. input: bytes that were not taken. ended: the other
%% end sends no more (false, fin, reset). output: whether one can
%% send (open, shut, gone: the next is lost, broken: the next fails, closed). waiting: who asked for
%% input, {Ref, Pid, Length}. sent, taken: bytes, ever. tells: whether the other waits to hear how much was taken. blocked:
%% senders that wait, {Ref, Pid, Bytes}. late: where the end of the connection is yet to be told. queue: connections that wait to be accepted; acceptors: who waits for one.
-record(socket, {port, kind, owner, options, family, peer, monitor, here, there, input = <<>>, ended = false, output = open,
                 waiting = none, sent = 0, taken = 0, acked = 0, tells = false, blocked = [], queue = [], acceptors = [],
                 connecting = none, packets_in = 0, packets_out = 0, told = false, late = none}).


%% A new socket, linked to the calling process: {ok, Port} or {error, Reason}.
start(Function, Arguments) ->
    Ref = make_ref(),
    Port = erlscope_native:open_port("tcp_inet", {?MODULE, Function}, [{self(), Ref, Arguments}]),
    receive
        {Ref, ok} -> {ok, Port};
        {Ref, Error} ->
            unlink(Port),
            receive {'EXIT', Port, _} -> Error after 0 -> Error end
    end.

%% ---- beginning ----

listening({Owner, Ref, {Options, Family, Address}}) ->
    Port = begun(),
    May = maps:get(reuseport, Options) orelse maps:get(reuseport_lb, Options),
    case erlscope_net:bind(tcp, Address, May, Port) of
        {ok, Here} ->
            Owner ! {Ref, ok},
            loop(#socket{port = Port, kind = listen, owner = Owner, options = Options, family = Family, here = Here,
                         output = none});
        Error -> Owner ! {Ref, Error}
    end.

%% Not connected yet: that is asked for by a request.
connecting({Owner, Ref, {Options, Family, Address}}) ->
    Port = begun(),
    Bound = case Address of
                {local, <<>>} -> {ok, Address};
                _ -> erlscope_net:bind(client, Address, false, Port)
            end,
    case Bound of
        {ok, Here} ->
            Owner ! {Ref, ok},
            loop(#socket{port = Port, kind = stream, owner = Owner, options = Options, family = Family, here = Here,
                         output = none});
        Error -> Owner ! {Ref, Error}
    end.

%% The end of a server, made by the socket that listens and linked to it until somebody accepts it.
accepted({Listener, Options, Family, Here, Peer, There}) ->
    Port = begun(),
    loop(#socket{port = Port, kind = stream, owner = Listener, options = Options#{active => false}, family = Family,
                 here = Here, there = There, peer = Peer, monitor = erlang:monitor(port, Peer),
                 told = {accept, maps:get(active, Options)}}).

begun() ->
    process_flag(trap_exit, true),
    erlscope_native:this_port().

%% ---- what comes ----

loop(#socket{port = Port, owner = Owner, peer = Peer, monitor = Monitor} = S) ->
    receive
        {data, Bytes} -> loop(deliver(S#socket{input = joined(S#socket.input, Bytes)}));
        {Ref, From, Request} when is_reference(Ref), is_pid(From) -> request(Request, Ref, From, S);
        {fin, Peer} -> loop(deliver(S#socket{ended = fin}));
        {full, Peer} -> loop(acknowledged(S#socket{tells = true}));
        {taken, Peer, Taken} -> loop(released(S#socket{acked = Taken}));
        {'DOWN', Monitor, port, _, Reason} when Peer =/= undefined ->
            Ended = case {S#socket.ended, Reason} of
                        {false, normal} -> fin;
                        {false, _} -> reset;
                        {Before, _} -> Before
                    end,
            Output = case S#socket.output of
                         open -> gone;
                         Other -> Other
                     end,
            loop(deliver(unblocked(S#socket{ended = Ended, output = Output})));
        {connect, From, Ref, There} -> loop(incoming(From, Ref, There, S));
        {connected, Ref, NewPeer, There, Here} -> loop(connected(Ref, NewPeer, There, Here, S));
        {'DOWN', Ref, port, _, _} -> loop(refused(Ref, S));
        {'EXIT', Owner, Reason} -> stop(Reason, S);
        {'EXIT', From, Reason} -> linked_ended(From, Reason, S);
        {Owner, close} ->
            Owner ! {Port, closed},
            stop(normal, S);
        {Owner, {command, Data}} -> command(Data, S);
        {cast, {release, Active}} -> loop(deliver(S#socket{options = (S#socket.options)#{active => Active}}));
        {_, {connect, New}} -> loop(S#socket{owner = New});
        {give_up, Ref} -> gave_up(Ref, S);
        {cast, {adopt, From, Ref}} -> loop(adopted(From, Ref, S));
        _ -> loop(S)
    end.

linked_ended(From, Reason, #socket{queue = Queue} = S) ->
    case lists:keymember(From, 1, Queue) of
        true -> loop(S#socket{queue = lists:keydelete(From, 1, Queue)});
        false when Reason =:= normal -> loop(S);
        false -> stop(Reason, S)
    end.

command(Data, S) ->
    try send(iolist_to_binary(Data), S) of
        {_, New} -> loop(New)
    catch error:_ -> loop(S)
    end.

%% The other end notices that the process is gone.
stop(Reason, #socket{port = Port}) ->
    erlscope_net:release(Port),
    exit(Reason).

joined(<<>>, Bytes) -> Bytes;
joined(Input, Bytes) -> <<Input/binary, Bytes/binary>>.

%% ---- requests ----

request(cancel, Ref, From, S) ->
    loop(cancelled(Ref, From, S));
request(close, Ref, From, S) ->
    erlscope_net:release(S#socket.port),
    From ! {Ref, ok},
    stop(normal, S);
request({send, Bytes}, Ref, From, S) ->
    case is_full(S) of
        true ->
            S#socket.peer ! {full, S#socket.port},
            case S#socket.options of
                #{send_timeout := infinity} -> ok;
                #{send_timeout := Time} -> erlang:send_after(Time, self(), {give_up, Ref})
            end,
            loop(S#socket{blocked = S#socket.blocked ++ [{Ref, From, Bytes}]});
        false ->
            {Answer, New} = send(Bytes, S),
            From ! {Ref, Answer},
            loop(New)
    end;
request({recv, Length}, Ref, From, S) ->
    loop(receiving(Length, Ref, From, S));
request(accept, Ref, From, #socket{kind = listen, queue = Queue, acceptors = Acceptors} = S) ->
    case Queue of
        [{Waiting, _} | Rest] ->
            erlscope_socket:cast(Waiting, {adopt, From, Ref}),
            loop(S#socket{queue = Rest});
        [] -> loop(S#socket{acceptors = Acceptors ++ [{Ref, From}]})
    end;
request(accept, Ref, From, S) ->
    From ! {Ref, {error, einval}},
    loop(S);
request({connect, There}, Ref, From, S) ->
    loop(connect(There, Ref, From, S));
request({shutdown, How}, Ref, From, S) ->
    {Answer, New} = shut(How, S),
    From ! {Ref, Answer},
    loop(New);
request({hold, New}, Ref, From, #socket{options = #{active := Active} = Options} = S) ->
    %% The new owner is sent nothing until what the old one had is there.
    case is_process_alive(New) of
        true ->
            link(New),
            erlscope_native:port_owner(S#socket.port, New),
            From ! {Ref, {ok, Active}},
            loop(S#socket{owner = New, options = Options#{active => false}});
        false ->
            From ! {Ref, {error, badarg}},
            loop(S)
    end;
request({setopts, List}, Ref, From, S) ->
    case set_all(List, S#socket.options) of
        {ok, Options} ->
            Passive = maps:get(passive, Options, false),
            [S#socket.owner ! {tcp_passive, S#socket.port} || Passive],
            From ! {Ref, ok},
            loop(deliver(S#socket{options = maps:remove(passive, Options)}));
        error ->
            From ! {Ref, {error, einval}},
            loop(S)
    end;
request({unrecv, Bytes}, Ref, From, #socket{input = Input} = S) ->
    From ! {Ref, ok},
    loop(deliver(S#socket{input = <<Bytes/binary, Input/binary>>}));
request(Question, Ref, From, S) ->
    From ! {Ref, told(Question, S)},
    loop(S).

set_all([], Options) -> {ok, Options};
set_all([Option | More], Options) ->
    case erlscope_socket:set(tcp, Option, Options) of
        {ok, New} -> set_all(More, New);
        error -> error
    end;
set_all(_, _) -> error.

told({getopts, Names}, #socket{options = Options}) ->
    Found = [erlscope_socket:get(Name, Options) || Name <- Names],
    case lists:member(error, Found) of
        true -> {error, einval};
        false -> {ok, lists:append([Pairs || {ok, Pairs} <- Found])}
    end;
told(sockname, #socket{here = Here}) -> {ok, Here};
told(peername, #socket{there = undefined}) -> {error, enotconn};
told(peername, #socket{output = closed}) -> {error, enotconn};
told(peername, #socket{there = There}) -> {ok, There};
told(kind, #socket{kind = Kind}) -> {ok, Kind};
told(owner, #socket{owner = Owner}) -> {ok, Owner};
told(statistics, #socket{taken = Taken, input = Input, sent = Sent, packets_in = In, packets_out = Out}) ->
    {ok, #{recv_oct => Taken + byte_size(Input), recv_cnt => In, send_oct => Sent, send_cnt => Out, send_pend => 0}};
told(_, _) -> {error, einval}.

cancelled(Ref, From, #socket{waiting = {Ref, _, _}} = S) ->
    From ! {Ref, {error, timeout}},
    S#socket{waiting = none};
cancelled(Ref, From, #socket{connecting = {Ref, _, Monitor}} = S) ->
    erlang:demonitor(Monitor, [flush]),
    From ! {Ref, {error, timeout}},
    S#socket{connecting = none};
cancelled(Ref, From, #socket{acceptors = Acceptors, blocked = Blocked} = S) ->
    case lists:keymember(Ref, 1, Acceptors) orelse lists:keymember(Ref, 1, Blocked) of
        true -> From ! {Ref, {error, timeout}};
        false -> ok
    end,
    S#socket{acceptors = lists:keydelete(Ref, 1, Acceptors), blocked = lists:keydelete(Ref, 1, Blocked)}.

%% ---- connections ----

connect(_, Ref, From, #socket{peer = Peer} = S) when Peer =/= undefined ->
    From ! {Ref, {error, eisconn}},
    S;
connect(There, Ref, From, #socket{port = Port, here = Here} = S) ->
    case erlscope_net:find(tcp, There, S#socket.family) of
        {ok, Listener} ->
            Monitor = erlang:monitor(port, Listener),
            Listener ! {connect, Port, Monitor, {Here, There}},
            S#socket{connecting = {Ref, From, Monitor}};
        none ->
            Reason = case There of
                         {local, _} -> enoent;
                         _ -> econnrefused
                     end,
            From ! {Ref, {error, Reason}},
            S
    end.

%% Somebody connects to a socket that listens: the connection is made before it is accepted, as long as there is room.
incoming(From, Ref, {Other, Asked}, #socket{kind = listen, port = Port, options = Options, family = Family} = S) ->
    Mine = shown(Asked, S),
    There = case Other of
                {local, _} -> {local, <<>>};
                {OtherAddress, OtherPort} -> {erlscope_net:seen_from(Family, reachable(OtherAddress, Asked)), OtherPort}
            end,
    Arguments = {self(), maps:remove(backlog, Options), Family, Mine, From, There},
    End = erlscope_native:open_port("tcp_inet", {?MODULE, accepted}, [Arguments]),
    From ! {connected, Ref, End, Asked, reachable_name(Other, Asked)},
    case S#socket.acceptors of
        [{Accept, By} | More] ->
            erlscope_socket:cast(End, {adopt, By, Accept}),
            S#socket{acceptors = More};
        [] -> S#socket{queue = S#socket.queue ++ [{End, Port}]}
    end;
incoming(From, Ref, _, S) ->
    From ! {'DOWN', Ref, port, S#socket.port, noproc},
    S.

shown({local, _} = Address, _) -> Address;
shown({Address, Port}, #socket{family = Family}) ->
    {erlscope_net:seen_from(Family, case erlscope_net:any(inet) =:= Address orelse erlscope_net:any(inet6) =:= Address of
                                        true -> erlscope_net:loopback(Address);
                                        false -> Address
                                    end), Port}.

%% From where a socket that was bound to no address in particular reaches another.
reachable(Address, {To, _}) ->
    case Address =:= erlscope_net:any(inet) orelse Address =:= erlscope_net:any(inet6) of
        true when tuple_size(To) =:= 4, element(1, To) =:= 127 -> {127, 0, 0, 1};
        true -> erlscope_net:loopback(To);
        false -> Address
    end.

reachable_name({local, _} = Address, _) -> Address;
reachable_name({Address, Port}, Asked) -> {reachable(Address, Asked), Port}.

connected(Monitor, Peer, There, Here, #socket{connecting = {Ref, From, Monitor}} = S) ->
    erlang:demonitor(Monitor, [flush]),
    From ! {Ref, ok},
    Shown = case There of
                {local, _} -> There;
                {Address, Port} -> {case Address =:= erlscope_net:any(inet) orelse Address =:= erlscope_net:any(inet6) of
                                        true -> erlscope_net:loopback(Address);
                                        false -> Address
                                    end, Port}
            end,
    deliver(S#socket{connecting = none, peer = Peer, monitor = erlang:monitor(port, Peer), here = Here, there = Shown,
                     output = open});
connected(_, Peer, _, _, S) ->
    %% Too late: who asked has given up.
    exit(Peer, kill),
    S.

refused(Monitor, #socket{connecting = {Ref, From, Monitor}} = S) ->
    From ! {Ref, {error, econnrefused}},
    S#socket{connecting = none};
refused(_, S) -> S.

%% Somebody accepts this connection, and owns it from now on.
adopted(New, Ref, #socket{port = Port, owner = Listener, options = Options, told = {accept, Active}} = S) ->
    link(New),
    unlink(Listener),
    erlscope_native:port_owner(Port, New),
    New ! {Ref, {ok, Port}},
    deliver(S#socket{owner = New, options = Options#{active => Active}, told = false});
adopted(_, _, S) -> S.

%% ---- output ----

send(Bytes, #socket{output = open, peer = Peer, sent = Sent, packets_out = Packets, options = #{packet := Packet}} = S) ->
    case framed(Packet, Bytes) of
        error -> {{error, emsgsize}, S};
        <<>> -> {ok, S};
        Framed ->
            Peer ! {data, Framed},
            {ok, S#socket{sent = Sent + byte_size(Framed), packets_out = Packets + 1}}
    end;
%% The other end is gone, which the system notices when it sends.
send(_, #socket{output = gone} = S) -> {ok, S#socket{output = broken, sent = S#socket.acked}};
send(_, #socket{output = broken} = S) -> {{error, closed}, S#socket{output = closed, late = input}};
send(_, #socket{output = shut} = S) -> {{error, closed}, S};
send(_, #socket{output = closed, late = output} = S) -> {{error, closed}, S#socket{late = none}};
send(_, S) -> {{error, enotconn}, S}.

framed(1, Bytes) when byte_size(Bytes) > 255 -> error;
framed(1, Bytes) -> <<(byte_size(Bytes)):8, Bytes/binary>>;
framed(2, Bytes) when byte_size(Bytes) > 65535 -> error;
framed(2, Bytes) -> <<(byte_size(Bytes)):16, Bytes/binary>>;
framed(4, Bytes) -> <<(byte_size(Bytes)):32, Bytes/binary>>;
framed(_, Bytes) -> Bytes.

%% How much may be on its way.
room(#socket{options = #{sndbuf := Own, high_watermark := High}}) -> 2 * Own + High.

%% The other end has taken something: senders that wait may go on.
released(#socket{blocked = [{Ref, From, Bytes} | More]} = S) ->
    case is_full(S) of
        true -> S;
        false ->
            {Answer, New} = send(Bytes, S),
            From ! {Ref, Answer},
            released(New#socket{blocked = More})
    end;
released(S) -> S.

is_full(#socket{output = open, sent = Sent, acked = Acked} = S) -> Sent - Acked > room(S);
is_full(_) -> false.

%% A sender has waited long enough.
gave_up(Ref, #socket{blocked = Blocked, options = #{send_timeout_close := Close}} = S) ->
    case lists:keytake(Ref, 1, Blocked) of
        {value, {_, From, _}, Rest} ->
            From ! {Ref, {error, timeout}},
            case Close of
                true -> stop(normal, S);
                false -> loop(S#socket{blocked = Rest})
            end;
        false -> loop(S)
    end.

unblocked(#socket{blocked = Blocked} = S) ->
    [From ! {Ref, {error, closed}} || {Ref, From, _} <- Blocked],
    S#socket{blocked = []}.

acknowledged(#socket{tells = true, peer = Peer, port = Port, taken = Taken} = S) ->
    Peer ! {taken, Port, Taken},
    S;
acknowledged(S) -> S.

shut(_, #socket{peer = undefined} = S) -> {{error, enotconn}, S};
shut(How, #socket{output = Output} = S) when How =/= read, Output =:= open ->
    S#socket.peer ! {fin, S#socket.port},
    shut_input(How, S#socket{output = shut});
shut(How, #socket{output = gone} = S) when How =/= read -> {{error, enotconn}, S#socket{output = shut}};
shut(How, S) -> shut_input(How, S).

shut_input(write, S) -> {ok, S};
shut_input(_, S) -> {ok, deliver(S#socket{ended = fin, input = <<>>})}.

%% ---- input ----

receiving(_, Ref, From, #socket{output = closed, late = input} = S) ->
    From ! {Ref, {error, closed}},
    S#socket{late = none};
receiving(_, Ref, From, #socket{output = Output} = S) when Output =:= none; Output =:= closed ->
    From ! {Ref, {error, enotconn}},
    S;
receiving(_, Ref, From, #socket{options = #{active := Active}} = S) when Active =/= false ->
    From ! {Ref, {error, einval}},
    S;
receiving(_, Ref, From, #socket{waiting = {_, _, _}} = S) ->
    From ! {Ref, {error, ealready}},
    S;
receiving(Length, Ref, From, #socket{options = #{packet := Packet}} = S)
  when Length > 0, Packet =/= 0, Packet =/= raw ->
    From ! {Ref, {error, einval}},
    S;
receiving(Length, Ref, From, S) when Length > 16#4000000 ->
    From ! {Ref, {error, enomem}},
    S;
receiving(Length, Ref, From, S) ->
    deliver(S#socket{waiting = {Ref, From, Length}}).

%% Hands out what there is to who wants it.
deliver(#socket{waiting = {Ref, From, Length}} = S) ->
    case take(Length, S) of
        {ok, Packet, New} ->
            From ! {Ref, {ok, Packet}},
            acknowledged(New#socket{waiting = none});
        {error, Reason, New} ->
            From ! {Ref, {error, Reason}},
            New#socket{waiting = none};
        more when S#socket.ended =/= false ->
            From ! {Ref, {error, ending(S)}},
            ended(S#socket{waiting = none});
        more -> S
    end;
deliver(#socket{options = #{active := false}} = S) -> S;
deliver(#socket{output = none} = S) -> S;
deliver(#socket{told = true} = S) -> S;
deliver(#socket{port = Port, owner = Owner} = S) ->
    case take(0, S) of
        {ok, Packet, New} ->
            Owner ! message(Packet, New),
            deliver(acknowledged(counted(New)));
        {error, Reason, New} ->
            Owner ! {tcp_error, Port, Reason},
            Owner ! {tcp_closed, Port},
            unlink(Owner),
            stop(normal, New);
        more when S#socket.ended =/= false ->
            [Owner ! {tcp_error, Port, econnreset} || ending(S) =:= econnreset],
            Owner ! {tcp_closed, Port},
            case S#socket.options of
                #{exit_on_close := true} ->
                    unlink(Owner),
                    stop(normal, S);
                #{active := Active} = Options ->
                    Now = case Active of once -> false; _ -> Active end,
                    S#socket{told = true, options = Options#{active => Now}}
            end;
        more -> S
    end.

ending(#socket{ended = reset, options = #{show_econnreset := true}}) -> econnreset;
ending(_) -> closed.

%% Nothing more comes, and somebody knows.
ended(#socket{options = #{exit_on_close := true}, output = Output} = S) when Output =/= none ->
    [S#socket.peer ! {fin, S#socket.port} || Output =:= open],
    S#socket{output = closed, late = output};
ended(S) -> S.

message({http, Packet}, #socket{port = Port}) -> {http, Port, Packet};
message(Packet, #socket{port = Port, options = #{packet := Type}}) ->
    case is_http(Type) of
        true -> {http, Port, Packet};
        false -> {tcp, Port, Packet}
    end.

is_http(Type) -> lists:member(Type, [http, http_bin, httph, httph_bin]).

counted(#socket{options = #{active := once} = Options} = S) -> S#socket{options = Options#{active => false}};
counted(#socket{options = #{active := N} = Options, owner = Owner, port = Port} = S) when is_integer(N) ->
    case N of
        1 ->
            Owner ! {tcp_passive, Port},
            S#socket{options = Options#{active => false}};
        _ -> S#socket{options = Options#{active => N - 1}}
    end;
counted(S) -> S.

%% The next packet of the input: {ok, Packet, Socket}, {error, Reason, Socket} or more.
take(_, #socket{input = <<>>}) -> more;
take(Length, #socket{input = Input, options = #{packet := Packet, buffer := Buffer}} = S)
  when Packet =:= 0; Packet =:= raw ->
    Size = byte_size(Input),
    if
        Length > Size -> more;
        Length > 0 -> taken(binary:part(Input, 0, Length), Length, S);
        true ->
            Piece = min(Size, max(Buffer, 1)),
            taken(binary:part(Input, 0, Piece), Piece, S)
    end;
take(_, #socket{input = Input, options = #{packet := Packet, headers := InHeaders} = Options} = S) ->
    Type = case {Packet, InHeaders} of
               {http, true} -> httph;
               {http_bin, true} -> httph_bin;
               _ -> Packet
           end,
    case erlang:decode_packet(Type, Input, decoding(Packet, Options)) of
        {ok, {http_error, Text}, Rest} ->
            {Before, Now} = {byte_size(Input), byte_size(Rest)},
            {ok, {http_error, Text}, S#socket{input = Rest, taken = S#socket.taken + Before - Now}};
        {ok, Found, Rest} ->
            Next = S#socket{options = Options#{headers => in_headers(Packet, Found)}},
            New = Next#socket{input = Rest, taken = S#socket.taken + byte_size(Input) - byte_size(Rest),
                              packets_in = S#socket.packets_in + 1},
            {ok, case is_binary(Found) of
                     true -> formed(Found, Options);
                     false -> Found
                 end, New};
        {more, _} when Packet =:= line, byte_size(Input) >= map_get(buffer, Options) ->
            Piece = map_get(buffer, Options),
            taken(binary:part(Input, 0, Piece), Piece, S);
        {more, _} -> more;
        {error, _} -> {error, emsgsize, S}
    end.

decoding(line, #{packet_size := Size, buffer := Buffer, line_delimiter := Delimiter}) ->
    [{packet_size, Size}, {line_length, Buffer}, {line_delimiter, Delimiter}];
decoding(_, #{packet_size := Size}) -> [{packet_size, Size}].

in_headers(Packet, Found) when Packet =:= http; Packet =:= http_bin -> Found =/= http_eoh;
in_headers(_, _) -> false.

taken(Bytes, Size, #socket{input = Input, taken = Taken, packets_in = Packets, options = Options} = S) ->
    Rest = binary:part(Input, Size, byte_size(Input) - Size),
    {ok, formed(Bytes, Options), S#socket{input = Rest, taken = Taken + Size, packets_in = Packets + 1}}.

%% Bytes as the options want them; the header is a list in front.
formed(Bytes, #{mode := list}) -> binary_to_list(Bytes);
formed(Bytes, #{header := 0}) -> Bytes;
formed(Bytes, #{header := Header}) ->
    Size = min(Header, byte_size(Bytes)),
    <<Front:Size/binary, Rest/binary>> = Bytes,
    case binary_to_list(Front) of
        List when Size =:= byte_size(Bytes), Size < Header -> List;
        List -> List ++ Rest
    end.
