%% What OTP's compiler makes of some calls and operators shows in stack traces: functions of `maps` that are builtins,
%% the order of operands, the name of a send that fails. And comprehensions with filters that only look like guards.
-module(compiled_calls).
-compile({no_auto_import, [size/1, is_reference/1]}).
-import(gb_sets, [size/1]).
-import(maps, [is_key/2]).
-export([main/0]).

%% A default value that is no guard expression.
-record(late, {field = [X || X <- id([])]}).

-define(TRY(Expr), try Expr catch Class:Reason:Stack -> {Class, Reason, frames(Stack)} end).

main() ->
    [?TRY(maps:get(k, id(#{}))), ?TRY({maps:get(id(k), id([]))}), ?TRY(maps:is_key(a, id(b))), ?TRY(is_key(a, id(b))),
     ?TRY(maps:size(id(a))), ?TRY(tail(k, #{})), maps:get(k, #{k => 1}), is_key(k, #{k => 1}), maps:size(#{a => b}),
     ?TRY(id(nobody) ! x), ?TRY(nobody ! x), ?TRY(erlang:send(id(nobody), x)),
     ?TRY(true and id(1)), ?TRY(false or id(1)), ?TRY(true xor id(1)), ?TRY(id(1) and true), ?TRY(1 and id(true)),
     ?TRY(a + id(1)), ?TRY(2 * id(a)), ?TRY("a" bor id(1)), ?TRY(2 - id(a)), ?TRY(a bsl id(1)),
     [gb_sets:to_list(S) || S <- [gb_sets:singleton(42), gb_sets:from_list([1, 2])], size(S) > 1],
     [N || N <- [1, -3, 3, 4], is_reference(N)], [N || N <- [1, -3, 3, 4], is_reference(N) andalso N > 0],
     ?TRY([x || #late{}]), [x || is_tuple(#late{})],
     removed()].

frames([{Module, Name, Arguments, Info} | Stack]) ->
    [{Module, Name, Arguments, lists:keyfind(line, 1, Info), lists:keyfind(error_info, 1, Info)}
     | [{M, F, A} || {M, F, A, _} <- Stack, M =:= ?MODULE]].

tail(Key, Map) -> maps:get(Key, Map).

is_reference(N) -> N rem 3 =:= 0.

%% Whether there was a monitor.
removed() ->
    Nobody = demonitor(make_ref(), [info, flush]),
    {Gone, Late} = spawn_monitor(fun() -> ok end),
    Ref = monitor(process, Gone),
    receive {'DOWN', Ref, process, Gone, _} -> ok end,
    Alive = monitor(process, spawn(fun() -> receive stop -> ok end end)),
    {Nobody, demonitor(Late, [info, flush]), demonitor(Alive, [flush, info]), process_info(self(), message_queue_len)}.

id(X) -> X.
