%% Tables in files (`ets:tab2file`, `ets:file2tab`, `ets:tabfile_info`) and on the screen (`ets:i/1`).
%%
%% A file is a closed log of `disk_log`: a head of eight bytes, then items, each with its size, a mark, for large
%% items the MD5 of the size, and a term in the external format. The first item is a tuple of what `ets:info/1`
%% says, the next ones are the objects; with extended information the last item is `['$end_of_table', Info]`. So
%% files go to and from OTP. Unlike OTP the whole file is read and written at once.
-module(erlscope_ets_file).

-export([browse/3, info/1, load/2, save/3]).

-define(HEAD, <<1, 2, 3, 4>>).
-define(CLOSED, <<99, 88, 77, 11>>).
-define(OPENED, <<6, 7, 8, 9>>).
-define(MARK, <<98, 87, 76, 65>>).
-define(OLD_MARK, <<12, 33, 44, 55>>).
-define(LARGE, 65528).
-define(VERSION, {1, 0}).

%% ---- saving ----

save(Table, File, Options) ->
    try
        Extended = save_options(Options),
        _ = file:delete(File),
        case file:read_file_info(File) of
            {error, enoent} -> ok;
            _ -> throw(eaccess)
        end,
        Info = case ets:info(Table) of
                   undefined -> throw(badtab);
                   List -> List
               end,
        {Major, Minor} = ?VERSION,
        Kinds = [Kind || Kind <- [object_count, md5sum], lists:member(Kind, Extended)],
        Head = list_to_tuple(Info ++ [{major_version, Major}, {minor_version, Minor}, {extended_info, Kinds}]),
        Objects = objects(Table),
        Items = [term_to_binary(Term) || Term <- [Head | Objects]],
        End = [{count, length(Objects)} || lists:member(object_count, Kinds)]
            ++ [{md5, erlang:md5(Items)} || lists:member(md5sum, Kinds)],
        Last = [term_to_binary(['$end_of_table', End]) || End =/= []],
        case file:write_file(File, [?HEAD, ?CLOSED | [item(Item) || Item <- Items ++ Last]]) of
            ok -> ok;
            {error, Reason} -> throw({file_error, File, Reason})
        end
    catch
        throw:Problem -> {error, Problem};
        exit:Problem -> {error, Problem}
    end.

%% In the order in which a search in parts gives them.
objects(Table) ->
    ets:safe_fixtable(Table, true),
    try parts(ets:select(Table, [{'_', [], ['$_']}], 100))
    after catch ets:safe_fixtable(Table, false)
    end.

parts('$end_of_table') -> [];
parts({Objects, Continuation}) -> Objects ++ parts(ets:select(Continuation)).

item(Item) ->
    Size = <<(byte_size(Item)):32>>,
    case byte_size(Item) < ?LARGE of
        true -> [Size, ?MARK, Item];
        false -> [Size, ?MARK, erlang:md5(Size), Item]
    end.

save_options(Options) when is_list(Options) -> save_options(Options, none, []);
save_options(Options) -> throw({malformed_option, Options}).

save_options([], _, Extended) -> Extended;
save_options([{sync, Sync} | Rest], Seen, Extended) when is_boolean(Sync) -> save_options(Rest, Seen, Extended);
save_options([{extended_info, Kinds} | Rest], none, _) ->
    save_options(Rest, seen, extended_info(Kinds));
save_options([Other | _], _, _) -> throw({unknown_option, Other});
save_options(Malformed, _, _) -> throw({malformed_option, Malformed}).

extended_info([]) -> [];
extended_info([Kind | Rest]) when Kind =:= object_count; Kind =:= md5sum -> [Kind | extended_info(Rest)];
extended_info([Other | _]) -> throw({unknown_option, [{extended_info, [Other]}]});
extended_info(Malformed) -> throw({malformed_option, [{extended_info, Malformed}]}).

%% ---- loading ----

load(File, Options) ->
    try
        {Verify, Given} = load_options(Options, false, []),
        {Bytes, Bad} = items(File),
        Bad andalso Verify andalso throw(badfile),
        {Head, Rest} = head(Bytes),
        case proplists:get_value(major_version, Head, 0) of
            Major when Major > element(1, ?VERSION) ->
                throw({unsupported_file_version, {Major, proplists:get_value(minor_version, Head, 0)}});
            _ ->
                ok
        end,
        Table = case Given of
                    [] -> create(Head);
                    _ -> Given
                end,
        try fill(Table, Rest, Head, hd(Bytes), Verify)
        catch
            Class:Problem:Stack ->
                ets:delete(Table),
                erlang:raise(Class, Problem, Stack)
        end,
        {ok, Table}
    catch
        throw:Reason -> {error, Reason};
        exit:Reason -> {error, Reason}
    end.

load_options([], Verify, Table) -> {Verify, Table};
load_options([{verify, true} | Rest], _, Table) -> load_options(Rest, true, Table);
load_options([{verify, false} | Rest], Verify, Table) -> load_options(Rest, Verify, Table);
load_options([{table, Table} | Rest], Verify, []) -> load_options(Rest, Verify, Table);
load_options([Other | _], _, _) -> throw({unknown_option, Other});
load_options(Malformed, _, _) -> throw({malformed_option, Malformed}).

%% The items of a file as bytes, and whether there was something else between them.
items(File) ->
    case file:read_file(File) of
        {ok, <<1, 2, 3, 4, State:4/binary, Items/binary>>} when State =:= ?CLOSED; State =:= ?OPENED ->
            items(Items, [], false);
        {ok, _} -> throw({read_error, {not_a_log_file, File}});
        {error, Reason} -> throw({read_error, {file_error, File, Reason}})
    end.

items(<<>>, Items, Bad) -> {lists:reverse(Items), Bad};
items(<<Size:32, Mark:4/binary, Rest/binary>> = Bytes, Items, Bad) when Mark =:= ?MARK; Mark =:= ?OLD_MARK ->
    Sum = erlang:md5(<<Size:32>>),
    case Rest of
        <<Sum:16/binary, Item:Size/binary, Next/binary>> when Size >= ?LARGE, Mark =:= ?MARK ->
            items(Next, [Item | Items], Bad);
        <<Item:Size/binary, Next/binary>> when Size < ?LARGE; Mark =:= ?OLD_MARK ->
            items(Next, [Item | Items], Bad);
        _ ->
            items(binary:part(Bytes, 1, byte_size(Bytes) - 1), Items, true)
    end;
items(<<_, Rest/binary>>, Items, _) -> items(Rest, Items, true).

term(Item) ->
    try {ok, binary_to_term(Item)}
    catch error:_ -> bad
    end.

%% What the first item says about the table.
head([First | Rest]) ->
    case term(First) of
        {ok, Tuple} when is_tuple(Tuple) ->
            Head = tuple_to_list(Tuple),
            Needed = [name, type, protection, named_table, keypos, size],
            case lists:all(fun(Item) -> lists:keymember(Item, 1, Head) end, Needed) of
                true -> {Head, Rest};
                false -> throw(badfile)
            end;
        _ ->
            throw(badfile)
    end;
head([]) ->
    throw(badfile).

create(Head) ->
    Value = fun(Item) -> proplists:get_value(Item, Head) end,
    Options = [Value(type), Value(protection), {keypos, Value(keypos)}]
        ++ [named_table || Value(named_table)]
        ++ [compressed || Value(compressed) =:= true]
        ++ [Option || {Item, _} = Option <- Head, Item =:= write_concurrency orelse Item =:= read_concurrency],
    try ets:new(Value(name), Options)
    catch _:_ -> throw(cannot_create_table)
    end.

fill(Table, Items, Head, First, Verify) ->
    Terms = [{Item, Term} || Item <- Items, {ok, Term} <- [term(Item)]],
    Verify andalso length(Terms) =/= length(Items) andalso throw(badfile),
    {Objects, End} = case lists:reverse(Terms) of
                         [{_, ['$end_of_table', Info]} | Others] -> {lists:reverse(Others), Info};
                         _ -> {Terms, none}
                     end,
    ets:insert(Table, [Object || {_, Object} <- Objects]),
    Verify andalso verify(Objects, End, Head, First).

%% Counts and sums that the file promises.
verify(Objects, End, Head, First) ->
    Kinds = proplists:get_value(extended_info, Head, []),
    Count = length(Objects),
    Sum = lists:member(md5sum, Kinds),
    Counted = lists:member(object_count, Kinds),
    if
        End =:= none, Sum orelse Counted -> throw(badfile);
        true -> ok
    end,
    Sum andalso proplists:get_value(md5, End) =/= erlang:md5([First | [Item || {Item, _} <- Objects]])
        andalso throw(checksum_error),
    Promised = if
                   Counted -> proplists:get_value(count, End);
                   Sum -> Count;
                   true -> proplists:get_value(size, Head)
               end,
    Promised =:= Count orelse throw(invalid_object_count).

info(File) when is_list(File); is_atom(File) ->
    try
        {Bytes, _} = items(File),
        {Head, _} = head(Bytes),
        Items = [lists:keyfind(Item, 1, Head) || Item <- [name, type, protection, named_table, keypos, size]],
        Version = {proplists:get_value(major_version, Head, 0), proplists:get_value(minor_version, Head, 0)},
        {ok, Items ++ [{extended_info, proplists:get_value(extended_info, Head, [])}, {version, Version}]}
    catch
        throw:Reason -> {error, Reason};
        exit:Reason -> {error, Reason}
    end.

%% ---- on the screen ----

browse(Table, Height, Width) ->
    page(Table, ets:first(Table), Height, Width, 1).

page(Table, Key, Height, Width, Number) ->
    {Next, NextNumber} = show(Table, Key, Height, Width, Number),
    Prompt = case Next of
                 '$end_of_table' -> "EOT  (q)uit (p)Digits (k)ill /Regexp -->";
                 _ -> "(c)ontinue (q)uit (p)Digits (k)ill /Regexp -->"
             end,
    case io:get_line(Prompt) of
        Line when is_list(Line) -> command(string:trim(Line), Table, Next, Height, Width, NextNumber);
        _ -> ok
    end.

command("q" ++ _, _Table, _Next, _Height, _Width, _Number) ->
    ok;
command("k" ++ _, Table, _Next, _Height, _Width, _Number) ->
    ets:delete(Table),
    ok;
command([$p | Digits], Table, Next, Height, Width, Number) ->
    case string:to_integer(string:trim(Digits)) of
        {Wanted, []} when Wanted > 0 -> page(Table, nth_key(Table, ets:first(Table), Wanted), Height, Width, Wanted);
        _ -> page(Table, Next, Height, Width, Number)
    end;
command([$/ | Regexp], Table, _Next, Height, Width, _Number) ->
    Found = [Object || Object <- ets:tab2list(Table),
                       re:run(io_lib:format("~tw", [Object]), Regexp, [unicode, {capture, none}]) =:= match],
    lists:foldl(fun(Object, N) -> line(N, Object, Width), N + 1 end, 1, lists:sublist(Found, Height)),
    page(Table, '$end_of_table', Height, Width, 1);
command(_, _Table, '$end_of_table', _Height, _Width, _Number) ->
    ok;
command(_, Table, Next, Height, Width, Number) ->
    page(Table, Next, Height, Width, Number).

nth_key(_Table, '$end_of_table', _) -> '$end_of_table';
nth_key(_Table, Key, 1) -> Key;
nth_key(Table, Key, N) -> nth_key(Table, ets:next(Table, Key), N - 1).

%% Shows up to Height objects; the key after them and its number.
show(_Table, '$end_of_table', _Height, _Width, Number) -> {'$end_of_table', Number};
show(_Table, Key, Height, _Width, Number) when Height =< 0 -> {Key, Number};
show(Table, Key, Height, Width, Number) ->
    Objects = ets:lookup(Table, Key),
    After = lists:foldl(fun(Object, N) -> line(N, Object, Width), N + 1 end, Number, Objects),
    show(Table, ets:next(Table, Key), Height - length(Objects), Width, After).

line(Number, Object, Width) ->
    Text = lists:flatten(io_lib:format("<~-4w> ~tw", [Number, Object])),
    case length(Text) > Width of
        true -> io:format("~ts  ...~n", [lists:sublist(Text, max(1, Width - 6))]);
        false -> io:format("~ts~n", [Text])
    end.
