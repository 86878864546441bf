%% Maps by key: of three fields one.
-module(trap_map_key).
-export([f/3]).

f(A, ‹B›, ‹C›) ->
    M = #{a => A, ‹b => B›},
    N = M#{‹c => C›},
    #{a := X} = N,
    «X».
