#!/usr/bin/env escript
%% -*- erlang -*-
%% Whether OTP reads the same forms, positions apart, from two files.
%%
%% The argument names a file of terms {Original, Printed, IncludeDirs}. For each pair that differs,
%% prints the name of the original and the first forms that differ; at the end, the number of pairs
%% that are the same.
-mode(compile).

main([ListFile]) ->
    {ok, Pairs} = file:consult(ListFile),
    Self = self(),
    Chunks = chunks(Pairs, erlang:system_info(schedulers_online)),
    Workers = [spawn_link(fun() -> Self ! {self(), check_all(Chunk)} end) || Chunk <- Chunks],
    Counts = [receive {Worker, Count} -> Count end || Worker <- Workers],
    io:format("same ~w~n", [lists:sum(Counts)]).

chunks(Pairs, N) ->
    Indexed = lists:zip(lists:seq(1, length(Pairs)), Pairs),
    [[Pair || {I, Pair} <- Indexed, I rem N =:= K] || K <- lists:seq(0, N - 1)].

check_all(Pairs) ->
    length([ok || Pair <- Pairs, check(Pair) =:= same]).

check({Original, Printed, Includes}) ->
    case differ(forms(Original, Original, Includes), forms(Printed, Original, Includes)) of
        same ->
            same;
        {Was, Is} ->
            io:format("~ts:~n  was ~0tP~n  is  ~0tP~n", [Original, Was, 30, Is, 30]),
            different
    end.

forms(File, Name, Includes) ->
    Options = [{location, {1, 1}}, {source_name, Name}, {includes, [filename:dirname(Name) | Includes]}],
    {ok, Forms} = epp:parse_file(File, Options),
    [without_position(Form) || Form <- Forms].

without_position({eof, _}) -> eof;
without_position({warning, {_, Module, What}}) -> {warning, Module, What};
without_position({error, {_, Module, What}}) -> {error, Module, What};
without_position(Form) -> erl_parse:map_anno(fun(_) -> 0 end, Form).

differ([Form | Was], [Form | Is]) -> differ(Was, Is);
differ([], []) -> same;
differ([Was | _], [Is | _]) -> {Was, Is};
differ([], [Is | _]) -> {none, Is};
differ([Was | _], []) -> {Was, none}.
