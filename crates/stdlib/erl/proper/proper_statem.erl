%% Properties of what has a state: sequences of calls that a model in the module of the property
%% allows, and what they do to it. The module has initial_state/0, command/1, precondition/2,
%% next_state/3 and postcondition/3.
%%
%% A sequence is a list of {set, {var, N}, {call, M, F, Arguments}}, maybe after {init, State}. It is
%% made smaller by leaving calls out, as far as the model still allows those that are left, and by
%% smaller arguments. In parallel it is {Commands, [Commands, Commands]}: calls before, and those of two
%% processes, which must fit the model in some order (erlscope_proper_parallel).
-module(proper_statem).

-export([commands/1, commands/2, more_commands/2, run_commands/2, run_commands/3, state_after/2,
         command_names/1, zip/2]).
-export([run_from/3]).
-export([parallel_commands/1, parallel_commands/2, run_parallel_commands/2, run_parallel_commands/3]).

-type symbolic_state() :: term().
-type dynamic_state() :: term().
-type symb_var() :: {'var', pos_integer()}.
-type symbolic_call() :: {'call', module(), atom(), [term()]}.
-type command() :: {'set', symb_var(), symbolic_call()} | {'init', symbolic_state()}.
-type command_list() :: [command()].
-export_type([symbolic_state/0, dynamic_state/0, symb_var/0, symbolic_call/0, command/0,
              command_list/0]).

-callback initial_state() -> symbolic_state().
-callback command(symbolic_state()) -> proper_types:raw_type().
-callback precondition(symbolic_state(), symbolic_call()) -> boolean().
-callback postcondition(dynamic_state(), symbolic_call(), term()) -> boolean().
-callback next_state(symbolic_state() | dynamic_state(), term(), symbolic_call()) ->
    symbolic_state() | dynamic_state().

%% It is tried so often to get a call that its precondition allows.
-define(TRIES, 100).
%% Calls of both processes together: the orders that they can have come in are all tried.
-define(MOST_PARALLEL, 8).

%%% ------------------------------------------------------------------- generating

commands(Module) ->
    {'$type', fun(Size) -> sequence(Module, Module:initial_state(), [], Size) end}.

commands(Module, State) ->
    {'$type', fun(Size) -> sequence(Module, State, [{init, State}], Size) end}.

%% Longer sequences.
more_commands(Times, Type) ->
    proper_types:sized(fun(Size) -> proper_types:resize(Times * Size, Type) end).

sequence(Module, State, Head, Size) ->
    Length = proper_gen:between(0, Size),
    smaller_sequences(Module, State, Head, calls(Module, State, 1, Length, Size)).

%% Each call with its number, and as a tree.
calls(_, _, _, 0, _) ->
    [];
calls(Module, State, N, Left, Size) ->
    Tree = one_call(Module, State, Size, ?TRIES),
    Call = erlscope_proper_tree:value(Tree),
    Next = Module:next_state(State, {var, N}, Call),
    [{N, Tree} | calls(Module, Next, N + 1, Left - 1, Size)].

one_call(Module, State, Size, Tries) ->
    Tree = (proper_types:maker(Module:command(State)))(Size),
    Call = erlscope_proper_tree:value(Tree),
    case Module:precondition(State, Call) of
        true -> Tree;
        false when Tries > 0 -> one_call(Module, State, Size, Tries - 1);
        false -> throw({erlscope_proper, {cant_generate, {Module, command, State}}})
    end.

smaller_sequences(Module, State, Head, Calls) ->
    Value = Head ++ [{set, {var, N}, erlscope_proper_tree:value(Tree)} || {N, Tree} <- Calls],
    Fewer = fun() ->
                    [erlscope_proper_tree:without(Piece, Calls)
                     || Piece <- erlscope_proper_tree:pieces(length(Calls))]
            end,
    erlscope_proper_tree:tree(
      Value,
      fun() ->
              [smaller_sequences(Module, State, Head, Others)
               || Others <- Fewer() ++ one_smaller(Calls), is_valid(Module, State, Others, [])]
      end).

%% One call smaller; before that, all that have the same argument.
one_smaller(Calls) ->
    together_smaller(Calls, Calls) ++ each_smaller(Calls).

each_smaller([]) -> [];
each_smaller([{N, Tree} | Rest]) ->
    [[{N, Child} | Rest] || Child <- erlscope_proper_tree:children(Tree)]
        ++ [[{N, Tree} | Others] || Others <- each_smaller(Rest)].

together_smaller([], _) -> [];
together_smaller([{N, Tree} | Rest], All) ->
    Changes = lists:uniq([Change || Child <- erlscope_proper_tree:children(Tree),
                                    Change <- change(arguments(Tree), arguments(Child))]),
    [Smaller || Change <- Changes,
                Smaller <- [[with_change(Call, Change) || Call <- All]],
                is_several(N, Smaller, All)]
        ++ together_smaller(Rest, All).

arguments(Tree) ->
    case erlscope_proper_tree:value(Tree) of
        {call, _, _, Arguments} -> Arguments;
        _ -> []
    end.

%% [{Argument, What it becomes}] if that is all that differs.
change(Old, New) when length(Old) =:= length(New) ->
    case [Pair || {A, B} = Pair <- lists:zip(Old, New), A =/= B] of
        [One] -> [One];
        _ -> []
    end;
change(_, _) ->
    [].

with_change({N, Tree}, {Old, New}) ->
    case erlscope_proper_tree:value(Tree) of
        {call, M, F, Arguments} ->
            Wanted = {call, M, F, [case A of Old -> New; _ -> A end || A <- Arguments]},
            Children = erlscope_proper_tree:children(Tree),
            case [Child || Child <- Children, erlscope_proper_tree:value(Child) =:= Wanted] of
                [First | _] -> {N, First};
                [] -> {N, Tree}
            end;
        _ ->
            {N, Tree}
    end.

%% Whether another call than this one, which is the first, has become smaller with it.
is_several(N, Smaller, All) ->
    Values = fun(Calls) -> [{Number, erlscope_proper_tree:value(Tree)} || {Number, Tree} <- Calls] end,
    case [Number || {Number, _} <- Values(Smaller) -- Values(All)] of
        [N, _ | _] -> true;
        _ -> false
    end.

%% Whether the model allows these calls, and each uses only what those before it gave.
is_valid(Module, State, Calls, Known) ->
    try are_allowed(Module, State, Calls, Known)
    catch _:_ -> false
    end.

are_allowed(_, _, [], _) ->
    true;
are_allowed(Module, State, [{N, Tree} | Rest], Known) ->
    Call = erlscope_proper_tree:value(Tree),
    are_known(Call, Known) andalso Module:precondition(State, Call)
        andalso are_allowed(Module, Module:next_state(State, {var, N}, Call), Rest, [N | Known]).

are_known({var, N}, Known) when is_integer(N) -> lists:member(N, Known);
are_known(Tuple, Known) when is_tuple(Tuple) -> are_known(tuple_to_list(Tuple), Known);
are_known([First | Rest], Known) -> are_known(First, Known) andalso are_known(Rest, Known);
are_known(Map, Known) when is_map(Map) -> are_known(maps:to_list(Map), Known);
are_known(_, _) -> true.

%%% ---------------------------------------------------------------------- running

%% {History, State, Result}: what the state was before each call and what the call gave, the state at
%% the end, and `ok` or what went wrong.
run_commands(Module, Commands) -> run_commands(Module, Commands, []).

run_commands(Module, Commands, Variables) ->
    {Initial, Calls} = split(Module, Commands),
    State = proper_symb:eval(Variables, Initial),
    run(Module, Calls, Variables, State, []).

%% The same for calls that go on: {History, State, Result, Variables}.
run_from(Module, Commands, Variables) ->
    {Initial, Calls} = split(Module, Commands),
    State = proper_symb:eval(Variables, Initial),
    {History, Last, Result} = run(Module, Calls, Variables, State, []),
    Given = [{N, Value} || {{set, {var, N}, _}, {_, Value}} <- zip(Calls, History)],
    {History, Last, Result, lists:reverse(Given) ++ Variables}.

split(_, [{init, State} | Calls]) -> {State, Calls};
split(Module, Calls) -> {Module:initial_state(), Calls}.

run(_, [], _, State, History) ->
    {lists:reverse(History), State, ok};
run(Module, [{set, {var, N}, {call, M, F, Symbolic}} | Rest], Variables, State, History) ->
    Arguments = proper_symb:eval(Variables, Symbolic),
    Call = {call, M, F, Arguments},
    Ended = fun(Why) -> {lists:reverse(History), State, Why} end,
    case checked(fun() -> Module:precondition(State, Call) end) of
        true ->
            try apply(M, F, Arguments) of
                Result ->
                    Done = [{State, Result} | History],
                    case checked(fun() -> Module:postcondition(State, Call, Result) end) of
                        true ->
                            Next = proper_symb:eval(Variables, Module:next_state(State, Result, Call)),
                            run(Module, Rest, [{N, Result} | Variables], Next, Done);
                        Other ->
                            {lists:reverse(Done), State, {postcondition, Other}}
                    end
            catch
                Class:Reason:Stack -> Ended({exception, Class, Reason, Stack})
            end;
        Other ->
            Ended({precondition, Other})
    end.

checked(Check) ->
    try Check() of
        Result -> Result
    catch
        Class:Reason:Stack -> {exception, Class, Reason, Stack}
    end.

%%% ------------------------------------------------------------------- looking at

%% The model's state after calls.
state_after(Module, Commands) ->
    {Initial, Calls} = split(Module, Commands),
    lists:foldl(fun({set, Variable, Call}, State) -> Module:next_state(State, Variable, Call) end,
                Initial, Calls).

%% What is called, for aggregate/2; also in parallel.
command_names({Before, Sides}) ->
    lists:append([command_names(Commands) || Commands <- [Before | Sides]]);
command_names(Commands) ->
    [{M, F, length(Arguments)} || {set, _, {call, M, F, Arguments}} <- Commands].

%% Commands and what became of them, as far as they were run.
zip([{init, _} | Commands], History) -> zip(Commands, History);
zip([Command | Commands], [Result | History]) -> [{Command, Result} | zip(Commands, History)];
zip(_, _) -> [].

%%% ------------------------------------------------------------------- in parallel

parallel_commands(Module) ->
    parallel(Module, fun() -> {Module:initial_state(), []} end).

parallel_commands(Module, State) ->
    parallel(Module, fun() -> {State, [{init, State}]} end).

run_parallel_commands(Module, Commands) -> erlscope_proper_parallel:run(Module, Commands, []).

run_parallel_commands(Module, Commands, Variables) ->
    erlscope_proper_parallel:run(Module, Commands, Variables).

parallel(Module, Begin) ->
    {'$type', fun(Size) ->
                      {State, Head} = Begin(),
                      Before = calls(Module, State, 1, proper_gen:between(0, Size), Size),
                      Next = model_after(Module, State, Before),
                      Count = proper_gen:between(0, min(Size, ?MOST_PARALLEL)),
                      Calls = calls(Module, Next, length(Before) + 1, Count, Size),
                      Sides = dealt(Module, Next, numbers(Before), Calls),
                      smaller_parallel(Module, State, Head, [Before | Sides])
              end}.

%% The calls for two processes, as many as the model allows in whatever order they come.
dealt(Module, State, Known, Calls) ->
    lists:foldl(fun(Call, [One, Other]) ->
                        {A, B} = case proper_gen:between(0, 1) of
                                     0 -> {[One ++ [Call], Other], [One, Other ++ [Call]]};
                                     1 -> {[One, Other ++ [Call]], [One ++ [Call], Other]}
                                 end,
                        Allowed = [Sides || Sides <- [A, B], all_orders(Module, State, Known, Sides)],
                        hd(Allowed ++ [[One, Other]])
                end, [[], []], Calls).

numbers(Calls) -> [N || {N, _} <- Calls].

model_after(Module, State, Calls) ->
    lists:foldl(fun({N, Tree}, S) ->
                        Module:next_state(S, {var, N}, erlscope_proper_tree:value(Tree))
                end, State, Calls).

%% Whether each process uses only what it, or the calls before, have given, and the model allows the
%% calls in every order.
all_orders(Module, State, Known, Sides) ->
    lists:all(fun(Side) -> uses_known(Side, Known) end, Sides)
        andalso (try in_any_order(Module, State, Sides)
                 catch _:_ -> false
                 end).

uses_known([], _) -> true;
uses_known([{N, Tree} | Rest], Known) ->
    are_known(erlscope_proper_tree:value(Tree), Known) andalso uses_known(Rest, [N | Known]).

in_any_order(Module, State, [One, Other]) ->
    first_allowed(Module, State, One, fun(Rest) -> [Rest, Other] end)
        andalso first_allowed(Module, State, Other, fun(Rest) -> [One, Rest] end).

first_allowed(_, _, [], _) ->
    true;
first_allowed(Module, State, [{N, Tree} | Rest], Left) ->
    Call = erlscope_proper_tree:value(Tree),
    Module:precondition(State, Call)
        andalso begin
                    Next = Module:next_state(State, {var, N}, Call),
                    in_any_order(Module, Next, Left(Rest))
                end.

%% Calls before, and those of two processes; smaller with fewer of them, with the first of a process
%% among those before, or with a smaller call.
smaller_parallel(Module, State, Head, [Before, One, Other] = Parts) ->
    Set = fun(Calls) -> [{set, {var, N}, erlscope_proper_tree:value(Tree)} || {N, Tree} <- Calls] end,
    Value = {Head ++ Set(Before), [Set(One), Set(Other)]},
    erlscope_proper_tree:tree(
      Value,
      fun() ->
              [smaller_parallel(Module, State, Head, Smaller)
               || Smaller <- fewer_parallel(Parts) ++ one_before(Parts) ++ smaller_in(Parts),
                  is_valid_parallel(Module, State, Smaller)]
      end).

is_valid_parallel(Module, State, [Before | Sides]) ->
    is_valid(Module, State, Before, [])
        andalso all_orders(Module, model_after(Module, State, Before), numbers(Before), Sides).

fewer_parallel([]) -> [];
fewer_parallel([Calls | Rest]) ->
    [[erlscope_proper_tree:without(Piece, Calls) | Rest]
     || Piece <- erlscope_proper_tree:pieces(length(Calls))]
        ++ [[Calls | Others] || Others <- fewer_parallel(Rest)].

one_before([Before, One, Other]) ->
    [[Before ++ [First], Rest, Other] || [First | Rest] <- [One]]
        ++ [[Before ++ [First], One, Rest] || [First | Rest] <- [Other]].

smaller_in([]) -> [];
smaller_in([Calls | Rest]) ->
    [[Smaller | Rest] || Smaller <- each_smaller(Calls)]
        ++ [[Calls | Others] || Others <- smaller_in(Rest)].
