%% The network inside of the node: which socket has which address.
%%
%% There is one host, this one; its addresses are those of the loopback interface. A table holds {{Protocol, Port, Address,
%% Socket}, May}: May is whether others may have the same. A hidden port owns the table, made with the first socket.
%% Nothing outside is reached: who asks for another host is told that this is not supported.
-module(erlscope_net).

-export([bind/4, release/1, find/3, is_own/1, any/1, loopback/1, seen_from/2]).
-export([keep/1]).

-define(FIRST, 32768).
-define(LAST, 60999).

%% ---- binding ----

%% Takes an address for a socket; port 0 is any that is free. May: whether it is shared with those that may, too.
%% {ok, {Address, Port}} or {error, Reason}.
bind(_, {local, Path} = Address, _, Socket) ->
    started(),
    case at(local, 0, Path) of
        [] ->
            ets:insert(?MODULE, {{local, 0, Path, Socket}, false}),
            {ok, Address};
        _ -> {error, eaddrinuse}
    end;
bind(Protocol, {Address, Port}, May, Socket) ->
    started(),
    case is_own(Address) orelse is_multicast(Address) of
        false -> {error, eaddrnotavail};
        true when Port =:= 0 -> bind_free(Protocol, Address, Socket, ?LAST - ?FIRST);
        true -> bind_port(Protocol, Address, Port, May, Socket)
    end.

bind_free(_, _, _, 0) -> {error, eaddrinuse};
bind_free(Protocol, Address, Socket, Left) ->
    Port = ets:update_counter(?MODULE, next, {2, 1, ?LAST, ?FIRST}),
    case bind_port(Protocol, Address, Port, false, Socket) of
        {ok, _} = Bound -> Bound;
        {error, eaddrinuse} -> bind_free(Protocol, Address, Socket, Left - 1)
    end.

bind_port(Protocol, Address, Port, May, Socket) ->
    InTheWay = [Other || [A, Other, M] <- ets:match(?MODULE, {{Protocol, Port, '$1', '$2'}, '$3'}),
                         overlap(A, Address), not (M andalso May), is_open(Other)],
    case InTheWay of
        [] ->
            ets:insert(?MODULE, {{Protocol, Port, Address, Socket}, May}),
            {ok, {Address, Port}};
        _ -> {error, eaddrinuse}
    end.

%% The open sockets with exactly this address.
at(Protocol, Port, Address) ->
    [Socket || [Socket] <- ets:match(?MODULE, {{Protocol, Port, Address, '$1'}, '_'}), is_open(Socket)].

is_open(Socket) -> erlang:port_info(Socket, name) =/= undefined.

overlap(A, A) -> true;
overlap(A, B) -> is_any(A) orelse is_any(B).

%% Gives up all addresses of a socket.
release(Socket) ->
    case ets:whereis(?MODULE) of
        undefined -> true;
        _ -> ets:match_delete(?MODULE, {{'_', '_', '_', Socket}, '_'})
    end.

%% The socket at an address: {ok, Socket}, none, or outside.
find(_, {local, Path}, _) ->
    started(),
    case at(local, 0, Path) of
        [Socket | _] -> {ok, Socket};
        [] -> none
    end;
find(Protocol, {Address, Port}, _) ->
    started(),
    case is_own(Address) of
        false -> outside;
        true ->
            Wanted = case is_any(Address) of
                         true -> loopback(Address);
                         false -> Address
                     end,
            Same = [Socket || A <- [Wanted | alike(Wanted)], Socket <- at(Protocol, Port, A)],
            case Same of
                [Socket | _] -> {ok, Socket};
                [] -> none
            end
    end.

%% Addresses that a socket may be bound to so that it gets what is sent to this one.
alike({0, 0, 0, 0, 0, 16#FFFF, G, H}) ->
    Four = {G bsr 8, G band 255, H bsr 8, H band 255},
    [Four | alike(Four)];
alike({_, _, _, _}) -> [{0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}];
alike(_) -> [{0, 0, 0, 0, 0, 0, 0, 0}].

%% ---- addresses ----

is_own({127, _, _, _}) -> true;
is_own({0, 0, 0, 0}) -> true;
is_own({0, 0, 0, 0, 0, 0, 0, N}) -> N =< 1;
is_own({0, 0, 0, 0, 0, 16#FFFF, G, _}) -> G bsr 8 =:= 127 orelse G =:= 0;
is_own(_) -> false.

is_multicast({A, _, _, _}) -> A >= 224 andalso A < 240;
is_multicast({A, _, _, _, _, _, _, _}) -> A bsr 8 =:= 255;
is_multicast(_) -> false.

is_any({0, 0, 0, 0}) -> true;
is_any({0, 0, 0, 0, 0, 0, 0, 0}) -> true;
is_any(_) -> false.

any(inet) -> {0, 0, 0, 0};
any(inet6) -> {0, 0, 0, 0, 0, 0, 0, 0}.

loopback({_, _, _, _}) -> {127, 0, 0, 1};
loopback(_) -> {0, 0, 0, 0, 0, 0, 0, 1}.

%% An address as a socket of this family shows it.
seen_from(inet6, {A, B, C, D}) -> {0, 0, 0, 0, 0, 16#FFFF, A * 256 + B, C * 256 + D};
seen_from(inet, {0, 0, 0, 0, 0, 16#FFFF, G, H}) -> {G bsr 8, G band 255, H bsr 8, H band 255};
seen_from(_, Address) -> Address.

%% ---- the owner of the table ----

started() ->
    case ets:whereis(?MODULE) of
        undefined ->
            Ref = make_ref(),
            Port = erlscope_native:open_port("network", {?MODULE, keep}, [{self(), Ref}]),
            receive {Ref, _} -> unlink(Port) end;
        _ -> ok
    end.

keep({From, Ref}) ->
    process_flag(trap_exit, true),
    try ets:new(?MODULE, [named_table, public, ordered_set]) of
        _ ->
            ets:insert(?MODULE, {next, ?FIRST + 7000}),
            From ! {Ref, ok},
            stay()
    catch
        %% Another process was first.
        error:badarg -> From ! {Ref, ok}
    end.

stay() -> receive _ -> stay() end.
