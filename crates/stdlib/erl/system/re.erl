%% re: regular expressions. Compiling and matching are native; splitting and replacing are done here, on the
%% places of all matches.
-module(re).

-export([version/0, compile/1, compile/2, run/2, run/3, internal_run/4, inspect/2, split/2, split/3, replace/3,
         replace/4]).

-export_type([mp/0, compile_option/0]).

-type mp() :: {re_pattern, term(), term(), term(), term()}.
-type compile_option() :: atom() | {newline, cr | crlf | lf | anycrlf | any}.

%% In the function itself, which is the one to be named.
-define(BAD(Args, Info), erlang:error(badarg, Args, [{error_info, Info}])).

version() -> erlang:nif_error(undef).
compile(_) -> erlang:nif_error(undef).
compile(_, _) -> erlang:nif_error(undef).
run(_, _) -> erlang:nif_error(undef).
run(_, _, _) -> erlang:nif_error(undef).
internal_run(_, _, _, _) -> erlang:nif_error(undef).
inspect(_, _) -> erlang:nif_error(undef).

%% ---- splitting ----

-record(split, {return = iodata, parts = infinity, trim = false, group = false, rest = []}).

split(Subject, RE) ->
    try split(Subject, RE, [])
    catch error:_ -> ?BAD([Subject, RE], #{module => erl_stdlib_errors})
    end.

split(Subject, RE, Options) ->
    try
        Split = split_options(Options, #split{}),
        Unicode = is_unicode(RE, Options),
        Bytes = bytes(Subject, Unicode),
        {Pattern, Groups, RunOptions} = compiled(RE, Split#split.rest),
        %% Without a match nothing is trimmed.
        {Parts, Trim} = case re:run(Bytes, Pattern, RunOptions ++ [global]) of
                            nomatch -> {[[Bytes]], false};
                            {match, Matches} ->
                                {parts(Bytes, 0, Matches, Groups, Split#split.parts), Split#split.trim}
                        end,
        Lists = case Split#split.group of
                    true when Trim -> trimmed(Parts, fun is_empty/1);
                    true -> Parts;
                    false when Trim -> [trimmed(lists:append(Parts), fun(Part) -> Part =:= <<>> end)];
                    false -> [lists:append(Parts)]
                end,
        Converted = [[returned(Part, Split#split.return, Unicode) || Part <- List] || List <- Lists],
        case Split#split.group of
            true -> Converted;
            false -> hd(Converted)
        end
    catch
        throw:badopt -> ?BAD([Subject, RE, Options], #{module => erl_stdlib_errors, cause => badopt});
        throw:badre -> ?BAD([Subject, RE, Options], #{module => erl_stdlib_errors});
        error:badarg -> ?BAD([Subject, RE, Options], #{module => erl_stdlib_errors})
    end.

split_options([], Split) -> Split#split{rest = lists:reverse(Split#split.rest)};
split_options([Option | Options], Split) ->
    split_options(Options,
                  case Option of
                      trim -> Split#split{trim = true, parts = infinity};
                      {parts, 0} -> Split#split{trim = true, parts = infinity};
                      {parts, infinity} -> Split#split{trim = false, parts = infinity};
                      {parts, N} when is_integer(N), N >= 1 -> Split#split{trim = false, parts = N - 1};
                      {parts, _} -> throw(badopt);
                      group -> Split#split{group = true};
                      {return, Return} when Return =:= iodata; Return =:= list; Return =:= binary ->
                          Split#split{return = Return};
                      {return, _} -> throw(badopt);
                      global -> throw(badopt);
                      report_errors -> throw(badopt);
                      {capture, _} -> throw(badopt);
                      {capture, _, _} -> throw(badopt);
                      _ -> Split#split{rest = [Option | Split#split.rest]}
                  end);
split_options(_, _) -> throw(badopt).

%% A pattern, the number of its groups, and the options that are left for running it.
compiled({re_pattern, Groups, _, _, _} = Pattern, Options) -> {Pattern, Groups, Options};
compiled(RE, _) when is_tuple(RE) -> throw(badre);
compiled(RE, Options) ->
    case re:compile(RE, [Option || Option <- Options, not is_run_option(Option)]) of
        {ok, {re_pattern, Groups, _, _, _} = Pattern} ->
            {Pattern, Groups, [Option || Option <- Options, not is_compile_option(Option)]};
        {error, _} ->
            throw(badre)
    end.

is_run_option({Name, _}) -> lists:member(Name, [offset, match_limit, match_limit_recursion]);
is_run_option(Option) -> lists:member(Option, [notempty, notempty_atstart, notbol, noteol]).

is_compile_option(Option) ->
    lists:member(Option, [caseless, no_start_optimize, never_utf, ucp, dollar_endonly, dotall, extended, firstline,
                          multiline, no_auto_capture, dupnames, ungreedy, unicode]).

%% What is between the matches; each part is followed by the groups of the match after it.
parts(Bytes, At, Matches, _, Left) when Matches =:= []; Left =:= 0 -> [[part(Bytes, At, byte_size(Bytes) - At)]];
parts(Bytes, At, _, _, _) when At >= byte_size(Bytes) -> [[<<>>]];
parts(Bytes, At, [[{At, 0} | Found] | Matches], Groups, Left) ->
    case lists:all(fun({_, Length}) -> Length =:= 0 end, Found) of
        %% Nothing was matched, and there is nothing before it.
        true -> parts(Bytes, At, Matches, Groups, Left);
        false -> part_and_more(Bytes, At, At, 0, Found, Matches, Groups, Left)
    end;
parts(Bytes, At, [[{Start, Length} | Found] | Matches], Groups, Left) ->
    part_and_more(Bytes, At, Start, Length, Found, Matches, Groups, Left).

part_and_more(Bytes, At, Start, Length, Found, Matches, Groups, Left) ->
    Rest = case Left of
               infinity -> infinity;
               _ -> Left - 1
           end,
    Missing = lists:duplicate(max(Groups - length(Found), 0), {-1, 0}),
    [[part(Bytes, At, Start - At) | [part(Bytes, S, L) || {S, L} <- lists:sublist(Found ++ Missing, Groups)]]
     | parts(Bytes, Start + Length, Matches, Groups, Rest)].

part(_, -1, 0) -> <<>>;
part(Bytes, Start, Length) -> binary:part(Bytes, Start, Length).

trimmed(List, IsEmpty) -> lists:reverse(lists:dropwhile(IsEmpty, lists:reverse(List))).

is_empty(Parts) -> lists:all(fun(Part) -> Part =:= <<>> end, Parts).

returned(Part, list, true) -> unicode:characters_to_list(Part, unicode);
returned(Part, list, false) -> binary_to_list(Part);
returned(Part, _, _) -> Part.

%% ---- replacing ----

replace(Subject, RE, Replacement) ->
    try replace(Subject, RE, Replacement, [])
    catch error:_ -> ?BAD([Subject, RE, Replacement], #{module => erl_stdlib_errors})
    end.

replace(Subject, RE, Replacement, Options) ->
    try
        {Return, RunOptions} = replace_options(Options, iodata, []),
        Unicode = is_unicode(RE, Options),
        Bytes = bytes(Subject, Unicode),
        New = bytes(Replacement, Unicode),
        Result = case re:run(Bytes, RE, RunOptions) of
                     nomatch -> Subject;
                     {match, [[_ | _] | _] = Matches} -> replaced(Bytes, 0, Matches, template(New));
                     {match, Match} -> replaced(Bytes, 0, [Match], template(New))
                 end,
        case {Return, Unicode} of
            {iodata, _} -> Result;
            {binary, false} -> iolist_to_binary(Result);
            {binary, true} -> unicode:characters_to_binary(Result, unicode);
            {list, false} -> binary_to_list(iolist_to_binary(Result));
            {list, true} -> unicode:characters_to_list(Result, unicode)
        end
    catch
        throw:badopt -> ?BAD([Subject, RE, Replacement, Options], #{module => erl_stdlib_errors, cause => badopt});
        error:badarg -> ?BAD([Subject, RE, Replacement, Options], #{module => erl_stdlib_errors})
    end.

replace_options([], Return, Rest) -> {Return, lists:reverse(Rest)};
replace_options([{return, Return} | Options], _, Rest) when Return =:= iodata; Return =:= list; Return =:= binary ->
    replace_options(Options, Return, Rest);
replace_options([Option | Options], Return, Rest) ->
    case Option of
        {return, _} -> throw(badopt);
        report_errors -> throw(badopt);
        {capture, _} -> throw(badopt);
        {capture, _, _} -> throw(badopt);
        _ -> replace_options(Options, Return, [Option | Rest])
    end;
replace_options(_, _, _) -> throw(badopt).

%% Texts, and numbers of groups.
template(<<>>) -> [];
template(<<"\\g{", Rest/binary>>) when Rest =/= <<>> ->
    {Group, <<"}", More/binary>>} = number(Rest, []),
    [Group | template(More)];
template(<<"\\g", Rest/binary>>) when Rest =/= <<>> -> group(Rest);
template(<<"\\", Digit, Rest/binary>>) when Digit >= $1, Digit =< $9 -> group(<<Digit, Rest/binary>>);
template(<<"\\", Char, Rest/binary>>) -> text(Char, template(Rest));
template(<<"&", Rest/binary>>) -> [0 | template(Rest)];
template(<<Char, Rest/binary>>) -> text(Char, template(Rest)).

text(Char, [Text | Template]) when is_binary(Text) -> [<<Char, Text/binary>> | Template];
text(Char, Template) -> [<<Char>> | Template].

group(Bytes) ->
    {Group, Rest} = number(Bytes, []),
    [Group | template(Rest)].

number(<<Digit, Rest/binary>>, Digits) when Digit >= $0, Digit =< $9 -> number(Rest, [Digit | Digits]);
number(Rest, Digits) -> {list_to_integer(lists:reverse(Digits)), Rest}.

replaced(Bytes, At, [], _) when At =:= byte_size(Bytes) -> [];
replaced(Bytes, At, [], _) -> part(Bytes, At, byte_size(Bytes) - At);
replaced(Bytes, At, [[{Start, _} | _] | _] = Matches, Template) when Start > At ->
    [part(Bytes, At, Start - At) | replaced(Bytes, Start, Matches, Template)];
replaced(Bytes, At, [[{At, Length} | _] = Groups | Matches], Template) ->
    [filled(Template, Bytes, list_to_tuple(Groups)) | replaced(Bytes, At + Length, Matches, Template)].

filled([Text], _, _) when is_binary(Text) -> Text;
filled(Template, Bytes, Groups) -> [filled_part(Part, Bytes, Groups) || Part <- Template].

filled_part(Text, _, _) when is_binary(Text) -> Text;
filled_part(Group, _, Groups) when Group >= tuple_size(Groups) -> <<>>;
filled_part(Group, Bytes, Groups) ->
    {Start, Length} = element(Group + 1, Groups),
    part(Bytes, Start, Length).

%% ---- both ----

is_unicode({re_pattern, _, Unicode, _, _}, _) -> Unicode =:= 1;
is_unicode(_, Options) -> lists:member(unicode, Options).

bytes(Text, _) when is_binary(Text) -> Text;
bytes(Text, true) -> unicode:characters_to_binary(Text, unicode);
bytes(Text, false) -> iolist_to_binary(Text).
