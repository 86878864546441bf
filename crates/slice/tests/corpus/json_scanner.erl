%% A scanner and parser for a little of JSON, over binaries.
%% inputs: parse(one(<<"[1,2]">>; <<"{}">>; <<"[true,{\"a\":12}]">>; <<"[1,">>; <<"x">>; <<"7 ">>)), number(binary)
-module(json_scanner).
-export([parse/1, number/1]).

parse(Bin) ->
    try value(skip(Bin)) of
        {V, Rest} ->
            case skip(Rest) of
                <<>> -> {ok, V};
                More -> {trailing, byte_size(More)}
            end
    catch
        throw:{bad, What} -> {error, What}
    end.

skip(<<C, R/binary>>) when C =:= $\s; C =:= $\n -> skip(R);
skip(Bin) -> Bin.

value(<<"true", R/binary>>) -> {true, R};
value(<<"[", R/binary>>) -> array(skip(R), []);
value(<<"{", R/binary>>) -> object(skip(R), #{});
value(<<$", R/binary>>) -> str(R, <<>>);
value(<<C, R/binary>>) when C >= $0, C =< $9 -> int(R, C - $0);
value(<<C, _/binary>>) -> throw({bad, C});
value(<<>>) -> throw({bad, eof}).

array(<<"]", R/binary>>, Acc) -> {lists:reverse(Acc), R};
array(<<",", R/binary>>, Acc) -> array(skip(R), Acc);
array(Bin, Acc) ->
    {V, R} = value(Bin),
    array(skip(R), [V | Acc]).

object(<<"}", R/binary>>, Map) -> {Map, R};
object(<<",", R/binary>>, Map) -> object(skip(R), Map);
object(Bin, Map) ->
    {Key, R1} = value(Bin),
    case skip(R1) of
        <<":", R2/binary>> ->
            {V, R3} = value(skip(R2)),
            object(skip(R3), Map#{Key => V});
        _ -> throw({bad, Key})
    end.

str(<<$", R/binary>>, Acc) -> {Acc, R};
str(<<C, R/binary>>, Acc) -> str(R, <<Acc/binary, C>>);
str(<<>>, Acc) -> throw({bad, Acc}).

int(<<C, R/binary>>, N) when C >= $0, C =< $9 -> int(R, N * 10 + C - $0);
int(R, N) -> {N, R}.

number(Bin) ->
    Digits = << <<($0 + B rem 10)>> || <<B>> <= Bin >>,
    {N, Rest} = int(<<Digits/binary, "x">>, 0),
    {N, Rest}.
