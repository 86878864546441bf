-module(fallback_tests).
-include_lib("eunit/include/eunit.hrl").
f_test() -> ?assertEqual(2, fallback:f()).
native_test() -> ?assertEqual(1, fallback:native()).
