-module(sample_eunit_more).
-include_lib("eunit/include/eunit.hrl").

a_test() -> ok.
b_test_() -> {spawn, [fun() -> spawn_link(fun() -> exit(bad) end), timer:sleep(50) end, fun() -> ok end]}.
c_test_() -> {generator, fun() -> [fun() -> ok end | {generator, fun() -> ?_assert(true) end}] end}.
d_test_() -> {setup, fun() -> ok end, fun(_) -> error(in_cleanup) end, fun(_) -> ?_assert(true) end}.
e_test_() -> {timeout, 0.02, fun() -> timer:sleep(1000) end}.
f_test() -> ok.
