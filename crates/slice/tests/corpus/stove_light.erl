%% Conditions through macros and booleans.
%% inputs: kitchen(int, bool), alarm(bool, bool, int)
-module(stove_light).
-export([kitchen/2, alarm/3]).

-define(HOT, 60).
-define(IS_HOT(T), (T) > ?HOT).

kitchen(Temp, Switch) ->
    Hot = ?IS_HOT(Temp),
    Light = Hot orelse Switch,
    Fan = Hot andalso not Switch,
    Power = case {Light, Fan} of
        {true, true} -> 30;
        {true, false} -> 10;
        {false, _} -> 0
    end,
    Cost = Power * 2,
    {Light, Cost}.

alarm(Door, Window, Hour) ->
    Night = Hour > 22 orelse Hour < 6,
    Open = Door or Window,
    Both = Door and Window,
    Level = if
        Night andalso Both -> 3;
        Night, Open -> 2;
        Open xor Both -> 1;
        true -> 0
    end,
    Bell = Level >= 2,
    {Level, Bell}.
