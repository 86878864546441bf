%% A server of the program does not look at what it is asked; one of the library, asked by the same call, does.
%% inputs: main(int)
-module(server_strangers).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).

main(N) ->
    {ok, Own} = gen_server:start(?MODULE, N, []),
    {ok, Sup} = server_strangers_sup:start(),
    A = ask(Own, get),
    Request = case N > 2 of true -> count_children; false -> which_children end,
    B = ask(Sup, Request),
    {A, B}.

ask(Server, Request) ->
    Answer = gen_server:call(Server, Request),
    Answer.

init(N) -> {ok, N}.

handle_call(_, _, S) -> {reply, S, S}.

handle_cast(_, S) -> {noreply, S}.
