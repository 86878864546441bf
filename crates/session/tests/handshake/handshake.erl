%% Connections in three steps, after the example of the paper on debugging concurrent Erlang programs.
%% One client knocks at a closed port, the other one at the open one: its data is what comes out.
-module(handshake).
-export([main/0, serve/3, confirm/5, connect/4]).

main() ->
    Server = spawn(?MODULE, serve, [self(), 50, 500]),
    spawn(?MODULE, connect, [Server, 57, 100, first]),
    spawn(?MODULE, connect, [Server, 50, 200, second]),
    receive {data, Data} -> Data end.

serve(Main, Port, Number) ->
    receive
        {Client, {syn, Port, Theirs}} ->
            Confirm = spawn(?MODULE, confirm, [Main, Port, Theirs + 1, Number + 1, Client]),
            Client ! {Confirm, {syn_ack, Theirs + 1, Number}},
            serve(Main, Port, Number + 1);
        {Client, {syn, _, _}} ->
            Client ! refused,
            serve(Main, Port, Number + 1)
    end.

confirm(Main, Port, Theirs, Ours, Client) ->
    receive
        {Client, {ack, Port, Ours, Theirs}} ->
            receive
                {Client, {data, Port, Data}} -> Main ! {data, Data};
                _ -> Main ! {data, no_data}
            end;
        _ ->
            Main ! {data, no_ack}
    end.

connect(Server, Port, Number, Data) ->
    Server ! {self(), {syn, Port, Number}},
    accepted(Port, Data, Number + 1).

accepted(Port, Data, Ours) ->
    receive
        refused ->
            {refused, Port};
        {Confirm, {syn_ack, Ours, Theirs}} ->
            Confirm ! {self(), {ack, Port, Theirs + 1, Ours}},
            Confirm ! {self(), {data, Port, Data}},
            {Theirs + 1, Ours, Port, Data}
    end.
