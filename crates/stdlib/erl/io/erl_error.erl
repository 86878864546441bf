%% Exceptions, calls and stack traces as the shell shows them.
%%
%% Everybody who asks gives a fun that formats a term for a column; what is laid out around it here
%% starts a new line where that saves lines. A printer is #{format, encoding}: the fun, which is
%% given a limit on characters and returns what is left of it, and the encoding of the text.
-module(erl_error).

-export([format_exception/3, format_exception/4,
         format_exception/6, format_exception/7, format_exception/8,
         format_stacktrace/4, format_stacktrace/5,
         format_call/4, format_call/5, format_fun/1, format_fun/2]).

-export_type([format_options/0, format_fun/0, stack_trim_fun/0]).

-type column() :: pos_integer().
-type stack_trim_fun() :: fun((module(), atom(), arity()) -> boolean()).
-type format_fun() :: fun((term(), column()) -> iolist()).
-type format_options() :: #{column => column(), stack_trim_fun => stack_trim_fun(),
                            format_fun => format_fun()}.

-spec format_exception(error | exit | throw, term(), erlang:stacktrace()) -> unicode:chardata().
format_exception(Class, Reason, Stack) -> format_exception(Class, Reason, Stack, #{}).

-spec format_exception(error | exit | throw, term(), erlang:stacktrace(), format_options()) ->
          unicode:chardata().
format_exception(Class, Reason, Stack, Options) ->
    Column = maps:get(column, Options, 1),
    Trim = maps:get(stack_trim_fun, Options, fun(_, _, _) -> false end),
    Format = maps:get(format_fun, Options, fun(Term, C) -> io_lib:print(Term, C, 80, 30) end),
    format_exception(Column, Class, Reason, Stack, Trim, Format, unicode).

format_exception(Column, Class, Reason, Stack, Trim, Format) ->
    format_exception(Column, Class, Reason, Stack, Trim, Format, latin1).

format_exception(Column, Class, Reason, Stack, Trim, Format, Encoding) ->
    format_exception(Column, Class, Reason, Stack, Trim, without_limit(Format), Encoding, -1).

%% The stack trace may take a third of the limit, the rest is for the reason.
format_exception(Column, Class, Reason, Stack, Trim, Format, Encoding, Limit)
  when is_integer(Column), Column >= 1, is_function(Trim, 3), is_function(Format, 3),
       is_integer(Limit) ->
    Printer = #{format => Format, encoding => Encoding},
    {Shown, Failed, Frames} = split(Class, Reason, Stack),
    Extended = extended(Reason, Frames),
    Indent = spaces(Column - 1),
    StackLimit = if Limit < 0 -> Limit; true -> Limit div 3 end,
    Trace = frames(Indent, Frames, Trim, Extended, StackLimit, Printer),
    Left = less(less(Limit, title(Class), latin1), Trace, Encoding),
    Text = case Extended of
               #{reason := Explanation} -> Explanation;
               #{} -> explain(Shown, Class, Failed, Indent, Left, Printer)
           end,
    Head = io_lib:format(case Encoding of latin1 -> "~s~s"; _ -> "~s~ts" end, [title(Class), Text]),
    case Trace of
        [] -> Head;
        _ -> [Head, $\n, Trace]
    end.

format_stacktrace(Column, Stack, Trim, Format) ->
    format_stacktrace(Column, Stack, Trim, Format, latin1).

format_stacktrace(Column, Stack, Trim, Format, Encoding)
  when is_integer(Column), Column >= 1, is_function(Trim, 3), is_function(Format, 2) ->
    Printer = #{format => without_limit(Format), encoding => Encoding},
    frames(spaces(Column - 1), Stack, Trim, extended(none, Stack), -1, Printer).

format_call(Column, Function, Args, Format) -> format_call(Column, Function, Args, Format, latin1).

format_call(Column, Function, Args, Format, Encoding)
  when is_integer(Column), Column >= 1, is_list(Args), is_function(Format, 2) ->
    Printer = #{format => without_limit(Format), encoding => Encoding},
    call("", spaces(Column - 1), Function, Args, -1, Printer).

format_fun(Fun) -> format_fun(Fun, latin1).

format_fun(Fun, Encoding) when is_function(Fun) ->
    [{_, Module}, {_, Name}, {_, Arity}, {_, Type}] =
        [erlang:fun_info(Fun, Item) || Item <- [module, name, arity, type]],
    if
        Type =:= local, Name =:= "" -> io_lib:format("~w", [Fun]);
        Type =:= local, Module =:= erl_eval ->
            io_lib:format("interpreted function with arity ~w", [Arity]);
        true -> function_and_arity(Module, Name, Arity, Encoding)
    end.

without_limit(Format) -> fun(Term, Column, Limit) -> {Format(Term, Column), Limit} end.

%% ---- the exception ----

title(error) -> "exception error: ";
title(exit) -> "exception exit: ";
title(throw) -> "exception throw: ".

%% What is shown as the reason, the call that failed if it belongs to the reason, and the frames.
split(error, function_clause, [{_, _, Args, _} = Frame | Frames] = Stack) when is_list(Args) ->
    split_at(Frame, Frames, function_clause, Stack);
split(error, function_clause, [{shell, F, Arity, Location}]) when is_integer(Arity), is_list(Location),
                                                                  is_atom(F) ->
    {function_clause, [{F, Arity}], []};
split(error, undef, [{_, _, _, _} = Frame | Frames] = Stack) ->
    split_at(Frame, Frames, undef, Stack);
split(_, Reason, Stack) ->
    case is_stack(Stack) of
        true -> {Reason, [], Stack};
        false -> {{Reason, Stack}, [], []}
    end.

split_at(Frame, Frames, Reason, Stack) ->
    case is_stack(Stack) of
        true -> {Reason, [Frame], Frames};
        false -> {{Reason, Stack}, [], []}
    end.

is_stack([{M, F, A, Location} | Rest]) when is_atom(M), is_atom(F), is_list(Location) ->
    (is_integer(A) orelse (is_list(A) andalso is_proper(A))) andalso is_stack(Rest);
is_stack(Rest) ->
    Rest =:= [].

is_proper(List) ->
    try length(List) >= 0 catch error:_ -> false end.

%% What the module of a failed builtin has to say: texts for arguments, `general` and `reason`.
extended(Reason, [{M, _, _, Info} | _] = Stack) ->
    case lists:keyfind(error_info, 1, Info) of
        {_, #{} = About} ->
            Module = maps:get(module, About, M),
            Function = maps:get(function, About, format_error),
            try Module:Function(Reason, Stack) catch error:_ -> #{} end;
        _ ->
            #{}
    end;
extended(_, []) ->
    #{}.

explain(Reason, Class, [], Indent, Limit, Printer) ->
    case wording(Class, Reason) of
        {value, Text, Value} ->
            value(Text, Value, Class, Indent, Limit, Printer);
        {call, Text, Function, Args} ->
            Before = [Indent | spaces(length(title(Class)))],
            call(Text, Before, Function, Args, Limit, Printer);
        {badarity, Fun, Args} ->
            [format_fun(Fun, maps:get(encoding, Printer)), " called with ", arguments(length(Args))];
        other ->
            {Text, _} = format(Printer, Reason, iolist_size(Indent) + 1 + length(title(Class)), Limit),
            Text;
        Text ->
            Text
    end;
explain(function_clause, _, [{F, Arity}], _, _, _) ->
    io_lib:format("no function clause matching call to ~w/~w", [F, Arity]);
explain(function_clause, Class, [{M, F, Args, Location}], Indent, Limit, Printer) ->
    Before = [Indent | spaces(length(title(Class)))],
    [call("no function clause matching ", Before, {M, F}, Args, Limit, Printer), $\s
     | location(Location)];
explain(undef, _, [{M, F, Args, _}], _, _, #{encoding := Encoding}) ->
    ["undefined function ", function_and_arity(M, F, arity(Args), Encoding)].

%% Reasons of the emulator and of its interpreter in words.
wording(error, badarg) -> "bad argument";
wording(error, {badarg, V}) -> {value, "bad argument: ", V};
wording(error, {badkey, V}) -> {value, "bad key: ", V};
wording(error, {badmap, V}) -> {value, "bad map: ", V};
wording(error, badarith) -> "an error occurred when evaluating an arithmetic expression";
wording(error, {badarity, {Fun, Args}}) when is_function(Fun) -> {badarity, Fun, Args};
wording(error, {badfun, V}) -> {value, "bad function ", V};
wording(error, {badmatch, V}) -> {value, "no match of right hand side value ", V};
wording(error, {case_clause, V}) -> {value, "no case clause matching ", V};
wording(error, if_clause) -> "no true branch found when evaluating an if expression";
wording(error, noproc) -> "no such process or port";
wording(error, notalive) -> "the node cannot be part of a distributed system";
wording(error, system_limit) -> "a system limit has been reached";
wording(error, timeout_value) -> "bad receive timeout value";
wording(error, {try_clause, V}) -> {value, "no try clause matching ", V};
wording(error, {shell_undef, F, Args, _}) ->
    io_lib:format("undefined shell command ~tw/~w", [F, arity(Args)]);
wording(error, {argument_limit, _}) ->
    "limit of number of arguments to interpreted function exceeded";
wording(error, {bad_filter, V}) -> {value, "bad filter ", V};
wording(error, {bad_generator, V}) -> {value, "bad generator ", V};
wording(error, {unbound, V}) -> io_lib:format("variable ~w is unbound", [V]);
wording(exit, {restricted_shell_bad_return, V}) ->
    {value, "restricted shell module returned bad value ", V};
wording(exit, {restricted_shell_disallowed, {Function, Args}}) ->
    {call, "restricted shell does not allow ", Function, Args};
wording(exit, restricted_shell_started) -> "restricted shell starts now";
wording(exit, restricted_shell_stopped) -> "restricted shell stopped";
wording(exit, calling_self) -> "the current process attempted to call itself";
wording(_, _) -> other.

arguments(0) -> "no arguments";
arguments(1) -> "one argument";
arguments(2) -> "two arguments";
arguments(N) -> io_lib:format("~w arguments", [N]).

%% A value after some words, or below them if it takes fewer lines there.
value(Text, Value, Class, Indent, Limit, Printer) ->
    Title = length(title(Class)),
    Start = iolist_size(Indent) + Title + 1,
    {Beside, _} = format(Printer, Value, Start + length(Text), Limit),
    case lines(Beside) of
        Lines when Lines > 1 ->
            {Below, _} = format(Printer, Value, Start, Limit),
            case lines(Below) < Lines of
                true -> [Text, $\n, Indent, spaces(Title) | Below];
                false -> [Text | Beside]
            end;
        _ ->
            [Text | Beside]
    end.

format(#{format := Format}, Term, Column, Limit) -> Format(Term, Column, Limit).

%% ---- the stack trace ----

%% Trim says which frames at the end are left out.
frames(Indent, Stack, Trim, Extended, Limit, Printer) ->
    Kept = lists:dropwhile(fun({M, F, A, _}) -> Trim(M, F, A) end, lists:reverse(Stack)),
    frame(lists:reverse(Kept), first, ["  " | Indent], Extended, Limit, Printer).

frame([], _, _, _, _, _) ->
    [];
frame(_, _, _, _, 0, _) ->
    [];
frame([{M, F, Args, Location} | Rest], Place, Indent, Extended, Limit, Printer) ->
    #{encoding := Encoding} = Printer,
    Arity = arity(Args),
    Separator = case Place of first -> Indent; below -> [$\n | Indent] end,
    Detail = case is_list(Args) of
                 true ->
                     CalledAs = [Indent, "   called as "],
                     [$\n, CalledAs, call("", CalledAs, {M, F}, Args, Limit, Printer)];
                 false ->
                     [$\s, location(Location)]
             end,
    Faults = [[$\n, Separator, "   ", Line] || Line <- faults(Extended, 1, Arity)],
    Text = [Separator, origin(Place, M, F, Arity), $\s,
            function_and_arity(M, F, Arity, Encoding), Detail, Faults],
    [Text | frame(Rest, below, Indent, #{}, less(Limit, Text, Encoding), Printer)].

origin(first, M, F, Arity) ->
    case is_operator({M, F}, Arity) of
        true -> "in operator ";
        false -> "in function "
    end;
origin(below, _, _, _) ->
    "in call from".

%% What is wrong with which argument, and in general; one text a line.
faults(Extended, N, Arity) when N =< Arity ->
    case Extended of
        #{N := Text} ->
            [First | More] = string:lexemes(Text, "\r\n"),
            Head = io_lib:format("*** argument ~w: ", [N]),
            Indent = spaces(string:length(Head)),
            [[Head, First] | [[Indent, Line] || Line <- More]] ++ faults(Extended, N + 1, Arity);
        #{} ->
            faults(Extended, N + 1, Arity)
    end;
faults(#{general := Text}, _, _) ->
    [["*** ", Text]];
faults(_, _, _) ->
    [].

location(Location) ->
    case {proplists:get_value(file, Location), proplists:get_value(line, Location)} of
        {File, Line} when File =/= undefined, Line =/= undefined ->
            io_lib:format("(~ts, line ~w)", [File, Line]);
        _ ->
            ""
    end.

%% ---- calls ----

%% A call after some words, or below them if its arguments take fewer lines there.
call(Words, Before, Function, Args, Limit, Printer) ->
    Arity = length(Args),
    case is_operator(Function, Arity) of
        true ->
            {_, Name} = Function,
            [Words | operation(Words, Before, Name, Args, Limit, Printer)];
        false ->
            Name = function(Function, Arity, maps:get(encoding, Printer)),
            Column = string:length([Before, Words | Name]),
            Beside = parenthesized(Args, Column, Limit, Printer),
            Below = parenthesized(Args, string:length([Before | Name]), Limit, Printer),
            %% Even two short arguments would not fit on the line.
            Narrow = lines(parenthesized([a2345, b2345], Column, Limit, Printer)) > 0,
            case Narrow orelse lines(Below) < lines(Beside) of
                true -> [Words, $\n, Before, Name, Below];
                false -> [Words, Name, Beside]
            end
    end.

operation(Words, Before, Name, [Arg], Limit, Printer) ->
    Operator = atom_to_list(Name) ++ " ",
    Column = iolist_size([Words, Before, Operator]) + 1,
    {Text, _} = format(Printer, Arg, Column, Limit),
    [Operator | Text];
operation(Words, Before, Name, [Left, Right], Limit, Printer) ->
    #{encoding := Encoding} = Printer,
    Start = iolist_size([Words, Before]),
    Operator = atom_to_list(Name),
    {LeftText, Limit1} = format(Printer, Left, Start + 1, Limit),
    {Below, _} = format(Printer, Right, Start + 1, Limit1),
    Break = [$\n | spaces(Start)],
    Stacked = [LeftText, Break, Operator, Break | Below],
    case lines(LeftText) > 0 of
        true ->
            Stacked;
        false ->
            Column = Start + length(Operator) + 2 + size(LeftText, Encoding) + 1,
            {Beside, _} = format(Printer, Right, Column, Limit1),
            case lines(Below) < lines(Beside) of
                true -> Stacked;
                false -> [LeftText, $\s, Operator, $\s | Beside]
            end
    end.

%% Arguments are formatted as a list. One that would be taken for a string has its first element
%% replaced by an atom of the same width meanwhile.
parenthesized(Args, Column, Limit, #{encoding := Encoding} = Printer) ->
    IsString = case Encoding of
                   latin1 -> io_lib:printable_latin1_list(Args);
                   _ -> io_lib:printable_list(Args)
               end,
    case Args of
        [First | Rest] when IsString ->
            Digits = integer_to_list(First),
            Atom = list_to_atom(lists:duplicate(length(Digits), $a)),
            {Text, _} = format(Printer, [Atom | Rest], Column + 1, Limit),
            Chars = unicode:characters_to_list(Text, Encoding),
            in_parentheses([$[, Digits, string:slice(Chars, 1 + length(Digits))], Encoding);
        _ ->
            {Text, _} = format(Printer, Args, Column + 1, Limit),
            in_parentheses(Text, Encoding)
    end.

in_parentheses(Text, Encoding) ->
    Binary = unicode:characters_to_binary(Text, Encoding),
    Size = byte_size(Binary) - 2,
    <<$[, Inside:Size/binary, $]>> = Binary,
    [$(, Inside, $)].

%% ---- names ----

function_and_arity(M, F, Arity, Encoding) ->
    [function({M, F}, Arity, Encoding), $/ | integer_to_list(Arity)].

%% The name of a function; operators and automatically imported functions need no module.
function({M, F}, Arity, Encoding) ->
    case erl_internal:bif(M, F, Arity) of
        true ->
            io_lib:format("~w", [F]);
        false ->
            case is_operator({M, F}, Arity) of
                true when F =:= '/' -> io_lib:format("~w", [F]);
                true -> atom_to_list(F);
                false -> [io_lib:format("~w:", [M]), atom(F, Encoding)]
            end
    end;
function(Fun, _, Encoding) when is_function(Fun) ->
    format_fun(Fun, Encoding);
function(Name, _, Encoding) ->
    atom(Name, Encoding).

atom(Atom, latin1) -> io_lib:write_atom_as_latin1(Atom);
atom(Atom, _) -> io_lib:write_atom(Atom).

is_operator({erlang, Name}, Arity) ->
    try erl_internal:op_type(Name, Arity) of
        _ -> true
    catch
        error:_ -> false
    end;
is_operator(_, _) ->
    false.

arity(Arity) when is_integer(Arity) -> Arity;
arity(Args) -> length(Args).

%% ---- text ----

%% How many line breaks a text has.
lines([Part | Rest]) -> lines(Part) + lines(Rest);
lines($\n) -> 1;
lines(Binary) when is_binary(Binary) -> length(binary:matches(Binary, <<"\n">>));
lines(_) -> 0.

spaces(N) -> lists:duplicate(N, $\s).

%% What a text leaves of a limit; no limit is negative.
less(Limit, _, _) when Limit < 0 -> Limit;
less(Limit, Text, Encoding) -> max(0, Limit - size(Text, Encoding)).

size(Text, latin1) -> iolist_size(Text);
size(Text, _) -> string:length(Text).
