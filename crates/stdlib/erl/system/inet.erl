%% inet: addresses as text, names of errors, the name of this host. There are no sockets: what needs one is not
%% supported, and says so.
-module(inet).

-export([gethostname/0, gethostname/1, ntoa/1, parse_address/1, parse_ipv4_address/1, parse_ipv4strict_address/1,
         parse_ipv6_address/1, parse_ipv6strict_address/1, parse_strict_address/1, format_error/1, getaddr/2,
         getaddrs/2, gethostbyname/1, gethostbyname/2, is_ip_address/1, is_ipv4_address/1, is_ipv6_address/1,
         ipv4_mapped_ipv6_address/1, get_rc/0, start_timer/1, stop_timer/1, timeout/1]).
-export([setopts/2, getopts/2, sockname/1, peername/1, port/1, getstat/1, getstat/2, close/1, getif/0, getifaddrs/0,
         getiflist/0, i/0, info/1]).

-export_type([ip_address/0, ip4_address/0, ip6_address/0, port_number/0, hostname/0, posix/0, socket/0,
              address_family/0, hostent/0, returned_non_ip_address/0]).

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
                false -> unsupported("inet:getaddr/2 (~tp)", [Name])
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

setopts(_, _) -> no_socket("setopts/2").
getopts(_, _) -> no_socket("getopts/2").
sockname(_) -> no_socket("sockname/1").
peername(_) -> no_socket("peername/1").
port(_) -> no_socket("port/1").
getstat(_) -> no_socket("getstat/1").
getstat(_, _) -> no_socket("getstat/2").
close(_) -> no_socket("close/1").
getif() -> no_socket("getif/0").
getifaddrs() -> no_socket("getifaddrs/0").
getiflist() -> no_socket("getiflist/0").
i() -> no_socket("i/0").
info(_) -> no_socket("info/1").

no_socket(Function) -> unsupported("inet:~s", [Function]).

unsupported(Format, Args) ->
    erlscope_native:unsupported(lists:flatten(io_lib:format(Format ++ ": sockets are not supported", Args))).
