-module(ping_pong_tests).
-include_lib("eunit/include/eunit.hrl").

pong_test() ->
    ?assertEqual(ok, ping_pong:pong()).
