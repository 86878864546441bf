%% A generator takes pairs off a binary whose segments are written one by one.
-module(binary_generator).
-export([f/4]).

f(A, ‹B›, C, ‹D›) ->
    Bin = <<A:8, ‹B›:8, C:8, ‹D›:8>>,
    Firsts = [X || <<X:8, ‹_›:8>> <= Bin],
    «Firsts».
