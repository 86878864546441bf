%% The container of compiled modules: an IFF form "FOR1" of type "BEAM" with
%% named chunks, each filled up to a multiple of four bytes. Encrypted debug
%% information cannot be read.
-module(beam_lib).

-export([info/1, chunks/2, chunks/3, all_chunks/1, version/1, md5/1, cmp/2, diff_dirs/2, cmp_dirs/2,
         strip/1, strip/2, strip_files/1, strip_files/2, strip_release/1, strip_release/2, build_module/1,
         significant_chunks/0, format_error/1, crypto_key_fun/1, clear_crypto_key_fun/0]).

%% Chunks that make up the code: what the MD5 sum is taken of, and what stays
%% when a file is stripped.
-define(MD5_CHUNKS, ["Atom", "AtU8", "Code", "StrT", "ImpT", "ExpT", "FunT", "LitT", "Meta"]).

significant_chunks() -> ["Line" | ?MD5_CHUNKS].

%%% --------------------------------------------------------------------- asking

info(File) ->
    try
        {Name, Bytes} = read(File),
        Chunks = split(Name, Bytes),
        [name(Name, Bytes),
         {module, module_of(Name, Chunks)},
         {chunks, [{Id, Start, Size} || {Id, Start, Size, _} <- Chunks]}]
    catch
        throw:{beam_lib, Error} -> {error, ?MODULE, Error}
    end.

name(Bytes, Bytes) -> {binary, Bytes};
name(File, _) -> {file, File}.

chunks(File, Wanted) when is_list(Wanted) -> chunks(File, Wanted, []).

chunks(File, Wanted, Options) when is_list(Wanted) ->
    try
        {Name, Bytes} = read(File),
        Chunks = split(Name, Bytes),
        Module = module_of(Name, Chunks),
        {ok, {Module, [chunk(Id, Name, Module, Chunks, Options) || Id <- Wanted]}}
    catch
        throw:{beam_lib, Error} -> {error, ?MODULE, Error}
    end.

all_chunks(File) ->
    try
        {Name, Bytes} = read(File),
        Chunks = split(Name, Bytes),
        {ok, module_of(Name, Chunks), [{Id, Data} || {Id, _, _, Data} <- Chunks]}
    catch
        throw:{beam_lib, Error} -> {error, ?MODULE, Error}
    end.

version(File) ->
    case chunks(File, [attributes]) of
        {ok, {Module, [{attributes, Attributes}]}} ->
            {ok, {Module, proplists:get_value(vsn, Attributes)}};
        Error ->
            Error
    end.

md5(File) ->
    try
        {Name, Bytes} = read(File),
        Chunks = split(Name, Bytes),
        {ok, {module_of(Name, Chunks), erlang:md5(essence(Chunks))}}
    catch
        throw:{beam_lib, Error} -> {error, ?MODULE, Error}
    end.

%% What our own compiler makes has its forms in place of code.
essence(Chunks) ->
    [Data || {Id, _, _, Data} <- Chunks, lists:member(Id, ["ErlS" | ?MD5_CHUNKS])].

cmp(File1, File2) ->
    case {all_chunks(File1), all_chunks(File2)} of
        {{ok, M1, _}, {ok, M2, _}} when M1 =/= M2 -> {error, ?MODULE, {modules_different, M1, M2}};
        {{ok, _, C1}, {ok, _, C2}} -> compare(code_of(C1), code_of(C2));
        {{ok, _, _}, Error} -> Error;
        {Error, _} -> Error
    end.

code_of(Chunks) -> [Chunk || {Id, _} = Chunk <- Chunks, lists:member(Id, ["ErlS" | ?MD5_CHUNKS])].

compare(Same, Same) -> ok;
compare(C1, C2) ->
    Ids = lists:usort([Id || {Id, _} <- C1 ++ C2]),
    [Id | _] = [Id || Id <- Ids, lists:keyfind(Id, 1, C1) =/= lists:keyfind(Id, 1, C2)],
    {error, ?MODULE, {chunks_different, Id}}.

cmp_dirs(Dir1, Dir2) ->
    case {beams(Dir1), beams(Dir2)} of
        {{ok, Files1}, {ok, Files2}} ->
            Both = [{filename:join(Dir1, File), filename:join(Dir2, File)}
                    || File <- Files1, lists:member(File, Files2)],
            {[filename:join(Dir1, File) || File <- Files1 -- Files2],
             [filename:join(Dir2, File) || File <- Files2 -- Files1],
             [Pair || {File1, File2} = Pair <- Both, cmp(File1, File2) =/= ok]};
        {{error, Reason}, _} -> {error, ?MODULE, {file_error, Dir1, Reason}};
        {_, {error, Reason}} -> {error, ?MODULE, {file_error, Dir2, Reason}}
    end.

beams(Dir) ->
    case file:list_dir(Dir) of
        {ok, Files} -> {ok, lists:sort([File || File <- Files, filename:extension(File) =:= ".beam"])};
        Error -> Error
    end.

diff_dirs(Dir1, Dir2) ->
    case cmp_dirs(Dir1, Dir2) of
        {error, _, _} = Error -> Error;
        {Only1, Only2, Different} ->
            [io:format("Only in ~tp: ~tp~n", [Dir1, File]) || File <- Only1],
            [io:format("Only in ~tp: ~tp~n", [Dir2, File]) || File <- Only2],
            [io:format("** different: ~tp~n", [Pair]) || Pair <- Different],
            ok
    end.

%%% -------------------------------------------------------------------- writing

build_module(Chunks) ->
    Body = << <<(list_to_binary(Id))/binary, (byte_size(Data)):32, Data/binary,
                0:((-byte_size(Data) band 3) * 8)>>
              || {Id, Data0} <- Chunks, Data <- [iolist_to_binary(Data0)] >>,
    {ok, <<"FOR1", (byte_size(Body) + 4):32, "BEAM", Body/binary>>}.

strip(File) -> strip(File, []).

strip(File, More) ->
    case strip_files([File], More) of
        {ok, [Result]} -> {ok, Result};
        Error -> Error
    end.

strip_files(Files) -> strip_files(Files, []).

strip_files(Files, More) ->
    try {ok, [strip_file(File, More) || File <- Files]}
    catch throw:{beam_lib, Error} -> {error, ?MODULE, Error}
    end.

strip_file(File, More) ->
    {Name, Bytes} = read(File),
    Chunks = split(Name, Bytes),
    Kept = [{Id, Data} || {Id, _, _, Data} <- Chunks,
                          lists:member(Id, ["ErlS" | significant_chunks()] ++ More)],
    {ok, Stripped} = build_module(Kept),
    Module = module_of(Name, Chunks),
    case Name of
        Bytes -> {Module, Stripped};
        _ ->
            case file:write_file(Name, Stripped) of
                ok -> {Module, filename:rootname(Name)};
                {error, Reason} -> throw({beam_lib, {file_error, Name, Reason}})
            end
    end.

strip_release(Root) -> strip_release(Root, []).

strip_release(Root, More) ->
    case (is_list(Root) orelse is_atom(Root) orelse is_binary(Root)) andalso filelib:is_dir(Root) of
        true -> strip_files(filelib:wildcard(filename:join(Root, "lib/*/ebin/*.beam")), More);
        false -> {error, ?MODULE, {not_a_directory, Root}}
    end.

crypto_key_fun(_) -> {error, badfun}.
clear_crypto_key_fun() -> undefined.

%%% -------------------------------------------------------------------- reading

read(Bytes) when is_binary(Bytes) ->
    {Bytes, unzipped(Bytes)};
read(Name0) ->
    Name = if is_atom(Name0) -> atom_to_list(Name0); true -> Name0 end,
    File = case filename:extension(Name) of
               ".beam" -> Name;
               _ -> Name ++ ".beam"
           end,
    case file:read_file(File) of
        {ok, Bytes} ->
            {File, unzipped(Bytes)};
        {error, Reason} ->
            case never_compiled(File) of
                {ok, Bytes} -> {File, Bytes};
                error -> throw({beam_lib, {file_error, File, Reason}})
            end
    end.

%% The file that `code:which/1' names for a module that was loaded from its source.
never_compiled(File) ->
    Module = list_to_atom(filename:basename(File, ".beam")),
    case code:is_loaded(Module) of
        {file, Known} when Known =/= [] ->
            case filename:absname(Known) =:= filename:absname(File) andalso code:get_object_code(Module) of
                {Module, Bytes, _} -> {ok, Bytes};
                _ -> error
            end;
        _ ->
            error
    end.

unzipped(<<16#1F, 16#8B, _/binary>> = Bytes) -> zlib:gunzip(Bytes);
unzipped(Bytes) -> Bytes.

split(Name, <<"FOR1", Size:32, "BEAM", Rest/binary>>) when Size > byte_size(Rest) + 4 ->
    throw({beam_lib, {form_too_big, Name, Size, byte_size(Rest) + 4}});
split(Name, <<"FOR1", _:32, "BEAM", Rest/binary>>) ->
    chunk_list(Rest, 12, Name);
split(Name, _) ->
    throw({beam_lib, {not_a_beam_file, Name}}).

chunk_list(<<Id:4/binary, Size:32, Rest/binary>>, At, Name) when byte_size(Rest) >= Size ->
    Padded = min((Size + 3) band bnot 3, byte_size(Rest)),
    <<Data:Size/binary, _/binary>> = Rest,
    <<_:Padded/binary, More/binary>> = Rest,
    [{binary_to_list(Id), At + 8, Size, Data} | chunk_list(More, At + 8 + Padded, Name)];
chunk_list(<<>>, _, _) ->
    [];
chunk_list(<<Id:4/binary, Size:32, Rest/binary>>, _, Name) ->
    throw({beam_lib, {chunk_too_big, Name, binary_to_list(Id), Size, byte_size(Rest)}});
chunk_list(_, At, Name) ->
    throw({beam_lib, {invalid_beam_file, Name, At}}).

data(Ids, Name, Chunks) ->
    case [Data || {Id, _, _, Data} <- Chunks, lists:member(Id, Ids)] of
        [Data | _] -> Data;
        [] -> throw({beam_lib, {missing_chunk, Name, hd(Ids)}})
    end.

module_of(Name, Chunks) -> element(1, atoms(Name, Chunks)).

%% All names of the atom table, as a tuple.
atoms(Name, Chunks) ->
    case lists:keyfind("AtU8", 1, Chunks) of
        {_, _, _, <<_:32/signed, Data/binary>>} -> list_to_tuple(names(Data, utf8));
        false ->
            <<_:32, Data/binary>> = data(["Atom"], Name, Chunks),
            list_to_tuple(names(Data, latin1))
    end.

names(<<Size, Text:Size/binary, Rest/binary>>, Encoding) ->
    [binary_to_atom(Text, Encoding) | names(Rest, Encoding)];
names(_, _) ->
    [].

chunk(Id, Name, Module, Chunks, Options) when is_atom(Id) ->
    try {Id, known(Id, Name, Module, Chunks)}
    catch
        throw:{beam_lib, {missing_chunk, _, _}} = Missing ->
            case lists:member(allow_missing_chunks, Options) of
                true -> {Id, missing_chunk};
                false -> throw(Missing)
            end
    end;
chunk(Id, Name, _, Chunks, Options) ->
    case lists:keyfind(Id, 1, Chunks) of
        {_, _, _, Data} -> {Id, Data};
        false ->
            case is_list(Id) andalso length(Id) =:= 4 of
                false -> throw({beam_lib, {unknown_chunk, Name, Id}});
                true ->
                    case lists:member(allow_missing_chunks, Options) of
                        true -> {Id, missing_chunk};
                        false -> throw({beam_lib, {missing_chunk, Name, Id}})
                    end
            end
    end.

known(atoms, Name, _, Chunks) ->
    Names = tuple_to_list(atoms(Name, Chunks)),
    lists:zip(lists:seq(1, length(Names)), Names);
known(attributes, Name, _, Chunks) ->
    gathered(binary_to_term(data(["Attr"], Name, Chunks)));
known(compile_info, Name, _, Chunks) ->
    gathered_info(binary_to_term(data(["CInf"], Name, Chunks)));
known(exports, Name, _, Chunks) ->
    lists:sort([{F, A} || {F, A, _} <- functions("ExpT", Name, Chunks)]);
known(labeled_exports, Name, _, Chunks) ->
    lists:sort(functions("ExpT", Name, Chunks));
known(locals, Name, _, Chunks) ->
    lists:sort([{F, A} || {F, A, _} <- functions("LocT", Name, Chunks)]);
known(labeled_locals, Name, _, Chunks) ->
    lists:sort(functions("LocT", Name, Chunks));
known(imports, Name, _, Chunks) ->
    lists:sort(imports(Name, Chunks));
known(indexed_imports, Name, _, Chunks) ->
    Imports = imports(Name, Chunks),
    lists:zipwith(fun(N, {M, F, A}) -> {N, M, F, A} end, lists:seq(1, length(Imports)), Imports);
known(debug_info, Name, _, Chunks) ->
    binary_to_term(data(["Dbgi"], Name, Chunks));
known(abstract_code, Name, Module, Chunks) ->
    case lists:keyfind("Dbgi", 1, Chunks) of
        {_, _, _, Data} ->
            case binary_to_term(Data) of
                {debug_info_v1, erl_abstract_code, {none, _}} -> no_abstract_code;
                {debug_info_v1, erl_abstract_code, {Forms, _}} -> {raw_abstract_v1, Forms};
                {debug_info_v1, Backend, Info} -> from_backend(Name, Module, Backend, Info);
                _ -> no_abstract_code
            end;
        false ->
            case data(["Abst"], Name, Chunks) of
                <<>> -> no_abstract_code;
                Data -> binary_to_term(Data)
            end
    end;
known(documentation, Name, _, Chunks) ->
    binary_to_term(data(["Docs"], Name, Chunks));
known(Id, Name, _, _) ->
    throw({beam_lib, {unknown_chunk, Name, Id}}).

%% Other compilers say how forms are made of what they keep.
from_backend(Name, Module, Backend, Info) ->
    case code:ensure_loaded(Backend) of
        {module, _} ->
            case Backend:debug_info(erlang_v1, Module, Info, []) of
                {ok, Forms} -> {raw_abstract_v1, Forms};
                {error, _} -> no_abstract_code
            end;
        {error, _} ->
            throw({beam_lib, {missing_backend, Name, Backend}})
    end.

%% Values of one attribute are put together; names are in order.
gathered(Attributes) ->
    Names = lists:usort([Name || {Name, _} <- Attributes]),
    [{Name, lists:append([Values || {N, Values} <- Attributes, N =:= Name])} || Name <- Names].

gathered_info(Info) -> lists:sort(Info).

functions(Id, Name, Chunks) ->
    Atoms = atoms(Name, Chunks),
    <<_:32, Entries/binary>> = data([Id], Name, Chunks),
    [{element(F, Atoms), A, Label} || <<F:32, A:32, Label:32>> <= Entries].

imports(Name, Chunks) ->
    Atoms = atoms(Name, Chunks),
    <<_:32, Entries/binary>> = data(["ImpT"], Name, Chunks),
    [{element(M, Atoms), element(F, Atoms), A} || <<M:32, F:32, A:32>> <= Entries].

%%% ---------------------------------------------------------------------- texts

format_error({error, ?MODULE, Reason}) -> format_error(Reason);
format_error({unknown_chunk, File, Chunk}) ->
    io_lib:format("~tp: Cannot find chunk ~tp~n", [File, Chunk]);
format_error({missing_chunk, File, Chunk}) ->
    io_lib:format("~tp: Not a BEAM file: no IFF \"~s\" chunk~n", [File, Chunk]);
format_error({not_a_beam_file, File}) -> io_lib:format("~tp: Not a BEAM file~n", [File]);
format_error({file_error, File, Reason}) ->
    io_lib:format("~tp: ~tp~n", [File, file:format_error(Reason)]);
format_error({modules_different, M1, M2}) ->
    io_lib:format("The module names of the files are different: ~tp, ~tp~n", [M1, M2]);
format_error({chunks_different, Id}) ->
    io_lib:format("Differences in chunk ~tp~n", [Id]);
format_error(Other) -> io_lib:format("~tp~n", [Other]).
