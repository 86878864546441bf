%% The selective receive of chapter 10.4, as it is written there but for the start value, and that
%% who stops it waits until all requests are served.
-module(sel_recv).
-behaviour(gen_server_cpre).
-include_lib("edbc.hrl").
-export([start_link/0, stop/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, cpre/3, terminate/2, code_change/3]).
-export([test/0, run/0]).

start_link() -> gen_server_cpre:start_link({local, ?MODULE}, ?MODULE, [], []).
stop() -> timer:sleep(100), gen_server_cpre:stop(?MODULE).
test() -> gen_server_cpre:call(?MODULE, test).

init([]) -> {ok, []}.

cpre({result, N}, _, State = [N | _]) -> {true, State};
cpre({result, N}, _, State) -> io:format("Message ~p delayed~n", [N]), {false, State};
cpre(test, _, State) -> {true, State}.

?INVARIANT(fun(S) -> is_list(S) end).
handle_call(test, _From, _State) ->
    List = [1, 2, 3, 4, 5, 6, 7, 8, 9],
    lists:map(
        fun(N) -> spawn(fun() -> gen_server_cpre:call(?MODULE, {result, N}) end) end,
        lists:reverse(List)),
    {reply, ok, List};
handle_call({result, N}, _From, [N | R]) ->
    io:format("served: " ++ integer_to_list(N) ++ "\n"),
    {reply, ok, R}.

handle_cast(_Request, State) -> {noreply, State}.
handle_info(_Info, State) -> {noreply, State}.
terminate(_Reason, _State) -> ok.
code_change(_OldVsn, State, _Extra) -> {ok, State}.

run() -> {ok, _} = start_link(), ok = test(), stop().

%! run(): ok
