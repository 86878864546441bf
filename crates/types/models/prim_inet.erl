%% What functions of `prim_inet` take and give: OTP has no specs for them, and all that is done with
%% sockets is made of them.
-module(prim_inet).

-spec open(tcp | udp | sctp, inet | inet6 | local, stream | dgram | seqpacket) ->
    {ok, port()} | {error, any()}.
-spec open(tcp | udp | sctp, inet | inet6 | local, stream | dgram | seqpacket, any()) ->
    {ok, port()} | {error, any()}.
-spec fdopen(tcp | udp | sctp, inet | inet6 | local, stream | dgram | seqpacket, integer()) ->
    {ok, port()} | {error, any()}.
-spec fdopen(
    tcp | udp | sctp, inet | inet6 | local, stream | dgram | seqpacket, integer(), boolean()
) -> {ok, port()} | {error, any()}.
-spec close(port()) -> ok.
-spec shutdown(port(), read | write | read_write) -> ok | {error, atom()}.
-spec bind(port(), any(), any()) -> {ok, port() | non_neg_integer()} | {error, atom()}.
-spec connect(port(), any(), any(), any()) -> any().
-spec listen(port()) -> ok | {error, atom()}.
-spec listen(port(), boolean() | integer()) -> ok | {error, atom()}.
-spec accept(port()) -> any().
-spec accept(port(), infinity | integer() | maybe_improper_list()) -> any().
-spec accept(port(), infinity | integer(), maybe_improper_list()) -> any().
-spec send(port(), any()) -> any().
-spec send(port(), any(), maybe_improper_list()) -> any().
-spec sendto(port(), any(), integer() | maybe_improper_list(), any()) -> any().
-spec sendmsg(port(), any(), any()) -> any().
-spec recv(port(), non_neg_integer()) -> any().
-spec recv(port(), non_neg_integer(), infinity | integer()) -> any().
-spec recvfrom(port(), any()) -> {ok, any()} | {error, any()}.
-spec recvfrom(port(), any(), any()) -> {ok, any()} | {error, any()}.
-spec setopt(port(), any(), any()) -> ok | {error, any()}.
-spec setopts(port(), any()) -> ok | {error, any()}.
-spec getopt(port(), atom()) -> any().
-spec getopts(port(), maybe_improper_list()) -> any().
-spec chgopt(port(), any(), any()) -> any().
-spec chgopts(port(), [any()]) -> any().
-spec is_sockopt_val(atom(), any()) -> boolean().
-spec getfd(port()) -> {ok, non_neg_integer()} | {error, atom()}.
-spec getiflist(port()) -> {ok, any()} | {error, atom()}.
-spec ifget(any(), atom() | [any()], any()) -> {ok, [{any(), any()}]} | {error, atom()}.
-spec ifset(any(), atom() | [any()], any()) -> ok | {error, any()}.
-spec getstat(port(), maybe_improper_list()) -> {ok, [{atom(), non_neg_integer()}]} | {error, any()}.
-spec getstatus(port()) -> {ok, [any()]} | {error, atom()}.
-spec setsockname(port(), any()) -> ok | {error, atom()}.
-spec setpeername(port(), any()) -> ok | {error, atom()}.
-spec unrecv(any(), any()) -> ok | {error, atom()}.
-spec attach(port()) -> ok | {error, any()}.
-spec detach(port()) -> ok.
-spec gethostname(port()) -> {ok, iodata()} | {error, atom()}.
-spec getifaddrs(port()) -> {ok, [{any(), maybe_improper_list()}]} | {error, atom()}.
-spec getservbyname(any(), any(), any()) -> {ok, non_neg_integer()} | {error, atom()}.
-spec getservbyport(any(), any(), any()) -> {ok, iodata()} | {error, atom()}.
-spec sockname(port()) -> {ok, any()} | {error, any()}.
-spec peername(port()) -> {ok, any()} | {error, any()}.
-spec socknames(port()) -> {ok, [{any(), any()}]} | {error, atom()}.
-spec peernames(port()) -> {ok, [{any(), any()}]} | {error, atom()}.
-spec peeloff(any(), integer()) -> any().
