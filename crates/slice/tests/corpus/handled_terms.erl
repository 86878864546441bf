%% Persistent terms and counters after a failure that was handled.
%% inputs: main(int), count(list(int))
-module(handled_terms).
-export([main/1, count/1]).

main(X) ->
    persistent_term:put({?MODULE, a}, 1),
    try
        case X rem 3 of
            0 -> persistent_term:put({?MODULE, a}, 2);
            1 -> error({one, X})
        end,
        persistent_term:put({?MODULE, b}, X)
    catch
        error:{one, _} -> ok;
        error:{case_clause, 2} -> ok;
        error:{case_clause, N} when N < 0 -> persistent_term:put({?MODULE, a}, N)
    end,
    A = persistent_term:get({?MODULE, a}),
    B = persistent_term:get({?MODULE, b}, none),
    {A, B}.

count(L) ->
    C = counters:new(2, []),
    A = atomics:new(1, []),
    lists:foreach(
        fun(X) ->
            try
                counters:add(C, 1, 1),
                atomics:put(A, 1, 100 div X),
                counters:add(C, 2, X)
            catch error:badarith -> ok
            end
        end,
        L
    ),
    Tried = counters:get(C, 1),
    Sum = counters:get(C, 2),
    Last = atomics:get(A, 1),
    {Tried, Sum, Last}.
