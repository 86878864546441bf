%% A logger handler that sends events to a process.
-module(test_log_handler).

-export([log/2, adding_handler/1, removing_handler/1, changing_config/3]).

log(#{meta := #{crash := true}}, _) -> error(crash);
log(Event, #{pid := Pid}) -> Pid ! {log, maps:remove(meta, Event), maps:without([pid, gl, time], maps:get(meta, Event))}.

adding_handler(#{refuse := Reason}) -> {error, Reason};
adding_handler(#{pid := _} = Config) -> {ok, Config#{added => true}}.

removing_handler(#{pid := Pid}) -> Pid ! removed.

changing_config(How, _Old, #{pid := Pid} = New) -> Pid ! {changing, How}, {ok, New}.
