%% Parsers from grammars (.yrl), as OTP's yecc makes them: the same language, values and errors; the text is our own.
%%
%% LALR(1): the states are those of LR(0); what may follow an item is a set of terminals, a number with a bit for each, that
%% grows as states are gone through again until nothing changes. What may follow the nonterminals of a state is computed for
%% each of them once, not for each item. Conflicts are decided as yecc does: by precedence (that of the last symbol of a rule
%% that has one, the head counting as last), then for the shift; of two rules that could be reduced the first is taken if
%% their precedences do not decide. What is no error otherwise is reduced by the last rule that a state could reduce by, so an
%% error is found when the next token would be taken, unless an operator does not associate there.
%%
%% Cost: a grammar of 500 rules takes about a second on the BEAM.
-module(erlscope_yecc).

-export([source/3]).

%% root: the first symbol. last: the symbol of the end. rules: {Number, Head, Body, ActionTokens, Line}, number 0 is the start.
-record(grammar, {nonterminals = [], terminals = [], root, last = '$end', precedence = #{}, header = [], rules = [],
                  code = none}).

%% {ok, Text} or {error, Line, Message}, of a grammar as text; File is what places of actions name.
source(Text, File, Module) ->
    try
        Grammar = checked(read(Text, 1, #grammar{})),
        {ok, unicode:characters_to_binary(written(Grammar, File, Module))}
    catch
        throw:{?MODULE, Line, Message} -> {error, Line, lists:flatten(Message)}
    end.

wrong(Line, Message) -> throw({?MODULE, Line, Message}).

%% ---- reading ----

read(Text, Line, Grammar) ->
    case erl_scan:tokens([], Text, Line, [text]) of
        {done, {ok, Tokens, End}, Rest} ->
            case Tokens of
                [{var, _, 'Erlang'}, {atom, _, code}, {dot, _}] -> Grammar#grammar{code = {End, rest(Rest)}};
                _ -> read(rest(Rest), End, form(Tokens, Grammar))
            end;
        {done, {eof, _}, _} -> Grammar;
        {done, {error, {At, _, _}, _}, _} -> wrong(At, "not a token");
        {more, _} ->
            case erl_scan:tokens([], Text ++ eof, Line, [text]) of
                {done, {eof, _}, _} -> Grammar;
                {done, {ok, Tokens, _}, _} -> form(Tokens, Grammar);
                {done, {error, {At, _, _}, _}, _} -> wrong(At, "the last form has no end")
            end
    end.

rest(eof) -> [];
rest(Text) -> Text.

form([{var, _, 'Nonterminals'} | Symbols], G) ->
    G#grammar{nonterminals = G#grammar.nonterminals ++ symbols(Symbols)};
form([{var, _, 'Terminals'} | Symbols], G) -> G#grammar{terminals = G#grammar.terminals ++ symbols(Symbols)};
form([{var, _, 'Rootsymbol'} | Symbols], G) -> G#grammar{root = hd(symbols(Symbols))};
form([{var, _, 'Endsymbol'} | Symbols], G) -> G#grammar{last = hd(symbols(Symbols))};
form([{var, _, 'Expect'} | _], G) -> G;
form([{var, _, 'States'} | _], G) -> G;
form([{var, _, 'Header'} | Strings], G) -> G#grammar{header = [Text || {string, _, Text} <- Strings]};
form([{var, _, Kind}, {integer, _, Level} | Symbols], #grammar{precedence = Known} = G) ->
    How = case Kind of
              'Left' -> left;
              'Right' -> right;
              'Nonassoc' -> nonassoc;
              'Unary' -> right
          end,
    G#grammar{precedence = maps:merge(Known, maps:from_list([{S, {Level, How}} || S <- symbols(Symbols)]))};
form([Head, {'->', _} | Rest], #grammar{rules = Rules} = G) ->
    {Body, Action} = lists:splitwith(fun(Token) -> element(1, Token) =/= ':' end, lists:droplast(Rest)),
    Code = case Action of
               [] -> none;
               [_ | Tokens] -> Tokens
           end,
    Names = [symbol(Token) || Token <- Body],
    G#grammar{rules = [{length(Rules) + 1, symbol(Head), [S || S <- Names, S =/= '$empty'], Code, line(Head)} | Rules]};
form([Token | _], _) -> wrong(line(Token), "not a declaration or a rule").

line(Token) -> erl_anno:line(element(2, Token)).

symbols(Tokens) -> [symbol(Token) || Token <- Tokens, element(1, Token) =/= dot].

symbol({atom, _, Name}) -> Name;
symbol({var, _, Name}) -> Name;
symbol({integer, _, Number}) -> Number;
symbol({Other, _}) -> Other;
symbol(Token) -> wrong(line(Token), "not a symbol").

checked(#grammar{root = undefined}) -> wrong(1, "there is no Rootsymbol");
checked(#grammar{nonterminals = Nonterminals, terminals = Terminals, last = Last, rules = Rules} = G) ->
    Known = maps:from_list([{S, true} || S <- [Last | Nonterminals ++ Terminals]]),
    [wrong(Line, io_lib:format("undefined nonterminal ~tw", [Head]))
     || {_, Head, _, _, Line} <- lists:reverse(Rules), not lists:member(Head, Nonterminals)],
    [wrong(Line, io_lib:format("undefined symbol ~tw", [S]))
     || {_, _, Body, _, Line} <- lists:reverse(Rules), S <- Body, not is_map_key(S, Known)],
    G#grammar{rules = lists:reverse(Rules)}.

%% ---- sets of terminals ----

%% What each nonterminal may begin with: #{Symbol => {Set, IsEmptyPossible}}.
firsts(Rules, Bits) -> firsts(Rules, Bits, maps:from_list([{Head, {0, false}} || {_, Head, _, _, _} <- Rules])).

firsts(Rules, Bits, Known) ->
    New = lists:foldl(fun({_, Head, Body, _, _}, Acc) ->
                              {Set, Empty} = map_get(Head, Acc),
                              {More, CanBe} = first(Body, Bits, Acc),
                              Acc#{Head := {Set bor More, Empty orelse CanBe}}
                      end, Known, Rules),
    case New =:= Known of
        true -> Known;
        false -> firsts(Rules, Bits, New)
    end.

first([], _, _) -> {0, true};
first([Symbol | More], Bits, Firsts) ->
    case Firsts of
        #{Symbol := {Set, false}} -> {Set, false};
        #{Symbol := {Set, true}} ->
            {Rest, Empty} = first(More, Bits, Firsts),
            {Set bor Rest, Empty};
        _ ->
            case Bits of
                #{Symbol := Bit} -> {Bit, false};
                %% A nonterminal without rules.
                _ -> {0, false}
            end
    end.

%% ---- states ----

%% rests: #{{Rule, Dot} => what is behind the dot, with what may follow the symbol there}. by_head: rules of a nonterminal.
-record(tables, {rests, by_head, bits}).

%% {[{State, #{Item => Set}}], #{{State, Symbol} => State}, Tables}
states(#grammar{root = Root, last = Last, rules = Rules0, terminals = Terminals}) ->
    Rules = [{0, '$start', [Root], none, 0} | Rules0],
    All = lists:usort([Last | Terminals]),
    Bits = maps:from_list(lists:zip(All, [1 bsl N || N <- lists:seq(0, length(All) - 1)])),
    Firsts = firsts(Rules, Bits),
    Rests = maps:from_list(lists:append([rests({N, 0}, Body, Bits, Firsts) || {N, _, Body, _, _} <- Rules])),
    ByHead = lists:foldl(fun({N, Head, _, _, _}, Acc) -> maps:update_with(Head, fun(Ns) -> [N | Ns] end, [N], Acc) end,
                         #{}, Rules),
    Tables = #tables{rests = Rests, by_head = ByHead, bits = Bits},
    Start = #{{0, 0} => map_get(Last, Bits)},
    {Found, Gotos} = grow([0], #{[{0, 0}] => 0}, #{0 => Start}, #{}, Tables),
    {lists:sort(maps:to_list(Found)), Gotos, Tables}.

rests({N, Dot}, [], _, _) -> [{{N, Dot}, done}];
rests({N, Dot}, [Symbol | Rest], Bits, Firsts) ->
    [{{N, Dot}, {Symbol, first(Rest, Bits, Firsts)}} | rests({N, Dot + 1}, Rest, Bits, Firsts)].

grow([], _, Found, Gotos, _) -> {Found, Gotos};
grow([State | Work], Numbers, Found, Gotos, Tables) ->
    Items = closed(map_get(State, Found), Tables),
    Steps = maps:fold(fun({N, Dot} = Item, Set, Acc) ->
                              case map_get(Item, Tables#tables.rests) of
                                  done -> Acc;
                                  {Symbol, _} ->
                                      Kernel = maps:get(Symbol, Acc, #{}),
                                      Acc#{Symbol => Kernel#{{N, Dot + 1} => Set}}
                              end
                      end, #{}, Items),
    {Work1, Numbers1, Found1, Gotos1} =
        lists:foldl(fun({Symbol, Kernel}, {W, Ns, F, Gs}) ->
                            Key = lists:sort(maps:keys(Kernel)),
                            case Ns of
                                #{Key := To} ->
                                    Old = map_get(To, F),
                                    New = maps:map(fun(Item, Set) -> Set bor map_get(Item, Kernel) end, Old),
                                    Gs1 = Gs#{{State, Symbol} => To},
                                    case New =:= Old of
                                        true -> {W, Ns, F, Gs1};
                                        false -> {added(To, W), Ns, F#{To := New}, Gs1}
                                    end;
                                _ ->
                                    To = map_size(Ns),
                                    {W ++ [To], Ns#{Key => To}, F#{To => Kernel}, Gs#{{State, Symbol} => To}}
                            end
                    end, {Work, Numbers, Found, Gotos}, lists:sort(maps:to_list(Steps))),
    grow(Work1, Numbers1, Found1, Gotos1, Tables).

added(State, Work) ->
    case lists:member(State, Work) of
        true -> Work;
        false -> Work ++ [State]
    end.

%% All items of a state.
closed(Kernel, #tables{rests = Rests, by_head = ByHead} = Tables) ->
    Wanted = maps:fold(fun(Item, Set, Acc) -> wants(map_get(Item, Rests), Set, Acc, ByHead) end, [], Kernel),
    Follows = follow(Wanted, #{}, Tables),
    maps:fold(fun(Head, Set, Acc) ->
                      lists:foldl(fun(N, A) -> maps:update_with({N, 0}, fun(S) -> S bor Set end, Set, A) end, Acc,
                                  map_get(Head, ByHead))
              end, Kernel, Follows).

wants(done, _, Acc, _) -> Acc;
wants({Symbol, {Set, Empty}}, Behind, Acc, ByHead) when is_map_key(Symbol, ByHead) ->
    [{Symbol, case Empty of true -> Set bor Behind; false -> Set end} | Acc];
wants(_, _, Acc, _) -> Acc.

follow([], Known, _) -> Known;
follow([{Symbol, Set} | More], Known, #tables{rests = Rests, by_head = ByHead} = Tables) ->
    Old = maps:get(Symbol, Known, none),
    New = case Old of none -> Set; _ -> Old bor Set end,
    case New =:= Old of
        true -> follow(More, Known, Tables);
        false ->
            Next = lists:foldl(fun(N, Acc) -> wants(map_get({N, 0}, Rests), New, Acc, ByHead) end, More,
                               map_get(Symbol, ByHead)),
            follow(Next, Known#{Symbol => New}, Tables)
    end.

%% ---- actions ----

%% [{State, [{Terminal, {shift, State} | {reduce, Rule} | accept | error}], Default}]
actions(#grammar{rules = Rules, precedence = Precedence}, States, Gotos, #tables{rests = Rests, bits = Bits} = Tables) ->
    ByNumber = maps:from_list([{N, {Head, Body}} || {N, Head, Body, _, _} <- Rules]),
    [begin
         Items = lists:sort(maps:to_list(closed(Kernel, Tables))),
         Shifts = lists:foldl(fun({{N, _} = Item, _}, Acc) ->
                                      case map_get(Item, Rests) of
                                          {Symbol, _} when is_map_key(Symbol, Bits) ->
                                              Level = shift_level(Symbol, Item, N, ByNumber, Precedence),
                                              maps:update_with(Symbol, fun(Old) -> max_level(Old, Level) end, Level, Acc);
                                          _ -> Acc
                                      end
                              end, #{}, Items),
         Reductions = [{N, Set} || {{N, _} = Item, Set} <- Items, map_get(Item, Rests) =:= done],
         decided(State, Shifts, Reductions, Gotos, ByNumber, Precedence, Bits)
     end || {State, Kernel} <- States].

level(Symbols, Precedence) ->
    lists:foldl(fun(Symbol, Level) -> maps:get(Symbol, Precedence, Level) end, {0, none}, Symbols).

%% The last symbol of a rule has the precedence of the rule's head, if that has one.
shift_level(Symbol, {N, Dot}, N, ByNumber, Precedence) ->
    {Head, Body} = maps:get(N, ByNumber, {'$start', [Symbol]}),
    case Dot + 1 =:= length(Body) of
        true -> level([Symbol, Head], Precedence);
        false -> level([Symbol], Precedence)
    end.

max_level({0, none}, New) -> New;
max_level(Old, {0, none}) -> Old;
max_level(_, New) -> New.

decided(State, Shifts, Reductions, Gotos, ByNumber, Precedence, Bits) ->
    Acts = lists:append(
             [begin
                  Reduce = [N || {N, Set} <- Reductions, Set band Bit =/= 0],
                  case {Shifts, Reduce} of
                      {#{Terminal := _}, []} -> [{Terminal, {shift, map_get({State, Terminal}, Gotos)}}];
                      {#{Terminal := Level}, _} ->
                          Rule = one_rule(Reduce, ByNumber, Precedence),
                          [{Terminal, case chosen(Level, rule_level(Rule, ByNumber, Precedence)) of
                                          shift -> {shift, map_get({State, Terminal}, Gotos)};
                                          reduce -> reduce(Rule);
                                          error -> error
                                      end}];
                      {_, []} -> [];
                      _ -> [{Terminal, reduce(one_rule(Reduce, ByNumber, Precedence))}]
                  end
              end || {Terminal, Bit} <- lists:sort(maps:to_list(Bits))]),
    case {lists:keymember(error, 2, Acts), lists:usort([Act || {_, {reduce, _} = Act} <- Acts])} of
        {false, [_ | _] = All} ->
            Default = lists:last(All),
            {State, [Pair || {_, Act} = Pair <- Acts, Act =/= Default], Default};
        _ -> {State, Acts, error}
    end.

reduce(0) -> accept;
reduce(Rule) -> {reduce, Rule}.

rule_level(0, _, _) -> {0, none};
rule_level(N, ByNumber, Precedence) ->
    {Head, Body} = map_get(N, ByNumber),
    level(Body ++ [Head], Precedence).

one_rule([N], _, _) -> N;
one_rule([0 | More], ByNumber, Precedence) -> one_rule(More, ByNumber, Precedence);
one_rule([A, B | More], ByNumber, Precedence) ->
    {LevelA, _} = rule_level(A, ByNumber, Precedence),
    {LevelB, _} = rule_level(B, ByNumber, Precedence),
    Best = if LevelB > LevelA -> B; true -> A end,
    one_rule([Best | More], ByNumber, Precedence).

chosen({A, _}, {B, _}) when A > B -> shift;
chosen({A, _}, {B, _}) when B > A -> reduce;
chosen({_, left}, {_, left}) -> reduce;
chosen({_, nonassoc}, {_, nonassoc}) -> error;
chosen(_, _) -> shift.

%% ---- writing ----

written(#grammar{header = Header, code = Code, rules = Rules} = G, File, Module) ->
    {States, Gotos, Tables} = states(G),
    Actions = actions(G, States, Gotos, Tables),
    [io_lib:format("-module(~tw).~n-export([parse/1, parse_and_scan/1, format_error/1]).~n", [Module]),
     [[Text, $\n] || Text <- Header],
     case Code of
         none -> [];
         {Line, Text} -> [io_lib:format("-file(~tp, ~w).~n", [File, Line]), Text, $\n]
     end,
     "-file(\"erlscope_yecc.erl\", 1).\n",
     runtime(),
     acts(Actions),
     gotos(Gotos, [Head || {_, Head, _, _, _} <- Rules]),
     dispatch(Rules),
     [reduction(Rule, File) || Rule <- Rules]].

%% Named as yecc names what actions may call or programs rely on.
runtime() ->
    "parse(Tokens) -> yecc_begin(Tokens, {no_func, no_location}).\n"
    "parse_and_scan({F, A}) -> yecc_begin([], {{F, A}, no_location});\n"
    "parse_and_scan({M, F, A}) -> Arity = length(A), yecc_begin([], {{fun M:F/Arity, A}, no_location}).\n"
    "format_error(Message) -> case io_lib:deep_char_list(Message) of true -> Message; _ -> io_lib:write(Message) end.\n"
    "-compile({nowarn_unused_function, return_error/2}).\n"
    "return_error(Location, Message) -> throw({error, {Location, ?MODULE, Message}}).\n"
    "yecc_begin(Tokens, Source) ->\n"
    "    try yecc_next(Tokens, Source, none, 0, [], [])\n"
    "    catch throw:{error, {_Location, ?MODULE, _Message}} = Error -> Error end.\n"
    "yecc_next([Token | Tokens], Source, _, State, States, Values) -> yecc_go(State, States, Values, Token, Tokens, Source);\n"
    "yecc_next([], {{F, A}, _}, Last, State, States, Values) ->\n"
    "    case apply(F, A) of\n"
    "        {ok, Tokens, End} -> yecc_next(Tokens, {{F, A}, End}, Last, State, States, Values);\n"
    "        {eof, End} -> yecc_next([], {no_func, End}, Last, State, States, Values);\n"
    "        {error, Descriptor, _} -> {error, Descriptor}\n"
    "    end;\n"
    "yecc_next([], {no_func, no_location}, Last, State, States, Values) ->\n"
    "    End = case Last of none -> 999999; _ -> yecc_end_location(Last) end,\n"
    "    yecc_go(State, States, Values, {'$end', End}, [], {no_func, End});\n"
    "yecc_next([], {no_func, End} = Source, _, State, States, Values) ->\n"
    "    yecc_go(State, States, Values, {'$end', End}, [], Source).\n"
    "yecc_go(State, States, Values, Token, Tokens, Source) ->\n"
    "    case yecc_act(State, element(1, Token)) of\n"
    "        {shift, To} -> yecc_next(Tokens, Source, Token, To, [State | States], [Token | Values]);\n"
    "        {reduce, Rule} ->\n"
    "            {Head, Size, NewValues} = yecc_reduce(Rule, Values),\n"
    "            [Below | Rest] = lists:nthtail(Size, [State | States]),\n"
    "            yecc_go(yecc_goto(Head, Below), [Below | Rest], NewValues, Token, Tokens, Source);\n"
    "        accept -> {ok, hd(Values)};\n"
    "        error -> yecc_error(Token)\n"
    "    end.\n"
    "yecc_error(Token) -> {error, {yecc_location(Token), ?MODULE, [\"syntax error before: \", yecc_text(Token)]}}.\n"
    "yecc_end_location(Token) ->\n"
    "    try erl_anno:end_location(element(2, Token)) of undefined -> yecc_location(Token); Location -> Location\n"
    "    catch _:_ -> yecc_location(Token) end.\n"
    "yecc_location(Token) -> try erl_scan:location(Token) catch _:_ -> element(2, Token) end.\n"
    "yecc_text(Token) ->\n"
    "    try erl_scan:text(Token) of undefined -> yecc_text2(Token); Text -> Text catch _:_ -> yecc_text2(Token) end.\n"
    "yecc_text2(Token) -> try yecc_text3(Token) catch _:_ -> io_lib:format(\"~tp\", [Token]) end.\n"
    "yecc_text3({atom, _, A}) -> io_lib:write_atom(A);\n"
    "yecc_text3({char, _, C}) -> io_lib:write_char(C);\n"
    "yecc_text3({var, _, V}) -> io_lib:format(\"~s\", [V]);\n"
    "yecc_text3({string, _, S}) -> io_lib:write_string(S);\n"
    "yecc_text3({Cat, _, Value}) when Cat =:= integer; Cat =:= float; Cat =:= reserved_symbol -> io_lib:write(Value);\n"
    "yecc_text3({_, _, Value}) -> io_lib:format(\"~tp\", [Value]);\n"
    "yecc_text3({dot, _}) -> \"'.'\";\n"
    "yecc_text3({'$end', _}) -> [];\n"
    "yecc_text3({Other, _}) when is_atom(Other) -> io_lib:write_atom(Other);\n"
    "yecc_text3(Other) -> io_lib:format(\"~tp\", [Other]).\n".

acts(Actions) ->
    Clauses = [[[io_lib:format("yecc_act(~w, ~tw) -> ~w;~n", [State, Terminal, Act]) || {Terminal, Act} <- Acts],
                [io_lib:format("yecc_act(~w, _) -> ~w;~n", [State, Default]) || Default =/= error]]
               || {State, Acts, Default} <- Actions],
    [Clauses, "yecc_act(_, _) -> error.\n"].

gotos(Gotos, Heads) ->
    Known = maps:from_list([{Head, true} || Head <- Heads]),
    Wanted = lists:sort([{Symbol, From, To} || {{From, Symbol}, To} <- maps:to_list(Gotos), is_map_key(Symbol, Known)]),
    Clauses = [io_lib:format("yecc_goto(~tw, ~w) -> ~w", [Symbol, From, To]) || {Symbol, From, To} <- Wanted],
    [lists:join(";\n", Clauses), ".\n"].

%% A function for each rule, so that places in it are those of its action.
reduction({N, _, Body, Action, Line}, File) ->
    Size = length(Body),
    Variables = [[io_lib:format("__~w, ", [I])] || I <- lists:seq(Size, 1, -1)],
    Pattern = case Size of
                  0 -> "__Values";
                  _ -> ["[", lists:droplast(lists:droplast(lists:flatten(Variables))), " | __Values]"]
              end,
    Name = io_lib:format("yecc_reduce_~w", [N]),
    [io_lib:format("-file(~tp, ~w).~n", [File, case Action of [T | _] -> line(T); _ -> Line end]),
     Name, "(", Pattern, ") -> [begin ", code(Action), "\n end | __Values].\n-file(\"erlscope_yecc.erl\", 1).\n"].

%% Which function reduces by a rule, what it gives, and how many values it takes.
dispatch(Rules) ->
    Clauses = [io_lib:format("yecc_reduce(~w, Values) -> {~tw, ~w, yecc_reduce_~w(Values)}", [N, Head, length(Body), N])
               || {N, Head, Body, _, _} <- Rules],
    [lists:join(";\n", Clauses), ".\n"].

code(none) -> "'$undefined'";
code(Tokens) -> code(Tokens, line(hd(Tokens))).

code([], _) -> [];
code([Token | More], At) ->
    Line = line(Token),
    Text = case Token of
               {atom, _, Name} ->
                   case atom_to_list(Name) of
                       [$$ | [_ | _] = Digits] ->
                           case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Digits) of
                               true -> "__" ++ Digits;
                               false -> text(Token)
                           end;
                       _ -> text(Token)
                   end;
               _ -> text(Token)
           end,
    Lines = length([C || C <- Text, C =:= $\n]),
    [lists:duplicate(max(0, Line - At), $\n), $\s, Text | code(More, Line + Lines)].

text(Token) -> erl_scan:text(Token).
