%% Evaluates expressions, one a line of the input file, and writes what became of each: one line.
%% Each expression has a process of its own. Maps are written in the order of their keys.
-module(judge).
-export([main/1]).

main([In, Out]) ->
    {ok, Text} = file:read_file(In),
    {ok, To} = file:open(Out, [write, raw, delayed_write]),
    [ok = file:write(To, [evaluated(Line), $\n]) || Line <- lines(Text)],
    ok = file:close(To),
    halt().

lines(Text) ->
    [Line || Line <- binary:split(Text, <<"\n">>, [global]), Line =/= <<>>].

evaluated(Line) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({done, outcome(Line)}) end),
    receive
        {'DOWN', Ref, process, Pid, {done, Outcome}} ->
            unicode:characters_to_binary(Outcome);
        {'DOWN', Ref, process, Pid, Reason} ->
            unicode:characters_to_binary(["ended ", written(Reason)])
    after 20000 ->
            exit(Pid, kill),
            "no answer"
    end.

outcome(Line) ->
    try parsed(Line) of
        Exprs -> run(Exprs)
    catch
        _:_ -> "no expression"
    end.

parsed(Line) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list([Line, $.])),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Exprs.

run(Exprs) ->
    try erl_eval:exprs(Exprs, erl_eval:new_bindings()) of
        {value, Value, _} -> ["value ", written(Value)]
    catch
        Class:Reason:Stack ->
            [atom_to_list(Class), " ", written(Reason), explained(Stack)]
    end.

%% The function that failed, if it says how its errors are explained.
explained([{M, F, Args, Location} | _]) when is_list(Location) ->
    case lists:keyfind(error_info, 1, Location) of
        {error_info, Info} -> [" in ", written({M, F, Args, Info})];
        false -> ""
    end;
explained(_) ->
    "".

written(Map) when is_map(Map) ->
    Sorted = lists:sort(fun({A, _}, {B, _}) -> erts_internal:cmp_term(A, B) =< 0 end,
                        maps:to_list(Map)),
    Entries = [[written(K), " => ", written(V)] || {K, V} <- Sorted],
    ["#{", lists:join(",", Entries), "}"];
written(Tuple) when is_tuple(Tuple) ->
    ["{", lists:join(",", [written(E) || E <- tuple_to_list(Tuple)]), "}"];
written([Head | Tail]) ->
    ["[", written(Head), tail(Tail), "]"];
written(Other) ->
    io_lib:format("~tw", [Other]).

tail([]) -> "";
tail([Head | Tail]) -> [",", written(Head) | tail(Tail)];
tail(Other) -> ["|", written(Other)].
