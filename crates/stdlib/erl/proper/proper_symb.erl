%% Symbolic terms: {call, Module, Function, Arguments} (or '$call') stands for what the call gives,
%% {var, Name} for what the variable is.
-module(proper_symb).

-export([eval/1, eval/2, defined/1, well_defined/1, pretty_print/1, pretty_print/2]).

eval(Term) -> eval([], Term).

%% Variables: [{Name, Value}]
eval(Variables, {Call, Module, Function, Arguments})
  when Call =:= call, is_list(Arguments); Call =:= '$call', is_list(Arguments) ->
    M = eval(Variables, Module),
    F = eval(Variables, Function),
    apply(M, F, eval(Variables, Arguments));
eval(Variables, {var, Name} = Variable) ->
    case lists:keyfind(Name, 1, Variables) of
        {_, Value} -> Value;
        false -> Variable
    end;
eval(Variables, [First | Rest]) ->
    [eval(Variables, First) | eval(Variables, Rest)];
eval(Variables, Tuple) when is_tuple(Tuple) ->
    list_to_tuple(eval(Variables, tuple_to_list(Tuple)));
eval(Variables, Map) when is_map(Map) ->
    maps:from_list(eval(Variables, maps:to_list(Map)));
eval(_, Term) ->
    Term.

%% Whether a term can be evaluated.
defined(Term) ->
    try eval(Term) of
        _ -> true
    catch
        _:_ -> false
    end.

%% The same as a type.
well_defined(Type) -> proper_types:add_constraint(Type, fun defined/1, true).

pretty_print(Term) -> pretty_print([], Term).

pretty_print(Variables, Term) -> lists:flatten(text(Variables, Term)).

text(Variables, {Call, Module, Function, Arguments})
  when Call =:= call, is_list(Arguments); Call =:= '$call', is_list(Arguments) ->
    [text(Variables, Module), $:, text(Variables, Function), $(, texts(Variables, Arguments), $)];
text(Variables, {var, Name}) ->
    case lists:keyfind(Name, 1, Variables) of
        {_, Value} -> io_lib:format("~tp", [Value]);
        false when is_atom(Name) -> atom_to_list(Name);
        false -> io_lib:format("Var~w", [Name])
    end;
text(Variables, Tuple) when is_tuple(Tuple) ->
    [${, texts(Variables, tuple_to_list(Tuple)), $}];
text(Variables, List) when is_list(List), List =/= [] ->
    case io_lib:printable_unicode_list(List) orelse not is_proper(List) of
        true -> io_lib:format("~tp", [List]);
        false -> [$[, texts(Variables, List), $]]
    end;
text(_, Term) ->
    io_lib:format("~tp", [Term]).

texts(Variables, Terms) -> lists:join($,, [text(Variables, T) || T <- Terms]).

is_proper([_ | Rest]) -> is_proper(Rest);
is_proper(Tail) -> Tail =:= [].
