%% The processes user and standard_error: they stand for the runtime's standard
%% devices. Output through io does not reach them as messages; they serve who
%% speaks the I/O protocol by hand.
-module(user).

-export([start/0, start/1, start_out/0, interfaces/1]).

-export([run/2]).

start() -> start(user).

start(Name) when Name =:= user; Name =:= standard_error ->
    case whereis(Name) of
        undefined ->
            Pid = spawn(?MODULE, run, [self(), Name]),
            receive {Pid, ready} -> Pid end;
        Pid ->
            Pid
    end.

start_out() -> start().

%% The shell and the drivers that OTP's user process may have do not exist.
interfaces(_) -> [].

run(Starter, Name) ->
    process_flag(trap_exit, true),
    register(Name, self()),
    erlscope_native:io_attach(self(), case Name of user -> standard_io; _ -> Name end),
    Starter ! {self(), ready},
    erlscope_io:loop(case Name of user -> standard_io; _ -> Name end).
