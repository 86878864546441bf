%% Looks at a property, as PropEr's stand-in makes them, with values whose choices are given: what a
%% generator draws is the next of them, so that whoever chooses them chooses the values.
-module(erlscope_property).

-export([search/4]).

%% true, rejected, or {'$falsified', Values, Why}: what every ?FORALL on the way had drawn.
search(Module, Name, Size, Choices) ->
    proper_gen:choose_from(Choices),
    proper_gen:tries(2),
    check(Module:Name(), Size, []).

check(true, _, _) -> true;
check(false, _, Values) -> falsified(false, Values);
check({'$property', Kind, About}, Size, Values) -> check(Kind, About, Size, Values);
check({'$outer', fails, Property}, Size, Values) ->
    case check(Property, Size, Values) of
        {'$falsified', _, _} -> true;
        Other -> Other
    end;
check({'$outer', _, Property}, Size, Values) -> check(Property, Size, Values);
check(Delayed, Size, Values) when is_function(Delayed, 0) -> guarded(Delayed, Size, Values);
check(Other, _, Values) -> falsified({non_boolean_result, Other}, Values).

check(forall, {Type, Fun, _}, Size, Values) ->
    case drawn(Type, Size) of
        {value, Value} -> guarded(fun() -> Fun(Value) end, Size, [Value | Values]);
        rejected -> rejected
    end;
check(implies, {true, Delayed}, Size, Values) -> guarded(Delayed, Size, Values);
check(implies, {false, _}, _, _) -> rejected;
check(implies, {Other, _}, _, Values) -> falsified({non_boolean_result, Other}, Values);
check(whenfail, {_, Delayed}, Size, Values) -> guarded(Delayed, Size, Values);
check(sample, {_, _, Property}, Size, Values) -> check(Property, Size, Values);
check(conjunction, Tagged, Size, Values) -> conjunction(Tagged, Size, Values);
check(trapexit, Delayed, Size, Values) -> guarded(Delayed, Size, Values);
check(timeout, {_, Delayed}, Size, Values) -> guarded(Delayed, Size, Values);
check(always, {_, Delayed}, Size, Values) -> guarded(Delayed, Size, Values);
%% That there is a value, or that one of several tries succeeds, is not refuted by one that does not.
check(_, _, _, _) -> rejected.

drawn(Type, Size) ->
    try {value, erlscope_proper_tree:value(proper_gen:tree(Type, Size))}
    catch throw:{erlscope_proper, _} -> rejected
    end.

guarded(Delayed, Size, Values) ->
    try Delayed() of
        Property -> check(Property, Size, Values)
    catch
        throw:{erlscope_proper, _} -> rejected;
        Class:Reason -> falsified({Class, Reason}, Values)
    end.

%% Of the parts of a conjunction the first that fails; its values stand with its name.
conjunction([], _, _) -> true;
conjunction([{Tag, Property} | Rest], Size, Values) ->
    case check(Property, Size, []) of
        {'$falsified', Inner, Why} -> falsified(Why, [[{Tag, Inner}] | Values]);
        _ -> conjunction(Rest, Size, Values)
    end.

falsified(Why, Values) -> {'$falsified', lists:reverse(Values), Why}.
