%% Runs scenarios and prints what each came to, so that two runs can be compared:
%% one on OTP's modules, one on ours. Process identifiers, references and what
%% depends on time or memory are replaced by names in order of appearance.
%%
%% A scenario module exports scenarios() -> [{Name, Fun}]. A fun's value, or its
%% exception with the stack, is its outcome, together with the log events of
%% error and higher that came up meanwhile (unless the scenario says quiet).
-module(compare).

-export([main/1, log/2, normal/1]).

main([Dir | Modules]) ->
    application:set_env(kernel, logger_level, notice),
    logger:set_handler_config(default, level, none),
    ok = file:set_cwd(Dir),
    lists:foreach(fun(Module) -> [run(Module, S) || S <- Module:scenarios()] end, Modules),
    erlang:halt(0).

run(Module, {Name, Fun}) ->
    run(Module, Name, Fun, true);
run(Module, {Name, Fun, quiet}) ->
    run(Module, Name, Fun, false).

run(Module, Name, Fun, WithLog) ->
    Collector = spawn(fun() -> collect([]) end),
    ok = logger:add_handler(compare, ?MODULE, #{level => notice, filter_default => log, collector => Collector}),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       Result = outcome(Fun),
                                       {links, Links} = process_info(self(), links),
                                       [begin unlink(P), exit(P, kill) end || P <- Links, is_pid(P)],
                                       exit({outcome, Result})
                               end),
    Outcome = receive
                  {'DOWN', Ref, process, Pid, {outcome, O}} -> O;
                  {'DOWN', Ref, process, Pid, Reason} -> {died, Reason}
              after 30000 ->
                  exit(Pid, kill),
                  timed_out
              end,
    timer:sleep(1),
    logger:remove_handler(compare),
    Collector ! {take, self()},
    Events = receive {events, Es} -> Es end,
    Text = io_lib:format("~0tp", [normal({Outcome, [E || E <- Events, WithLog]})]),
    io:format("~w:~w ~ts~n", [Module, Name, Text]).

outcome(Fun) ->
    try {value, Fun()}
    catch
        Class:Reason:Stack ->
            {Class, Reason, lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack)}
    end.

collect(Events) ->
    receive
        {event, Event} -> collect([Event | Events]);
        {take, From} -> From ! {events, lists:reverse(Events)}
    end.

log(#{level := Level, msg := Message, meta := Meta} = Event, #{collector := Collector}) ->
    Text = logger_formatter:format(Event#{meta := Meta#{time => 0}},
                                   #{legacy_header => true, single_line => false, time_offset => "Z"}),
    Shown = [Line || Line <- string:split(unicode:characters_to_list(Text), "\n", all), not varies(Line)],
    Kept = maps:with([domain, error_logger], maps:map(fun(_, V) -> funs(V) end, Meta)),
    Collector ! {event, {Level, data(Message), Kept, Shown}},
    ok.

varies(Line) ->
    lists:any(fun(Word) -> string:find(Line, Word) =/= nomatch end,
              ["heap_size:", "stack_size:", "reductions:", "<0.", "#Ref<"]).

data({report, #{label := Label} = Report}) -> {report, Label, stripped(maps:remove(label, Report))};
data(Other) -> Other.

stripped(Term) when is_map(Term) -> maps:map(fun(_, V) -> stripped(V) end, Term);
stripped([{heap_size, _} | T]) -> stripped(T);
stripped([{stack_size, _} | T]) -> stripped(T);
stripped([{reductions, _} | T]) -> stripped(T);
stripped([{current_stacktrace, _} | T]) -> stripped(T);
stripped([{current_function, _} | T]) -> stripped(T);
stripped([H | T]) -> [stripped(H) | stripped(T)];
stripped(Term) when is_tuple(Term) -> list_to_tuple(stripped(tuple_to_list(Term)));
stripped(Term) -> Term.

funs(Term) when is_map(Term) -> maps:map(fun(_, V) -> funs(V) end, Term);
funs(Term) -> Term.

%% Identifiers by number of appearance.
normal(Term) ->
    {New, _} = walk(Term, #{}),
    New.

walk(Term, Seen) when is_pid(Term) -> named(Term, pid, Seen);
walk(Term, Seen) when is_reference(Term) -> named(Term, ref, Seen);
walk(Term, Seen) when is_port(Term) -> named(Term, port, Seen);
walk(Term, Seen) when is_function(Term) ->
    {module, M} = erlang:fun_info(Term, module),
    {{'fun', M}, Seen};
walk([H | T], Seen) ->
    {H1, Seen1} = walk(H, Seen),
    {T1, Seen2} = walk(T, Seen1),
    {[H1 | T1], Seen2};
walk(Term, Seen) when is_tuple(Term) ->
    {List, Seen1} = walk(tuple_to_list(Term), Seen),
    {list_to_tuple(List), Seen1};
walk(Term, Seen) when is_map(Term) ->
    {List, Seen1} = walk(lists:sort(maps:to_list(Term)), Seen),
    {{map, List}, Seen1};
walk(Term, Seen) ->
    {Term, Seen}.

named(Id, Kind, Seen) ->
    case Seen of
        #{Id := Name} -> {Name, Seen};
        _ ->
            Name = {Kind, length([1 || {K, _} <- maps:values(Seen), K =:= Kind]) + 1},
            {Name, Seen#{Id => Name}}
    end.
