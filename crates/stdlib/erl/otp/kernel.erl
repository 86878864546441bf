%% The supervisor kernel_safe_sup, under which library services start when they are first used:
%% disk_log, dets, timer.
%%
%% Few programs use one. So it begins as a plain process that waits for its first message
%% and only then becomes a supervisor: booting a node does not load the module.
-module(kernel).
-behaviour(supervisor).

-export([wait/1, init/1]).

-define(SERVER, {local, kernel_safe_sup}).

wait(Parent) ->
    receive
        First ->
            put('$ancestors', [Parent]),
            put('$initial_call', {supervisor, ?MODULE, 1}),
            %% Whatever has arrived meanwhile is behind the first message, and stays in order.
            self() ! First,
            rotate(First, process_info(self(), message_queue_len)),
            {ok, State} = supervisor:init({?SERVER, ?MODULE, safe}),
            gen_server:enter_loop(supervisor, [], State, ?SERVER)
    end.

%% Puts the messages that were before the one just sent behind it.
rotate(_First, {message_queue_len, Length}) ->
    _ = [receive Message -> self() ! Message end || _ <- lists:seq(1, Length - 1)],
    ok.

init(safe) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, []}}.
