%% An application callback module whose behaviour is in the environment of the application.
-module(test_app).
-behaviour(application).

-export([start/2, stop/1, prep_stop/1, start_phase/3, config_change/3]).

start(Type, Args) ->
    tell({start, Type, Args}),
    case application:get_env(start) of
        {ok, Fun} -> Fun();
        undefined -> supervisor:start_link(test_sup, {ok, {#{}, []}})
    end.

prep_stop(State) -> tell({prep_stop, State}), prepared.
stop(State) -> tell({stop, State}).
start_phase(Phase, Type, Args) -> tell({phase, Phase, Type, Args}), case Args of fail -> {error, Phase}; _ -> ok end.
config_change(Changed, New, Removed) -> tell({config_change, Changed, New, Removed}), ok.

tell(What) ->
    case whereis(app_test) of
        undefined -> ok;
        Pid -> Pid ! What
    end.
