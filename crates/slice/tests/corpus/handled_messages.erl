%% Messages that were sent before a failure, and those that were not.
%% inputs: main(int), order(list(int)), flush(int)
-module(handled_messages).
-export([main/1, order/1, flush/1]).

main(X) ->
    try
        self() ! {first, X},
        X > 3 andalso throw(stop),
        self() ! {second, X}
    catch throw:stop -> ok
    end,
    First = receive {first, A} -> A after 0 -> none end,
    Second = receive {second, B} -> B after 0 -> none end,
    {First, Second}.

order(L) ->
    try [tell(X) || X <- L] catch exit:{enough, N} when N > 0 -> ok end,
    All = all(),
    All.

tell(X) when X > 6 -> exit({enough, X});
tell(X) -> self() ! X.

all() -> receive X -> [X | all()] after 0 -> [] end.

flush(X) ->
    self() ! {a, X},
    self() ! {b, X},
    try
        receive {a, N} when N < 4 -> 10 div N end
    catch error:badarith -> ok
    after
        self() ! done
    end,
    Left = all(),
    Left.
