%% The process dictionary.
-module(dictionary).
-export([main/0]).
main() ->
    undefined = put(a, 1),
    1 = put(a, 2),
    put(b, 3),
    put({c, d}, 2),
    Keys = lists:sort(get_keys(2)),
    All = lists:sort(get()),
    2 = erase(a),
    undefined = get(a),
    {Keys, All, lists:sort(erase()), get()}.
