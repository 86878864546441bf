%% The one port that every node has, and monitors of ports that are not there.
-module(no_ports).
-export([main/0]).

main() ->
    Port = hd(erlang:ports()),
    io:format("~p ~p~n", [Port, erlang:port_info(Port)]),
    io:format("~p~n", [[erlang:port_info(Port, Item) || Item <- [name, id, registered_name, monitors]]]),
    io:format("~p~n", [list_to_port(port_to_list(Port)) =:= Port]),
    Gone = list_to_port("#Port<0.987654>"),
    io:format("~p~n", [erlang:port_info(Gone)]),
    [told(Object, Options) || Object <- [Gone, no_such_port, {no_such_port, node()}],
                              Options <- [[], [{tag, gone}], [{alias, explicit_unalias}], [{alias, demonitor}]]],
    Silent = monitor(port, Port),
    io:format("~p~n", [receive {_, Silent, _, _, _} -> heard after 10 -> silent end]),
    io:format("~p~n", [demonitor(Silent, [info])]).

told(Object, Options) ->
    Ref = monitor(port, Object, Options),
    receive {Tag, Ref, Kind, What, Reason} -> io:format("~p ~p ~p ~p", [Tag, Kind, What, Reason]) end,
    Ref ! through_the_alias,
    io:format(" ~p~n", [receive through_the_alias -> alias after 0 -> none end]).
