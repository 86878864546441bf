%% Values of types (`proper_types`), with what they can be made smaller to (`erlscope_proper_tree`).
%%
%% Random numbers come from a state in the dictionary of the process, one apart from that of `rand`,
%% so that what a property draws itself disturbs nothing. What may be made again later (an
%% alternative, the result of a `?LET` from a smaller value) has a seed of its own: the same comes out
%% of it, whenever that is.
%%
%% In the place of random numbers there may be choices that somebody has made (choose_from/1); where
%% they end, it is the first of what can be chosen.
-module(proper_gen).

-export([pick/1, pick/2, pick/3, sample/1, sample/3, sampleshrink/1, sampleshrink/2]).
-export([generate/1, tree/2, size/0]).
-export([choose_from/1, seed/1, uniform/1, between/2, later/1, keeping/0, apart/2, tries/0, tries/1]).
-export([parameter/2, with_parameters/2]).

-type size() :: non_neg_integer().
-type seed() :: {integer(), integer(), integer()}.
-type instance() :: term().
-export_type([size/0, seed/0, instance/0]).

-define(RANDOM, '$erlscope_proper_random').
-define(PARAMETERS, '$erlscope_proper_parameters').
-define(CHOICES, '$erlscope_proper_choices').
-define(TRIES, '$erlscope_proper_tries').
-define(SIZE, '$erlscope_proper_size').
-define(DEFAULT_SIZE, 10).
-define(DEFAULT_TRIES, 50).

%%% ----------------------------------------------------------------- to look at

pick(Type) -> pick(Type, ?DEFAULT_SIZE).

pick(Type, Size) ->
    try {ok, erlscope_proper_tree:value(tree(Type, Size))}
    catch throw:{erlscope_proper, Reason} -> {error, Reason}
    end.

pick(Type, Size, Seed) ->
    apart(Seed, fun() -> pick(Type, Size) end).

sample(Type) -> sample(Type, 10, 20).

sample(Type, From, To) ->
    lists:foreach(fun(Size) -> {ok, Value} = pick(Type, Size), io:format("~tp~n", [Value]) end,
                  lists:seq(From, To)).

sampleshrink(Type) -> sampleshrink(Type, ?DEFAULT_SIZE).

sampleshrink(Type, Size) -> show(tree(Type, Size)).

show(Tree) ->
    io:format("~tp~n", [erlscope_proper_tree:value(Tree)]),
    case erlscope_proper_tree:children(Tree) of
        [] -> ok;
        [First | _] -> show(First)
    end.

%%% ------------------------------------------------------------------ generating

%% A value of a type, as it is now.
generate(Type) -> erlscope_proper_tree:value(tree(Type, size())).

%% The value of a type, or of a term with types in it, at a size.
tree(Type, Size) ->
    Make = proper_types:maker(Type),
    Outside = put(?SIZE, Size),
    try Make(Size)
    after put_back(?SIZE, Outside)
    end.

%% How large values are to be.
size() ->
    case get(?SIZE) of
        undefined -> ?DEFAULT_SIZE;
        Size -> Size
    end.

%%% -------------------------------------------------------------- random numbers

seed(Seed) -> put(?RANDOM, rand:seed_s(exsss, Seed)).

choose_from(Choices) -> put(?CHOICES, Choices).

%% 1 to N.
uniform(N) ->
    case get(?CHOICES) of
        undefined -> random(N);
        [] -> 1;
        [Choice | Rest] when Choice =< N -> put(?CHOICES, Rest), Choice;
        _ -> throw({erlscope_proper, no_such_choice})
    end.

random(N) ->
    State = case get(?RANDOM) of
                undefined -> rand:seed_s(exsss);
                Known -> Known
            end,
    {Value, Next} = rand:uniform_s(N, State),
    put(?RANDOM, Next),
    Value.

between(Low, High) -> Low + uniform(High - Low + 1) - 1.

%% A function that makes something later, with random numbers of its own.
later(Make) ->
    Keeping = keeping(),
    fun() -> Keeping(Make) end.

%% A function that calls others with random numbers of its own, each time the same, and with the
%% settings of now.
keeping() ->
    case get(?CHOICES) of
        undefined -> keeping_seed(uniform(1 bsl 58) - 1);
        _ -> fun(Make) -> Make() end
    end.

keeping_seed(Seed) ->
    Settings = [{Key, get(Key)} || Key <- [?PARAMETERS, ?TRIES, ?SIZE]],
    fun(Make) ->
            Outside = [{Key, get(Key)} || {Key, _} <- Settings],
            set(Settings),
            try apart(Seed, Make)
            after set(Outside)
            end
    end.

set(Settings) -> lists:foreach(fun({Key, Value}) -> put_back(Key, Value) end, Settings).

%% With random numbers from a seed; those of now go on afterwards.
apart(Seed, Make) ->
    case get(?CHOICES) of
        undefined -> seeded(Seed, Make);
        _ -> Make()
    end.

seeded(Seed, Make) ->
    Outside = get(?RANDOM),
    seed(Seed),
    try Make()
    after put_back(?RANDOM, Outside)
    end.

put_back(Key, undefined) -> erase(Key);
put_back(Key, Value) -> put(Key, Value).

%%% -------------------------------------------------------------------- settings

%% How often it is tried to meet a condition.
tries() ->
    case get(?TRIES) of
        undefined -> ?DEFAULT_TRIES;
        Tries -> Tries
    end.

tries(Tries) -> put(?TRIES, Tries).

parameter(Name, Default) ->
    case get(?PARAMETERS) of
        #{Name := Value} -> Value;
        _ -> Default
    end.

with_parameters(Values, Make) ->
    Outside = get(?PARAMETERS),
    Known = case Outside of undefined -> #{}; _ -> Outside end,
    put(?PARAMETERS, maps:merge(Known, maps:from_list(Values))),
    try Make()
    after put_back(?PARAMETERS, Outside)
    end.
