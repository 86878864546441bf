%% What became of a property, in PropEr's words, for those who call `proper:quickcheck/1,2` themselves.
-module(erlscope_proper_text).

-export([print/2, sampled/1, why/1]).

print(#{result := passed, tests := Tests} = Report, Print) ->
    Print("OK: Passed ~b test(s).~n", [Tests]),
    Print("~ts", [sampled(Report)]);
print(#{result := failed, why := no_counterexample}, Print) ->
    Print("Failed: All tests passed when a failure was expected.~n", []);
print(#{result := failed, tests := Tests, shrinks := Shrinks, first := First, values := Values,
        why := Why}, Print) ->
    Print("Failed: After ~b test(s).~n", [Tests]),
    Print("~ts", [why(Why)]),
    values(First, Print),
    Print("~nShrinking (~b time(s))~n", [Shrinks]),
    values(Values, Print);
print(#{result := error, reason := Reason}, Print) ->
    Print("Error: ~ts~n", [error_text(Reason)]).

values(Values, Print) ->
    lists:foreach(fun({_, Value}) -> Print("~tp~n", [Value]) end, Values).

error_text(cant_satisfy) -> "no valid test could be generated";
error_text(cant_generate) -> "no value of a type could be generated";
error_text(Reason) -> io_lib:format("~tp", [Reason]).

%% Why a test failed, if it was not only false.
why({exception, Class, Reason, Stack}) ->
    io_lib:format("An exception was raised: ~tw:~tp.~nStacktrace: ~tp.~n", [Class, Reason, Stack]);
why({trapped, Reason}) -> io_lib:format("A linked process died with reason: ~tp.~n", [Reason]);
why({died, Reason}) -> io_lib:format("The process of the test died with reason: ~tp.~n", [Reason]);
why({timeout, Milliseconds}) -> io_lib:format("It took longer than ~b milliseconds.~n", [Milliseconds]);
why({conjunction, Failed}) ->
    [io_lib:format("~tp failed.~n~ts", [Tag, why(Why)]) || {Tag, Why} <- Failed];
why({unstable, Why}) -> ["It failed once, and not when it was run again.\n", why(Why)];
why(_) -> "".

%% What collect/2 and its like noted.
sampled(#{samples := Samples}) ->
    Printers = lists:uniq([Printer || {Printer, _} <- Samples]),
    [one(Printer, lists:append([C || {P, C} <- Samples, P =:= Printer]), length(Samples))
     || Printer <- Printers];
sampled(_) ->
    "".

one(_, [], _) -> "";
one({measure, Title}, Numbers, _) ->
    io_lib:format("~n~ts~nminimum: ~tp~naverage: ~tp~nmaximum: ~tp~n",
                  [Title, lists:min(Numbers), lists:sum(Numbers) / length(Numbers), lists:max(Numbers)]);
one({title, Title}, Categories, _) -> ["\n", Title, "\n" | percentages(Categories)];
one(undefined, Categories, _) -> ["\n" | percentages(Categories)];
one(Print, Categories, _) when is_function(Print, 1) -> Print(Categories), "".

percentages(Categories) ->
    Count = length(Categories),
    Counts = maps:to_list(lists:foldl(fun(C, Acc) -> maps:update_with(C, fun(N) -> N + 1 end, 1, Acc) end,
                                      #{}, Categories)),
    Sorted = lists:sort(fun({C1, N1}, {C2, N2}) -> {-N1, C1} =< {-N2, C2} end, Counts),
    [io_lib:format("~b% ~tp~n", [round(100 * N / Count), C]) || {C, N} <- Sorted].
