%% The I/O protocol on the runtime's own devices, by a few native functions.
%% Runs in the calling process, or in the process that stands for the device
%% when somebody sends requests as messages.
%%
%% Input that a request has read but not used is handed back to the device.
-module(erlscope_io).

-export([serve/2, loop/1]).

%% The process of a device: answers requests that come as messages.
loop(Device) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, serve(Device, Request)},
            loop(Device);
        stop ->
            ok;
        _ ->
            loop(Device)
    end.

serve(Device, Request) ->
    try reply(Device, Request)
    catch
        throw:{erlscope_io, Error} -> Error
    end.

reply(Device, {put_chars, Encoding, Chars}) -> put_chars(Device, Encoding, Chars);
reply(Device, {put_chars, Encoding, M, F, A}) ->
    case catch apply(M, F, A) of
        Chars when is_list(Chars); is_binary(Chars) -> put_chars(Device, Encoding, Chars);
        _ -> {error, put_chars}
    end;
reply(Device, {get_line, _, Prompt}) -> shown(Device, line(Device, prompt(Prompt)));
reply(Device, {get_chars, _, Prompt, N}) -> shown(Device, chars(Device, prompt(Prompt), N, []));
reply(Device, {get_password, _}) -> shown(Device, line(Device, ""));
reply(Device, {get_until, _, Prompt, M, F, A}) -> until(Device, prompt(Prompt), M, F, A, []);
reply(Device, {get_geometry, What}) -> erlscope_native:io_geometry(Device, What);
reply(Device, getopts) -> erlscope_native:io_getopts(Device);
reply(Device, {setopts, Options}) when is_list(Options) -> set_options(Device, Options);
reply(Device, {requests, Requests}) -> in_turn(Device, Requests, ok);
%% Requests without an encoding are from old times and mean Latin-1.
reply(Device, {put_chars, Chars}) -> put_chars(Device, latin1, Chars);
reply(Device, {put_chars, M, F, A}) -> reply(Device, {put_chars, latin1, M, F, A});
reply(Device, {get_line, Prompt}) -> reply(Device, {get_line, latin1, Prompt});
reply(Device, {get_chars, Prompt, N}) -> reply(Device, {get_chars, latin1, Prompt, N});
reply(Device, {get_until, Prompt, M, F, A}) -> reply(Device, {get_until, latin1, Prompt, M, F, A});
reply(_, Request) -> {error, {request, Request}}.

%% Stops at the first error.
in_turn(Device, [Request | Requests], _) ->
    case reply(Device, Request) of
        {error, _} = Error -> Error;
        Reply -> in_turn(Device, Requests, Reply)
    end;
in_turn(_, [], Reply) ->
    Reply;
in_turn(_, _, _) ->
    {error, request}.

put_chars(Device, Encoding, Chars) ->
    case catch unicode:characters_to_binary(Chars, Encoding, unicode) of
        Binary when is_binary(Binary) -> erlscope_native:io_write(Device, Binary);
        _ -> {error, put_chars}
    end.

%%% --------------------------------------------------------------------- input

prompt(Prompt) when is_binary(Prompt) -> unicode:characters_to_list(Prompt);
prompt({format, Format, Args}) -> prompt(catch io_lib:format(Format, Args));
prompt(Prompt) when is_atom(Prompt) -> atom_to_list(Prompt);
prompt(Prompt) when is_list(Prompt) ->
    case catch unicode:characters_to_list(Prompt) of
        Chars when is_list(Chars) -> Chars;
        _ -> lists:flatten(io_lib:format("~tp", [Prompt]))
    end;
prompt(Prompt) -> lists:flatten(io_lib:format("~tp", [Prompt])).

%% A line with its line break as a list, eof, or {error, Reason}.
line(Device, Prompt) ->
    case erlscope_native:io_read_line(Device, unicode:characters_to_binary(Prompt)) of
        {ok, Line} -> unicode:characters_to_list(Line);
        Other -> Other
    end.

chars(_, _, 0, Got) ->
    lists:append(lists:reverse(Got));
chars(Device, Prompt, N, Got) ->
    case line(Device, Prompt) of
        Line when is_list(Line) ->
            case length(Line) > N of
                true ->
                    {Wanted, Rest} = lists:split(N, Line),
                    hand_back(Device, Rest),
                    chars(Device, Prompt, 0, [Wanted | Got]);
                false ->
                    chars(Device, Prompt, N - length(Line), [Line | Got])
            end;
        eof when Got =/= [] ->
            chars(Device, Prompt, 0, Got);
        Other ->
            Other
    end.

%% M:F decides, line by line, when it has enough.
until(Device, Prompt, M, F, A, State) ->
    case line(Device, Prompt) of
        {error, _} = Error -> Error;
        Data ->
            case catch apply(M, F, [State, Data | A]) of
                {done, Result, Rest} ->
                    is_list(Rest) andalso Rest =/= [] andalso hand_back(Device, Rest),
                    case Result of
                        _ when is_list(Result); is_binary(Result) -> shown(Device, Result);
                        _ -> Result
                    end;
                {more, NewState} ->
                    until(Device, Prompt, M, F, A, NewState);
                _ ->
                    {error, F}
            end
    end.

hand_back(Device, Chars) ->
    erlscope_native:io_unread(Device, unicode:characters_to_binary(Chars)).

%% As a binary where the device is in binary mode.
shown(Device, Chars) when is_list(Chars) ->
    case erlscope_native:io_getopts(Device) of
        [{binary, true} | _] -> unicode:characters_to_binary(Chars);
        _ -> Chars
    end;
shown(_, Other) ->
    Other.

%%% ------------------------------------------------------------------- options

set_options(Device, Options) ->
    Known = [option(Option) || Option <- Options],
    case lists:member(bad, Known) of
        true -> {error, enotsup};
        false -> erlscope_native:io_setopts(Device, Known)
    end.

option(binary) -> {binary, true};
option(list) -> {binary, false};
option({binary, B} = Option) when is_boolean(B) -> Option;
option({echo, B} = Option) when is_boolean(B) -> Option;
option({encoding, unicode}) -> {encoding, unicode};
option({encoding, utf8}) -> {encoding, unicode};
option({encoding, latin1}) -> {encoding, latin1};
option({expand_fun, Fun} = Option) when is_function(Fun, 1) -> Option;
option(_) -> bad.
