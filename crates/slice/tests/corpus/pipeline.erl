%% Stages connected by messages, with an end marker.
%% inputs: run(list(int)), batches(list(int))
-module(pipeline).
-export([run/1, batches/1]).

run(Items) ->
    Sink = self(),
    Stage2 = spawn(fun() -> stage(fun(X) -> X * X end, Sink) end),
    Stage1 = spawn(fun() -> stage(fun(X) -> X + 1 end, Stage2) end),
    feed(Items, Stage1),
    Out = collect([]),
    {length(Out), Out}.

feed([], To) -> To ! done;
feed([X | Xs], To) ->
    To ! {item, X},
    feed(Xs, To).

stage(F, Next) ->
    receive
        {item, X} ->
            Y = F(X),
            Next ! {item, Y},
            stage(F, Next);
        done ->
            Next ! done
    end.

collect(Acc) ->
    receive
        {item, X} -> collect([X | Acc]);
        done -> lists:reverse(Acc)
    end.

batches(Items) ->
    Me = self(),
    Batcher = spawn(fun() -> batch([], 2, Me) end),
    feed(Items, Batcher),
    gather(0, 0).

batch(Acc, Size, To) ->
    receive
        {item, X} when length(Acc) + 1 >= Size ->
            To ! {batch, lists:reverse([X | Acc])},
            batch([], Size, To);
        {item, X} -> batch([X | Acc], Size, To);
        done ->
            To ! {rest, Acc}
    end.

gather(N, Sum) ->
    receive
        {batch, B} -> gather(N + 1, Sum + lists:sum(B));
        {rest, R} -> {N, Sum, length(R)}
    end.
