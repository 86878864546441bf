%% Raw files opened with delayed_write.
%%
%% A process of its own has the file and gathers what is written. It goes to the file when there is enough of it, when
%% its time has come, before anything else is done with the file, and when the owner ends. A failure of a
%% write that was answered before is the answer to the next request.
-module(erlscope_delayed_file).

-export([open/4]).

-export([close/1, read/2, read_line/1, write/2, position/2, pread/2, pread/3, pwrite/2, pwrite/3, truncate/1, sync/1,
         datasync/1, advise/4, allocate/3, read_handle_info/1, read_handle_info/2]).

-export([init/6]).

-record(file_descriptor, {module, data}).

%% pending: the last that was written first. timer: running while anything is pending. failed: an error that nobody has
%% been told of.
-record(state, {handle, monitor, size, time, pending = [], bytes = 0, timer = none, failed = ok}).

open(Name, Modes, Size, Time) ->
    Ref = make_ref(),
    {Pid, Monitor} = spawn_monitor(?MODULE, init, [self(), Ref, Name, Modes, Size, Time]),
    receive
        {Ref, ok} ->
            demonitor(Monitor, [flush]),
            {ok, #file_descriptor{module = ?MODULE, data = #{owner => self(), pid => Pid}}};
        {Ref, Error} ->
            demonitor(Monitor, [flush]),
            Error;
        {'DOWN', Monitor, process, _, _} ->
            {error, terminated}
    end.

init(Owner, Ref, Name, Modes, Size, Time) ->
    Monitor = monitor(process, Owner),
    case prim_file:open(Name, Modes) of
        {ok, Handle} ->
            Owner ! {Ref, ok},
            loop(#state{handle = Handle, monitor = Monitor, size = Size, time = Time});
        Error ->
            Owner ! {Ref, Error}
    end.

%%% ------------------------------------------------------------------ requests

write(File, Data) ->
    try iolist_to_binary(Data) of
        Binary -> request(File, {write, Binary})
    catch
        error:badarg -> {error, badarg}
    end.

close(File) -> request(File, close).
read(File, Size) -> request(File, {read, [Size]}).
read_line(File) -> request(File, {read_line, []}).
position(File, At) -> request(File, {position, [At]}).
pread(File, Places) -> request(File, {pread, [Places]}).
pread(File, At, Size) -> request(File, {pread, [At, Size]}).
pwrite(File, Places) -> request(File, {pwrite, [Places]}).
pwrite(File, At, Data) -> request(File, {pwrite, [At, Data]}).
truncate(File) -> request(File, {truncate, []}).
sync(File) -> request(File, {sync, []}).
datasync(File) -> request(File, {datasync, []}).
advise(File, Offset, Length, Advice) -> request(File, {advise, [Offset, Length, Advice]}).
allocate(File, Offset, Length) -> request(File, {allocate, [Offset, Length]}).
read_handle_info(File) -> request(File, {read_handle_info, []}).
read_handle_info(File, Options) -> request(File, {read_handle_info, [Options]}).

request(#file_descriptor{data = #{owner := Owner}}, _) when Owner =/= self() ->
    error(not_on_controlling_process);
request(#file_descriptor{data = #{pid := Pid}}, Request) ->
    Ref = monitor(process, Pid),
    Pid ! {self(), Ref, Request},
    receive
        {Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, process, _, _} ->
            {error, einval}
    end.

%%% -------------------------------------------------------------------- server

loop(#state{handle = Handle, monitor = Monitor, timer = Timer} = State) ->
    receive
        {From, Ref, Request} when is_pid(From), is_reference(Ref) ->
            case serve(Request, State) of
                {Reply, NewState} ->
                    From ! {Ref, Reply},
                    loop(NewState);
                {closed, Reply, _} ->
                    From ! {Ref, Reply},
                    ok
            end;
        {timeout, Timer, flush} ->
            loop(flushed(State#state{timer = none}));
        {'DOWN', Monitor, process, _, _} ->
            _ = flushed(State),
            prim_file:close(Handle);
        _ ->
            loop(State)
    end.

serve(_, #state{failed = {error, _} = Error} = State) ->
    {Error, State#state{failed = ok}};
serve({write, Binary}, #state{pending = Pending, bytes = Bytes, size = Size} = State) ->
    New = State#state{pending = [Binary | Pending], bytes = Bytes + byte_size(Binary)},
    case New#state.bytes >= Size of
        true ->
            Flushed = flushed(New),
            {Flushed#state.failed, Flushed#state{failed = ok}};
        false ->
            {ok, with_timer(New)}
    end;
serve(Request, State) ->
    case flushed(State) of
        #state{failed = {error, _} = Error} = Failed -> {Error, Failed#state{failed = ok}};
        #state{handle = Handle} = Flushed when Request =:= close -> {closed, prim_file:close(Handle), Flushed};
        #state{handle = Handle} = Flushed ->
            {Operation, Args} = Request,
            {apply(prim_file, Operation, [Handle | Args]), Flushed}
    end.

with_timer(#state{timer = none, time = Time} = State) ->
    State#state{timer = erlang:start_timer(Time, self(), flush)};
with_timer(State) ->
    State.

flushed(#state{pending = []} = State) ->
    State;
flushed(#state{handle = Handle, pending = Pending, timer = Timer} = State) ->
    Timer =:= none orelse erlang:cancel_timer(Timer),
    Written = prim_file:write(Handle, lists:reverse(Pending)),
    State#state{pending = [], bytes = 0, timer = none, failed = Written}.
