%% Terms to JSON text.
%% inputs: encode(any), object(string, int), list(list(int))
-module(json_encoder).
-export([encode/1, object/2, list/1]).

encode(T) -> iolist_to_binary(json(T)).

json(null) -> "null";
json(true) -> "true";
json(false) -> "false";
json(A) when is_atom(A) -> quote(atom_to_list(A));
json(N) when is_integer(N) -> integer_to_list(N);
json(F) when is_float(F) -> "0.0";
json(B) when is_binary(B) -> quote(binary_to_list(B));
json(L) when is_list(L) -> ["[", join([json(E) || E <- L]), "]"];
json(M) when is_map(M) ->
    Members = [[quote(atom_to_list(K)), ":", json(V)] || {K, V} <- lists:sort(maps:to_list(M))],
    ["{", join(Members), "}"];
json(T) when is_tuple(T) -> json(tuple_to_list(T)).

quote(S) -> [$", [escape(C) || C <- S], $"].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape(C) when C < 32; C > 126 -> "?";
escape(C) -> C.

join([]) -> [];
join([X]) -> [X];
join([X | Xs]) -> [X, "," | join(Xs)].

object(Name, N) ->
    Doc = #{name => list_to_binary(Name), count => N, tags => [a, b]},
    Text = encode(Doc),
    Size = byte_size(Text),
    {Size > 10, Text}.

list(L) ->
    Text = encode(L),
    <<First, _/binary>> = Text,
    {First, length(L)}.
