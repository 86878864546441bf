-module(one_SUITE).
-export([all/0, case1/1]).
-include_lib("common_test/include/ct.hrl").
all() -> [case1].
case1(Config) -> ?config(x, Config).
