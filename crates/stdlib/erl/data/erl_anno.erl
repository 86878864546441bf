%% erl_anno: annotations of abstract code.
%%
%% An annotation is a location (a line or `{Line, Column}`), or, if there is more to say, a list of items
%% with the location among them: `{file, Name}`, `{generated, true}`, `{record, true}`, `{text, String}`.
-module(erl_anno).

-export([column/1, end_location/1, file/1, from_term/1, generated/1, is_anno/1, line/1, location/1,
         new/1, record/1, set_file/2, set_generated/2, set_line/2, set_location/2, set_record/2,
         set_text/2, text/1, to_term/1]).

-export_type([anno/0, anno_term/0, column/0, line/0, location/0, text/0]).

-opaque anno() :: location() | [item(), ...].
-type item() :: {file, file:filename_all()} | {generated, boolean()} | {location, location()}
              | {record, boolean()} | {text, string()}.
-type anno_term() :: term().
-type line() :: non_neg_integer().
-type column() :: pos_integer().
-type location() :: line() | {line(), column()}.
-type text() :: string().

-define(IS_LINE(L), is_integer(L), L >= 0).
-define(IS_COLUMN(C), is_integer(C), C >= 1).

-spec new(location()) -> anno().
new(Line) when ?IS_LINE(Line) -> Line;
new({Line, Column} = Location) when ?IS_LINE(Line), ?IS_COLUMN(Column) -> Location;
new(Term) -> erlang:error(badarg, [Term]).

%% What a term became in abstract code, and back.
-spec to_term(anno()) -> anno_term().
to_term(Anno) -> Anno.

-spec from_term(anno_term()) -> anno().
from_term(Line) when is_integer(Line), Line < 0 -> set_generated(true, new(-Line));
from_term(Term) -> Term.

-spec is_anno(term()) -> boolean().
is_anno([_ | _] = Items) ->
    is_items(Items) andalso lists:keymember(location, 1, Items);
is_anno(Term) -> is_location(Term).

is_location(Line) when ?IS_LINE(Line) -> true;
is_location({Line, Column}) when ?IS_LINE(Line), ?IS_COLUMN(Column) -> true;
is_location(_) -> false.

is_items([{Key, Value} | Items]) ->
    is_valid(Key, Value) andalso Value =/= false andalso is_items(Items);
is_items(Items) -> Items =:= [].

is_valid(location, Location) -> is_location(Location);
is_valid(file, Name) -> is_list(Name) orelse is_binary(Name);
is_valid(text, Text) -> is_list(Text);
is_valid(generated, Value) -> is_boolean(Value);
is_valid(record, Value) -> is_boolean(Value);
is_valid(_, _) -> false.

%% ---- asking ----

-spec location(anno()) -> location().
location(Anno) -> item(Anno, location, undefined).

-spec line(anno()) -> line().
line(Anno) ->
    case location(Anno) of
        {Line, _Column} -> Line;
        Line -> Line
    end.

-spec column(anno()) -> column() | undefined.
column(Anno) ->
    case location(Anno) of
        {_Line, Column} -> Column;
        _Line -> undefined
    end.

-spec file(anno()) -> file:filename_all() | undefined.
file(Anno) -> item(Anno, file, undefined).

-spec text(anno()) -> text() | undefined.
text(Anno) -> item(Anno, text, undefined).

-spec generated(anno()) -> boolean().
generated(Anno) -> item(Anno, generated, false).

-spec record(anno()) -> boolean().
record(Anno) -> item(Anno, record, false).

item(Anno, Key, Default) ->
    case is_location(Anno) of
        true when Key =:= location -> Anno;
        true -> Default;
        false ->
            try lists:keyfind(Key, 1, Anno) of
                {Key, Value} -> Value;
                false -> Default
            catch
                error:_ -> erlang:error(badarg, [Anno])
            end
    end.

%% Where the text of the annotation ends.
-spec end_location(anno()) -> location() | undefined.
end_location(Anno) ->
    case text(Anno) of
        undefined -> undefined;
        Text -> after_text(Text, location(Anno))
    end.

after_text([$\n | Text], {Line, _Column}) -> after_text(Text, {Line + 1, 1});
after_text([$\n | Text], Line) -> after_text(Text, Line + 1);
after_text([_ | Text], {Line, Column}) -> after_text(Text, {Line, Column + 1});
after_text([_ | Text], Line) -> after_text(Text, Line);
after_text([], Location) -> Location.

%% ---- changing ----

-spec set_file(file:filename_all(), anno()) -> anno().
set_file(File, Anno) -> set(file, File, Anno).

-spec set_text(text(), anno()) -> anno().
set_text(Text, Anno) -> set(text, Text, Anno).

-spec set_generated(boolean(), anno()) -> anno().
set_generated(Generated, Anno) -> set(generated, Generated, Anno).

-spec set_record(boolean(), anno()) -> anno().
set_record(Record, Anno) -> set(record, Record, Anno).

-spec set_location(location(), anno()) -> anno().
set_location(Location, Anno) -> set(location, Location, Anno).

-spec set_line(line(), anno()) -> anno().
set_line(Line, Anno) ->
    case location(Anno) of
        {_Line, Column} -> set_location({Line, Column}, Anno);
        _Line -> set_location(Line, Anno)
    end.

set(Key, Value, Anno) ->
    Items = case is_location(Anno) of
                true -> [{location, Anno}];
                false -> Anno
            end,
    case is_valid(Key, Value) andalso is_list(Items) andalso Items =/= [] of
        true -> short(with_item(Key, Value, Items));
        false -> erlang:error(badarg, [Key, Value, Anno])
    end.

%% False is the default of those that can be.
with_item(Key, false, Items) -> lists:keydelete(Key, 1, Items);
with_item(Key, Value, Items) ->
    case lists:keymember(Key, 1, Items) of
        true -> lists:keyreplace(Key, 1, Items, {Key, Value});
        false -> [{Key, Value} | Items]
    end.

short([{location, Location}]) -> Location;
short(Items) -> Items.
