%% Terms over several lines. The layout is native; a fun that knows records is asked beforehand for
%% every tuple that may be one.
-module(io_lib_pretty).

-export([print/1, print/2, print/3, print/4, print/5, print/6]).

print(Term) -> print(Term, 1, 80, -1).

print(Term, Options) when is_list(Options) -> native(Term, Options);
print(Term, RecordFun) -> print(Term, -1, RecordFun).

print(Term, Depth, RecordFun) -> print(Term, 1, 80, Depth, RecordFun).

print(Term, Column, LineLength, Depth) -> print(Term, Column, LineLength, Depth, no_fun).

print(Term, Column, LineLength, Depth, RecordFun) ->
    print(Term, Column, LineLength, Depth, -1, RecordFun).

print(Term, Column, LineLength, Depth, LineMaxChars, RecordFun) ->
    native(Term, [{column, Column}, {line_length, LineLength}, {depth, Depth},
                  {line_max_chars, LineMaxChars}, {record_print_fun, RecordFun},
                  {encoding, latin1}]).

native(Term, Options) ->
    case erlscope_native:print(Term, records(Term, Options) ++ Options) of
        badarg -> erlang:error(badarg);
        Chars -> Chars
    end.

records(Term, Options) ->
    case lists:keyfind(record_print_fun, 1, Options) of
        {_, Fun} when is_function(Fun) ->
            [{records, lists:append([fields(Fun, Tag, Count)
                                     || {Tag, Count} <- erlscope_native:record_tags(Term)])}];
        _ ->
            []
    end.

fields(Fun, Tag, Count) ->
    case Fun(Tag, Count) of
        no -> [];
        Names -> [{{Tag, Count}, Names}]
    end.
