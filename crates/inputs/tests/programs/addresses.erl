-module(addresses).
%% Kinds of addresses.
-export([main/1]).
-type ip() :: {byte(), byte(), byte(), byte()}.
-spec main(ip() | {ip(), 0..32}) -> term().
main({127, _, _, _}) -> loopback;
main({10, _, _, _}) -> private;
main({172, B, _, _}) when B >= 16, B =< 31 -> private;
main({192, 168, _, _}) -> private;
main({169, 254, _, _}) -> link_local;
main({A, _, _, _}) when A >= 224, A =< 239 -> multicast;
main({255, 255, 255, 255}) -> broadcast;
main({0, 0, 0, 0}) -> any;
main({_, _, _, _}) -> public;
main({{_, _, _, 0}, 24}) -> net;
main({{A, 0, 0, 0}, 8}) when A < 128 -> class_a;
main({_, 32}) -> host;
main({{0, 0, 0, 0}, 0}) -> default;
main({_, N}) when N > 24 -> small;
main({_, _}) -> large.
