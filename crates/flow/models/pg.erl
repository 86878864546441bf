%% Groups of processes, and who wants to know of them.
-module(pg).

start(_) -> {ok, '$spawn'(fun() -> tell() end)}.
start_link() -> P = '$spawn'(fun() -> tell() end), '$link'(P), {ok, P}.
start_link(_) -> P = '$spawn'(fun() -> tell() end), '$link'(P), {ok, P}.

tell() ->
    {Client, Ref, Group} = '$get'(group_watchers, all),
    Client ! {Ref, either(join, leave), Group, list('$get'(groups, Group))},
    tell().

join(Group, P) -> members(Group, P), ok.
join(_, Group, P) -> members(Group, P), ok.
members(Group, [P | Rest]) -> members(Group, P), members(Group, Rest);
members(Group, P) -> '$put'(groups, Group, P).
leave(_, _) -> either(ok, not_joined).
leave(_, _, _) -> either(ok, not_joined).
get_members(Group) -> list('$get'(groups, Group)).
get_members(_, Group) -> list('$get'(groups, Group)).
get_local_members(Group) -> list('$get'(groups, Group)).
get_local_members(_, Group) -> list('$get'(groups, Group)).
which_groups() -> list(any()).
which_groups(_) -> list(any()).
which_local_groups() -> list(any()).
which_local_groups(_) -> list(any()).
monitor(Group) -> watch(Group).
monitor(_, Group) -> watch(Group).
watch(Group) ->
    Ref = '$ref'(), '$put'(group_watchers, all, {self(), Ref, Group}), {Ref, list('$get'(groups, Group))}.
monitor_scope() -> watch_all().
monitor_scope(_) -> watch_all().
watch_all() -> Ref = '$ref'(), '$put'(group_watchers, all, {self(), Ref, any()}), {Ref, any()}.
demonitor(_) -> either(ok, false).
demonitor(_, _) -> either(ok, false).
