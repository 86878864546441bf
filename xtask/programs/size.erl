%% Deep and large data: each function does work that is linear in N.
-module(size).
-export([body/1, list/1, binary/1, nested/1, processes/1, holders/2]).

body(N) -> N = count(N).
count(0) -> 0;
count(N) -> 1 + count(N - 1).

list(N) ->
    L = lists:seq(1, N),
    R = lists:reverse(L),
    N = length(R),
    N = lists:foldl(fun(_, Count) -> Count + 1 end, 0, L),
    true = L =:= lists:reverse(R).

%% N bytes: once at a stroke, once by appending, then matched.
binary(N) ->
    B = binary:copy(<<"0123456789">>, N div 10),
    A = append(B, 0, N, <<>>),
    true = A =:= B,
    N = walk(A, 0).

append(_, At, N, Acc) when At >= N -> Acc;
append(B, At, N, Acc) ->
    Size = min(1000, N - At),
    append(B, At + Size, N, <<Acc/binary, (binary:part(B, At, Size))/binary>>).

walk(<<_:1000/binary, Rest/binary>>, N) -> walk(Rest, N + 1000);
walk(Rest, N) -> N + byte_size(Rest).

nested(N) ->
    A = nest(N, []),
    B = nest(N, []),
    true = A =:= B,
    false = A < B,
    Text = lists:flatten(io_lib:format("~w", [A])),
    true = length(Text) =:= 2 * N + 2,
    Copy = binary_to_term(term_to_binary(A)),
    true = Copy =:= A.

nest(0, Inner) -> Inner;
nest(N, Inner) -> nest(N - 1, {Inner}).

processes(N) ->
    Self = self(),
    Pids = [spawn_link(fun() -> receive go -> Self ! {done, self()} end end) || _ <- lists:seq(1, N)],
    [Pid ! go || Pid <- Pids],
    [receive {done, Pid} -> ok end || Pid <- Pids],
    ok.

%% N processes that hold Words words each and wait.
holders(N, Words) ->
    [spawn(fun() -> hold(lists:seq(1, Words div 2)) end) || _ <- lists:seq(1, N)],
    receive stop -> ok end.

hold(List) ->
    receive
        Message -> hold([Message | List])
    end.
