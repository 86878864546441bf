%% One EUnit test at a time, in the process that asks, with its fixture and with nothing
%% around it: no time limit, no other process, output as it comes. For tools
%% that run a test again and again under other schedules.
%%
%% The tests of a fixture share what its setup made and run in their order, each finding what those
%% before it left: they are one test here. A test is named by its function and the way to it in
%% what a generator gives: a list of positions, empty for a plain test.
-module(erlscope_eunit_one).

-export([list/1, run/3]).

-include("include/erlscope_eunit.hrl").

%% The tests of a module: [{Function, Way, Title, Time}], Time being the milliseconds that a test, or
%% what it is part of, says that it may take. Generators are run to see what
%% they hold. One that fails is listed as a test itself, which fails in the same
%% way when it is run.
list(Module) ->
    lists:append([tests(Function, Test) || {Function, Test} <- erlscope_eunit:specs(Module)]).

tests(Function, {test, _, _}) ->
    [{Function, [], undefined, undefined}];
tests(Function, Generator) ->
    try walk(Generator, [], 1, undefined) of
        Found -> [{Function, Way, Title, Time} || {Way, Title, Time} <- Found]
    catch
        _:_ -> [{Function, [1], undefined, undefined}]
    end.

walk(Tests, Way, N, Time) ->
    case erlscope_eunit_data:next(Tests, []) of
        none -> [];
        {Item, Rest} -> items(Item, Way ++ [N], Time) ++ walk(Rest, Way, N + 1, Time)
    end.

items(#test{desc = Title, timeout = Own}, Way, Time) -> [{Way, Title, longer(Own, Time)}];
items(#group{context = undefined, tests = Tests, timeout = Own}, Way, Time) ->
    walk(Tests, Way, 1, longer(Own, Time));
items(#group{desc = Title, timeout = Own}, Way, Time) -> [{Way, Title, longer(Own, Time)}].

longer(undefined, Time) -> Time;
longer(Time, undefined) -> Time;
longer(Time, Other) -> max(Time, Other).

%% Runs one test; fails as it does.
run(Module, Function, []) ->
    Module:Function();
run(Module, Function, Way) ->
    {Function, Generator} = lists:keyfind(Function, 1, erlscope_eunit:specs(Module)),
    try step(Generator, Way)
    catch
        throw:{context_error, _, {Class, Reason, Stack}} -> erlang:raise(Class, Reason, Stack);
        throw:{generator_failed, {_, {Class, Reason, Stack}}} -> erlang:raise(Class, Reason, Stack)
    end.

step(Tests, [N | Way]) ->
    case nth(Tests, N) of
        #group{context = undefined, tests = Inner} when Way =/= [] -> step(Inner, Way);
        Item -> item(Item)
    end.

item(#test{f = F}) -> F();
item(#group{context = undefined, tests = Tests}) -> all(Tests);
item(#group{context = Context, tests = Instantiate}) ->
    erlscope_eunit_data:enter_context(Context, Instantiate, fun all/1).

%% One after the other.
all(Tests) ->
    case erlscope_eunit_data:next(Tests, []) of
        none -> ok;
        {Item, Rest} -> item(Item), all(Rest)
    end.

nth(Tests, N) ->
    case erlscope_eunit_data:next(Tests, []) of
        {Item, _} when N =:= 1 -> Item;
        {_, Rest} -> nth(Rest, N - 1)
    end.
