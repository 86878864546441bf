%% ets: the functions that are not native.
%%
%% Everything that touches a table is a builtin of the runtime; here is what is made of builtins. A function
%% that fails fails inside the builtin that it is made of, as in OTP.
-module(ets).

-export([first_lookup/1, last_lookup/1, lookup_element/4, next_lookup/2, prev_lookup/2, update_element/4]).
-export([delete_all_objects/1, file2tab/1, file2tab/2, foldl/3, foldr/3, from_dets/2, fun2ms/1, i/0, i/1,
         i/2, i/3, init_table/2, match_delete/2, match_spec_run/2, repair_continuation/2, select_delete/2,
         tab2file/2, tab2file/3, tab2list/1, tabfile_info/1, table/1, table/2, test_ms/2, to_dets/2]).

-export_type([comp_match_spec/0, compiled_match_spec/0, match_pattern/0, match_spec/0, tab/0, table/0,
              table_access/0, table_type/0, tid/0]).

-type table_access() :: public | protected | private.
-type table_type() :: set | ordered_set | bag | duplicate_bag.
-type table() :: atom() | tid().
-type tab() :: table().
-opaque tid() :: reference().
-type match_pattern() :: atom() | tuple().
-type match_spec() :: [{match_pattern(), [term()], [term()]}].
-opaque compiled_match_spec() :: reference().
-type comp_match_spec() :: compiled_match_spec().

%% ---- since OTP 26 and 27 ----

-spec lookup_element(table(), term(), pos_integer(), Default) -> term() | Default.
lookup_element(Table, Key, Position, Default) when is_integer(Position), Position >= 1 ->
    case ets:lookup(Table, Key) of
        [] -> Default;
        Objects ->
            try [element(Position, Object) || Object <- Objects] of
                [Element] ->
                    case ets:info(Table, type) of
                        Type when Type =:= set; Type =:= ordered_set -> Element;
                        _ -> [Element]
                    end;
                Elements -> Elements
            catch error:badarg -> error(badarg, [Table, Key, Position, Default])
            end
    end;
lookup_element(Table, Key, Position, Default) -> error(badarg, [Table, Key, Position, Default]).

-spec update_element(table(), term(), term(), tuple()) -> boolean().
update_element(Table, Key, Updates, Default) ->
    case ets:update_element(Table, Key, Updates) of
        true -> true;
        false ->
            Listed = if is_list(Updates) -> Updates; true -> [Updates] end,
            Keyed = setelement(ets:info(Table, keypos), Default, Key),
            Object = lists:foldl(fun({Position, Value}, Now) -> setelement(Position, Now, Value) end, Keyed, Listed),
            case ets:insert_new(Table, Object) of
                true -> true;
                %% Another process was first.
                false -> update_element(Table, Key, Updates, Default)
            end
    end.

-spec first_lookup(table()) -> {term(), [tuple()]} | '$end_of_table'.
first_lookup(Table) -> looked_up(Table, ets:first(Table), fun() -> first_lookup(Table) end).

-spec last_lookup(table()) -> {term(), [tuple()]} | '$end_of_table'.
last_lookup(Table) -> looked_up(Table, ets:last(Table), fun() -> last_lookup(Table) end).

-spec next_lookup(table(), term()) -> {term(), [tuple()]} | '$end_of_table'.
next_lookup(Table, Key) -> looked_up(Table, ets:next(Table, Key), fun() -> next_lookup(Table, Key) end).

-spec prev_lookup(table(), term()) -> {term(), [tuple()]} | '$end_of_table'.
prev_lookup(Table, Key) -> looked_up(Table, ets:prev(Table, Key), fun() -> prev_lookup(Table, Key) end).

%% A key whose objects are gone meanwhile is not there.
looked_up(_, '$end_of_table', _) -> '$end_of_table';
looked_up(Table, Key, Again) ->
    case ets:lookup(Table, Key) of
        [] -> Again();
        Objects -> {Key, Objects}
    end.

%% ---- all objects ----

-spec tab2list(table()) -> [tuple()].
tab2list(Table) ->
    ets:match_object(Table, '_').

-spec delete_all_objects(table()) -> true.
delete_all_objects(Table) ->
    erlscope_native:ets_ignore_count(),
    _ = ets:internal_delete_all(Table, undefined),
    true.

-spec match_delete(table(), match_pattern()) -> true.
match_delete(Table, Pattern) ->
    erlscope_native:ets_ignore_count(),
    _ = select_delete(Table, [{Pattern, [], [true]}]),
    true.

-spec select_delete(table(), match_spec()) -> non_neg_integer().
select_delete(Table, [{'_', [], [true]}]) ->
    ets:internal_delete_all(Table, undefined);
select_delete(Table, MatchSpec) ->
    ets:internal_select_delete(Table, MatchSpec).

-spec foldl(fun((tuple(), Acc) -> Acc), Acc, table()) -> Acc.
foldl(Fun, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try fold_up(Fun, Acc, ets:first(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

fold_up(_Fun, Acc, '$end_of_table', _Table) -> Acc;
fold_up(Fun, Acc, Key, Table) ->
    fold_up(Fun, lists:foldl(Fun, Acc, ets:lookup(Table, Key)), ets:next(Table, Key), Table).

-spec foldr(fun((tuple(), Acc) -> Acc), Acc, table()) -> Acc.
foldr(Fun, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try fold_down(Fun, Acc, ets:last(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

fold_down(_Fun, Acc, '$end_of_table', _Table) -> Acc;
fold_down(Fun, Acc, Key, Table) ->
    fold_down(Fun, lists:foldr(Fun, Acc, ets:lookup(Table, Key)), ets:prev(Table, Key), Table).

%% ---- match specifications ----

-spec match_spec_run([tuple()], compiled_match_spec()) -> [term()].
match_spec_run(Objects, Compiled) ->
    lists:reverse(ets:match_spec_run_r(Objects, Compiled, [])).

-spec test_ms(tuple(), match_spec()) -> {ok, term()} | {error, [{warning | error, string()}]}.
test_ms(Object, MatchSpec) ->
    case erlang:match_spec_test(Object, MatchSpec, table) of
        {ok, Value, _Flags, _Messages} -> {ok, Value};
        {error, _} = Error -> Error
    end.

%% A continuation that came from outside has a specification that is not compiled any more.
repair_continuation('$end_of_table', _MatchSpec) ->
    '$end_of_table';
repair_continuation({Table, Last, End, Limit, Spec, Found, Reverse, Count} = Continuation, MatchSpec)
  when is_integer(Limit), is_list(Found), is_integer(Reverse), is_integer(Count),
       is_atom(Table) orelse is_reference(Table) ->
    case ets:is_compiled_ms(Spec) of
        true -> Continuation;
        false -> {Table, Last, End, Limit, ets:match_spec_compile(MatchSpec), Found, Reverse, Count}
    end;
repair_continuation({Table, Chain, Limit, Spec, Found, Count} = Continuation, MatchSpec)
  when is_integer(Chain), is_integer(Limit), is_list(Found), is_integer(Count),
       is_atom(Table) orelse is_reference(Table) ->
    case ets:is_compiled_ms(Spec) of
        true -> Continuation;
        false -> {Table, Chain, Limit, ets:match_spec_compile(MatchSpec), Found, Count}
    end.

%% A literal fun was made a specification when the module was compiled. What arrives here is a fun of the
%% shell, or a mistake.
-spec fun2ms(function()) -> match_spec() | {error, transform_error}.
fun2ms(Fun) when is_function(Fun) ->
    case erl_eval:fun_data(Fun) of
        {fun_data, Bindings, Clauses} ->
            case ms_transform:transform_from_shell(?MODULE, Clauses, Bindings) of
                {error, [{_, [{_, _, Problem} | _]} | _], _} ->
                    io:format("Error: ~ts~n", [ms_transform:format_error(Problem)]),
                    {error, transform_error};
                MatchSpec ->
                    MatchSpec
            end;
        _ ->
            exit({badarg, {?MODULE, fun2ms,
                           [function, called, with, real, 'fun', should, be, transformed, with,
                            parse_transform, 'or', called, with, a, 'fun', generated, in, the, shell]}})
    end.

%% ---- filling tables ----

-spec init_table(table(), fun((read | close) -> end_of_input | {[tuple()], fun()} | term())) -> true.
init_table(Table, Fun) ->
    delete_all_objects(Table),
    fill(Table, Fun(read)).

fill(_Table, end_of_input) ->
    true;
fill(Table, {Objects, Fun}) when is_list(Objects), is_function(Fun) ->
    case catch insert_each(Table, Objects) of
        {'EXIT', Reason} ->
            catch Fun(close),
            exit(Reason);
        true ->
            fill(Table, Fun(read))
    end;
fill(_Table, Error) ->
    exit(Error).

insert_each(_Table, []) -> true;
insert_each(Table, [Object | Objects]) ->
    ets:insert(Table, Object),
    insert_each(Table, Objects).

-spec from_dets(table(), term()) -> true.
from_dets(Table, Dets) ->
    case catch dets:to_ets(Dets, Table) of
        {error, Reason} -> erlang:error(Reason, [Table, Dets]);
        {'EXIT', {Reason, _}} -> erlang:error(Reason, [Table, Dets]);
        {'EXIT', Reason} -> erlang:error(Reason, [Table, Dets]);
        Table -> true;
        Unexpected -> erlang:error(Unexpected, [Table, Dets])
    end.

-spec to_dets(table(), Dets) -> Dets.
to_dets(Table, Dets) ->
    case catch dets:from_ets(Dets, Table) of
        {error, Reason} -> erlang:error(Reason, [Table, Dets]);
        {'EXIT', {Reason, _}} -> erlang:error(Reason, [Table, Dets]);
        {'EXIT', Reason} -> erlang:error(Reason, [Table, Dets]);
        ok -> Dets;
        Unexpected -> erlang:error(Unexpected, [Table, Dets])
    end.

%% ---- files ----

tab2file(Table, File) -> erlscope_ets_file:save(Table, File, []).
tab2file(Table, File, Options) -> erlscope_ets_file:save(Table, File, Options).
file2tab(File) -> erlscope_ets_file:load(File, []).
file2tab(File, Options) -> erlscope_ets_file:load(File, Options).
tabfile_info(File) -> erlscope_ets_file:info(File).

%% ---- queries ----

table(Table) ->
    table(Table, []).

table(Table, Options) ->
    List = if is_list(Options) -> Options; true -> [Options] end,
    Traverse = proplist_value(traverse, List, select),
    Count = case proplist_value(n_objects, List, default) of default -> 100; N -> N end,
    Valid = is_integer(Count) andalso Count >= 1 andalso is_traverse(Traverse),
    Valid orelse erlang:error(badarg, [Table, Options]),
    Others = lists:keydelete(n_objects, 1, lists:keydelete(traverse, 1, List)),
    qlc:table(traverse(Table, Traverse, Count),
              [{pre_fun, fun(_) -> ets:safe_fixtable(Table, true) end},
               {post_fun, fun() -> ets:safe_fixtable(Table, false) end},
               {info_fun, fun(Item) -> query_info(Table, Item) end},
               {format_fun, fun(What) -> query_text(What, Table, Options, List) end},
               {key_equality, case ets:info(Table, type) of ordered_set -> '=='; _ -> '=:=' end},
               {lookup_fun, lookup_fun(Table, Traverse)} | Others]).

proplist_value(Key, List, Default) ->
    case lists:keyfind(Key, 1, List) of
        {_, Value} -> Value;
        false -> Default;
        _ -> invalid
    end.

is_traverse(first_next) -> true;
is_traverse(last_prev) -> true;
is_traverse(select) -> true;
is_traverse({select, _}) -> true;
is_traverse(_) -> false.

traverse(Table, first_next, _) -> fun() -> forward(Table, ets:first(Table)) end;
traverse(Table, last_prev, _) -> fun() -> backward(Table, ets:last(Table)) end;
traverse(Table, select, N) -> fun(MatchSpec) -> parts(ets:select(Table, MatchSpec, N)) end;
traverse(Table, {select, MatchSpec}, N) -> fun() -> parts(ets:select(Table, MatchSpec, N)) end.

forward(_Table, '$end_of_table') -> [];
forward(Table, Key) -> ets:lookup(Table, Key) ++ fun() -> forward(Table, ets:next(Table, Key)) end.

backward(_Table, '$end_of_table') -> [];
backward(Table, Key) -> ets:lookup(Table, Key) ++ fun() -> backward(Table, ets:prev(Table, Key)) end.

parts('$end_of_table') -> [];
parts({Objects, Continuation}) -> Objects ++ fun() -> parts(ets:select(Continuation)) end.

lookup_fun(_Table, {select, _}) -> undefined;
lookup_fun(Table, _) -> fun(_Position, Keys) -> lists:flatmap(fun(Key) -> ets:lookup(Table, Key) end, Keys) end.

query_info(Table, num_of_objects) -> ets:info(Table, size);
query_info(Table, keypos) -> ets:info(Table, keypos);
query_info(Table, is_unique_objects) -> ets:info(Table, type) =/= duplicate_bag;
query_info(Table, is_sorted_key) -> ets:info(Table, type) =:= ordered_set;
query_info(_Table, _) -> undefined.

query_text({all, _, _}, Table, [], _) -> {?MODULE, table, [Table]};
query_text({all, _, _}, Table, Options, _) -> {?MODULE, table, [Table, Options]};
query_text({match_spec, MatchSpec}, Table, _, List) ->
    {?MODULE, table, [Table, [{traverse, {select, MatchSpec}} | List]]};
query_text({lookup, _, [Value], _, Show}, Table, _, _) ->
    io_lib:format("~w:lookup(~w, ~w)", [?MODULE, Table, Show(Value)]);
query_text({lookup, _, Values, _, Show}, Table, _, _) ->
    io_lib:format("lists:flatmap(fun(V) -> ~w:lookup(~w, V) end, ~w)",
                  [?MODULE, Table, [Show(Value) || Value <- Values]]).

%% ---- showing tables ----

%% A line for every table.
-spec i() -> ok.
i() ->
    line([id, name, type, size, mem, owner]),
    io:format(" ~s~n", [lists:duplicate(76, $-)]),
    lists:foreach(fun show/1, lists:sort(ets:all())).

show(Table) ->
    try [ets:info(Table, Item) || Item <- [name, type, size, memory, owner]] of
        [Name, Type, Size, Memory, Owner] -> line([Table, Name, Type, Size, Memory, known_as(Owner)])
    catch
        _:_ -> io:format("~-10s ... unreadable ~n", [text(Table)])
    end.

known_as(Pid) ->
    case process_info(Pid, registered_name) of
        {registered_name, Name} -> Name;
        _ -> Pid
    end.

line(Columns) ->
    [Last | Others] = lists:reverse([text(Column) || Column <- Columns]),
    Padded = [string:pad(Text, Width) || {Text, Width} <- lists:zip(lists:reverse(Others), [15, 17, 5, 6, 8])],
    io:format(" ~ts~n", [lists:join(" ", Padded ++ [Last])]).

text(Term) ->
    lists:flatten(io_lib:format("~p", [Term])).

%% The objects of a table, page by page.
i(Table) -> i(Table, 40).

i(Table, Height) -> i(Table, Height, 80).

i(Table, Height, Width) ->
    erlscope_ets_file:browse(Table, Height, Width).
