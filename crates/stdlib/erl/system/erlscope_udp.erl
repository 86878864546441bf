%% The process behind a UDP socket: datagrams go from one to another as messages {datagram, From, Bytes, Ancillary}.
-module(erlscope_udp).

-export([start/1, open/1]).

%% failed: an error that nobody was told of yet. peer: where it is connected to. input: datagrams that nobody has taken, the oldest first.
-record(socket, {port, owner, options, family, here, peer = none, input = [], waiting = none, failed = none, sent = 0, received = 0,
                 sends = 0, receives = 0}).

%% More than this many bytes are not kept: what comes then is lost, as the system loses it.
-define(KEPT, 1000).

start(Arguments) ->
    Ref = make_ref(),
    Port = erlscope_native:open_port("udp_inet", {?MODULE, open}, [{self(), Ref, Arguments}]),
    receive
        {Ref, ok} -> {ok, Port};
        {Ref, Error} ->
            unlink(Port),
            receive {'EXIT', Port, _} -> Error after 0 -> Error end
    end.

open({Owner, Ref, {Options, Family, Address}}) ->
    process_flag(trap_exit, true),
    Port = erlscope_native:this_port(),
    May = maps:get(reuseaddr, Options) orelse maps:get(reuseport, Options),
    case erlscope_net:bind(udp, Address, May, Port) of
        {ok, Here} ->
            Owner ! {Ref, ok},
            loop(#socket{port = Port, owner = Owner, options = Options, family = Family, here = Here});
        Error -> Owner ! {Ref, Error}
    end.

loop(#socket{owner = Owner, port = Port, peer = Peer} = S) ->
    receive
        {datagram, From, Bytes} when Peer =:= none; Peer =:= From ->
            case length(S#socket.input) < ?KEPT of
                true ->
                    loop(deliver(S#socket{input = S#socket.input ++ [{From, Bytes}],
                                          received = S#socket.received + byte_size(Bytes),
                                          receives = S#socket.receives + 1}));
                false -> loop(S)
            end;
        {unreachable, To} when Peer =:= To -> loop(unreachable(S));
        {Ref, From, Request} when is_reference(Ref), is_pid(From) -> request(Request, Ref, From, S);
        {'EXIT', Owner, Reason} -> stop(Reason, S);
        {'EXIT', _, normal} -> loop(S);
        {'EXIT', _, Reason} -> stop(Reason, S);
        {Owner, close} ->
            Owner ! {Port, closed},
            stop(normal, S);
        {cast, {release, Active}} -> loop(deliver(S#socket{options = (S#socket.options)#{active => Active}}));
        {_, {connect, New}} -> loop(S#socket{owner = New});
        _ -> loop(S)
    end.

stop(Reason, #socket{port = Port}) ->
    erlscope_net:release(Port),
    exit(Reason).

%% A datagram came to where nobody is: a connected socket hears of it.
unreachable(#socket{waiting = {Ref, From}} = S) ->
    From ! {Ref, {error, econnrefused}},
    S#socket{waiting = none};
unreachable(#socket{owner = Owner, port = Port, options = #{active := Active}} = S) when Active =/= false ->
    Owner ! {udp_error, Port, econnrefused},
    S;
unreachable(S) -> S#socket{failed = econnrefused}.

request(cancel, Ref, From, #socket{waiting = {Ref, _}} = S) ->
    From ! {Ref, {error, timeout}},
    loop(S#socket{waiting = none});
request(cancel, _, _, S) -> loop(S);
request(close, Ref, From, S) ->
    erlscope_net:release(S#socket.port),
    From ! {Ref, ok},
    stop(normal, S);
request({send, To, Bytes}, Ref, From, S) ->
    {Answer, New} = send(To, Bytes, S),
    From ! {Ref, Answer},
    loop(New);
request({connect, To}, Ref, From, S) ->
    From ! {Ref, ok},
    loop(S#socket{peer = To, here = here(To, S)});
request(recv, Ref, From, #socket{options = #{active := Active}} = S) when Active =/= false ->
    From ! {Ref, {error, einval}},
    loop(S);
request(recv, Ref, From, #socket{failed = Reason} = S) when Reason =/= none ->
    From ! {Ref, {error, Reason}},
    loop(S#socket{failed = none});
request(recv, Ref, From, #socket{waiting = none} = S) -> loop(deliver(S#socket{waiting = {Ref, From}}));
request(recv, Ref, From, S) ->
    From ! {Ref, {error, ealready}},
    loop(S);
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
            [S#socket.owner ! {udp_passive, S#socket.port} || maps:get(passive, Options, false)],
            From ! {Ref, ok},
            loop(deliver(S#socket{options = maps:remove(passive, Options)}));
        error ->
            From ! {Ref, {error, einval}},
            loop(S)
    end;
request(Question, Ref, From, S) ->
    From ! {Ref, told(Question, S)},
    loop(S).

set_all([], Options) -> {ok, Options};
set_all([Option | More], Options) ->
    case erlscope_socket:set(udp, Option, Options) of
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
told(peername, #socket{peer = none}) -> {error, enotconn};
told(peername, #socket{peer = Peer}) -> {ok, Peer};
told(kind, _) -> {ok, udp};
told(owner, #socket{owner = Owner}) -> {ok, Owner};
told(statistics, #socket{sent = Sent, received = Received, sends = Sends, receives = Receives}) ->
    {ok, #{recv_oct => Received, recv_cnt => Receives, send_oct => Sent, send_cnt => Sends, send_pend => 0}};
told(_, _) -> {error, einval}.

send(peer, _, #socket{peer = none} = S) -> {{error, einval}, S};
send(peer, Bytes, #socket{peer = Peer} = S) -> send(Peer, Bytes, S);
send(_, Bytes, S) when byte_size(Bytes) > 65507 -> {{error, emsgsize}, S};
send(To, Bytes, #socket{port = Port} = S) ->
    case erlscope_net:find(udp, To, S#socket.family) of
        {ok, Socket} -> Socket ! {datagram, from(To, S), Bytes};
        _ -> Port ! {unreachable, To}
    end,
    {ok, S#socket{sent = S#socket.sent + byte_size(Bytes), sends = S#socket.sends + 1}}.

%% From where the other sees that it comes.
from(To, S) -> here(To, S).

here({local, _}, #socket{here = Here}) -> Here;
here({To, _}, #socket{here = {Here, Port}}) ->
    Any = Here =:= erlscope_net:any(inet) orelse Here =:= erlscope_net:any(inet6),
    {if
         Any, tuple_size(To) =:= 4, element(1, To) =:= 127 -> {127, 0, 0, 1};
         Any -> erlscope_net:loopback(To);
         true -> Here
     end, Port}.

deliver(#socket{input = []} = S) -> S;
deliver(#socket{waiting = {Ref, From}, input = [Datagram | More]} = S) ->
    {Address, Port} = shown(Datagram, S),
    From ! {Ref, {ok, {Address, Port, formed(Datagram, S)}}},
    S#socket{waiting = none, input = More};
deliver(#socket{options = #{active := false}} = S) -> S;
deliver(#socket{owner = Owner, port = Socket, input = [Datagram | More]} = S) ->
    {Address, Port} = shown(Datagram, S),
    Owner ! {udp, Socket, Address, Port, formed(Datagram, S)},
    deliver(counted(S#socket{input = More})).

counted(#socket{options = #{active := once} = Options} = S) -> S#socket{options = Options#{active => false}};
counted(#socket{options = #{active := 1} = Options, owner = Owner, port = Port} = S) ->
    Owner ! {udp_passive, Port},
    S#socket{options = Options#{active => false}};
counted(#socket{options = #{active := N} = Options} = S) when is_integer(N) -> S#socket{options = Options#{active => N - 1}};
counted(S) -> S.

shown({{local, _} = From, _}, _) -> {From, 0};
shown({{Address, Port}, _}, #socket{family = Family}) -> {erlscope_net:seen_from(Family, Address), Port}.

formed({_, Bytes}, #socket{options = #{mode := Mode}}) ->
    case Mode of
        list -> binary_to_list(Bytes);
        binary -> Bytes
    end.
