%% Three processes that open a connection as TCP does, in three steps: syn, syn_ack, ack. Client 1
%% asks for a port that is closed, client 2 for the right one; the value of main/0 should be client2's data.
%%
%% There are two mistakes. handshake:main() has both; half_mended() and mended() show what is left
%% when one or both are put right.
-module(handshake).
-export([main/0, half_mended/0, mended/0]).
-export([server/4, client/5, acknowledged/5]).

-define(OPEN, 50).
-define(CLOSED, 57).

main() -> connect(stops, swapped).
half_mended() -> connect(goes_on, swapped).
mended() -> connect(goes_on, right).

%% Order: which order the client gives the parts of its last message.
connect(AfterRefusal, Order) ->
    Server = spawn(?MODULE, server, [self(), ?OPEN, 500, AfterRefusal]),
    Clients = [spawn_monitor(?MODULE, client, [Server, Port, Seq, Data, Order])
               || {Port, Seq, Data} <- [{?CLOSED, 100, client1}, {?OPEN, 200, client2}]],
    Data = receive {data, D} -> D end,
    [receive {'DOWN', Ref, process, Client, _} -> ok end || {Client, Ref} <- Clients],
    exit(Server, shutdown),
    client2 = Data.

server(Main, Port, Seq, AfterRefusal) ->
    receive
        {Client, {syn, Port, ClientSeq}} ->
            Conversation = spawn(?MODULE, acknowledged,
                                 [Main, Port, ClientSeq + 1, Seq + 1, Client]),
            Client ! {Conversation, {syn_ack, ClientSeq + 1, Seq}},
            server(Main, Port, Seq + 1, AfterRefusal);
        {Client, {syn, _Other, _}} ->
            Client ! rst,
            case AfterRefusal of
                goes_on -> server(Main, Port, Seq, AfterRefusal);
                stops -> ok                       % mistake 1: others may still want to connect
            end
    end.

acknowledged(Main, Port, Ack, Seq, Client) ->
    receive
        {Client, {ack, Port, Seq, Ack}} ->
            receive
                {Client, {data, Port, D}} -> Main ! {data, D};
                _ -> Main ! {data, error_data}
            end;
        _ ->
            Main ! {data, error_ack}
    end.

client(Server, Port, Seq, Data, Order) ->
    Server ! {self(), {syn, Port, Seq}},
    Ack = Seq + 1,
    receive
        rst ->
            refused;
        {Conversation, {syn_ack, Ack, ServerSeq}} ->
            Conversation ! {self(), case Order of
                                        right -> {ack, Port, ServerSeq + 1, Ack};
                                        swapped -> {Ack, Port, ServerSeq + 1, ack}   % mistake 2
                                    end},
            Conversation ! {self(), {data, Port, Data}}
    end.
