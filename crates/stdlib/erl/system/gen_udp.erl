%% gen_udp: UDP would need the network, which programs here do not have: every call says so.
-module(gen_udp).

-export([open/1, open/2, close/1, send/2, send/3, send/4, send/5, recv/2, recv/3, connect/2, connect/3,
         controlling_process/2]).

open(_) -> unsupported("open/1").
open(_, _) -> unsupported("open/2").
close(_) -> unsupported("close/1").
send(_, _) -> unsupported("send/2").
send(_, _, _) -> unsupported("send/3").
send(_, _, _, _) -> unsupported("send/4").
send(_, _, _, _, _) -> unsupported("send/5").
recv(_, _) -> unsupported("recv/2").
recv(_, _, _) -> unsupported("recv/3").
connect(_, _) -> unsupported("connect/2").
connect(_, _, _) -> unsupported("connect/3").
controlling_process(_, _) -> unsupported("controlling_process/2").

unsupported(Function) -> erlscope_native:unsupported("gen_udp:" ++ Function ++ ": sockets are not supported").
