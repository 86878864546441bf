%% A bounded buffer between producers and consumers.
-module(buffer).
-export([main/0]).
main() ->
    Buffer = spawn_link(fun() -> buffer(queue:new(), 3) end),
    Me = self(),
    spawn_link(fun() -> [add(Buffer, N) || N <- lists:seq(1, 10)], Me ! produced end),
    Taken = [take(Buffer) || _ <- lists:seq(1, 10)],
    receive produced -> ok end,
    Taken.

add(Buffer, Item) ->
    Buffer ! {put, self(), Item},
    receive {Buffer, ok} -> ok end.

take(Buffer) ->
    Buffer ! {take, self()},
    receive {Buffer, {item, Item}} -> Item end.

buffer(Q, Max) ->
    Length = queue:len(Q),
    receive
        {put, From, Item} when Length < Max ->
            From ! {self(), ok},
            buffer(queue:in(Item, Q), Max);
        {take, From} when Length > 0 ->
            {{value, Item}, Rest} = queue:out(Q),
            From ! {self(), {item, Item}},
            buffer(Rest, Max)
    end.
