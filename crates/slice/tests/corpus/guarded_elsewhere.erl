%% Library functions that catch what is called by them.
%% inputs: called(int), started(int), keys(list(int)), tasks(list(int))
-module(guarded_elsewhere).
-export([called/1, started/1, keys/1, tasks/1]).
-export([work/1, starting/2]).

called(N) ->
    Result = rpc:call(node(), ?MODULE, work, [N]),
    Kind = case Result of {badrpc, {'EXIT', {Why, _}}} -> Why; {badrpc, _} -> other; V -> V end,
    Kind.

work(N) ->
    checked(N),
    N * 2.

checked(N) when N > 5 -> error({large, N});
checked(N) when N < 0 -> throw(negative);
checked(_) -> ok.

started(N) ->
    case proc_lib:start(?MODULE, starting, [self(), N]) of
        {ok, V} -> V;
        {error, Why} -> {refused, shape(Why)}
    end.

shape({Why, Stack}) when is_list(Stack) -> Why;
shape(Why) -> Why.

starting(Parent, N) ->
    checked(N),
    proc_lib:init_ack(Parent, {ok, N + 1}).

keys(L) ->
    Keys = [rpc:async_call(node(), ?MODULE, work, [X]) || X <- L],
    Values = [rpc:yield(K) || K <- Keys],
    length([V || V <- Values, is_integer(V)]).

tasks(L) ->
    Values = [try erpc:call(node(), ?MODULE, work, [X]) catch C:_ -> C end || X <- L],
    Values.
