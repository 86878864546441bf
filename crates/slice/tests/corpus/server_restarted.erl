%% Servers under a supervisor: one that fails is started anew, and has forgotten what it knew.
%% inputs: forgets(list(int)), both(int, int), too_often(list(one(fine; bad))), transient(int)
-module(server_restarted).
-behaviour(gen_server).
-export([forgets/1, both/2, too_often/1, transient/1]).
-export([start_counter/2, init/1, handle_call/3, handle_cast/2]).

forgets(L) ->
    {ok, Sup} = supervised({one_for_one, 20, [counter(first, 1)]}),
    [gen_server:cast(first, {add, X}) || X <- L],
    settle(),
    Sum = gen_server:call(first, get),
    stop(Sup),
    Sum.

both(A, B) ->
    {ok, Sup} = supervised({one_for_all, 5, [counter(first, A), counter(second, B)]}),
    gen_server:cast(second, {add, 1}),
    gen_server:cast(first, {add, A}),
    settle(),
    X = try gen_server:call(second, get) catch exit:_ -> gone end,
    stop(Sup),
    X.

too_often(L) ->
    {ok, Sup} = supervised({one_for_one, 1, [counter(first, 1)]}),
    lists:foreach(fun(bad) -> gen_server:cast(first, {add, 1000}), settle();
                     (fine) -> gen_server:cast(first, {add, 1}) end, L),
    settle(),
    Left = try gen_server:call(first, get) catch exit:_ -> gone end,
    Alive = is_process_alive(Sup),
    {Left, Alive}.

transient(N) ->
    Child = maps:put(restart, transient, counter(first, N)),
    {ok, Sup} = supervised({one_for_one, 5, [Child]}),
    gen_server:cast(first, {leave, N}),
    settle(),
    Is = whereis(first) =/= undefined,
    stop(Sup),
    Is.

supervised(What) ->
    {ok, Sup} = supervisor:start_link(?MODULE, What),
    unlink(Sup),
    {ok, Sup}.

settle() -> receive after 20 -> ok end.

stop(Sup) ->
    Ref = monitor(process, Sup),
    exit(Sup, shutdown),
    receive {'DOWN', Ref, _, _, _} -> ok after 200 -> ok end.

counter(Name, Start) -> #{id => Name, start => {?MODULE, start_counter, [Name, Start]}}.

start_counter(Name, Start) -> gen_server:start_link({local, Name}, ?MODULE, {count, Start}, []).

init({count, N}) -> {ok, N};
init({Strategy, Most, Children}) ->
    {ok, {#{strategy => Strategy, intensity => Most, period => 5}, Children}}.

handle_call(get, _From, N) -> {reply, N, N}.

handle_cast({add, X}, N) ->
    Next = limited(N + X),
    {noreply, Next};
handle_cast({leave, X}, N) when X rem 2 =:= 0 -> {stop, normal, N};
handle_cast({leave, X}, N) -> {stop, {odd, X}, N}.

limited(N) when N > 8 -> exit(full);
limited(N) -> N.
