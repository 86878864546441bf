%% gen_tcp: TCP would need the network, which programs here do not have: every call says so.
-module(gen_tcp).

-export([connect/2, connect/3, connect/4, listen/2, accept/1, accept/2, send/2, recv/2, recv/3, unrecv/2, close/1,
         shutdown/2, controlling_process/2]).

connect(_, _) -> unsupported("connect/2").
connect(_, _, _) -> unsupported("connect/3").
connect(_, _, _, _) -> unsupported("connect/4").
listen(_, _) -> unsupported("listen/2").
accept(_) -> unsupported("accept/1").
accept(_, _) -> unsupported("accept/2").
send(_, _) -> unsupported("send/2").
recv(_, _) -> unsupported("recv/2").
recv(_, _, _) -> unsupported("recv/3").
unrecv(_, _) -> unsupported("unrecv/2").
close(_) -> unsupported("close/1").
shutdown(_, _) -> unsupported("shutdown/2").
controlling_process(_, _) -> unsupported("controlling_process/2").

unsupported(Function) -> erlscope_native:unsupported("gen_tcp:" ++ Function ++ ": sockets are not supported").
