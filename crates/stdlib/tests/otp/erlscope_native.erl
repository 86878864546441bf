%% The native functions of NATIVES.md, played by the BEAM: lets the library be
%% tested there. Captures are processes; events of tests go to whoever has
%% registered as erlscope_events.
-module(erlscope_native).

-export([ets_ignore_count/0, logger_config/0, logger_config/2,
         io_device/1, io_attach/2, io_relay/2, io_write/2, io_read_line/2, io_unread/2,
         io_getopts/1, io_setopts/2, io_geometry/2, io_capture/0, io_captured/1, printable_range/0,
         code_path/0, code_set_path/1, code_load/1, code_loaded/0, code_which/1,
         is_explored/0, test_event/1, scratch_dir/0, arguments/0, plain_arguments/0, booted/0]).

-define(KEY(Key), {erlscope_native, Key}).

ets_ignore_count() -> ok.

is_explored() -> false.

logger_config() -> persistent_term:get(?KEY(logger), undefined).

logger_config(Config, _) -> persistent_term:put(?KEY(logger), Config).

%%% Devices: a process is native when it was attached.

io_device(Pid) -> persistent_term:get(?KEY({device, Pid}), process).

io_attach(Pid, Device) -> persistent_term:put(?KEY({device, Pid}), {native, Device}).

io_relay(Pid, Leader) ->
    case io_device(Leader) of
        {native, Device} -> io_attach(Pid, Device);
        process -> ok
    end.

io_write(standard_io, Text) ->
    io:put_chars(user, Text);
io_write(standard_error, Text) ->
    io:put_chars(standard_error, Text);
io_write({capture, Pid}, Text) ->
    Pid ! {write, Text},
    ok.

io_read_line(Device, Prompt) ->
    io_write(Device, Prompt),
    case get(?KEY({unread, Device})) of
        Text when is_binary(Text), Text =/= <<>> ->
            [Line | Rest] = binary:split(Text, <<"\n">>),
            case Rest of
                [] -> put(?KEY({unread, Device}), <<>>), {ok, Line};
                [R] -> put(?KEY({unread, Device}), R), {ok, <<Line/binary, "\n">>}
            end;
        _ ->
            eof
    end.

io_unread(Device, Text) ->
    Old = case get(?KEY({unread, Device})) of undefined -> <<>>; O -> O end,
    put(?KEY({unread, Device}), <<Text/binary, Old/binary>>),
    ok.

io_getopts(_) -> [{binary, false}, {encoding, unicode}].

io_setopts(_, _) -> ok.

io_geometry(_, _) -> {error, enotsup}.

io_capture() -> {capture, spawn(fun() -> capture([]) end)}.

io_captured({capture, Pid}) ->
    Ref = make_ref(),
    Pid ! {take, self(), Ref},
    receive {Ref, Text} -> Text end.

capture(Texts) ->
    receive
        {write, Text} -> capture([Text | Texts]);
        {take, From, Ref} -> From ! {Ref, lists:reverse(Texts)}, capture(Texts)
    end.

printable_range() -> io:printable_range().

code_path() -> code:get_path().

code_set_path(Path) ->
    true = code:set_path(Path),
    ok.

code_load(Module) -> code:load_file(Module).

code_loaded() -> code:all_loaded().

code_which(Module) -> code:which(Module).

test_event(Event) ->
    case whereis(erlscope_events) of
        undefined -> io:format("~p~n", [Event]);
        Pid -> Pid ! {test_event, Event}
    end,
    ok.

scratch_dir() -> "/tmp/erlscope_ct".

arguments() -> [].

plain_arguments() -> [].

booted() -> ok.
