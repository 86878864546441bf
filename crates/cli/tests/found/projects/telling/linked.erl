-module(linked).
-export([tree/0]).
%% A chain of links falls because of one crash.
tree() ->
    spawn(fun() ->
        spawn_link(fun() ->
            spawn_link(fun() -> exit(crash) end),
            receive never -> ok end
        end),
        receive never -> ok end
    end).
