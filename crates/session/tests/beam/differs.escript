#!/usr/bin/env escript
%% Whether calls come to something else in two versions of a module, on the BEAM: reads found.txt,
%% {Number, Old, New, Call}, and prints those that do not in several tries.
-mode(compile).

main([Dir]) ->
    {ok, Found} = file:consult(filename:join(Dir, "found.txt")),
    {ok, _, Helper} = compile:file(filename:join(Dir, "erlscope_inputs.erl"), [binary, nowarn_unused_function]),
    {module, _} = code:load_binary(erlscope_inputs, "erlscope_inputs.erl", Helper),
    logger:set_primary_config(level, none),
    lists:foreach(fun one/1, Found),
    io:format("done~n").

one({Number, Old, New, Call}) ->
    case different(Old, New, Call, 5) of
        true -> ok;
        Same -> io:format("same ~p ~0p~n", [Number, Same])
    end.

different(Old, New, Call, Tries) ->
    Before = outcome(Old, Call),
    After = outcome(New, Call),
    case Before =/= After of
        true -> true;
        false when Tries > 0 -> different(Old, New, Call, Tries - 1);
        false -> Before
    end.

%% The same with nobody left of it.
outcome(File, Call) ->
    Before = processes(),
    Outcome = outcome_of(File, Call),
    Left = [{P, monitor(process, P)} || P <- processes() -- Before],
    [exit(P, kill) || {P, _} <- Left],
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Left],
    Outcome.

%% How a call ends, with what it writes, up to names of processes and the like.
outcome_of(File, Call) ->
    {ok, Module, Code} = compile:file(File, [binary]),
    code:purge(Module),
    code:delete(Module),
    code:purge(Module),
    {module, Module} = code:load_binary(Module, File, Code),
    {ok, Tokens, _} = erl_scan:string(Call ++ "."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        Writer = spawn(fun() -> written([]) end),
        group_leader(Writer, self()),
        End = try erl_eval:exprs(Exprs, []) of
            {value, Value, _} -> {returned, plain(Value)}
        catch
            Class:Reason -> {Class, plain(Reason)}
        end,
        Writer ! {give, self()},
        Text = receive {text, T} -> T end,
        {messages, Left} = process_info(self(), messages),
        Self ! {self(), {End, Text, plain(Left), plain(sent())}}
    end),
    receive
        {Pid, End} -> erlang:demonitor(Ref, [flush]), End;
        {'DOWN', Ref, _, _, Reason} -> {ended, plain(Reason)}
    after 2000 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, _, _, _} -> ok end,
        still_running
    end.

%% What the processes that stand in for others were sent.
sent() ->
    Stands = [P || {{erlscope_inputs, {process, _}}, P} <- get()],
    [element(2, process_info(P, messages)) || P <- lists:sort(Stands), is_process_alive(P)].

written(Text) ->
    receive
        {io_request, From, As, {put_chars, _, Chars}} ->
            From ! {io_reply, As, ok},
            written([Text, Chars]);
        {io_request, From, As, {put_chars, _, M, F, A}} ->
            From ! {io_reply, As, ok},
            written([Text, apply(M, F, A)]);
        {io_request, From, As, _} ->
            From ! {io_reply, As, {error, enotsup}},
            written(Text);
        {give, To} ->
            To ! {text, unicode:characters_to_binary(Text)}
    end.

plain(X) when is_pid(X) -> pid;
plain(X) when is_reference(X) -> ref;
plain(X) when is_port(X) -> port;
plain(X) when is_function(X) -> {'fun', element(2, erlang:fun_info(X, arity))};
plain([{M, F, A, L} | _] = X) when is_atom(M), is_atom(F), is_list(L), (is_integer(A) orelse is_list(A)) ->
    case is_list(X) andalso lists:all(fun(E) -> tuple_size(E) =:= 4 end, X) of
        true -> stack;
        false -> X
    end;
plain([X | Y]) -> [plain(X) | plain(Y)];
plain(X) when is_tuple(X) -> list_to_tuple(plain(tuple_to_list(X)));
plain(X) when is_map(X) -> maps:from_list(plain(maps:to_list(X)));
plain(X) -> X.
