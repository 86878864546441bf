%% Servers that fail at one message, and clients that catch what they hear of it.
%% inputs: call_fails(int, int), later_call(list(int)), client_dies(int), replaced(list(int)), at_start(int), continues(int), bad_answer(int), told_at_end(list(int)), through_others(int)
-module(server_caught).
-behaviour(gen_server).
-export([call_fails/2, later_call/1, client_dies/1, replaced/1, at_start/1, continues/1, bad_answer/1,
         told_at_end/1, through_others/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

%% The call itself makes the server fail.
call_fails(A, B) ->
    {ok, Pid} = gen_server:start(?MODULE, A, []),
    First = (catch gen_server:call(Pid, {divide, B})),
    Second = try gen_server:call(Pid, get) catch exit:{noproc, _} -> gone; exit:_ -> other end,
    {ok, Again} = gen_server:start(?MODULE, B, []),
    Third = gen_server:call(Again, get),
    {kind(First), Second, Third}.

kind({'EXIT', _}) -> failed;
kind(Value) -> Value.

%% A message of before does.
later_call(L) ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    [Pid ! {check, X} || X <- L],
    Value = try gen_server:call(Pid, get) catch exit:_ -> none end,
    Value.

%% The client does not catch it, but somebody watches the client.
client_dies(N) ->
    {ok, Pid} = gen_server:start(?MODULE, N, []),
    Me = self(),
    {Client, Ref} = spawn_monitor(fun() ->
        gen_server:cast(Pid, {check, N}),
        Got = gen_server:call(Pid, get),
        Me ! {got, Got}
    end),
    receive {'DOWN', Ref, process, Client, Why} -> ok end,
    Said = receive {got, V} -> V after 0 -> nothing end,
    Normal = Why =:= normal,
    {Said, Normal}.

%% A new one is started where the old one has ended.
replaced([]) -> 0;
replaced([X | Rest]) ->
    Pid = server(),
    gen_server:cast(Pid, {check, X}),
    Sum = try gen_server:call(server_caught_named, {add, X}) catch exit:_ -> -1 end,
    replaced(Rest) + Sum.

server() ->
    case whereis(server_caught_named) of
        undefined ->
            {ok, Pid} = gen_server:start({local, server_caught_named}, ?MODULE, 100, []),
            Pid;
        Pid -> Pid
    end.

at_start(N) ->
    Started = gen_server:start(?MODULE, {start, N}, []),
    case Started of
        {ok, Pid} -> gen_server:call(Pid, get);
        {error, {Reason, Stack}} when is_list(Stack) -> {refused, Reason};
        {error, Reason} -> {stopped, Reason}
    end.

continues(N) ->
    {ok, Pid} = gen_server:start(?MODULE, {continue, N}, []),
    A = try gen_server:call(Pid, get) of V -> {value, V} catch exit:{{Why, _}, _} -> {why, Why} end,
    A.

bad_answer(N) ->
    {ok, Pid} = gen_server:start(?MODULE, N, []),
    gen_server:cast(Pid, {give, N}),
    R = try gen_server:call(Pid, get) catch exit:_ -> ended end,
    R.

told_at_end(L) ->
    {ok, Pid} = gen_server:start(?MODULE, {owner, self()}, []),
    [gen_server:cast(Pid, {check, X}) || X <- L],
    gen_server:cast(Pid, stop),
    receive {ended, Why, Sum} -> {Why, Sum} end.

through_others(N) ->
    {ok, Back} = gen_server:start(?MODULE, N, []),
    {ok, Front} = gen_server:start(?MODULE, {front, Back}, []),
    gen_server:cast(Back, {check, N}),
    X = try gen_server:call(Front, ask) catch exit:_ -> front_failed end,
    Y = try gen_server:call(Front, ask) catch exit:_ -> still_failed end,
    {X, Y}.

init({start, N}) when N < 0 -> exit({negative, N});
init({start, 0}) -> {stop, zero};
init({start, N}) -> {ok, 10 div (N - 1)};
init({continue, N}) -> {ok, N, {continue, N * 2}};
init({owner, Owner}) -> process_flag(trap_exit, true), {ok, {Owner, 0}};
init({front, Back}) -> {ok, {front, Back}};
init(N) -> {ok, N}.

handle_continue(Twice, N) when Twice > N -> {noreply, N + Twice};
handle_continue(Twice, _) -> error({not_more, Twice}).

handle_call({divide, B}, _From, A) -> {reply, A div B, A};
handle_call({add, X}, _From, A) -> {reply, A + X, A + X};
handle_call(ask, _From, {front, Back} = S) -> {reply, {asked, gen_server:call(Back, get)}, S};
handle_call(get, _From, A) -> {reply, A, A}.

handle_cast({check, X}, {Owner, Sum}) -> checked(X), {noreply, {Owner, Sum + X}};
handle_cast({check, X}, A) -> checked(X), {noreply, A + X};
handle_cast({give, X}, A) -> given(X, A);
handle_cast(stop, State) -> {stop, normal, State}.

checked(X) when X > 4 -> exit({shutdown, X});
checked(X) when X < -2 -> error(low);
checked(_) -> ok.

given(X, A) when X > 3 -> {reply, A};
given(X, _) when X > 1 -> nothing_of_use;
given(X, A) -> {noreply, A - X}.

handle_info({check, X}, A) ->
    checked(X),
    {noreply, A + X}.

terminate(Why, {Owner, Sum}) when is_pid(Owner) -> Owner ! {ended, class(Why), Sum};
terminate(_, _) -> ok.

class(normal) -> normal;
class({shutdown, _}) -> shutdown;
class(_) -> failed.
