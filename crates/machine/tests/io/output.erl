-export([hello/0, formats/0, wrong_format/0, columns/0, devices/0, raw_requests/0,
         display/0, own_leader/0, many/0, nested/0, unicode/0, options/0]).

hello() ->
    io:format("Hello, world!~n"),
    io:put_chars("chars"),
    io:nl(),
    io:write({a, "b", [1, 2]}),
    io:nl().

formats() ->
    io:format("~w ~p ~s ~ts ~c~n", [[104, 105], [104, 105], "text", "tüxt", $x]),
    io:format("~10w|~-10w|~10.3f|~e|~g~n", [abc, abc, 3.14159, 2.5, 0.1]),
    io:format("~.16B ~.16b ~.2x ~#~n", [255, 255, 5, "0b", 31]),
    io:format("~i~w~~~n", [skipped, shown]),
    io:fwrite("~*c~n", [5, $*]),
    io:format("plain~n", []),
    io:format('atom ~w~n', [format]),
    io:format(<<"binary ~p~n">>, [<<"format">>]),
    io:format("~P ~W~n", [lists:seq(1, 20), 5, {a, b, c, d}, 3]).

wrong_format() ->
    Try = fun(F) -> try F() catch C:R:S -> io:format("~p ~p ~p~n", [C, R, hd(S)]) end end,
    Try(fun() -> io:format("~w") end),
    Try(fun() -> io:format("~w", [1, 2]) end),
    Try(fun() -> io:format("~z", [1]) end),
    Try(fun() -> io:format("~s", [{}]) end),
    Try(fun() -> io:format(nobody, "x", []) end),
    Try(fun() -> io:put_chars([foo]) end),
    Try(fun() -> io_lib:format("~f", [a]) end).

columns() ->
    io:format("term: ~p~n", [#{list => lists:seq(1, 40), name => "a string", more => {some, [nested, "terms"]}}]),
    io:format("~s~n~40p~n~5.20p~n", ["x", lists:seq(1, 30), lists:seq(1, 5)]),
    io:format("~p~n", [[{record, N, "text of " ++ integer_to_list(N)} || N <- lists:seq(1, 6)]]).

devices() ->
    io:format(user, "to user~n", []),
    io:format(standard_io, "to standard_io ~w~n", [x]),
    io:format(standard_error, "to standard_error~n", []),
    io:format(group_leader(), "to the leader~n", []),
    io:format("~w ~w~n", [is_pid(whereis(user)), is_process_alive(whereis(user))]).

raw_requests() ->
    Ask = fun(Request) ->
                  Ref = make_ref(),
                  user ! {io_request, self(), Ref, Request},
                  receive {io_reply, Ref, Reply} -> Reply end
          end,
    A = Ask({put_chars, unicode, "raw chars\n"}),
    B = Ask({put_chars, unicode, io_lib, format, ["raw ~p~n", [format]]}),
    C = Ask({put_chars, unicode, lists, reverse, ["\nesrever"]}),
    D = Ask({requests, [{put_chars, unicode, "one "}, {put_chars, unicode, "two\n"}]}),
    E = Ask({nonsense}),
    F = Ask({put_chars, unicode, [foo]}),
    io:format("~p~n", [[A, B, C, D, E, element(1, F)]]).

display() ->
    erlang:display({a, "b", [1, 2], <<"c">>, #{k => 1.5}}),
    erlang:display_string("string\n").

own_leader() ->
    Self = self(),
    Leader = spawn_link(fun() -> leader(Self) end),
    Worker = spawn(fun() ->
                           group_leader(Leader, self()),
                           io:format("caught ~p", [1]),
                           Self ! {done, io:get_line("prompt")}
                   end),
    Texts = collect(Worker, []),
    io:format("~p~n", [Texts]).

leader(To) ->
    receive
        {io_request, From, As, {put_chars, unicode, M, F, A}} ->
            To ! {text, lists:flatten(apply(M, F, A))},
            From ! {io_reply, As, ok},
            leader(To);
        {io_request, From, As, Request} ->
            To ! {request, Request},
            From ! {io_reply, As, "an answer"},
            leader(To)
    end.

collect(Worker, Texts) ->
    receive
        {done, Line} -> lists:reverse([Line | Texts]);
        Message -> collect(Worker, [Message | Texts])
    end.

many() ->
    [io:format("~w ", [N]) || N <- lists:seq(1, 100)],
    Self = self(),
    Pids = [spawn(fun() -> io:format("p~w~n", [N]), Self ! N end) || N <- lists:seq(1, 3)],
    [receive N -> ok end || {N, _} <- lists:zip(lists:seq(1, 3), Pids)].

nested() ->
    Deep = lists:foldl(fun(N, Acc) -> {level, N, Acc} end, [], lists:seq(1, 15)),
    io:format("~p~n~w~n", [Deep, Deep]),
    io:format("~p~n", [#{{key, 1} => #{inner => lists:duplicate(5, "some text")}, "k" => v}]).

unicode() ->
    io:format("~ts ~tp ~tw ~p~n", ["αβγ", "αβγ", 'αβγ', 'αβγ']),
    io:format("~ts~n", [<<"äöü"/utf8>>]),
    io:put_chars(user, <<"öäü\n"/utf8>>),
    io:format("~tc~n", [16#1F600]).

options() ->
    ok = io:setopts([{binary, true}]),
    io:format("~p~n", [lists:keyfind(binary, 1, io:getopts())]),
    io:format("~p ~p~n", [io:columns(), io:rows()]),
    io:format("~p~n", [io:printable_range()]).
