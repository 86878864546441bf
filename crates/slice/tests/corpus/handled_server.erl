%% A server by hand that handles the failures of what it is asked to do.
%% inputs: main(list(int)), state(list(one({add, 1}; {add, x}; reset; boom; {get, 2})))
-module(handled_server).
-export([main/1, state/1]).

main(L) ->
    P = spawn(fun() -> loop(100) end),
    Answers = [ask(P, X) || X <- L],
    Total = ask(P, total),
    {Answers, Total}.

ask(P, What) ->
    M = monitor(process, P),
    P ! {self(), M, What},
    receive
        {M, Answer} -> demonitor(M, [flush]), Answer;
        {'DOWN', M, _, _, _} -> down
    end.

loop(N) ->
    receive
        {From, Ref, total} -> From ! {Ref, N}, loop(N);
        {From, Ref, X} ->
            Next = try divide(N, X) of
                R -> From ! {Ref, ok}, R
            catch
                error:badarith -> From ! {Ref, zero}, N;
                throw:{negative, Y} when Y > -3 -> From ! {Ref, negative}, N
            end,
            loop(Next)
    end.

divide(_, X) when X < 0 -> throw({negative, X});
divide(N, X) -> N div X.

state(Commands) ->
    put(count, 0),
    lists:foreach(fun(C) -> try command(C)
        catch throw:ignored -> ok;
            error:badarith -> ok end end, Commands),
    Count = get(count),
    Count.

command({add, N}) -> put(count, get(count) + N);
command(reset) -> put(count, 0);
command(boom) -> put(count, get(count) + 1), throw(ignored), put(count, lost);
command({get, N}) -> put(count, get(count) * N), 10 div (get(count) - 4).
