%% Scanners from definitions (.xrl), as OTP's leex makes them: the same tokens, errors and rests; the text is our own.
%%
%% Regular expressions become a nondeterministic automaton (Thompson), all of them one deterministic one (sets of states), over
%% ranges of characters that no expression tells apart. The longest match wins, then the first rule. Macros are put in as text.
-module(erlscope_leex).

-export([source/3]).

-define(MOST, 16#10FFFF).

%% {ok, Text} or {error, Line, Message}, as erlscope_yecc:source/3.
source(Text, File, Module) ->
    try
        {Macros, Rules, Code} = sections(lines(Text, 1)),
        Parsed = [{N, regexp(expanded(RegExp, Macros), Line), Action}
                  || {N, {RegExp, Action, Line}} <- lists:zip(lists:seq(0, length(Rules) - 1), Rules)],
        {ok, unicode:characters_to_binary(written(Parsed, Code, File, Module))}
    catch
        throw:{?MODULE, Line, Message} -> {error, Line, Message}
    end.

wrong(Line, Message) -> throw({?MODULE, Line, lists:flatten(Message)}).

%% ---- sections ----

%% [{Number, Line, RestOfTextFromThere}]
lines([], _) -> [];
lines(Text, N) ->
    {Line, Rest} = case lists:splitwith(fun(C) -> C =/= $\n end, Text) of
                       {L, [_ | R]} -> {L, R};
                       {L, []} -> {L, []}
                   end,
    [{N, Line, Text} | lines(Rest, N + 1)].

is_blank(Line) ->
    case string:trim(Line) of
        "" -> true;
        "%" ++ _ -> true;
        _ -> false
    end.

next(Lines) -> lists:dropwhile(fun({_, Line, _}) -> is_blank(Line) end, Lines).

sections(Lines) ->
    case next(Lines) of
        [{_, "Definitions." ++ _, _} | More] -> definitions(next(More), []);
        [{N, _, _} | _] -> wrong(N, "missing Definitions");
        [] -> wrong(1, "missing Definitions")
    end.

definitions([{_, "Rules." ++ _, _} | More], Macros) -> rules(next(More), Macros, []);
definitions([{N, Line, _} | More], Macros) ->
    Pattern = "^[ \t]*([A-Z_][A-Za-z0-9_]*)[ \t]*=[ \t]*([^ \t\r\n]*)[ \t\r\n]*$",
    case re:run(Line, Pattern, [{capture, all_but_first, list}, unicode]) of
        {match, [Name, Value]} -> definitions(next(More), [{Name, Value} | Macros]);
        nomatch -> wrong(N, "missing Rules")
    end;
definitions([], _) -> wrong(1, "missing Rules").

rules([{N, "Erlang code." ++ _, _} | More], Macros, Rules) ->
    Code = case More of
               [{_, _, Text} | _] -> Text;
               [] -> ""
           end,
    {Macros, lists:reverse(Rules), {N + 1, Code}};
rules([{N, _, Text} | _] = Lines, Macros, Rules) ->
    {RegExp, Rest} = lists:splitwith(fun(C) -> not lists:member(C, " \t\r\n") end, Text),
    Scanned = case erl_scan:tokens([], Rest, N, [text]) of
                  {more, _} -> erl_scan:tokens([], Rest ++ "\n", N, [text]);
                  Done -> Done
              end,
    case Scanned of
        {done, {ok, [{':', _} | Tokens], End}, _} ->
            Last = erl_anno:line(element(2, lists:last(Tokens))),
            More = next(lists:dropwhile(fun({M, _, _}) -> M =< max(Last, N) end, Lines)),
            _ = End,
            rules(More, Macros, [{RegExp, lists:droplast(Tokens), N} | Rules]);
        _ -> wrong(N, "bad rule")
    end;
rules([], Macros, Rules) -> {Macros, lists:reverse(Rules), {1, ""}}.

%% As leex does it: the macro that was defined last first.
expanded(RegExp, Macros) ->
    lists:foldl(fun({Name, Value}, Text) -> lists:append(lists:join(Value, string:split(Text, "{" ++ Name ++ "}", all))) end,
                RegExp, Macros).

%% ---- regular expressions: {seq, [R]}, {alt, [R]}, {star, R}, {set, Ranges}, empty ----

regexp(Text, Line) ->
    case alternatives(Text, Line) of
        {R, []} -> R;
        {_, [C | _]} -> wrong(Line, io_lib:format("illegal character ~tc in regexp", [C]))
    end.

alternatives(Text, Line) ->
    {R, Rest} = sequence(Text, Line, []),
    case Rest of
        [$| | More] ->
            {Others, Left} = alternatives(More, Line),
            {{alt, [R, Others]}, Left};
        _ -> {R, Rest}
    end.

sequence([C | _] = Text, _, Rs) when C =:= $|; C =:= $) -> {{seq, lists:reverse(Rs)}, Text};
sequence([], _, Rs) -> {{seq, lists:reverse(Rs)}, []};
sequence(Text, Line, Rs) ->
    {R, Rest} = single(Text, Line),
    {Repeated, Left} = repeated(R, Rest),
    sequence(Left, Line, [Repeated | Rs]).

repeated(R, [$* | T]) -> repeated({star, R}, T);
repeated(R, [$+ | T]) -> repeated({seq, [R, {star, R}]}, T);
repeated(R, [$? | T]) -> repeated({alt, [R, empty]}, T);
repeated(R, T) -> {R, T}.

single([$( | T], Line) ->
    case alternatives(T, Line) of
        {R, [$) | Rest]} -> {R, Rest};
        _ -> wrong(Line, "unterminated (")
    end;
single([$. | T], _) -> {{set, others([{$\n, $\n}])}, T};
single("[^" ++ T, Line) ->
    {Ranges, Rest} = class(T, Line),
    {{set, others(Ranges)}, Rest};
single([$[ | T], Line) ->
    {Ranges, Rest} = class(T, Line),
    {{set, lists:sort(Ranges)}, Rest};
single([$\\ | _] = Text, Line) ->
    {C, Rest} = character(Text, Line),
    {{set, [{C, C}]}, Rest};
single([C | T], Line) ->
    case lists:member(C, "^$)|*+?") of
        true -> wrong(Line, io_lib:format("illegal character ~tc in regexp", [C]));
        false -> {{set, [{C, C}]}, T}
    end.

class([$] | T], Line) -> class(T, Line, [{$], $]}]);
class(T, Line) -> class(T, Line, []).

class([$] | T], _, Ranges) -> {Ranges, T};
class([], Line, _) -> wrong(Line, "unterminated [");
class(Text, Line, Ranges) ->
    {From, Rest} = character(Text, Line),
    case Rest of
        [$-, C | More] when C =/= $] ->
            case character([C | More], Line) of
                {To, Left} when To >= From -> class(Left, Line, [{From, To} | Ranges]);
                _ -> wrong(Line, "bad character range")
            end;
        _ -> class(Rest, Line, [{From, From} | Ranges])
    end.

character([$\\, A, B, C | T], _) when A >= $0, A =< $7, B >= $0, B =< $7, C >= $0, C =< $7 ->
    {list_to_integer([A, B, C], 8), T};
character([$\\, $x, ${ | T], Line) ->
    case lists:splitwith(fun(C) -> C =/= $} end, T) of
        {Digits, [_ | Rest]} -> {hexadecimal(Digits, Line), Rest};
        _ -> wrong(Line, "unterminated \\x{")
    end;
character([$\\, $x, A, B | T], Line) -> {hexadecimal([A, B], Line), T};
character([$\\, C | T], _) -> {escaped(C), T};
character([$\\], Line) -> wrong(Line, "unterminated \\");
character([C | T], _) -> {C, T}.

hexadecimal(Digits, Line) ->
    try list_to_integer(Digits, 16)
    catch error:badarg -> wrong(Line, "illegal character in \\x")
    end.

escaped($n) -> $\n;
escaped($r) -> $\r;
escaped($t) -> $\t;
escaped($v) -> $\v;
escaped($b) -> $\b;
escaped($f) -> $\f;
escaped($e) -> $\e;
escaped($s) -> $\s;
escaped($d) -> $\d;
escaped(C) -> C.

others(Ranges) -> others(lists:sort(Ranges), 0).

others([], From) when From > ?MOST -> [];
others([], From) -> [{From, ?MOST}];
others([{A, B} | More], From) when A > From -> [{From, A - 1} | others(More, max(From, B + 1))];
others([{_, B} | More], From) -> others(More, max(From, B + 1)).

%% ---- automata ----

%% Nondeterministic: #{State => [{Ranges | empty, State}]}; the next free number is under next.
nfa(Rules) ->
    lists:foldl(fun({N, R, _}, {Nfa, Starts, Ends}) ->
                        {Start, A} = fresh(Nfa),
                        {End, B} = fresh(A),
                        {path(R, Start, End, B), [Start | Starts], Ends#{End => N}}
                end, {#{next => 0}, [], #{}}, Rules).

fresh(#{next := N} = Nfa) -> {N, Nfa#{next := N + 1}}.

edge(From, By, To, Nfa) -> maps:update_with(From, fun(Edges) -> [{By, To} | Edges] end, [{By, To}], Nfa).

path(empty, From, To, Nfa) -> edge(From, empty, To, Nfa);
path({set, Ranges}, From, To, Nfa) -> edge(From, Ranges, To, Nfa);
path({seq, []}, From, To, Nfa) -> edge(From, empty, To, Nfa);
path({seq, [R]}, From, To, Nfa) -> path(R, From, To, Nfa);
path({seq, [R | Rs]}, From, To, Nfa) ->
    {Middle, New} = fresh(Nfa),
    path({seq, Rs}, Middle, To, path(R, From, Middle, New));
path({alt, Rs}, From, To, Nfa) -> lists:foldl(fun(R, Now) -> path(R, From, To, Now) end, Nfa, Rs);
path({star, R}, From, To, Nfa) ->
    {In, A} = fresh(Nfa),
    {Out, B} = fresh(A),
    edge(From, empty, In, edge(Out, empty, In, edge(In, empty, To, path(R, In, Out, B)))).

%% Deterministic: [{State, [{From, To, Next}], Rule | none}], the first state is 0.
dfa({Nfa, Starts, Ends}) ->
    First = reached(Starts, Nfa, #{}),
    grow([First], #{First => 0}, [], Nfa, Ends).

grow([], _, States, _, _) -> lists:keysort(1, States);
grow([Set | Work], Known, States, Nfa, Ends) ->
    Edges = [{Ranges, To} || S <- Set, {Ranges, To} <- maps:get(S, Nfa, []), Ranges =/= empty],
    {Moves, NewWork, NewKnown} =
        lists:foldl(fun({From, To}, {Ms, W, K}) ->
                            Targets = [T || {Ranges, T} <- Edges, lists:any(fun({A, B}) -> A =< From andalso To =< B end, Ranges)],
                            case Targets of
                                [] -> {Ms, W, K};
                                _ ->
                                    Next = reached(Targets, Nfa, #{}),
                                    case K of
                                        #{Next := Number} -> {[{From, To, Number} | Ms], W, K};
                                        _ ->
                                            Number = map_size(K),
                                            {[{From, To, Number} | Ms], W ++ [Next], K#{Next => Number}}
                                    end
                            end
                    end, {[], Work, Known}, pieces([Range || {Ranges, _} <- Edges, Range <- Ranges])),
    Rule = case lists:sort([map_get(S, Ends) || S <- Set, is_map_key(S, Ends)]) of
               [Least | _] -> Least;
               [] -> none
           end,
    grow(NewWork, NewKnown, [{map_get(Set, Known), merged(lists:reverse(Moves)), Rule} | States], Nfa, Ends).

reached([], _, Seen) -> lists:sort(maps:keys(Seen));
reached([S | More], Nfa, Seen) when is_map_key(S, Seen) -> reached(More, Nfa, Seen);
reached([S | More], Nfa, Seen) ->
    reached([To || {empty, To} <- maps:get(S, Nfa, [])] ++ More, Nfa, Seen#{S => true}).

%% Ranges cut so that no two overlap.
pieces(Ranges) ->
    Cuts = lists:usort(lists:append([[A, B + 1] || {A, B} <- Ranges])),
    between(Cuts).

between([A, B | Cuts]) -> [{A, B - 1} | between([B | Cuts])];
between(_) -> [].

merged([{A, B, N}, {C, D, N} | More]) when C =:= B + 1 -> merged([{A, D, N} | More]);
merged([Move | More]) -> [Move | merged(More)];
merged([]) -> [].

%% ---- writing ----

written(Rules, {Line, Code}, File, Module) ->
    [io_lib:format("-module(~tw).~n", [Module]),
     "-export([string/1, string/2, token/2, token/3, tokens/2, tokens/3, format_error/1]).\n",
     io_lib:format("-file(~tp, ~w).~n", [File, Line]), Code, "\n-file(\"erlscope_leex.erl\", 1).\n",
     runtime(),
     [state(State) || State <- dfa(nfa(Rules))],
     "yy_next(_, _) -> stop.\n",
     [io_lib:format("yy_accept(~w) -> ~w;~n", [S, Rule]) || {S, _, Rule} <- dfa(nfa(Rules)), Rule =/= none],
     "yy_accept(_) -> none.\n",
     [io_lib:format("yy_is_last(~w) -> true;~n", [S]) || {S, [], _} <- dfa(nfa(Rules))],
     "yy_is_last(_) -> false.\n",
     [io_lib:format("yy_action(~w, Chars, Len, Line) -> yy_action_~w(Chars, Len, Line);~n", [N, N]) || {N, _, _} <- Rules],
     "yy_action(_, _, _, _) -> error.\n",
     [action(Rule, File) || Rule <- Rules]].

state({S, Moves, _}) -> [clause(S, Move) || Move <- Moves].

clause(S, {C, C, To}) -> io_lib:format("yy_next(~w, ~w) -> ~w;~n", [S, C, To]);
clause(S, {A, ?MOST, To}) -> io_lib:format("yy_next(~w, C) when C >= ~w -> ~w;~n", [S, A, To]);
clause(S, {A, B, To}) -> io_lib:format("yy_next(~w, C) when C >= ~w, C =< ~w -> ~w;~n", [S, A, B, To]).

action({N, _, []}, _) -> io_lib:format("yy_action_~w(_, _, _) -> skip_token.~n", [N]);
action({N, _, Tokens}, File) ->
    Used = [Name || {var, _, Name} <- Tokens],
    Variables = [case lists:member(Name, Used) of
                     true -> atom_to_list(Name);
                     false -> "_"
                 end || Name <- ['TokenChars', 'TokenLen', 'TokenLine']],
    First = line(hd(Tokens)),
    [io_lib:format("-file(~tp, ~w).~nyy_action_~w(~ts) ->", [File, First, N, lists:join(", ", Variables)]),
     code(Tokens, First), ".\n-file(\"erlscope_leex.erl\", 1).\n"].

line(Token) -> erl_anno:line(element(2, Token)).

code([], _) -> [];
code([Token | More], At) ->
    Text = erl_scan:text(Token),
    Line = line(Token),
    [lists:duplicate(max(0, Line - At), $\n), $\s, Text | code(More, Line + length([C || C <- Text, C =:= $\n]))].

runtime() ->
    "format_error({illegal, S}) -> [\"illegal characters \", io_lib:write_string(S)];\n"
    "format_error({user, S}) -> S.\n"
    "string(Chars) -> string(Chars, 1).\n"
    "string(Chars, Line) -> yy_string(Chars, Line, []).\n"
    "yy_string([], Line, Ts) -> {ok, lists:reverse(Ts), Line};\n"
    "yy_string(Chars, Line, Ts) ->\n"
    "    case yy_run(0, Chars, Line, 0, none) of\n"
    "        {_, none, Len, _, At} -> {error, {Line, ?MODULE, {illegal, lists:sublist(Chars, Len + 1)}}, At};\n"
    "        {_, {Rule, Len, Rest, At}, _, _, _} ->\n"
    "            case yy_action(Rule, lists:sublist(Chars, Len), Len, Line) of\n"
    "                {token, T} -> yy_string(Rest, At, [T | Ts]);\n"
    "                {token, T, Push} -> yy_string(Push ++ Rest, At, [T | Ts]);\n"
    "                {end_token, T} -> yy_string(Rest, At, [T | Ts]);\n"
    "                {end_token, T, Push} -> yy_string(Push ++ Rest, At, [T | Ts]);\n"
    "                skip_token -> yy_string(Rest, At, Ts);\n"
    "                {skip_token, Push} -> yy_string(Push ++ Rest, At, Ts);\n"
    "                {error, S} -> {error, {At, ?MODULE, {user, S}}, At}\n"
    "            end\n"
    "    end.\n"
    "token(Cont, Chars) -> token(Cont, Chars, 1).\n"
    "token([], Chars, Line) -> yy_token(Chars, Line);\n"
    "token({token, Before, Line}, Chars, _) -> yy_token(Before ++ Chars, Line).\n"
    "yy_token(Chars, Line) ->\n"
    "    case yy_run(0, Chars, Line, 0, none) of\n"
    "        {ended, _, _, [], _} -> {more, {token, Chars, Line}};\n"
    "        {_, none, 0, eof, At} -> {done, {eof, At}, eof};\n"
    "        {_, none, Len, eof, At} -> {done, {error, {Line, ?MODULE, {illegal, lists:sublist(Chars, Len)}}, At}, eof};\n"
    "        {_, none, Len, Rest, At} ->\n"
    "            {done, {error, {Line, ?MODULE, {illegal, lists:sublist(Chars, Len + 1)}}, At}, Rest};\n"
    "        {_, {Rule, Len, Rest, At}, _, _, _} ->\n"
    "            case yy_action(Rule, lists:sublist(Chars, Len), Len, Line) of\n"
    "                {token, T} -> {done, {ok, T, At}, Rest};\n"
    "                {token, T, Push} -> {done, {ok, T, At}, Push ++ Rest};\n"
    "                {end_token, T} -> {done, {ok, T, At}, Rest};\n"
    "                {end_token, T, Push} -> {done, {ok, T, At}, Push ++ Rest};\n"
    "                skip_token -> yy_token(Rest, At);\n"
    "                {skip_token, Push} -> yy_token(Push ++ Rest, At);\n"
    "                {error, S} -> {done, {error, {At, ?MODULE, {user, S}}, At}, Rest}\n"
    "            end\n"
    "    end.\n"
    "tokens(Cont, Chars) -> tokens(Cont, Chars, 1).\n"
    "tokens([], Chars, Line) -> yy_tokens(Chars, Line, []);\n"
    "tokens({tokens, Before, Line, Ts}, Chars, _) -> yy_tokens(Before ++ Chars, Line, Ts);\n"
    "tokens({skip_tokens, Before, Line, Error}, Chars, _) -> yy_skip(Before ++ Chars, Line, Error).\n"
    "yy_tokens(Chars, Line, Ts) ->\n"
    "    case yy_run(0, Chars, Line, 0, none) of\n"
    "        {ended, _, _, [], _} -> {more, {tokens, Chars, Line, Ts}};\n"
    "        {_, none, 0, eof, At} when Ts =:= [] -> {done, {eof, At}, eof};\n"
    "        {_, none, 0, eof, At} -> {done, {ok, lists:reverse(Ts), At}, eof};\n"
    "        {_, none, Len, eof, At} -> {done, {error, {Line, ?MODULE, {illegal, lists:sublist(Chars, Len)}}, At}, eof};\n"
    "        {_, none, Len, _, At} ->\n"
    "            yy_skip(lists:nthtail(Len + 1, Chars), At, {At, ?MODULE, {illegal, lists:sublist(Chars, Len + 1)}});\n"
    "        {_, {Rule, Len, Rest, At}, _, _, _} ->\n"
    "            case yy_action(Rule, lists:sublist(Chars, Len), Len, Line) of\n"
    "                {token, T} -> yy_tokens(Rest, At, [T | Ts]);\n"
    "                {token, T, Push} -> yy_tokens(Push ++ Rest, At, [T | Ts]);\n"
    "                {end_token, T} -> {done, {ok, lists:reverse(Ts, [T]), At}, Rest};\n"
    "                {end_token, T, Push} -> {done, {ok, lists:reverse(Ts, [T]), At}, Push ++ Rest};\n"
    "                skip_token -> yy_tokens(Rest, At, Ts);\n"
    "                {skip_token, Push} -> yy_tokens(Push ++ Rest, At, Ts);\n"
    "                {error, S} -> yy_skip(Rest, At, {At, ?MODULE, {user, S}})\n"
    "            end\n"
    "    end.\n"
    "yy_skip(Chars, Line, Error) ->\n"
    "    case yy_run(0, Chars, Line, 0, none) of\n"
    "        {ended, _, _, [], _} -> {more, {skip_tokens, Chars, Line, Error}};\n"
    "        {_, none, _, eof, At} -> {done, {error, Error, At}, eof};\n"
    "        {_, none, Len, _, At} -> yy_skip(lists:nthtail(Len + 1, Chars), At, Error);\n"
    "        {_, {Rule, Len, Rest, At}, _, _, _} ->\n"
    "            case yy_action(Rule, lists:sublist(Chars, Len), Len, Line) of\n"
    "                {token, _} -> yy_skip(Rest, At, Error);\n"
    "                {token, _, Push} -> yy_skip(Push ++ Rest, At, Error);\n"
    "                {end_token, _} -> {done, {error, Error, At}, Rest};\n"
    "                {end_token, _, Push} -> {done, {error, Error, At}, Push ++ Rest};\n"
    "                skip_token -> yy_skip(Rest, At, Error);\n"
    "                {skip_token, Push} -> yy_skip(Push ++ Rest, At, Error);\n"
    "                {error, _} -> yy_skip(Rest, At, Error)\n"
    "            end\n"
    "    end.\n"
    "yy_run(S, Chars, Line, Len, Last) ->\n"
    "    Match = case yy_accept(S) of none -> Last; Rule -> {Rule, Len, Chars, Line} end,\n"
    "    case Chars of\n"
    "        [C | Rest] ->\n"
    "            case yy_next(S, C) of\n"
    "                stop -> {stopped, Match, Len, Chars, Line};\n"
    "                To when C =:= $\\n -> yy_run(To, Rest, Line + 1, Len + 1, Match);\n"
    "                To -> yy_run(To, Rest, Line, Len + 1, Match)\n"
    "            end;\n"
    "        _ ->\n"
    "            case yy_is_last(S) of\n"
    "                true -> {stopped, Match, Len, Chars, Line};\n"
    "                false -> {ended, Match, Len, Chars, Line}\n"
    "            end\n"
    "    end.\n".
