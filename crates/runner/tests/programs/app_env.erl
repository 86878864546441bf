%% Environment of applications that are not started.
-module(app_env).
-export([main/0]).
main() ->
    undefined = application:get_env(my_app, key),
    ok = application:set_env(my_app, key, value),
    {ok, value} = application:get_env(my_app, key),
    default = application:get_env(my_app, other, default),
    ok = application:unset_env(my_app, key),
    undefined = application:get_env(my_app, key),
    {error, {"no such file or directory", "nothing_here.app"}} = application:start(nothing_here),
    [{kernel, _, _}] = [A || {kernel, _, _} = A <- application:which_applications()],
    ok.
