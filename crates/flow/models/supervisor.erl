%% Supervisors: the start functions of their child specifications.
-module(supervisor).

start_link(M, A) -> P = '$spawn'(fun() -> run(M, A) end), '$link'(P), {ok, P}.
start_link(N, M, A) ->
    P = '$spawn'(fun() -> run(M, A) end),
    case N of
        {local, Name} -> '$put'(registered, Name, P);
        {global, Name} -> '$put'(global, Name, P);
        {via, Registry, Name} ->
            '$put'(via, Name, P),
            Registry:whereis_name(Name),
            Registry:register_name(Name, P),
            Registry:unregister_name(Name)
    end,
    '$link'(P),
    {ok, P}.

run(M, A) ->
    '$trap'(),
    case M:init(A) of
        {ok, {_, Specs}} -> children(Specs), loop(Specs);
        ignore -> ok
    end.

children([Spec | Rest]) -> child(Spec), children(Rest);
children([]) -> ok.

child({_, {M, F, A}, _, _, _, _}) -> kept('$apply'(M, F, A));
child(#{start := {M, F, A}}) -> kept('$apply'(M, F, A)).

%% Who asks for the children gets all there are.
kept({ok, P}) -> '$put'(children, all, P), {ok, P};
kept({ok, P, X}) -> '$put'(children, all, P), {ok, P, X};
kept(R) -> R.

%% Children of a simple_one_for_one supervisor get more arguments.
loop([Spec | _] = Specs) ->
    receive
        {'$supervisor', From, Tag, {start_child, More}} ->
            R = case Spec of
                {_, {M, F, A}, _, _, _, _} -> kept('$apply'(M, F, A ++ More));
                #{start := {M, F, A}} -> kept('$apply'(M, F, A ++ More))
            end,
            From ! {Tag, either(R, child(More))},
            loop(Specs);
        {'EXIT', _, _} -> child(Spec), loop(Specs)
    end;
loop([]) ->
    receive
        {'$supervisor', From, Tag, {start_child, Spec}} ->
            From ! {Tag, child(Spec)}, loop([Spec]);
        {'EXIT', _, _} -> loop([])
    end.

start_child(S, Spec) ->
    Tag = '$ref'(),
    server(S) ! {'$supervisor', self(), Tag, {start_child, Spec}},
    receive {Tag, R} -> either(R, {error, any()}) end.
server({global, Name}) -> '$get'(global, Name);
server({via, Registry, Name}) -> either('$get'(via, Name), Registry:whereis_name(Name));
server(S) -> S.
restart_child(_, _) -> either({ok, '$get'(children, all)}, {ok, '$get'(children, all), any()}, {error, any()}).
terminate_child(_, _) -> either(ok, {error, not_found}).
delete_child(_, _) -> either(ok, {error, any()}).
which_children(_) ->
    list({any(), either(undefined, restarting, '$get'(children, all)), either(worker, supervisor), any()}).
count_children(_) -> list({atom(), number()}).
check_childspecs(_) -> either(ok, {error, any()}).
check_childspecs(_, _) -> either(ok, {error, any()}).
get_childspec(_, _) -> any().
get_callback_module(_) -> any().
