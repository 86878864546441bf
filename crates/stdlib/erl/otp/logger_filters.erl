%% Filters for logger: by domain, level, progress reports, remote group leader.
-module(logger_filters).

-export([domain/2, level/2, progress/2, remote_gl/2]).

-define(IS_ACTION(A), (A =:= log orelse A =:= stop)).

domain(#{meta := Meta} = Event, {Action, Compare, Match})
  when ?IS_ACTION(Action), is_list(Match),
       Compare =:= super orelse Compare =:= sub orelse Compare =:= equal orelse
       Compare =:= not_equal orelse Compare =:= undefined ->
    Matches = case Meta of
                  #{domain := Domain} ->
                      case Compare of
                          super -> is_prefix(Domain, Match);
                          sub -> is_prefix(Match, Domain);
                          equal -> Domain =:= Match;
                          not_equal -> Domain =/= Match;
                          undefined -> false
                      end;
                  _ ->
                      Compare =:= undefined orelse Compare =:= not_equal
              end,
    outcome(Matches, Action, Event);
domain(Event, Extra) ->
    erlang:error(badarg, [Event, Extra]).

is_prefix(List1, List2) when is_list(List1), is_list(List2) -> lists:prefix(List1, List2);
is_prefix(_, _) -> false.

level(#{level := Level} = Event, {Action, Operator, Match} = Extra) when ?IS_ACTION(Action) ->
    IsLevel = lists:member(Match, [emergency, alert, critical, error, warning, notice, info, debug]),
    Accepted = case Operator of
                   eq -> [eq];
                   neq -> [lt, gt];
                   lt -> [lt];
                   gt -> [gt];
                   lteq -> [lt, eq];
                   gteq -> [gt, eq];
                   _ -> []
               end,
    case IsLevel andalso Accepted =/= [] of
        true -> outcome(lists:member(logger:compare_levels(Level, Match), Accepted), Action, Event);
        false -> erlang:error(badarg, [Event, Extra])
    end;
level(Event, Extra) ->
    erlang:error(badarg, [Event, Extra]).

progress(#{msg := {report, #{label := {_, progress}}}} = Event, Action) when ?IS_ACTION(Action) ->
    outcome(true, Action, Event);
progress(_, Action) when ?IS_ACTION(Action) ->
    ignore;
progress(Event, Action) ->
    erlang:error(badarg, [Event, Action]).

remote_gl(#{meta := #{gl := Leader}} = Event, Action) when ?IS_ACTION(Action), node(Leader) =/= node() ->
    outcome(true, Action, Event);
remote_gl(_, Action) when ?IS_ACTION(Action) ->
    ignore;
remote_gl(Event, Action) ->
    erlang:error(badarg, [Event, Action]).

outcome(true, log, Event) -> Event;
outcome(true, stop, _) -> stop;
outcome(false, _, _) -> ignore.
