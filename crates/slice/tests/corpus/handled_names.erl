%% Names that were registered before a failure, or not.
%% inputs: main(int), twice(one(a; b))
-module(handled_names).
-export([main/1, twice/1]).

main(X) ->
    try
        register(one, self()),
        X > 3 andalso throw({no, X}),
        register(two, self())
    catch throw:{no, _} -> ok
    end,
    One = whereis(one) =:= self(),
    Two = whereis(two) =:= self(),
    {One, Two}.

twice(Name) ->
    register(a, self()),
    put(names, [a]),
    try
        register(Name, self()),
        put(names, [Name | get(names)])
    catch error:badarg -> ok
    end,
    try unregister(c), put(names, []) catch error:badarg -> ok end,
    Names = get(names),
    try
        unregister(a),
        c ! hello
    catch error:badarg -> ok
    end,
    Gone = whereis(a),
    {Names, Gone}.
