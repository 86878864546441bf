%% One function server_wrapped servers that are part of the program and some that are not.
%% inputs: main(int), raw(int), cast(int)
-module(server_wrapped).
-behaviour(gen_server).
-export([main/1, raw/1, cast/1, init/1, handle_call/3, handle_cast/2]).

main(N) ->
    {ok, Own} = gen_server:start(?MODULE, N, []),
    {ok, Sup} = server_wrapped_sup:start(),
    A = ask(Own, get),
    Request = case N > 2 of true -> count_children; false -> which_children end,
    B = ask(Sup, Request),
    {A, B}.

ask(Server, Request) ->
    Answer = gen_server:call(Server, Request),
    Answer.

raw(N) ->
    {ok, Own} = gen_server:start(?MODULE, N, []),
    Pid = spawn(fun loop/0),
    A = ask(Own, get),
    B = ask(Pid, {twice, N}),
    {A, B}.

loop() ->
    receive
        {'$gen_call', From, {twice, X}} ->
            gen_server:reply(From, X * 2),
            loop()
    end.

cast(N) ->
    {ok, Own} = gen_server:start(?MODULE, N, []),
    Pid = spawn(fun keep/0),
    tell(Own, get),
    tell(Pid, {keep, N}),
    Pid ! {get, self()},
    receive {kept, X} -> X after 100 -> none end.

tell(Server, What) -> gen_server:cast(Server, What).

keep() ->
    receive {'$gen_cast', {keep, X}} -> ok end,
    receive {get, From} -> From ! {kept, X} end.

init(N) -> {ok, N}.

handle_call(_, _, S) -> {reply, S, S}.

handle_cast(_, S) -> {noreply, S}.
