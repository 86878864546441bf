%% Names that are put together while the program runs, and callers that are given by name.
-module(loaded_code).
-export([main/0, a/0, b/1, handle/2, on/1]).
-on_load(on_load/0).

on_load() -> init_table().

init_table() -> ok.

main() ->
    M = ?MODULE,
    F = a,
    M:F(),
    apply(M, b, [1]),
    G = fun M:b/1,
    G(2),
    H = fun ?MODULE:handle/2,
    lists:foldl(H, 0, [1, 2]),
    Names = [b, on],
    [apply(?MODULE, N, [3]) || N <- Names],
    {Mod, Fun} = {?MODULE, list_to_existing_atom("on")},
    Mod:Fun(4),
    #{call := {M2, F2, A2}} = #{call => {?MODULE, handle, [5, 6]}},
    erlang:apply(M2, F2, A2),
    spawn(M2, F2, A2),
    Later = erlang:make_fun(?MODULE, b, 1),
    Later(7),
    put(hook, fun on/1),
    (get(hook))(8),
    case erlang:function_exported(?MODULE, on, 1) of
        true -> ?MODULE:on(9);
        false -> ok
    end,
    application:set_env(kernel, my_hook, {?MODULE, b}),
    {ok, {HM, HF}} = application:get_env(kernel, my_hook),
    HM:HF(10),
    proc_lib:hibernate(?MODULE, on, [11]).

a() -> ok.
b(X) -> X.
handle(X, Y) -> X + Y.
on(X) -> X.
