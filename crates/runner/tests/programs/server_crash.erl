%% A gen_server that fails takes its caller's call with it.
-module(server_crash).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    [crash(How) || How <- [error, exit, throw, bad_return, stop]].

crash(How) ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    Call = try gen_server:call(S, How) catch exit:{Reason, {gen_server, call, _}} -> {exit, short(Reason)} end,
    Exit = receive {'EXIT', S, R} -> short(R) after 100 -> alive end,
    gen_server_stop(S),
    {How, Call, Exit}.

gen_server_stop(S) -> catch gen_server:stop(S).

short({Reason, [{M, F, _, _} | _]}) when is_atom(M) -> {Reason, M, F};
short(Reason) -> Reason.

init([]) -> {ok, state}.
handle_call(error, _, _) -> error(broken);
handle_call(exit, _, _) -> exit(leaving);
handle_call(throw, _, S) -> throw({reply, thrown, S});
handle_call(bad_return, _, _) -> nonsense;
handle_call(stop, _, S) -> {stop, enough, stopping, S}.
handle_cast(_, S) -> {noreply, S}.
terminate(_, _) -> ok.
