%% Funs that come from bytes: the code may be missing, the process that made them is known.
-module(foreign_funs).
-export([main/0]).

main() ->
    Bytes = unknown(nowhere_to_be_found, 3, 77, [x, 2]),
    Fun = binary_to_term(Bytes),
    io:format("~w~n", [[is_function(Fun, 1), is_function(Fun, 2), Fun =:= binary_to_term(Bytes)]]),
    io:format("~w~n", [[erlang:fun_info(Fun, Item) || Item <- [module, name, arity, env, index, uniq, type]]]),
    io:format("~w~n", [erlang:phash2(Fun)]),
    try Fun(1) catch error:Reason:Stack ->
        {Top, Args, []} = hd(Stack),
        io:format("~w ~w ~w~n", [Reason, Top =:= Fun, Args])
    end,
    try Fun(1, 2) catch error:{badarity, {Same, Given}} -> io:format("~w ~w~n", [Same =:= Fun, Given]) end,
    io:format("~w~n", [is_function(binary_to_term(unknown(nor_this, 0, 1, []), [safe]))]),
    Main = self(),
    Maker = spawn(fun() -> Main ! {made, fun(X) -> {X, Main} end} end),
    Made = receive {made, F} -> F end,
    io:format("~w~n", [[erlang:fun_info(G, pid) =:= {pid, Maker} || G <- [Made, binary_to_term(term_to_binary(Made))]]]),
    io:format("~w~n", [erlang:fun_info(fun() -> Main end, pid) =:= {pid, Main}]).

%% A fun of arity 1 in the external format.
unknown(Module, Index, Unique, Env) ->
    Name = atom_to_binary(Module),
    Rest = <<1, 0:128, Index:32, (length(Env)):32, 119, (byte_size(Name)), Name/binary, 97, Index, 98, Unique:32,
             88, 119, 13, "nonode@nohost", 5:32, 0:32, 0:32,
             << <<(plain(Term))/binary>> || Term <- Env >>/binary>>,
    <<131, 112, (byte_size(Rest) + 4):32, Rest/binary>>.

plain(Term) ->
    <<131, Plain/binary>> = term_to_binary(Term),
    Plain.
