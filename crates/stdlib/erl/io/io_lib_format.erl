%% What programs call of the module behind `io_lib:format/2`.
-module(io_lib_format).

-export([fwrite/2, fwrite/3, fwrite_g/1, indentation/2, scan/2, unscan/1, build/1, build/2]).

fwrite(Format, Args) -> fwrite(Format, Args, []).

fwrite(Format, Args, Options) -> checked(erlscope_native:format(Format, Args, Options)).

scan(Format, Args) -> checked(erlscope_native:scan_format(Format, Args)).

build(Items) -> build(Items, []).

build(Items, Options) -> checked(erlscope_native:build_text(Items, Options)).

checked(badarg) -> erlang:error(badarg);
checked(Result) -> Result.

%% The shortest text that reads back as the same float.
fwrite_g(Float) -> float_to_list(Float, [short]).

%% The column after a text that starts at a column; tabs are 8 wide.
indentation([$\n | Rest], _) -> indentation(Rest, 0);
indentation([$\t | Rest], Column) -> indentation(Rest, (Column + 8) div 8 * 8);
indentation([Char | Rest], Column) when is_integer(Char) -> indentation(Rest, Column + 1);
indentation([Inner | Rest], Column) -> indentation(Rest, indentation(Inner, Column));
indentation([], Column) -> Column.

%% A format and its arguments from a scanned one.
unscan(Items) ->
    {lists:append([text(Item) || Item <- Items]),
     lists:append([Args || #{args := Args} <- Items])}.

text(#{control_char := Control, width := Width, adjust := Adjust, precision := Precision,
       pad_char := Pad, encoding := Encoding, strings := Strings}) ->
    "~" ++ width(Width, Adjust) ++ precision(Precision, Pad) ++ pad(Pad)
        ++ [$t || Encoding =:= unicode] ++ [$l || not Strings] ++ [Control];
text(Char) ->
    [Char].

width(none, _) -> "";
width(Width, left) -> integer_to_list(-Width);
width(Width, right) -> integer_to_list(Width).

%% A padding character stands after a second dot.
precision(none, $\s) -> "";
precision(none, _) -> ".";
precision(Precision, _) -> [$. | integer_to_list(Precision)].

pad($\s) -> "";
pad(Pad) -> [$., Pad].
