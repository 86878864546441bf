%% What generated functions were asked, so that a counterexample can be told as source text: a function
%% that answers the same for the same arguments is, for one test, the table of what it was asked.
%%
%% Calls are noted in a table (ETS) that the one who checks a property owns: a test may ask in any
%% process. Nobody notes anything while schedules are explored.
-module(erlscope_proper_calls).

-export([new/0, delete/1, note_in/1, notes/0, made/3, called/4, forget/1, texts/1]).
-export([text/2, table/3, from_form/1]).

-define(NOTES, '$erlscope_proper_calls').

%%% --------------------------------------------------------------------- noting

new() -> ets:new(?MODULE, [public]).

delete(Notes) -> ets:delete(Notes).

%% Functions that this process makes from now on note what they are asked.
note_in(undefined) -> erase(?NOTES), ok;
note_in(Notes) -> put(?NOTES, Notes), ok.

notes() -> get(?NOTES).

%% A function that is known by a term.
made(undefined, Fun, _) -> Fun;
made(Notes, Fun, Id) -> ets:insert(Notes, {{function, Id, erlang:fun_info(Fun, arity)}, Fun}), Fun.

called(undefined, _, _, _) -> ok;
called(Notes, Id, Arguments, Result) -> ets:insert(Notes, {{calls, Id, Arguments}, Result}), ok.

%% Calls so far were those of another test.
forget(undefined) -> ok;
forget(Notes) -> ets:match_delete(Notes, {{calls, '_', '_'}, '_'}), ok.

%% [{Function, its text}] of all functions that were made.
texts(undefined) -> [];
texts(Notes) ->
    All = ets:tab2list(Notes),
    Calls = maps:groups_from_list(fun({{calls, Id, _}, _}) -> Id end,
                                  fun({{calls, _, Arguments}, Result}) -> {Arguments, Result} end,
                                  [Call || {{calls, _, _}, _} = Call <- All]),
    Functions = [{Fun, Arity, lists:sort(maps:get(Id, Calls, []))}
                 || {{function, Id, Arity}, Fun} <- All],
    %% What they gave may be functions, too.
    Plain = [{Fun, function_text(Arity, Rows, [])} || {Fun, Arity, Rows} <- Functions],
    [{Fun, function_text(Arity, Rows, Plain)} || {Fun, Arity, Rows} <- Functions].

%%% ------------------------------------------------------------------------ text

function_text({arity, Arity}, Rows, Known) ->
    Any = lists:join(", ", lists:duplicate(Arity, "_")),
    lists:flatten(["fun", lists:join(";", clauses(Rows, Any, Known)), " end"]).

clauses([], Any, _) ->
    [[" (", Any, ") -> ok"]];
clauses(Rows, Any, Known) ->
    %% The last of the results is what it gives for all that it was not asked.
    case lists:uniq([Result || {_, Result} <- Rows]) of
        [Only] ->
            [clause(Any, Only, Known)];
        Several ->
            Other = lists:last(Several),
            [clause(lists:join(", ", [text(A, Known) || A <- Arguments]), Result, Known)
             || {Arguments, Result} <- Rows, Result =/= Other]
                ++ [clause(Any, Other, Known)]
    end.

clause(Head, Result, Known) -> [" (", Head, ") -> ", text(Result, Known)].

%% A value as source text, with functions whose texts are known.
text(Value, Known) ->
    {Marked, Used} = marked(Value, Known, []),
    Text = unicode:characters_to_list(io_lib:format("~0tp", [Marked])),
    lists:foldl(fun({Mark, FunText}, Now) ->
                        Quoted = unicode:characters_to_list(io_lib:format("~0tp", [Mark])),
                        lists:append(string:replace(Now, Quoted, FunText, all))
                end, Text, Used).

marked(Fun, Known, Used) when is_function(Fun) ->
    case [Text || {F, Text} <- Known, F =:= Fun] of
        [Text | _] ->
            Mark = list_to_atom("$erlscope_fun_" ++ integer_to_list(length(Used) + 1)),
            {Mark, [{Mark, Text} | Used]};
        [] ->
            {Fun, Used}
    end;
marked([First | Rest], Known, Used) ->
    {A, Used1} = marked(First, Known, Used),
    {B, Used2} = marked(Rest, Known, Used1),
    {[A | B], Used2};
marked(Tuple, Known, Used) when is_tuple(Tuple) ->
    {List, Now} = marked(tuple_to_list(Tuple), Known, Used),
    {list_to_tuple(List), Now};
marked(Map, Known, Used) when is_map(Map) ->
    {List, Now} = marked(maps:to_list(Map), Known, Used),
    {maps:from_list(List), Now};
marked(Other, _, Used) ->
    {Other, Used}.

%%% -------------------------------------------------------------------- read again

%% A function of so many arguments that answers as a table says, and what it gives for the rest.
table(Arity, Rows, Other) ->
    erlscope_proper_fun:make(Arity, fun(Arguments) -> maps:get(Arguments, Rows, Other) end).

%% {Value, [{Function, its text}]} of an abstract form: terms, and functions as text/2 writes them.
from_form({'fun', _, {clauses, Clauses}}) ->
    Known = [from_clause(C) || C <- Clauses],
    {_, Other, _} = lists:last(Known),
    Rows = maps:from_list([{Arguments, Result} || {Arguments, Result, _} <- Known, is_list(Arguments)]),
    Inner = lists:append([Texts || {_, _, Texts} <- Known]),
    {clause, _, Patterns, [], _} = hd(Clauses),
    Fun = table(length(Patterns), Rows, Other),
    All = [{Arguments, Result} || {Arguments, Result, _} <- Known, is_list(Arguments)],
    Any = lists:join(", ", lists:duplicate(length(Patterns), "_")),
    Heads = [clause(lists:join(", ", [text(A, Inner) || A <- Arguments]), Result, Inner)
             || {Arguments, Result} <- All] ++ [clause(Any, Other, Inner)],
    {Fun, [{Fun, lists:flatten(["fun", lists:join(";", Heads), " end"])} | Inner]};
from_form({tuple, _, Elements}) ->
    {List, Texts} = from_forms(Elements),
    {list_to_tuple(List), Texts};
from_form({cons, _, First, Rest}) ->
    {[A, B], Texts} = from_forms([First, Rest]),
    {[A | B], Texts};
from_form({map, _, Fields}) ->
    {Pairs, Texts} = from_forms([{tuple, 0, [K, V]} || {map_field_assoc, _, K, V} <- Fields]),
    {maps:from_list(Pairs), Texts};
from_form(Form) ->
    {erl_parse:normalise(Form), []}.

from_forms(Forms) ->
    Values = [from_form(F) || F <- Forms],
    {[V || {V, _} <- Values], lists:append([T || {_, T} <- Values])}.

%% {Arguments, or `any` if all are variables, Result, Texts}
from_clause({clause, _, Patterns, [], [Body]}) ->
    {Result, Texts} = from_form(Body),
    case lists:all(fun(P) -> element(1, P) =:= var end, Patterns) of
        true -> {any, Result, Texts};
        false ->
            {Arguments, More} = from_forms(Patterns),
            {Arguments, Result, More ++ Texts}
    end.
