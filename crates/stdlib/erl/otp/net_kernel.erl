%% Distribution, which this runtime does not have: there is one node, and it is
%% not alive. Questions get the answers that OTP gives on such a node.
-module(net_kernel).

-export([start/1, start/2, stop/0, get_state/0, connect_node/1, hidden_connect_node/1, passive_cnct/1,
         allow/1, allowed/0, monitor_nodes/1, monitor_nodes/2, nodes_info/0, node_info/1, node_info/2,
         get_net_ticktime/0, set_net_ticktime/1, set_net_ticktime/2, longnames/0,
         nodename/0, protocol_childspecs/0, i/0, i/1, setopts/2, getopts/2, dflag_unicode_io/1]).

start(_) ->
    {error, {{shutdown, {failed_to_start_child, net_kernel, {'EXIT', nodistribution}}},
             {child, undefined, net_sup_dynamic, {erl_distribution, start_link, []},
              permanent, false, 1000, supervisor, [erl_distribution]}}}.

start(Name, _) -> start(Name).

stop() -> {error, not_found}.

get_state() -> #{started => no}.

connect_node(Node) when is_atom(Node) -> Node =:= node() orelse ignored.

hidden_connect_node(Node) when is_atom(Node) -> connect_node(Node).

passive_cnct(_) -> false.

allow(_) -> ignored.

allowed() -> {ok, []}.

monitor_nodes(Flag) -> monitor_nodes(Flag, []).

monitor_nodes(Flag, Options) when is_boolean(Flag), is_list(Options) orelse is_map(Options) -> ok;
monitor_nodes(Flag, _) when not is_boolean(Flag) -> {error, {invalid_flag, Flag}};
monitor_nodes(_, Options) -> {error, {invalid_options, Options}}.

nodes_info() -> {ok, []}.

node_info(_) -> {error, bad_node}.

node_info(_, _) -> {error, bad_node}.

get_net_ticktime() -> ignored.

set_net_ticktime(_) -> ignored.

set_net_ticktime(_, _) -> ignored.

longnames() -> ignored.

nodename() -> ignored.

protocol_childspecs() -> [].

i() -> ok.

i(_) -> ok.

setopts(_, _) -> {error, noconnection}.

getopts(_, _) -> {error, noconnection}.

dflag_unicode_io(_) -> true.
