-module(sd2_tests).
-include_lib("eunit/include/eunit.hrl").
-export([init/1, handle_call/3, handle_cast/2]).
%% Nobody sleeps: two servers call each other, and only their time limits end that.
calls_test() ->
    {ok, A} = gen_server:start(?MODULE, none, []),
    {ok, B} = gen_server:start(?MODULE, A, []),
    gen_server:cast(A, {call, B}),
    gen_server:cast(B, {call, A}).
%% The test itself does not end in its time.
long_test() -> timer:sleep(6000).
%% Who waits with a limit goes on after it.
after_test() -> spawn(fun() -> receive x -> ok after 7000 -> ok end end), ok.
init(S) -> {ok, S}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast({call, Other}, S) -> gen_server:call(Other, hello), {noreply, S}.
