%% Native records (EEP 79, OTP 29) from outside: their parts, whoever they belong
%% to. Reasons of failures are those of the documentation of OTP 29's module
%% of this name; where that says less than `{badfield, _}`, the reason names the
%% record and the field, as for expressions.
-module(records).

-export([get/2, get_module/1, get_name/1, get_field_names/1, is_exported/1,
         create/4, update/4, get_definition/2]).

get(Key, Record) ->
    case erlscope_native:record_parts(Record) of
        {_, _, _, Fields, Values} -> value(Key, Fields, Values, Record);
        false -> erlang:error(badarg, [Key, Record])
    end.

value(Key, [Key | _], [Value | _], _) -> Value;
value(Key, [_ | Fields], [_ | Values], Record) -> value(Key, Fields, Values, Record);
value(Key, [], [], Record) -> erlang:error(badarg, [Key, Record]).

get_module(Record) ->
    case erlscope_native:record_parts(Record) of
        {Module, _, _, _, _} -> Module;
        false -> erlang:error(badarg, [Record])
    end.

get_name(Record) ->
    case erlscope_native:record_parts(Record) of
        {_, Name, _, _, _} -> Name;
        false -> erlang:error(badarg, [Record])
    end.

get_field_names(Record) ->
    case erlscope_native:record_parts(Record) of
        {_, _, _, Fields, _} -> Fields;
        false -> erlang:error({badrecord, Record}, [Record])
    end.

is_exported(Record) ->
    case erlscope_native:record_parts(Record) of
        {_, _, IsExported, _, _} -> IsExported;
        false -> erlang:error({badrecord, Record}, [Record])
    end.

create(Module, Name, Fields, Options) when is_atom(Module), is_atom(Name) ->
    case Options of
        #{is_exported := IsExported} when map_size(Options) =:= 1 ->
            try
                erlscope_native:record_make(Module, Name, Fields, IsExported)
            catch
                error:Reason -> erlang:error(Reason, [Module, Name, Fields, Options])
            end;
        #{} ->
            erlang:error(badarg, [Module, Name, Fields, Options]);
        _ ->
            erlang:error({badmap, Options}, [Module, Name, Fields, Options])
    end;
create(Module, Name, Fields, Options) ->
    erlang:error({badrecord, Name}, [Module, Name, Fields, Options]).

update(Record, Module, Name, Fields) ->
    case erlscope_native:record_parts(Record) of
        {Module, Name, _, _, _} ->
            try
                erlscope_native:record_put(Record, Fields)
            catch
                error:Reason -> erlang:error(Reason, [Record, Module, Name, Fields])
            end;
        {_, _, _, _, _} ->
            erlang:error({badrecord, Name}, [Record, Module, Name, Fields]);
        false ->
            erlang:error({badrecord, Record}, [Record, Module, Name, Fields])
    end.

get_definition(Module, Name) ->
    try
        erlscope_native:record_definition(Module, Name)
    catch
        error:badarg -> erlang:error(badarg, [Module, Name])
    end.
