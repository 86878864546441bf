%% A gen_statem that fails in some of its states.
%% inputs: keys(list(one(push; pull; kick))), noticed(list(one(push; kick))), linked(int), timed(nat), wrong(int)
-module(statem_failing).
-behaviour(gen_statem).
-export([keys/1, noticed/1, linked/1, timed/1, wrong/1]).
-export([init/1, callback_mode/0, open/3, closed/3]).

keys(Keys) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), 0}, []),
    [gen_statem:cast(Pid, K) || K <- Keys],
    Got = try gen_statem:call(Pid, get) catch exit:_ -> broken end,
    Got.

noticed(Keys) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), 0}, []),
    Ref = monitor(process, Pid),
    [gen_statem:cast(Pid, K) || K <- Keys],
    gen_statem:cast(Pid, quit),
    Why = receive {'DOWN', Ref, process, _, normal} -> quit; {'DOWN', Ref, process, _, _} -> failed end,
    Moves = moves(0),
    {Why, Moves}.

moves(N) -> receive {moved, _} -> moves(N + 1) after 0 -> N end.

linked(N) ->
    process_flag(trap_exit, true),
    {ok, Pid} = gen_statem:start_link(?MODULE, {self(), N}, []),
    gen_statem:cast(Pid, {divide, N}),
    Reply = (catch gen_statem:call(Pid, get)),
    Exit = receive {'EXIT', Pid, {badarith, _}} -> badarith after 10 -> none end,
    unlink(Pid),
    {shape(Reply), Exit}.

shape({'EXIT', _}) -> failed;
shape(Other) -> Other.

timed(N) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), N}, []),
    gen_statem:cast(Pid, {soon, N}),
    receive after 30 -> ok end,
    R = try gen_statem:call(Pid, get) catch exit:_ -> too_late end,
    R.

wrong(N) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), N}, []),
    R = try gen_statem:call(Pid, {odd, N}) catch exit:_ -> refused end,
    S = try gen_statem:call(Pid, get) catch exit:_ -> gone end,
    {R, S}.

callback_mode() -> state_functions.

init({Owner, N}) -> {ok, open, {Owner, N}}.

open(cast, push, {Owner, N}) -> Owner ! {moved, closed}, {next_state, closed, {Owner, N + 1}};
open(cast, pull, _) -> keep_state_and_data;
open(cast, kick, {Owner, N}) -> {keep_state, {Owner, N + 10}};
open(cast, {divide, K}, {Owner, N}) -> {keep_state, {Owner, 100 div (K - 1) + N}};
open(cast, {soon, K}, _) -> {keep_state_and_data, [{state_timeout, 5, K}]};
open(state_timeout, K, {Owner, N}) when K < 5 -> {keep_state, {Owner, N - K}};
open({call, From}, {odd, N}, _) when N rem 2 =:= 0 -> {keep_state_and_data, [{reply, From, even}]};
open({call, _From}, {odd, 1}, _) -> {stop, one};
open({call, _From}, {odd, 3}, _) -> three;
open({call, From}, get, {_, N}) -> {keep_state_and_data, [{reply, From, {open, N}}]};
open(cast, quit, _) -> stop.

closed(cast, pull, {Owner, N}) -> Owner ! {moved, open}, {next_state, open, {Owner, N}};
closed(cast, push, {Owner, N}) -> {keep_state, {Owner, N + 1}};
closed(cast, kick, {_, N}) -> exit({shutdown, {kicked, N}});
closed({call, From}, get, {_, N}) -> {keep_state_and_data, [{reply, From, {closed, N}}]};
closed(cast, quit, _) -> stop.
