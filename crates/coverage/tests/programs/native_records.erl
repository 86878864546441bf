%% Funs, processes and clauses that are found through native records (OTP 29), and exceptions of records that are
%% others than one thought. A record is no tuple: clauses for tuples are not taken.
-module(native_records).
-export([main/0]).
-record #job{work, to, kind = plain}.
-record #result{from, value}.

main() ->
    Self = self(),
    Jobs = [#job{work = fun double/1, to = Self}, #job{work = fun failing/1, to = Self, kind = caught}],
    Worker = spawn(fun() -> worker(#result{from = none, value = 0}) end),
    [Worker ! Job || Job <- Jobs],
    [receive #result{value = Value} -> seen(Value) end || _ <- Jobs],
    Worker ! #result{from = stop, value = Self},
    receive R when R#_.from =:= stopped -> seen(R#result.value) end,
    [seen(sort_of(X)) || X <- [hd(Jobs), {job, 1, 2, 3}, #result{from = x, value = y}, x]],
    seen(attempt(fun() -> (hd(Jobs))#result.value end)),
    seen(attempt(fun() -> #no_module:record{} end)),
    Changed = (hd(Jobs))#_{work = fun triple/1},
    seen((Changed#job.work)(2)).

worker(#result{} = Last) ->
    receive
        #job{kind = caught, work = Work, to = To} ->
            To ! Last#result{value = attempt(fun() -> Work(1) end)},
            worker(Last);
        #job{work = Work, to = To} ->
            Value = Work(2),
            To ! #result{from = Work, value = Value},
            worker(#result{from = Work, value = Value});
        #_{from = stop, value = To} ->
            To ! #result{from = stopped, value = Last#result.value}
    end.

sort_of({job, _, _, _}) -> tuple;
sort_of({_, _, _, _}) -> other_tuple;
sort_of(X) when is_tuple(X) -> any_tuple;
sort_of(#job{}) -> job(1);
sort_of(X) when is_record(X, result) -> result(2);
sort_of(X) when is_record(X) -> record;
sort_of(_) -> none.

job(N) -> N.
result(N) -> N.
double(X) -> 2 * X.
triple(X) -> 3 * X.
failing(X) -> error({failed, X}).
seen(X) -> X.

attempt(F) ->
    try F() catch error:Reason -> caught(Reason) end.

caught({badrecord, _}) -> badrecord;
caught({failed, X}) -> {failed, X}.
