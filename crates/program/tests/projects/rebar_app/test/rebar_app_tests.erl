-module(rebar_app_tests).
-include_lib("eunit/include/eunit.hrl").
-behaviour(dep).

-ifndef(TEST).
-error("tests are read with TEST").
-endif.
-ifndef(FROM_PROFILE).
-error("tests are read with the test profile").
-endif.

limit_test() -> ?assertEqual(42, rebar_app_main:limit()).

all_test_() -> [?_assert(true)].

helper() -> ok.
