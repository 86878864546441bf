%% Handlers of events that fail are taken away; the others go on.
%% inputs: removed(list(int)), one_of_two(list(int)), at_start(int), listed(list(int))
-module(event_failing).
-behaviour(gen_event).
-export([removed/1, one_of_two/1, at_start/1, listed/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

removed(L) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, {self(), 5}),
    [gen_event:notify(M, {value, X}) || X <- L],
    Sum = gen_event:call(M, ?MODULE, sum),
    gen_event:stop(M),
    Sum.

one_of_two(L) ->
    {ok, M} = gen_event:start(),
    gen_event:add_handler(M, {?MODULE, strict}, {self(), 3}),
    gen_event:add_handler(M, {?MODULE, loose}, {self(), 1000000}),
    [gen_event:sync_notify(M, {value, X}) || X <- L],
    A = gen_event:call(M, {?MODULE, strict}, sum),
    B = gen_event:call(M, {?MODULE, loose}, sum),
    gen_event:stop(M),
    {A, B}.

at_start(N) ->
    {ok, M} = gen_event:start(),
    R = case gen_event:add_handler(M, ?MODULE, {start, N}) of
            ok -> fine;
            {'EXIT', _} -> failed;
            Other -> {other, Other}
        end,
    L = gen_event:which_handlers(M),
    gen_event:stop(M),
    {R, length(L)}.

listed(L) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, {self(), 4}),
    [M ! {value, X} || X <- L],
    Names = gen_event:which_handlers(M),
    gen_event:stop(M),
    Last = receive {ended, Sum} -> Sum after 5 -> none end,
    {Names, Last}.

init({start, N}) when N > 2 -> {ok, {none, 100 div (N - 3), 0}};
init({start, N}) when N < 0 -> {error, negative};
init({start, _}) -> other_thing;
init({Owner, Most}) -> {ok, {Owner, Most, 0}}.

handle_event({value, X}, {Owner, Most, Sum}) ->
    small(X, Most),
    {ok, {Owner, Most, Sum + X}}.

small(X, Most) when X =< Most -> ok;
small(9, _) -> throw(remove_handler);
small(X, _) -> error({large, X}).

handle_call(sum, {_, _, Sum} = State) -> {ok, Sum, State}.

handle_info({value, X}, State) -> handle_event({value, X}, State).

terminate(_, {Owner, _, Sum}) when is_pid(Owner) -> Owner ! {ended, Sum};
terminate(_, _) -> ok.
