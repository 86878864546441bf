-module(scenario_application).

-export([scenarios/0]).

app(Name) -> app(Name, []).
app(Name, More) ->
    {application, Name, More ++ [{description, "a " ++ atom_to_list(Name)}, {vsn, "1.0"}, {modules, [m]}, {registered, []},
                                 {applications, [kernel, stdlib]}, {env, [{k1, v1}, {k2, v2}]}]}.

with(Apps, Fun) ->
    register(app_test, self()),
    [ok = application:load(A) || A <- Apps],
    try Fun()
    after
        [begin application:stop(N), application:unload(N) end || {_, N, _} <- lists:reverse(Apps)],
        unregister(app_test),
        flush()
    end.

started(Fun) -> {mod, {test_app, args}, Fun}.

scenarios() ->
    [{load, fun() -> with([app(a1)], fun() -> {application:load(app(a1)), application:get_key(a1, vsn), application:get_key(a1, nothing), application:get_key(nobody, vsn), lists:keyfind(a1, 1, application:loaded_applications())} end) end},
     {load_missing, fun() -> {application:load(no_such_app), application:start(no_such_app), application:ensure_all_started(no_such_app)} end},
     {load_bad, fun() -> {application:load({application, 1, []}), application:load({application, a, x}), application:load(foo_bar_baz), catch application:load({application, a, [{mod, x}]})} end},
     {all_keys, fun() -> with([app(a1)], fun() -> {ok, K} = application:get_all_key(a1), [case X of {env, E} -> {env, lists:sort(E)}; _ -> X end || X <- K] end) end},
     {env, fun() -> with([app(a1)], fun() -> {application:get_env(a1, k1), application:get_env(a1, no), application:get_env(a1, no, d), application:set_env(a1, k1, new), application:get_env(a1, k1), application:unset_env(a1, k1), application:get_env(a1, k1), lists:sort(application:get_all_env(a1)), application:set_env([{a1, [{x, 1}, {y, 2}]}]), lists:sort(application:get_all_env(a1))} end) end},
     {env_persistent, fun() -> application:set_env(a1, k1, early, [{persistent, true}]), R = with([app(a1)], fun() -> application:get_env(a1, k1) end), application:unset_env(a1, k1, [{persistent, true}]), {R, with([app(a1)], fun() -> application:get_env(a1, k1) end)} end},
     {env_overwritten, fun() -> application:set_env(a1, k1, early), with([app(a1)], fun() -> application:get_env(a1, k1) end) end},
     {env_errors, fun() -> [catch_error(fun() -> application:set_env(C) end) || C <- [[{1, []}], [foo], [{a, b}], [{a, [b]}], [{a, [{1, 2}]}], [{a, [{b, 1}, {b, 2}]}], [{a, []}, {a, []}]]] end},
     {start, fun() -> with([app(a1)], fun() -> {application:start(a1), application:start(a1), hd(application:which_applications()), application:stop(a1), application:stop(a1)} end) end},
     {start_mod, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> R = application:start(a1), M = flush(), {R, M, application:stop(a1), flush()} end) end},
     {start_type, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> {application:start(a1, bad_type), application:start(a1, permanent), application:stop(a1)} end) end},
     {start_state, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> application:set_env(a1, start, fun() -> {ok, P} = supervisor:start_link(test_sup, {ok, {#{}, []}}), {ok, P, my_state} end), application:start(a1), application:stop(a1), flush() end) end},
     {start_fails, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> [begin application:set_env(a1, start, F), application:start(a1) end || F <- [fun() -> {error, no} end, fun() -> bad end, fun() -> exit(normal) end, fun() -> exit(x) end]] end) end, quiet},
     {start_crash, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> application:set_env(a1, start, fun() -> error(x) end), {error, {bad_return, {C, {'EXIT', {x, _}}}}} = application:start(a1), C end) end, quiet},
     {no_mod, fun() -> with([app(a1, [{mod, {no_module, []}}])], fun() -> {error, {bad_return, {C, {'EXIT', {undef, [F | _]}}}}} = application:start(a1), {C, F} end) end, quiet},
     {not_started, fun() -> with([app(a1), app(a2, [{applications, [a1]}])], fun() -> {application:start(a2), application:ensure_started(a2), application:ensure_all_started(a2), [element(1, A) || A <- application:which_applications(), lists:member(element(1, A), [a1, a2])]} end) end},
     {ensure_all_fails, fun() -> with([app(a1), app(a2, [{applications, [a1, missing]}])], fun() -> {application:ensure_all_started(a2), lists:keyfind(a1, 1, application:which_applications())} end) end},
     {optional, fun() -> with([app(a2, [{applications, [missing]}, {optional_applications, [missing]}])], fun() -> {application:ensure_all_started(a2), application:stop(a2)} end) end},
     {exits, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> application:set_env(a1, start, fun() -> {ok, spawn_link(fun() -> receive {die, W} -> exit(W) end end)} end), application:start(a1), _ = flush(), M = application_controller:get_master(a1), {P, Mod} = application_master:get_child(M), P ! {die, out}, timer:sleep(20), {Mod, flush(), lists:keyfind(a1, 1, application:which_applications())} end) end, quiet},
     {members, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> Self = self(), application:set_env(a1, start, fun() -> spawn(fun() -> Self ! {app, application:get_application(), application:get_env(k2), application:get_key(vsn)}, register(survivor, self()), timer:sleep(100000) end), supervisor:start_link(test_sup, {ok, {#{}, []}}) end), application:start(a1), X = receive {app, A, B, C} -> {A, B, C} end, G = application:get_application(whereis(survivor)), application:stop(a1), {X, G, whereis(survivor), application:get_application(self()), application:get_application(m)} end) end},
     {phases, fun() -> with([app(a1, [{mod, {test_app, args}}, {start_phases, [{one, 1}, {two, 2}]}])], fun() -> {application:start(a1), flush()} end) end},
     {phase_fails, fun() -> with([app(a1, [{mod, {test_app, args}}, {start_phases, [{one, 1}, {two, fail}]}])], fun() -> {application:start(a1), flush()} end) end, quiet},
     {included, fun() -> with([app(a1, [{included_applications, []}])], fun() -> {application:get_key(a1, included_applications), application:unload(a1), application:unload(a1)} end) end},
     {unload_running, fun() -> with([app(a1)], fun() -> application:start(a1), {application:unload(a1), application:stop(a1)} end) end},
     {permit, fun() -> with([app(a1)], fun() -> R = {application:permit(a1, false), application:start(a1), lists:keymember(a1, 1, application:which_applications()), application:permit(a1, true), lists:keymember(a1, 1, application:which_applications())}, application:stop(a1), application:unset_env(kernel, permissions), R end) end},
     {file, fun() -> ok = file:write_file("filed.app", io_lib:format("~p.~n", [app(filed)])), code:add_patha("."), R = {application:load(filed), application:get_key(filed, description)}, application:unload(filed), code:del_path("."), R end},
     {file_bad, fun() -> ok = file:write_file("filed.app", "{application, filed, [}."), code:add_patha("."), {error, _} = application:load(filed), code:del_path("."), ok end},
     {config_change, fun() -> with([app(a1, [{mod, {test_app, args}}])], fun() -> application:start(a1), _ = flush(), B = application_controller:prep_config_change(), application:set_env(a1, k1, other), application:set_env(a1, k3, new), application:unset_env(a1, k2), {application_controller:config_change(B), flush()} end) end}].

catch_error(Fun) -> try Fun() catch C:R -> {C, R} end.

flush() -> receive M -> [M | flush()] after 15 -> [] end.
