-module(ends_tests).
-include_lib("eunit/include/eunit.hrl").
%% EUnit gives up the module where a test ends its process; the others are run all the same.
a_test() -> put(k, 1).
b_test() -> ?assertEqual(1, get(k)), exit(self(), kill), receive x -> ok end.
c_test() -> ?assertEqual(undefined, get(k)).
d_test() -> timer:sleep(10000).
e_test() -> ok.
