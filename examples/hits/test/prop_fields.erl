-module(prop_fields).
-include_lib("proper/include/proper.hrl").
-include_lib("eunit/include/eunit.hrl").

-type level() :: debug | info | {custom, 1..9}.

prop_round_trip() ->
    ?FORALL(Fields, non_empty(list(field())), fields:split(fields:join(Fields)) =:= Fields).

prop_commas() ->
    ?FORALL(Fields, non_empty(list(field())),
            collect(length(Fields), commas(fields:join(Fields)) >= length(Fields) - 1)).

%% The generator of a type that the module declares.
prop_levels() ->
    ?FORALL(Level, level(), fields:split(fields:join([io_lib:format("~w", [Level])])) =/= []).

field() -> list(oneof([$a, $,, $\\, char()])).

commas(Line) -> length([C || C <- Line, C =:= $,]).

empty_test() -> ?assertEqual([""], fields:split("")).
