%% Answers one request of the I/O protocol that was sent to a device of the runtime as a message.
-module(erlscope_io_request).

-export([answer/4]).

answer(Device, From, ReplyAs, Request) ->
    From ! {io_reply, ReplyAs, erlscope_io:serve(Device, Request)}.
