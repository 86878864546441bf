%% inet: addresses as text, names of errors, the name of this host, and what all sockets have in common. Sockets are those of
%% the network inside of this node (erlscope_net); other hosts are not known, and who asks for one is told so.
-module(inet).

-export([gethostname/0, gethostname/1, ntoa/1, parse_address/1, parse_ipv4_address/1, parse_ipv4strict_address/1,
         parse_ipv6_address/1, parse_ipv6strict_address/1, parse_strict_address/1, format_error/1, getaddr/2,
         getaddrs/2, gethostbyname/1, gethostbyname/2, is_ip_address/1, is_ipv4_address/1, is_ipv6_address/1,
         ipv4_mapped_ipv6_address/1, get_rc/0, start_timer/1, stop_timer/1, timeout/1]).
-export([setopts/2, getopts/2, sockname/1, peername/1, sockname/2, peername/2, socknames/1, socknames/2, peernames/1,
         peernames/2, port/1, getstat/1, getstat/2, close/1, getif/0, getif/1, getifaddrs/0, getifaddrs/1,
         getiflist/0, getiflist/1, ifget/2, ifget/3, i/0, i/1, i/2, info/1, send/2, tcp_close/1, udp_close/1,
         tcp_controlling_process/2, udp_controlling_process/2, getservbyname/2, getservbyport/2, getaddr/3, getaddrs/3,
         gethostbyname/3, gethostbyaddr/1, gethostbyaddr/2, getll/1, ip/1, monitor/1, cancel_monitor/1, getfd/1,
         options/0, stats/0, tcp_module/1, tcp_module/2, udp_module/1, translate_ip/2, socket_to_list/1]).
-export([family/2, address/2]).

-export_type([ip_address/0, ip4_address/0, ip6_address/0, port_number/0, hostname/0, posix/0, socket/0,
              address_family/0, hostent/0, returned_non_ip_address/0]).

%% The number of the network card, one of those that everybody may use.
-define(CARD, [2, 0, 0, 0, 0, 1]).

-record(hostent, {h_name, h_aliases = [], h_addrtype, h_length, h_addr_list = []}).

-type ip4_address() :: {0..255, 0..255, 0..255, 0..255}.
-type ip6_address() :: {0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535}.
-type ip_address() :: ip4_address() | ip6_address().
-type port_number() :: 0..65535.
-type hostname() :: atom() | string().
-type posix() :: atom().
-type socket() :: port() | term().
-type address_family() :: inet | inet6 | local.
-type hostent() :: #hostent{}.
-type returned_non_ip_address() :: {local, binary()} | {unspec, binary()} | {undefined, any()}.

gethostname() -> {ok, erlscope_native:host_name()}.
gethostname(_) -> gethostname().

get_rc() -> [].

%% ---- addresses as text ----

-define(IS_BYTE(N), is_integer(N), N >= 0, N =< 255).
-define(IS_WORD(N), is_integer(N), N >= 0, N =< 65535).

is_ipv4_address({A, B, C, D}) when ?IS_BYTE(A), ?IS_BYTE(B), ?IS_BYTE(C), ?IS_BYTE(D) -> true;
is_ipv4_address(_) -> false.

is_ipv6_address({A, B, C, D, E, F, G, H})
  when ?IS_WORD(A), ?IS_WORD(B), ?IS_WORD(C), ?IS_WORD(D), ?IS_WORD(E), ?IS_WORD(F), ?IS_WORD(G), ?IS_WORD(H) -> true;
is_ipv6_address(_) -> false.

is_ip_address(Address) -> is_ipv4_address(Address) orelse is_ipv6_address(Address).

ipv4_mapped_ipv6_address({A, B, C, D}) -> {0, 0, 0, 0, 0, 16#FFFF, A * 256 + B, C * 256 + D};
ipv4_mapped_ipv6_address({_, _, _, _, _, _, G, H}) -> {G bsr 8, G band 255, H bsr 8, H band 255}.

ntoa(Address) ->
    case {is_ipv4_address(Address), is_ipv6_address(Address)} of
        {true, _} -> lists:flatten(lists:join(".", [integer_to_list(N) || N <- tuple_to_list(Address)]));
        {_, true} -> ipv6_text(Address);
        _ -> {error, einval}
    end.

%% Addresses that contain one of version 4 show it as such.
ipv6_text({0, 0, 0, 0, 0, 0, 0, 0}) -> "::";
ipv6_text({0, 0, 0, 0, 0, 0, 0, 1}) -> "::1";
ipv6_text({0, 0, 0, 0, 0, 0, G, H}) -> "::" ++ ntoa({G bsr 8, G band 255, H bsr 8, H band 255});
ipv6_text({0, 0, 0, 0, 0, 16#FFFF, G, H}) -> "::ffff:" ++ ntoa({G bsr 8, G band 255, H bsr 8, H band 255});
ipv6_text(Address) ->
    Words = tuple_to_list(Address),
    case longest_zeros(Words) of
        {_, Length} when Length < 2 -> words_text(Words);
        {Start, Length} ->
            {Front, Rest} = lists:split(Start, Words),
            words_text(Front) ++ "::" ++ words_text(lists:nthtail(Length, Rest))
    end.

words_text(Words) -> lists:flatten(lists:join(":", [string:lowercase(integer_to_list(W, 16)) || W <- Words])).

%% The first of the longest runs of zeros: where it starts and how long it is.
longest_zeros(Words) -> longest_zeros(Words, 0, {0, 0}).

longest_zeros([], _, Best) -> Best;
longest_zeros([0 | _] = Words, At, {_, Longest} = Best) ->
    Length = length(lists:takewhile(fun(W) -> W =:= 0 end, Words)),
    Now = if
              Length > Longest -> {At, Length};
              true -> Best
          end,
    longest_zeros(lists:nthtail(Length, Words), At + Length, Now);
longest_zeros([_ | Words], At, Best) -> longest_zeros(Words, At + 1, Best).

%% ---- text as addresses ----

parse_address(Text) -> one_of(Text, [fun parse_ipv4_address/1, fun parse_ipv6strict_address/1]).

parse_strict_address(Text) -> one_of(Text, [fun parse_ipv4strict_address/1, fun parse_ipv6strict_address/1]).

one_of(_, []) -> {error, einval};
one_of(Text, [Parse | More]) ->
    case Parse(Text) of
        {ok, _} = Parsed -> Parsed;
        {error, _} -> one_of(Text, More)
    end.

parse_ipv4_address(Text) -> parsed(fun() -> ipv4(numbers(Text)) end).
parse_ipv4strict_address(Text) -> parsed(fun() -> ipv4_strict(Text) end).

parse_ipv6strict_address(Text) -> parsed(fun() -> ipv6(Text) end).

%% Addresses of version 4 count, too, unless one is strict.
parse_ipv6_address(Text) ->
    case parse_ipv4_address(Text) of
        {ok, Address} -> {ok, ipv4_mapped_ipv6_address(Address)};
        {error, _} -> parse_ipv6strict_address(Text)
    end.

parsed(Parse) ->
    try {ok, Parse()}
    catch error:_ -> {error, einval}
    end.

%% Decimal, octal with a leading zero, or hexadecimal numbers between dots.
numbers(Text) -> [number(Part) || Part <- string:split(Text, ".", all)].

number([$0, X | [_ | _] = Digits]) when X =:= $x; X =:= $X -> natural(Digits, 16);
number([$0 | [_ | _] = Digits]) -> natural(Digits, 8);
number([_ | _] = Digits) -> natural(Digits, 10).

natural([Sign | _], _) when Sign =:= $-; Sign =:= $+ -> error(badarg);
natural(Digits, Base) -> list_to_integer(Digits, Base).

%% The last number fills the bytes that are left.
ipv4(Numbers) ->
    {Front, [Last]} = lists:split(length(Numbers) - 1, Numbers),
    Size = 4 - length(Front),
    true = Size >= 1 andalso Last < 1 bsl (8 * Size) andalso lists:all(fun(N) -> N =< 255 end, Front),
    list_to_tuple(Front ++ binary_to_list(<<Last:Size/unit:8>>)).

%% Four decimal numbers without leading zeros.
ipv4_strict(Text) ->
    [_, _, _, _] = Parts = string:split(Text, ".", all),
    ipv4([case Part of [$0, _ | _] -> error(badarg); _ -> natural(Part, 10) end || Part <- Parts]).

%% A scope after a percent sign is not part of the address.
ipv6(Text) ->
    Plain = case string:split(Text, "%") of
                [Address, [_ | _]] -> Address;
                [Address] -> Address
            end,
    Words = case string:split(Plain, "::", all) of
                [All] -> words(All);
                [Front, Back] ->
                    Start = words(Front),
                    End = words(Back),
                    Missing = 8 - length(Start) - length(End),
                    true = Missing >= 1,
                    Start ++ lists:duplicate(Missing, 0) ++ End
            end,
    8 = length(Words),
    list_to_tuple(Words).

words("") -> [];
words(Text) ->
    Parts = string:split(Text, ":", all),
    {Front, [Last]} = lists:split(length(Parts) - 1, Parts),
    Words = [word(Part) || Part <- Front],
    case lists:member($., Last) of
        true ->
            {A, B, C, D} = ipv4_strict(Last),
            Words ++ [A * 256 + B, C * 256 + D];
        false ->
            Words ++ [word(Last)]
    end.

word(Digits) when length(Digits) >= 1, length(Digits) =< 4 -> natural(Digits, 16).

%% ---- names of hosts: only what is known without asking ----

getaddr(Name, Family) ->
    case getaddrs(Name, Family) of
        {ok, [Address | _]} -> {ok, Address};
        Error -> Error
    end.

getaddrs(Address, Family) when is_tuple(Address) ->
    case {Family, is_ipv4_address(Address), is_ipv6_address(Address)} of
        {inet, true, _} -> {ok, [Address]};
        {inet6, _, true} -> {ok, [Address]};
        {inet6, true, _} -> {ok, [ipv4_mapped_ipv6_address(Address)]};
        _ -> {error, einval}
    end;
getaddrs(Name, Family) when is_atom(Name) -> getaddrs(atom_to_list(Name), Family);
getaddrs("localhost", inet) -> {ok, [{127, 0, 0, 1}]};
getaddrs("localhost", inet6) -> {ok, [{0, 0, 0, 0, 0, 0, 0, 1}]};
getaddrs(Name, Family) when is_list(Name) ->
    case {Family, parse_address(Name)} of
        {_, {ok, Address}} -> getaddrs(Address, Family);
        _ ->
            case Name =:= erlscope_native:host_name() of
                true -> getaddrs("localhost", Family);
                false -> unknown_host(Name)
            end
    end;
getaddrs(_, _) -> {error, einval}.

gethostbyname(Name) -> gethostbyname(Name, inet).

gethostbyname(Name, Family) ->
    case getaddrs(Name, Family) of
        {ok, [First | _] = Addresses} ->
            Length = case tuple_size(First) of 4 -> 4; 8 -> 16 end,
            Text = if is_tuple(Name) -> ntoa(Name); is_atom(Name) -> atom_to_list(Name); true -> Name end,
            {ok, #hostent{h_name = Text, h_addrtype = Family, h_length = Length, h_addr_list = Addresses}};
        Error ->
            Error
    end.

%% ---- the rest ----

format_error(exbadport) -> "invalid port state";
format_error(exbadseq) -> "bad command sequence";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error(Reason) -> erl_posix_msg:message(Reason).

start_timer(infinity) -> false;
start_timer(Time) -> erlang:start_timer(Time, self(), inet).

timeout(false) -> infinity;
timeout(Timer) ->
    case erlang:read_timer(Timer) of
        false -> 0;
        Time -> Time
    end.

stop_timer(false) -> false;
stop_timer(Timer) ->
    case erlang:cancel_timer(Timer) of
        false -> receive {timeout, Timer, _} -> false after 0 -> false end;
        Time -> Time
    end.


%% A name that is reserved for hosts that do not exist is known not to; others would have to be looked up.
unknown_host(Name) ->
    case lists:suffix(".invalid", Name) orelse Name =:= "" of
        true -> {error, nxdomain};
        false -> unsupported("inet:getaddr/2 (~tp)", [Name])
    end.

getaddr(Name, Family, _Timeout) -> getaddr(Name, Family).
getaddrs(Name, Family, _Timeout) -> getaddrs(Name, Family).
gethostbyname(Name, Family, _Timeout) -> gethostbyname(Name, Family).

gethostbyaddr(Address) ->
    case getaddrs(Address, inet) of
        {ok, [{127, _, _, _} = Four]} ->
            {ok, #hostent{h_name = "localhost", h_addrtype = inet, h_length = 4, h_addr_list = [Four]}};
        {ok, [Other]} -> unsupported("inet:gethostbyaddr/1 (~ts)", [ntoa(Other)]);
        {error, _} when Address =:= {0, 0, 0, 0, 0, 0, 0, 1} ->
            {ok, #hostent{h_name = "localhost", h_addrtype = inet6, h_length = 16, h_addr_list = [Address]}};
        Error -> Error
    end.

gethostbyaddr(Address, _Timeout) -> gethostbyaddr(Address).

ip(Address) when is_tuple(Address) ->
    case is_ip_address(Address) of
        true -> {ok, Address};
        false -> {error, einval}
    end;
ip(Name) -> getaddr(Name, inet).

translate_ip(any, Family) -> erlscope_net:any(Family);
translate_ip(loopback, Family) -> erlscope_net:loopback(erlscope_net:any(Family));
translate_ip(Address, _) -> Address.

%% The services that tests and servers name.
services() ->
    [{"echo", 7}, {"discard", 9}, {"daytime", 13}, {"ftp", 21}, {"ssh", 22}, {"telnet", 23}, {"smtp", 25}, {"time", 37},
     {"domain", 53}, {"tftp", 69}, {"http", 80}, {"pop3", 110}, {"ntp", 123}, {"imap2", 143}, {"snmp", 161}, {"ldap", 389},
     {"https", 443}, {"ldaps", 636}, {"imaps", 993}, {"pop3s", 995}, {"mysql", 3306}, {"epmd", 4369}, {"postgresql", 5432},
     {"xmpp-client", 5222}, {"xmpp-server", 5269}, {"amqp", 5672}, {"amqps", 5671}, {"http-alt", 8080}].

getservbyname(Name, _) ->
    case lists:keyfind(lists:concat([Name]), 1, services()) of
        {_, Port} -> {ok, Port};
        false -> {error, einval}
    end.

getservbyport(Port, _) ->
    case lists:keyfind(Port, 2, services()) of
        {Name, _} -> {ok, Name};
        false -> {error, einval}
    end.

%% ---- sockets ----

%% The family of the address of a socket: as its options say, or as the address shows.
family(#{family := Family}, _) -> Family;
family(_, Default) -> Default.

%% The address that a new socket is bound to, of what its options say.
address(#{ip := {local, _} = Local}, _) -> {ok, Local};
address(#{family := local}, _) -> {ok, {local, <<>>}};
address(Start, Family) ->
    Port = maps:get(port, Start, 0),
    case maps:get(ip, Start, any) of
        any -> {ok, {erlscope_net:any(Family), Port}};
        loopback -> {ok, {erlscope_net:loopback(erlscope_net:any(Family)), Port}};
        Address when tuple_size(Address) =:= 4; tuple_size(Address) =:= 8 ->
            case is_ip_address(Address) of
                true -> {ok, {Address, Port}};
                false -> error
            end;
        Name when is_list(Name); is_atom(Name) ->
            case getaddr(Name, Family) of
                {ok, Address} -> {ok, {Address, Port}};
                _ -> error
            end;
        _ -> error
    end.

setopts(Socket, Options) -> asked(Socket, {setopts, proplists(Options)}).

getopts(Socket, Options) -> asked(Socket, {getopts, Options}).

proplists(Options) when is_list(Options) -> Options;
proplists(Other) -> [Other].

sockname(Socket) -> asked(Socket, sockname).
peername(Socket) -> asked(Socket, peername).
sockname(Socket, _) -> sockname(Socket).
peername(Socket, _) -> peername(Socket).
socknames(Socket) -> listed(sockname(Socket)).
socknames(Socket, _) -> socknames(Socket).
peernames(Socket) -> listed(peername(Socket)).
peernames(Socket, _) -> peernames(Socket).

listed({ok, Name}) -> {ok, [Name]};
listed(Error) -> Error.

port(Socket) ->
    case sockname(Socket) of
        {ok, {_, Port}} when is_integer(Port) -> {ok, Port};
        {ok, _} -> {ok, 0};
        Error -> Error
    end.

%% A socket that is closed is told of as no socket at all here.
asked(Socket, Request) ->
    case erlscope_socket:call(Socket, Request) of
        {error, closed} -> {error, einval};
        Answer -> Answer
    end.

getstat(Socket) -> getstat(Socket, stats()).

getstat(Socket, Items) ->
    case asked(Socket, statistics) of
        {ok, Known} ->
            Value = fun(recv_max) -> maps:get(recv_oct, Known);
                       (send_max) -> maps:get(send_oct, Known);
                       (recv_avg) -> average(maps:get(recv_oct, Known), maps:get(recv_cnt, Known));
                       (send_avg) -> average(maps:get(send_oct, Known), maps:get(send_cnt, Known));
                       (Item) -> maps:get(Item, Known, 0)
                    end,
            {ok, [{Item, Value(Item)} || Item <- Items]};
        Error -> Error
    end.

average(_, 0) -> 0;
average(Bytes, Packets) -> Bytes div Packets.

stats() -> [recv_oct, recv_cnt, recv_max, recv_avg, recv_dvi, send_oct, send_cnt, send_max, send_avg, send_pend].

options() -> lists:sort(maps:keys(maps:merge(erlscope_socket:defaults(tcp), erlscope_socket:defaults(udp)))).

close(Socket) when is_port(Socket) -> erlscope_socket:close(Socket), ok;
close(_) -> ok.

tcp_close(Socket) -> close(Socket).
udp_close(Socket) -> close(Socket).
send(Socket, Data) -> gen_tcp:send(Socket, Data).
tcp_controlling_process(Socket, Pid) -> gen_tcp:controlling_process(Socket, Pid).
udp_controlling_process(Socket, Pid) -> gen_udp:controlling_process(Socket, Pid).
tcp_module(_) -> inet_tcp.
tcp_module(_, _) -> inet_tcp.
udp_module(_) -> inet_udp.
getfd(_) -> {error, einval}.
socket_to_list(Socket) -> erlang:port_to_list(Socket).

monitor(Socket) -> erlang:monitor(port, Socket).
cancel_monitor(Ref) -> erlang:demonitor(Ref, [flush, info]).

info(Socket) ->
    case erlang:port_info(Socket) of
        undefined -> #{states => [closed]};
        Info ->
            Statistics = case getstat(Socket) of {ok, Pairs} -> maps:from_list(Pairs); _ -> #{} end,
            #{counters => Statistics, input => 0, output => 0, links => proplists:get_value(links, Info),
              owner => proplists:get_value(connected, Info), memory => 0, monitors => [], states => [open]}
    end.

getif() -> {ok, [{{127, 0, 0, 1}, undefined, {255, 0, 0, 0}}]}.
getif(_) -> getif().
getiflist() -> {ok, ["lo", "eth0"]}.
getiflist(_) -> getiflist().

getifaddrs() ->
    {ok, [{"lo", [{flags, [up, loopback, running]}, {addr, {127, 0, 0, 1}}, {netmask, {255, 0, 0, 0}},
                  {addr, {0, 0, 0, 0, 0, 0, 0, 1}}, {netmask, {65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535}},
                  {hwaddr, [0, 0, 0, 0, 0, 0]}]},
          %% No address: nothing is there to be reached. Programs take its number for the machine's.
          {"eth0", [{flags, [up, broadcast, running, multicast]}, {hwaddr, ?CARD}]}]}.
getifaddrs(_) -> getifaddrs().

ifget(Name, Options) ->
    case lists:concat([Name]) of
        "lo" ->
            Known = [{addr, {127, 0, 0, 1}}, {netmask, {255, 0, 0, 0}}, {mtu, 65536}, {flags, [up, loopback, running]},
                     {hwaddr, [0, 0, 0, 0, 0, 0]}],
            {ok, [Pair || Option <- Options, {Key, _} = Pair <- Known, Key =:= Option]};
        "eth0" ->
            Known = [{mtu, 1500}, {flags, [up, broadcast, running, multicast]}, {hwaddr, ?CARD}],
            {ok, [Pair || Option <- Options, {Key, _} = Pair <- Known, Key =:= Option]};
        _ -> {error, enxio}
    end.
ifget(_, Name, Options) -> ifget(Name, Options).

getll(_) -> {error, einval}.

i() -> ok.
i(_) -> ok.
i(_, _) -> ok.

unsupported(Format, Args) ->
    erlscope_native:unsupported(lists:flatten(io_lib:format(Format ++ ": other hosts are not reached", Args))).
