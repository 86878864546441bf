%% Text of proc_lib's crash reports: the crashed process, then its neighbours,
%% over many lines or on one line, with limits on depth and on size.
%%
%% With a size limit one third of the characters is meant for the exception;
%% the other entries share the rest, and what they leave goes to the exception.
-module(erlscope_crash).

-export([format/2]).

format([Crasher, Neighbours], Options0) ->
    Options = maps:merge(#{chars_limit => unlimited, depth => unlimited,
                           single_line => false, encoding => utf8}, Options0),
    #{single_line := Single} = Options,
    Indent = case Single of true -> ""; false -> "  " end,
    Line = newline(Options, " "),
    Report = newline(Options, "; "),
    {EntryLimit, Limit} = shares(Crasher, length(Indent ++ "crasher" ++ Line ++ Report), Options),
    Around = neighbours(Neighbours, Indent, EntryLimit, Options),
    Own = crasher(Crasher, Indent ++ Indent, text_size(Around, Options), EntryLimit, Limit, Options),
    [Indent, "crasher:", Line, Own, Report, Around].

shares(_, _, #{chars_limit := unlimited}) ->
    {unlimited, unlimited};
shares(Crasher, Fixed, #{chars_limit := CharsLimit} = Options) ->
    Entries = length(Crasher),
    Limit = max(1, CharsLimit - Fixed - Entries * length(newline(Options, "; "))),
    {(Limit - Limit div 3) div Entries, Limit}.

%%% ----------------------------------------------------------- crashed process

crasher(Entries, Indent, Around, EntryLimit, Limit, Options) ->
    case split_at_exception(Entries) of
        {Before, {Class, Reason, Stack}, After} ->
            Texts = [entries(Before, Indent, EntryLimit, Options),
                     entries(After, Indent, EntryLimit, Options)],
            Left = remaining(Limit, Around + text_size(Texts, Options)),
            [First, Last] = Texts,
            Separator = newline(Options, ", "),
            lists:join(Separator, [First, exception(Class, Reason, Stack, Left, Options), Last]);
        none ->
            entries(Entries, Indent, remaining(Limit, Around), Options)
    end.

split_at_exception(Entries) when is_list(Entries) ->
    IsException = fun({error_info, {_, _, _}}) -> true; (_) -> false end,
    case lists:splitwith(fun(E) -> not IsException(E) end, Entries) of
        {Before, [{error_info, Exception} | After]} -> {Before, Exception, After};
        _ -> none
    end;
split_at_exception(_) ->
    none.

remaining(unlimited, _) -> unlimited;
remaining(Limit, Used) -> max(1, Limit - Used).

exception(Class, Reason, Stack, Limit, #{single_line := true} = Options) ->
    [atom_to_list(Class), ": ", term("", {Reason, Stack}, Limit, Options)];
exception(Class, Reason, Stack, Limit, Options) ->
    Indent = "    ",
    Format = fun(Term, Column) ->
                     term("." ++ integer_to_list(Column), Term, Limit, Options)
             end,
    Hidden = fun(M, _, _) -> M =:= erl_eval orelse M =:= proc_lib end,
    Text = erl_error:format_exception(Class, Reason, Stack,
                                      #{column => 1 + length(Indent),
                                        stack_trim_fun => Hidden,
                                        format_fun => Format}),
    [Indent, encoded(Text, Options)].

%% Names of functions may have characters that Latin-1 lacks.
encoded(Text, #{encoding := latin1}) ->
    [if
         Char > 255 -> io_lib:format("\\x{~.16b}", [Char]);
         true -> Char
     end || Char <- unicode:characters_to_list(Text)];
encoded(Text, _) ->
    Text.

%%% ---------------------------------------------------------------- neighbours

neighbours(Neighbours, Indent, Limit, Options) when is_integer(Limit) ->
    Pids = [Pid || {neighbour, [{pid, Pid} | _]} <- Neighbours],
    [Indent, "neighbours: ", term("", Pids, Limit, Options)];
neighbours(Neighbours, Indent, Limit, #{single_line := Single} = Options) ->
    Line = newline(Options, " "),
    Inner = case Single of true -> ""; false -> Indent ++ Indent end,
    Text = case is_list(Neighbours) of
               true ->
                   [[Inner, "neighbour:", Line, neighbour(N, "  " ++ Inner, Limit, Options)]
                    || N <- Neighbours];
               false ->
                   [entries(Neighbours, Inner, Limit, Options)]
           end,
    [Indent, "neighbours:", Line, lists:join(newline(Options, "; "), Text)].

neighbour({neighbour, Entries}, Indent, Limit, Options) -> entries(Entries, Indent, Limit, Options);
neighbour(Other, Indent, Limit, Options) -> entries(Other, Indent, Limit, Options).

%%% ------------------------------------------------------------ single entries

entries(Entries, Indent, Limit, Options) when is_list(Entries) ->
    Known = lists:takewhile(fun(E) -> is_tuple(E) andalso tuple_size(E) =:= 2 end, Entries),
    lists:join(newline(Options, ", "), [entry(E, indent(Indent, Options), Limit, Options) || E <- Known]);
entries(Term, Indent, Limit, Options) ->
    [indent(Indent, Options), term("", Term, Limit, Options)].

entry({initial_call, {M, F, Args}}, Indent, _, Options) when is_atom(M), is_atom(F), is_list(Args) ->
    Write = case Options of
                #{encoding := latin1} -> fun io_lib:write_atom_as_latin1/1;
                _ -> fun io_lib:write_atom/1
            end,
    [Indent, "initial call: ", Write(M), $:, Write(F), $/, integer_to_list(length(Args))];
entry({Tag, Value}, Indent, Limit, #{single_line := Single} = Options) ->
    Zero = case Single of true -> "0"; false -> "" end,
    {Control, Depth} = control(".18", Options),
    io_lib:format("~s~" ++ Zero ++ "p: " ++ Control, [Indent, Tag, Value | Depth], limit(Limit)).

indent(_, #{single_line := true}) -> "";
indent(Indent, _) -> Indent.

newline(#{single_line := true}, Separator) -> Separator;
newline(_, _) -> "\n".

term(Column, Term, Limit, Options) ->
    {Control, Depth} = control(Column, Options),
    io_lib:format(Control, [Term | Depth], limit(Limit)).

control(Column, #{encoding := Encoding, depth := Depth, single_line := Single}) ->
    Zero = case Single of true -> "0"; false -> "" end,
    T = case Encoding of latin1 -> ""; _ -> "t" end,
    case Depth of
        unlimited -> {"~" ++ Zero ++ Column ++ T ++ "p", []};
        _ -> {"~" ++ Zero ++ Column ++ T ++ "P", [Depth]}
    end.

limit(unlimited) -> [];
limit(Limit) -> [{chars_limit, Limit}].

text_size(Text, #{encoding := latin1}) -> iolist_size(Text);
text_size(Text, _) -> string:length(Text).
