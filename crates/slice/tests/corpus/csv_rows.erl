%% Rows of separated values, with quotes, warnings and errors that say where.
%% inputs: run(string, int)
-module(csv_rows).
-export([run/2]).
-record(st, {row = 1, col = 1, acc = [], rows = [], warn = []}).

run(S0, N) ->
    S = S0 ++ ",\"a\"\"b\"," ++ integer_to_list(N) ++ "\nx;y," ++ S0 ++ "\n\"open",
    R = try parse(S, #st{}) of
        #st{rows = Rows, warn = W} -> {ok, lists:reverse(Rows), W}
    catch
        throw:{bad, Row, Col, What} -> {error, {Row, Col}, What}
    end,
    Sum = case R of
        {ok, All, _} -> lists:sum([length(Row1) || Row1 <- All]);
        {error, {A, B}, _} -> A * 100 + B
    end,
    {R, Sum}.

parse([], #st{acc = []} = St) -> St;
parse([], St) -> flush(St);
parse([$" | T], St) -> quoted(T, [], St);
parse([$\n | T], St) ->
    St1 = flush(St),
    parse(T, St1#st{row = St1#st.row + 1, col = 1});
parse([$, | T], St) -> parse(T, field("", St));
parse(T, St) ->
    {F, Rest} = lists:splitwith(fun(C) -> C =/= $, andalso C =/= $\n end, T),
    St1 = case lists:member($;, F) of
        true -> St#st{warn = [{semicolon, St#st.row} | St#st.warn]};
        false -> St
    end,
    St2 = field(F, St1),
    case Rest of
        [$, | More] -> parse(More, St2);
        More -> parse(More, St2)
    end.

quoted([$", $" | T], Acc, St) -> quoted(T, [$" | Acc], St);
quoted([$", $, | T], Acc, St) -> parse(T, field(lists:reverse(Acc), St));
quoted([$" | T], Acc, St) -> parse(T, field(lists:reverse(Acc), St));
quoted([C | T], Acc, St) when St#st.col < 9 -> quoted(T, [C | Acc], St);
quoted([], _, #st{row = R, col = C}) -> throw({bad, R, C, unterminated});
quoted(_, _, #st{row = R, col = C}) -> throw({bad, R, C, wide}).

field(F, #st{acc = A, col = C} = St) ->
    V = case string:to_integer(F) of
        {I, []} when is_integer(I) -> {int, I};
        {_, _} -> {text, string:trim(F)}
    end,
    St#st{acc = [V | A], col = C + 1}.

flush(#st{acc = A, rows = R} = St) -> St#st{acc = [], rows = [lists:reverse(A) | R]}.
