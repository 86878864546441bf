%% ssl: TLS would need the network, which programs here do not have: every call says so.
-module(ssl).

-export([start/0, start/1, stop/0, connect/2, connect/3, connect/4, listen/2, transport_accept/1,
         transport_accept/2, handshake/1, handshake/2, handshake/3, send/2, recv/2, recv/3, close/1, close/2,
         shutdown/2, setopts/2, getopts/2, controlling_process/2, peername/1, sockname/1, peercert/1,
         connection_information/1, connection_information/2, cipher_suites/0, cipher_suites/2, cipher_suites/3,
         versions/0]).

start() -> unsupported("start/0").
start(_) -> unsupported("start/1").
stop() -> unsupported("stop/0").
connect(_, _) -> unsupported("connect/2").
connect(_, _, _) -> unsupported("connect/3").
connect(_, _, _, _) -> unsupported("connect/4").
listen(_, _) -> unsupported("listen/2").
transport_accept(_) -> unsupported("transport_accept/1").
transport_accept(_, _) -> unsupported("transport_accept/2").
handshake(_) -> unsupported("handshake/1").
handshake(_, _) -> unsupported("handshake/2").
handshake(_, _, _) -> unsupported("handshake/3").
send(_, _) -> unsupported("send/2").
recv(_, _) -> unsupported("recv/2").
recv(_, _, _) -> unsupported("recv/3").
close(_) -> unsupported("close/1").
close(_, _) -> unsupported("close/2").
shutdown(_, _) -> unsupported("shutdown/2").
setopts(_, _) -> unsupported("setopts/2").
getopts(_, _) -> unsupported("getopts/2").
controlling_process(_, _) -> unsupported("controlling_process/2").
peername(_) -> unsupported("peername/1").
sockname(_) -> unsupported("sockname/1").
peercert(_) -> unsupported("peercert/1").
connection_information(_) -> unsupported("connection_information/1").
connection_information(_, _) -> unsupported("connection_information/2").
cipher_suites() -> unsupported("cipher_suites/0").
cipher_suites(_, _) -> unsupported("cipher_suites/2").
cipher_suites(_, _, _) -> unsupported("cipher_suites/3").
versions() -> unsupported("versions/0").

unsupported(Function) -> erlscope_native:unsupported("ssl:" ++ Function ++ ": sockets are not supported").
