%% The preprocessor. A file is read as a whole by the front end of the runtime;
%% who opens a file gets a process that hands its forms out one by one.
%%
%% Differs from OTP: there are no tokens to be had (scan_erl_form/1, scan_file/2),
%% and macros that are defined from outside stay as they are.
-module(epp).

-export([open/1, open/2, open/3, close/1, parse_erl_form/1, parse_file/1, parse_file/2, parse_file/3,
         format_error/1, default_encoding/0, encoding_to_string/1,
         read_encoding/1, read_encoding/2, read_encoding_from_binary/1, read_encoding_from_binary/2,
         set_encoding/1, set_encoding/2,
         interpret_file_attribute/1, normalize_typed_record_fields/1, restore_typed_record_fields/1]).

-export_type([source_encoding/0]).

-type source_encoding() :: latin1 | utf8.

%%% ------------------------------------------------------------------ interface

parse_file(File, Includes, Macros) -> parse_file(File, [{includes, Includes}, {macros, Macros}]).

parse_file(File) -> parse_file(File, []).

parse_file(File, Options) ->
    case forms(File, Options) of
        {ok, Forms} ->
            case proplists:get_bool(extra, Options) of
                true -> {ok, Forms, [{encoding, read_encoding(File)}]};
                false -> {ok, Forms}
            end;
        Error ->
            Error
    end.

forms(File, Options) ->
    Names = [macro_name(Macro) || Macro <- proplists:get_value(macros, Options, [])],
    case [Name || Name <- Names, is_predefined(Name)] of
        [Name | _] -> {error, {redefine_predef, Name}};
        [] -> read(chars(File), Options)
    end.

macro_name({Name, _, redefine}) -> Name;
macro_name({Name, _}) -> Name;
macro_name(Name) -> Name.

is_predefined(Name) ->
    lists:member(Name, ['FILE', 'FUNCTION_NAME', 'FUNCTION_ARITY', 'LINE', 'MODULE', 'MODULE_STRING',
                        'BASE_MODULE', 'BASE_MODULE_STRING', 'OTP_RELEASE', 'FEATURE_AVAILABLE',
                        'FEATURE_ENABLED']).

read(File, Options) ->
    Source = case proplists:get_value(source_name, Options, false) of
                 false -> false;
                 Name -> chars(Name)
             end,
    Macros = [macro(Macro) || Macro <- proplists:get_value(macros, Options, [])],
    Includes = case proplists:get_value(includes, Options, []) of
                   [C | _] = Dir when is_integer(C) -> [Dir];
                   Dirs -> [chars(Dir) || Dir <- Dirs]
               end,
    Features = [atom_to_list(Feature) || {feature, Feature, enable} <- Options],
    Columns = is_tuple(proplists:get_value(location, Options, 1)),
    erlscope_native:read_source(File, Includes, Macros, Source, Features, Columns).

chars(Name) when is_atom(Name) -> atom_to_list(Name);
chars(Name) -> unicode:characters_to_list(Name).

%% The value of a macro is a term; its text goes through the scanner.
macro({Name, Value, redefine}) -> macro({Name, Value});
macro({Name, Value}) -> {atom_to_list(Name), unicode:characters_to_list(io_lib:format("~0tp", [Value]))};
macro(Name) -> {atom_to_list(Name), true}.

open(Name, Includes) -> open(Name, Includes, []).

open(Name, Includes, Macros) -> open([{name, Name}, {includes, Includes}, {macros, Macros}]).

open(Options) ->
    {name, Name} = lists:keyfind(name, 1, Options),
    case forms(Name, Options) of
        {ok, Forms} ->
            Owner = self(),
            Pid = spawn(fun() -> serve(monitor(process, Owner), Forms) end),
            case proplists:get_bool(extra, Options) of
                true -> {ok, Pid, [{encoding, read_encoding(Name)}]};
                false -> {ok, Pid}
            end;
        Error ->
            Error
    end.

serve(Owner, [Form | Rest] = Forms) ->
    receive
        {epp_request, From, Ref, next} ->
            From ! {epp_reply, Ref, Form},
            case Rest of
                [] -> serve(Owner, Forms);
                _ -> serve(Owner, Rest)
            end;
        {epp_request, From, Ref, close} ->
            From ! {epp_reply, Ref, ok};
        {'DOWN', Owner, _, _, _} ->
            ok
    end.

parse_erl_form(Epp) ->
    case request(Epp, next) of
        {eof, Location} -> {eof, Location};
        {error, Error} -> {error, Error};
        {warning, Warning} -> {warning, Warning};
        Form -> {ok, Form}
    end.

close(Epp) -> request(Epp, close).

request(Epp, What) ->
    Ref = monitor(process, Epp),
    Epp ! {epp_request, self(), Ref, What},
    receive
        {epp_reply, Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, process, Epp, Reason} ->
            exit(Reason)
    end.

%%% ------------------------------------------------------------------- encodings

default_encoding() -> utf8.

encoding_to_string(latin1) -> "coding: latin-1";
encoding_to_string(utf8) -> "coding: utf-8".

read_encoding(Name) -> read_encoding(Name, []).

read_encoding(Name, Options) ->
    case file:read_file(Name) of
        {ok, Bytes} -> read_encoding_from_binary(Bytes, Options);
        {error, _} -> none
    end.

read_encoding_from_binary(Bytes) -> read_encoding_from_binary(Bytes, []).

%% "coding: utf-8" in a comment of one of the first two lines.
read_encoding_from_binary(Bytes, Options) ->
    InComment = proplists:get_value(in_comment_only, Options, true),
    Lines = lists:sublist(binary:split(Bytes, <<"\n">>, [global]), 2),
    found([encoding(Line, InComment) || Line <- Lines]).

found([none | Rest]) -> found(Rest);
found([Encoding | _]) -> Encoding;
found([]) -> none.

encoding(Line0, InComment) ->
    Line = case {InComment, binary:match(Line0, <<"%">>)} of
               {true, {At, _}} -> binary:part(Line0, At, byte_size(Line0) - At);
               {true, nomatch} -> <<>>;
               {false, _} -> Line0
           end,
    case binary:match(Line, <<"coding">>) of
        {Start, Length} ->
            From = Start + Length,
            name(binary:part(Line, From, byte_size(Line) - From), InComment);
        nomatch ->
            none
    end.

name(<<C, Rest/binary>>, InComment) when C =:= $\s; C =:= $\t -> name(Rest, InComment);
name(<<C, Rest/binary>>, _) when C =:= $:; C =:= $= ->
    case string:lowercase(string:trim(Rest, leading, " \t")) of
        <<"latin-1", More/binary>> -> whole(More, latin1);
        <<"utf-8", More/binary>> -> whole(More, utf8);
        _ -> none
    end;
name(Rest, InComment) ->
    encoding(<<"%", Rest/binary>>, InComment).

whole(<<C, _/binary>>, _) when C >= $a, C =< $z; C >= $0, C =< $9; C =:= $-; C =:= $_ -> none;
whole(_, Encoding) -> Encoding.

set_encoding(File) -> set_encoding(File, default_encoding()).

set_encoding(File, Default) ->
    {ok, Position} = file:position(File, cur),
    Encoding = case file:read(File, 1000) of
                   {ok, Data} -> read_encoding_from_binary(iolist_to_binary([C band 255 || C <- listed(Data)]));
                   _ -> none
               end,
    {ok, _} = file:position(File, Position),
    ok = io:setopts(File, [{encoding, case Encoding of
                                          none -> Default;
                                          _ -> Encoding
                                      end}]),
    Encoding.

listed(Data) when is_binary(Data) -> binary_to_list(Data);
listed(Data) -> Data.

%%% ----------------------------------------------------------------------- forms

%% Takes the `-file' attributes that were written by hand back: positions are
%% those in the files.
interpret_file_attribute(Forms) -> interpret(Forms, 0, []).

interpret([{attribute, Anno, file, {File, Line}} = Form | Forms], Delta, Files) ->
    case {erl_anno:generated(Anno), Files} of
        {true, _} -> interpret(Forms, erl_anno:line(Anno) + Delta - Line, Files);
        {false, [_, File | Outer]} -> [Form | interpret(Forms, 0, [File | Outer])];
        {false, _} -> [Form | interpret(Forms, 0, [File | Files])]
    end;
interpret([Form0 | Forms], Delta, Files) ->
    Form = erl_parse:map_anno(fun(Anno) -> erl_anno:set_line(erl_anno:line(Anno) + Delta, Anno) end, Form0),
    [Form | interpret(Forms, Delta, Files)];
interpret([], _, _) ->
    [].

normalize_typed_record_fields([]) ->
    {typed, []};
normalize_typed_record_fields(Fields) ->
    case lists:keymember(typed_record_field, 1, Fields) of
        true ->
            {typed, [case Field of
                         {typed_record_field, Untyped, _} -> Untyped;
                         _ -> Field
                     end || Field <- Fields]};
        false ->
            not_typed
    end.

restore_typed_record_fields([{attribute, A, record, {Record, _}},
                             {attribute, A, type, {{record, Record}, Fields, []}} | Forms]) ->
    [{attribute, A, record, {Record, Fields}} | restore_typed_record_fields(Forms)];
restore_typed_record_fields([{attribute, A, type, {{record, Record}, Fields, []}} | Forms]) ->
    [{attribute, A, record, {Record, Fields}} | restore_typed_record_fields(Forms)];
restore_typed_record_fields([Form | Forms]) ->
    [Form | restore_typed_record_fields(Forms)];
restore_typed_record_fields([]) ->
    [].

%%% ---------------------------------------------------------------------- texts

format_error(cannot_parse) -> format("cannot parse file, giving up", []);
format_error({bad, What}) -> format("badly formed '~s'", [What]);
format_error({duplicated_argument, Arg}) -> format("argument '~ts' already used", [Arg]);
format_error(missing_parenthesis) -> format("badly formed define: missing closing right parenthesis", []);
format_error(missing_comma) -> format("badly formed define: missing comma", []);
format_error(premature_end) -> "premature end";
format_error({call, What}) -> format("illegal macro call '~ts'", [What]);
format_error({undefined, Macro, none}) -> format("undefined macro '~ts'", [Macro]);
format_error({undefined, Macro, Arity}) -> format("undefined macro '~ts/~p'", [Macro, Arity]);
format_error({depth, What}) -> format("~s too deep", [What]);
format_error({mismatch, Macro}) -> format("argument mismatch for macro '~ts'", [Macro]);
format_error({arg_error, Macro}) -> format("badly formed argument for macro '~ts'", [Macro]);
format_error({redefine, Macro}) -> format("redefining macro '~ts'", [Macro]);
format_error({redefine_predef, Macro}) -> format("redefining predefined macro '~s'", [Macro]);
format_error({circular, Macro, none}) -> format("circular macro '~ts'", [Macro]);
format_error({circular, Macro, Arity}) -> format("circular macro '~ts/~p'", [Macro, Arity]);
format_error({include, What, File}) -> format("can't find include ~s \"~ts\"", [What, File]);
format_error({illegal, How, What}) -> format("~s '-~s'", [How, What]);
format_error({illegal_function, Macro}) -> format("?~s can only be used within a function", [Macro]);
format_error({illegal_function_usage, Macro}) -> format("?~s must not begin a form", [Macro]);
format_error(elif_after_else) -> "'elif' following 'else'";
format_error({'NYI', What}) -> format("not yet implemented '~s'", [What]);
format_error({error, Term}) -> format("-error(~tp).", [Term]);
format_error({warning, Term}) -> format("-warning(~tp).", [Term]);
format_error(ftr_after_prefix) -> "feature directive not allowed after exports or record definitions";
format_error(Error) -> file:format_error(Error).

format(Format, Args) -> io_lib:format(Format, Args).
