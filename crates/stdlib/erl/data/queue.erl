%% queue: double-ended FIFO queues.
%%
%% A queue is `{Rear, Front}`, the rear list in reverse. As long as there are two elements or more,
%% neither list is empty; so both ends are at hand. When a list runs empty it receives half of the
%% other (the half that is farther away is reversed): amortised constant time. The operations on the
%% rear are those on the front of the reversed queue, and reversing just swaps the lists.
-module(queue).

-compile({no_auto_import, [get/1, get/2]}).

%% The original interface.
-export([all/2, any/2, delete/2, delete_r/2, delete_with/2, delete_with_r/2, filter/2, filtermap/2,
         fold/3, from_list/1, in/2, in_r/2, is_empty/1, is_queue/1, join/2, len/1, member/2, new/0,
         out/1, out_r/1, reverse/1, split/2, to_list/1]).
%% The extended interface.
-export([drop/1, drop_r/1, get/1, get_r/1, peek/1, peek_r/1]).
%% The Okasaki interface.
-export([cons/2, daeh/1, head/1, init/1, lait/1, last/1, liat/1, snoc/2, tail/1]).

-export_type([queue/0, queue/1]).

-opaque queue(Item) :: {[Item], [Item]}.
-type queue() :: queue(_).

-define(IS_QUEUE(R, F), is_list(R), is_list(F)).

%% ---- making and converting ----

-spec new() -> queue(none()).
new() -> {[], []}.

-spec is_queue(term()) -> boolean().
is_queue({R, F}) -> is_list(R) andalso is_list(F);
is_queue(_) -> false.

-spec is_empty(queue()) -> boolean().
is_empty({R, F}) when ?IS_QUEUE(R, F) -> R =:= [] andalso F =:= [];
is_empty(Q) -> erlang:error(badarg, [Q]).

-spec len(queue()) -> non_neg_integer().
len({R, F}) when ?IS_QUEUE(R, F) -> length(R) + length(F);
len(Q) -> erlang:error(badarg, [Q]).

-spec to_list(queue(Item)) -> [Item].
to_list({R, F}) when ?IS_QUEUE(R, F) -> F ++ lists:reverse(R);
to_list(Q) -> erlang:error(badarg, [Q]).

-spec from_list([Item]) -> queue(Item).
from_list(List) when is_list(List) -> of_front(List);
from_list(List) -> erlang:error(badarg, [List]).

%% A queue of the elements of a front list.
of_front([_] = F) -> {F, []};
of_front(F) ->
    {Near, Far} = lists:split(length(F) div 2, F),
    {lists:reverse(Far), Near}.

%% A queue of the elements of a rear list.
of_rear(R) -> swap(of_front(R)).

swap({R, F}) -> {F, R}.

-spec reverse(queue(Item)) -> queue(Item).
reverse({R, F}) when ?IS_QUEUE(R, F) -> {F, R};
reverse(Q) -> erlang:error(badarg, [Q]).

%% ---- in and out ----

-spec in(Item, queue(Item)) -> queue(Item).
in(Item, {[_] = R, []}) -> {[Item], R};
in(Item, {R, F}) when ?IS_QUEUE(R, F) -> {[Item | R], F};
in(Item, Q) -> erlang:error(badarg, [Item, Q]).

-spec in_r(Item, queue(Item)) -> queue(Item).
in_r(Item, {R, F}) when ?IS_QUEUE(R, F) -> swap(in(Item, {F, R}));
in_r(Item, Q) -> erlang:error(badarg, [Item, Q]).

-spec out(queue(Item)) -> {empty | {value, Item}, queue(Item)}.
out({[], []} = Q) -> {empty, Q};
out({R, F} = Q) when ?IS_QUEUE(R, F) ->
    {Item, Rest} = take_front(Q),
    {{value, Item}, Rest};
out(Q) -> erlang:error(badarg, [Q]).

-spec out_r(queue(Item)) -> {empty | {value, Item}, queue(Item)}.
out_r({[], []} = Q) -> {empty, Q};
out_r({R, F}) when ?IS_QUEUE(R, F) ->
    {Item, Rest} = take_front({F, R}),
    {{value, Item}, swap(Rest)};
out_r(Q) -> erlang:error(badarg, [Q]).

%% The queue is not empty.
take_front({R, [Item]}) -> {Item, of_rear(R)};
take_front({R, [Item | F]}) -> {Item, {R, F}};
take_front({[Item], []}) -> {Item, {[], []}};
take_front({[Last | R], []}) ->
    [Item | F] = lists:reverse(R),
    {Item, {[Last], F}}.

-spec get(queue(Item)) -> Item.
get({[], []} = Q) -> erlang:error(empty, [Q]);
get({R, F} = Q) when ?IS_QUEUE(R, F) -> first(Q);
get(Q) -> erlang:error(badarg, [Q]).

-spec get_r(queue(Item)) -> Item.
get_r({[], []} = Q) -> erlang:error(empty, [Q]);
get_r({R, F}) when ?IS_QUEUE(R, F) -> first({F, R});
get_r(Q) -> erlang:error(badarg, [Q]).

first({_, [Item | _]}) -> Item;
first({R, []}) -> lists:last(R).

-spec peek(queue(Item)) -> empty | {value, Item}.
peek({[], []}) -> empty;
peek({R, F} = Q) when ?IS_QUEUE(R, F) -> {value, first(Q)};
peek(Q) -> erlang:error(badarg, [Q]).

-spec peek_r(queue(Item)) -> empty | {value, Item}.
peek_r({[], []}) -> empty;
peek_r({R, F}) when ?IS_QUEUE(R, F) -> {value, first({F, R})};
peek_r(Q) -> erlang:error(badarg, [Q]).

-spec drop(queue(Item)) -> queue(Item).
drop({[], []} = Q) -> erlang:error(empty, [Q]);
drop({R, F} = Q) when ?IS_QUEUE(R, F) ->
    {_, Rest} = take_front(Q),
    Rest;
drop(Q) -> erlang:error(badarg, [Q]).

-spec drop_r(queue(Item)) -> queue(Item).
drop_r({[], []} = Q) -> erlang:error(empty, [Q]);
drop_r({R, F}) when ?IS_QUEUE(R, F) ->
    {_, Rest} = take_front({F, R}),
    swap(Rest);
drop_r(Q) -> erlang:error(badarg, [Q]).

%% ---- whole queues ----

-spec join(queue(Item), queue(Item)) -> queue(Item).
join({R1, F1} = Q1, {R2, F2} = Q2) when ?IS_QUEUE(R1, F1), ?IS_QUEUE(R2, F2) ->
    case {Q1, Q2} of
        {_, {[], []}} -> Q1;
        {{[], []}, _} -> Q2;
        _ -> {R2, F1 ++ lists:reverse(R1, F2)}
    end;
join(Q1, Q2) -> erlang:error(badarg, [Q1, Q2]).

%% The N elements at the front, and the others.
-spec split(non_neg_integer(), queue(Item)) -> {queue(Item), queue(Item)}.
split(0, {R, F} = Q) when ?IS_QUEUE(R, F) -> {{[], []}, Q};
split(N, {R, F} = Q) when is_integer(N), N > 0, ?IS_QUEUE(R, F) ->
    FrontLen = length(F),
    case FrontLen + length(R) - N of
        0 when N > FrontLen -> {Q, {[], []}};
        _ when N =:= FrontLen -> {of_front(F), of_rear(R)};
        _ when N < FrontLen -> front_part(N, R, F);
        Remaining when Remaining > 0 ->
            {Taken, Left} = front_part(Remaining, F, R),
            {swap(Left), swap(Taken)};
        _ -> erlang:error(badarg, [N, Q])
    end;
split(N, Q) -> erlang:error(badarg, [N, Q]).

%% Cuts within the front list: the part is the first element and the rest of it in reverse.
front_part(N, R, [Item | F]) ->
    {Part, Rest} = lists:split(N - 1, F),
    {{lists:reverse(Part), [Item]}, {R, Rest}}.

-spec member(Item, queue(Item)) -> boolean().
member(Item, {R, F}) when ?IS_QUEUE(R, F) -> lists:member(Item, R) orelse lists:member(Item, F);
member(Item, Q) -> erlang:error(badarg, [Item, Q]).

%% From the front to the rear.
-spec fold(fun((Item, Acc) -> Acc), Acc, queue(Item)) -> Acc.
fold(Fun, Acc, {R, F}) when is_function(Fun, 2), ?IS_QUEUE(R, F) ->
    lists:foldr(Fun, lists:foldl(Fun, Acc, F), R);
fold(Fun, Acc, Q) -> erlang:error(badarg, [Fun, Acc, Q]).

-spec any(fun((Item) -> boolean()), queue(Item)) -> boolean().
any(Pred, {R, F}) when is_function(Pred, 1), ?IS_QUEUE(R, F) ->
    lists:any(Pred, F) orelse lists:any(Pred, R);
any(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

-spec all(fun((Item) -> boolean()), queue(Item)) -> boolean().
all(Pred, {R, F}) when is_function(Pred, 1), ?IS_QUEUE(R, F) ->
    lists:all(Pred, F) andalso lists:all(Pred, R);
all(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

%% The function may also return a list of what to put in the place of the item.
-spec filter(fun((Item) -> boolean() | [Item]), queue(Item)) -> queue(Item).
filter(Fun, {R, F}) when is_function(Fun, 1), ?IS_QUEUE(R, F) ->
    F1 = filter_front(Fun, F),
    balanced(filter_rear(Fun, R), F1);
filter(Fun, Q) -> erlang:error(badarg, [Fun, Q]).

filter_front(Fun, [Item | F]) ->
    case Fun(Item) of
        true -> [Item | filter_front(Fun, F)];
        false -> filter_front(Fun, F);
        Items when is_list(Items) -> Items ++ filter_front(Fun, F)
    end;
filter_front(_Fun, []) -> [].

filter_rear(Fun, [Item | R]) ->
    R1 = filter_rear(Fun, R),
    case Fun(Item) of
        true -> [Item | R1];
        false -> R1;
        Items when is_list(Items) -> lists:reverse(Items, R1)
    end;
filter_rear(_Fun, []) -> [].

-spec filtermap(fun((Item) -> boolean() | {true, Value}), queue(Item)) -> queue(Item | Value).
filtermap(Fun, {R, F}) when is_function(Fun, 1), ?IS_QUEUE(R, F) ->
    F1 = lists:filtermap(Fun, F),
    balanced(filtermap_rear(Fun, R), F1);
filtermap(Fun, Q) -> erlang:error(badarg, [Fun, Q]).

filtermap_rear(Fun, [Item | R]) ->
    R1 = filtermap_rear(Fun, R),
    case Fun(Item) of
        true -> [Item | R1];
        false -> R1;
        {true, Value} -> [Value | R1]
    end;
filtermap_rear(_Fun, []) -> [].

balanced([], F) -> of_front(F);
balanced(R, []) -> of_rear(R);
balanced(R, F) -> {R, F}.

%% ---- deleting one item ----

-spec delete(Item, queue(Item)) -> queue(Item).
delete(Item, {R, F} = Q) when ?IS_QUEUE(R, F) -> delete_first(fun(X) -> X =:= Item end, Q);
delete(Item, Q) -> erlang:error(badarg, [Item, Q]).

-spec delete_r(Item, queue(Item)) -> queue(Item).
delete_r(Item, {R, F}) when ?IS_QUEUE(R, F) ->
    swap(delete_first(fun(X) -> X =:= Item end, {F, R}));
delete_r(Item, Q) -> erlang:error(badarg, [Item, Q]).

-spec delete_with(fun((Item) -> boolean()), queue(Item)) -> queue(Item).
delete_with(Pred, {R, F} = Q) when is_function(Pred, 1), ?IS_QUEUE(R, F) -> delete_first(Pred, Q);
delete_with(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

-spec delete_with_r(fun((Item) -> boolean()), queue(Item)) -> queue(Item).
delete_with_r(Pred, {R, F}) when is_function(Pred, 1), ?IS_QUEUE(R, F) ->
    swap(delete_first(Pred, {F, R}));
delete_with_r(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

delete_first(Pred, {R, F} = Q) ->
    case without_first(Pred, F) of
        none ->
            case without_last(Pred, R) of
                none -> Q;
                [] -> of_front(F);
                R1 -> {R1, F}
            end;
        [] -> of_rear(R);
        F1 -> {R, F1}
    end.

without_first(Pred, [Item | Items]) ->
    case Pred(Item) of
        true -> Items;
        false ->
            case without_first(Pred, Items) of
                none -> none;
                Rest -> [Item | Rest]
            end
    end;
without_first(_Pred, []) -> none.

without_last(Pred, [Item | Items]) ->
    case without_last(Pred, Items) of
        none ->
            case Pred(Item) of
                true -> Items;
                false -> none
            end;
        Rest -> [Item | Rest]
    end;
without_last(_Pred, []) -> none.

%% ---- Okasaki's names ----

-spec cons(Item, queue(Item)) -> queue(Item).
cons(Item, Q) -> in_r(Item, Q).

-spec head(queue(Item)) -> Item.
head({[], []} = Q) -> erlang:error(empty, [Q]);
head({R, F} = Q) when ?IS_QUEUE(R, F) -> first(Q);
head(Q) -> erlang:error(badarg, [Q]).

-spec tail(queue(Item)) -> queue(Item).
tail(Q) -> drop(Q).

-spec snoc(queue(Item), Item) -> queue(Item).
snoc(Q, Item) -> in(Item, Q).

-spec daeh(queue(Item)) -> Item.
daeh(Q) -> get_r(Q).

-spec last(queue(Item)) -> Item.
last(Q) -> get_r(Q).

-spec liat(queue(Item)) -> queue(Item).
liat(Q) -> drop_r(Q).

-spec lait(queue(Item)) -> queue(Item).
lait(Q) -> drop_r(Q).

-spec init(queue(Item)) -> queue(Item).
init(Q) -> drop_r(Q).
