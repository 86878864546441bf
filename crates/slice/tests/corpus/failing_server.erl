%% A server that failed handles nothing any more; who asks it hears of that.
%% inputs: noticed(list(int)), asked(list(int))
-module(failing_server).
-behaviour(gen_server).
-export([noticed/1, asked/1]).
-export([init/1, handle_call/3, handle_cast/2]).

noticed(L) ->
    {ok, Pid} = gen_server:start(?MODULE, self(), []),
    Ref = monitor(process, Pid),
    lists:foreach(fun(X) -> gen_server:cast(Pid, {add, X}) end, L),
    gen_server:cast(Pid, stop),
    receive {'DOWN', Ref, process, _, _} -> ok end,
    Got = got(0),
    Got.

got(N) ->
    receive {added, X} -> got(N + X) after 0 -> N end.

asked(L) ->
    {ok, Pid} = gen_server:start(?MODULE, self(), []),
    lists:foreach(fun(X) -> gen_server:cast(Pid, {add, X}) end, L),
    Sum = try gen_server:call(Pid, sum) of S -> S catch exit:_ -> gone end,
    Sum.

init(Owner) -> {ok, {Owner, 0}}.

handle_call(sum, _From, {Owner, Sum}) -> {reply, Sum, {Owner, Sum}}.

handle_cast({add, X}, {Owner, Sum}) ->
    Owner ! {added, X},
    check(X),
    {noreply, {Owner, Sum + X}};
handle_cast(stop, State) ->
    {stop, normal, State}.

check(X) when X > 2 -> exit({shutdown, large});
check(X) when X < -2 -> exit(shutdown);
check(_) -> ok.
