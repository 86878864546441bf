%% socket: sockets of the operating system would need the network, which programs here do not have: every call says so.
-module(socket).

-export([open/1, open/2, open/3, open/4, bind/2, connect/1, connect/2, connect/3, listen/1, listen/2, accept/1,
         accept/2, send/2, send/3, send/4, sendto/3, sendto/4, sendto/5, recv/1, recv/2, recv/3, recv/4,
         recvfrom/1, recvfrom/2, recvfrom/3, recvfrom/4, close/1, shutdown/2, setopt/3, getopt/2, sockname/1,
         peername/1]).

open(_) -> unsupported("open/1").
open(_, _) -> unsupported("open/2").
open(_, _, _) -> unsupported("open/3").
open(_, _, _, _) -> unsupported("open/4").
bind(_, _) -> unsupported("bind/2").
connect(_) -> unsupported("connect/1").
connect(_, _) -> unsupported("connect/2").
connect(_, _, _) -> unsupported("connect/3").
listen(_) -> unsupported("listen/1").
listen(_, _) -> unsupported("listen/2").
accept(_) -> unsupported("accept/1").
accept(_, _) -> unsupported("accept/2").
send(_, _) -> unsupported("send/2").
send(_, _, _) -> unsupported("send/3").
send(_, _, _, _) -> unsupported("send/4").
sendto(_, _, _) -> unsupported("sendto/3").
sendto(_, _, _, _) -> unsupported("sendto/4").
sendto(_, _, _, _, _) -> unsupported("sendto/5").
recv(_) -> unsupported("recv/1").
recv(_, _) -> unsupported("recv/2").
recv(_, _, _) -> unsupported("recv/3").
recv(_, _, _, _) -> unsupported("recv/4").
recvfrom(_) -> unsupported("recvfrom/1").
recvfrom(_, _) -> unsupported("recvfrom/2").
recvfrom(_, _, _) -> unsupported("recvfrom/3").
recvfrom(_, _, _, _) -> unsupported("recvfrom/4").
close(_) -> unsupported("close/1").
shutdown(_, _) -> unsupported("shutdown/2").
setopt(_, _, _) -> unsupported("setopt/3").
getopt(_, _) -> unsupported("getopt/2").
sockname(_) -> unsupported("sockname/1").
peername(_) -> unsupported("peername/1").

unsupported(Function) -> erlscope_native:unsupported("socket:" ++ Function ++ ": sockets are not supported").
