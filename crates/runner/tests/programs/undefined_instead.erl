%% A module can have a function that is called in the place of those that it lacks.
-module(undefined_instead).
-export([main/0, '$handle_undefined_function'/2]).
main() ->
    M = ?MODULE,
    Tail = (fun() -> M:in_the_end(1, [2]) end)(),
    Spawned = begin
                  {_, Ref} = spawn_monitor(M, to_be_run, [self()]),
                  receive {'DOWN', Ref, process, _, Reason} -> Reason end
              end,
    {M:none(), Tail, M:many(1, 2, 3, 4, 5), apply(M, applied, [x]), Spawned,
     reason(fun() -> lists:none(1) end), reason(fun() -> M:refused() end)}.

reason(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.

'$handle_undefined_function'(to_be_run, [_]) -> exit(ran);
'$handle_undefined_function'(refused, []) -> error(refused);
'$handle_undefined_function'(Name, Args) -> {Name, Args}.
