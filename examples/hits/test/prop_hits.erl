%% The counter against a model of it: how often each page was asked for.
-module(prop_hits).
-behaviour(proper_statem).
-include_lib("proper/include/proper.hrl").
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3]).

prop_counts() ->
    ?FORALL(Commands, commands(?MODULE),
            begin
                {ok, _} = hits:start_link(),
                {_, _, Result} = run_commands(?MODULE, Commands),
                hits:stop(),
                aggregate(command_names(Commands), Result =:= ok)
            end).

%% Two who count at the same time.
prop_together() ->
    ?FORALL(Page, page(),
            begin
                {ok, _} = hits:start_link(),
                Self = self(),
                [spawn_link(fun() -> Self ! {count, hits:hit(Page)} end) || _ <- [1, 2]],
                Counts = [receive {count, Count} -> Count end || _ <- [1, 2]],
                hits:stop(),
                Counts =:= [1, 2]
            end).

page() -> elements([home, news, help]).

initial_state() -> #{}.

command(_Pages) ->
    oneof([{call, hits, hit, [page()]},
           {call, hits, count, [page()]},
           {call, hits, forget, [page()]}]).

precondition(_Pages, _Call) -> true.

next_state(Pages, _Result, {call, _, hit, [Page]}) ->
    maps:update_with(Page, fun(Count) -> Count + 1 end, 1, Pages);
next_state(Pages, _Result, {call, _, forget, [Page]}) ->
    maps:remove(Page, Pages);
next_state(Pages, _Result, _Call) ->
    Pages.

postcondition(Pages, {call, _, hit, [Page]}, Count) -> Count =:= maps:get(Page, Pages, 0) + 1;
postcondition(Pages, {call, _, count, [Page]}, Count) -> Count =:= maps:get(Page, Pages, 0);
postcondition(_Pages, _Call, _Result) -> true.
