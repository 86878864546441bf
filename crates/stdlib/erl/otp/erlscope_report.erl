%% Text of the behaviours' reports. A report is written down once as a list of
%% parts and becomes text for many lines or for one, limited in depth or size.
%%
%% A part is a string (~n for a new line), {t, Term} for a term that obeys
%% depth and encoding, {l, Terms} for a list that is limited element by element,
%% {n, Term} for a term that is limited already, and {p, Term}, {w, Term} and
%% {s, String} for what is short and always in full.
-module(erlscope_report).

-export([text/2, legacy/1, options/1, reason/1, client_info/1, client/2, log/2]).

%% The report as characters, for a logger report callback with two arguments.
text(Parts, Options) ->
    {Format, Args} = format_and_args(Parts, Options),
    Limit = case Options of
                #{chars_limit := unlimited} -> [];
                #{chars_limit := N} -> [{chars_limit, N}]
            end,
    io_lib:format(Format, Args, Limit).

%% The report as format and arguments, for error_logger's event handlers.
legacy(Report) when is_function(Report, 1) ->
    Depth = error_logger:get_format_depth(),
    Options = options(#{depth => Depth}),
    format_and_args([limited(Part, Depth) || Part <- Report(Options)], Options).

options(Options) ->
    maps:merge(#{chars_limit => unlimited, depth => unlimited,
                 single_line => false, encoding => utf8}, Options).

limited({t, Term}, Depth) when is_integer(Depth) -> {t, io_lib:limit_term(Term, Depth)};
limited({l, Terms}, Depth) when is_integer(Depth) -> {t, [io_lib:limit_term(T, Depth) || T <- Terms]};
limited(Part, _) -> Part.

format_and_args(Parts, #{depth := Depth, single_line := Single, encoding := Encoding}) ->
    Zero = case Single of true -> "0"; false -> "" end,
    T = case Encoding of latin1 -> ""; _ -> "t" end,
    {Letter, More} = case Depth of unlimited -> {"p", []}; _ -> {"P", [Depth]} end,
    Texts = [case Part of
                 {Kind, _} when Kind =:= t; Kind =:= l; Kind =:= n -> "~" ++ Zero ++ T ++ Letter;
                 {p, _} -> "~" ++ Zero ++ "p";
                 {w, _} -> "~w";
                 {s, _} -> "~s";
                 _ -> Part
             end || Part <- Parts],
    Args = [case Part of
                {Kind, Term} when Kind =:= t; Kind =:= l; Kind =:= n -> [Term | More];
                {_, Term} -> [Term]
            end || Part <- Parts, is_tuple(Part)],
    {lists:append(Texts), lists:append(Args)}.

%% An undefined function is told apart from a module that cannot be loaded.
reason({undef, [{M, F, A, L} | Rest]} = Reason) ->
    case erlang:module_loaded(M) of
        false ->
            {'module could not be loaded', [{M, F, A, L} | Rest]};
        true ->
            Arity = case A of _ when is_list(A) -> length(A); _ -> A end,
            case erlang:function_exported(M, F, Arity) of
                true -> Reason;
                false -> {'function not exported', [{M, F, A, L} | Rest]}
            end
    end;
reason(Reason) ->
    Reason.

%% What the client of a failed request was doing.
client_info({Client, _Tag}) -> client_info(Client);
client_info(Client) when is_pid(Client), node(Client) =:= node() ->
    case process_info(Client, [current_stacktrace, registered_name]) of
        undefined -> {Client, dead};
        [{_, Stack}, {_, []}] -> {Client, {Client, Stack}};
        [{_, Stack}, {_, Name}] -> {Client, {Name, Stack}}
    end;
client_info(Client) when is_pid(Client) -> {Client, remote};
client_info(_) -> undefined.

client(undefined, _) ->
    [];
client({Pid, dead}, #{single_line := true}) ->
    [" Client ", {p, Pid}, " is dead."];
client({Pid, remote}, #{single_line := true}) ->
    [" Client ", {p, Pid}, " is remote on node ", {p, node(Pid)}, "."];
client({_, {Name, Stack}}, #{single_line := true}) ->
    %% A few calls tell the place; one line is no room for more.
    [" Client ", {t, Name}, " stacktrace: ", {t, lists:sublist(Stack, 4)}, "."];
client({Pid, dead}, _) ->
    ["** Client ", {p, Pid}, " is dead~n"];
client({Pid, remote}, _) ->
    ["** Client ", {p, Pid}, " is remote on node ", {p, node(Pid)}, "~n"];
client({_, {Name, Stack}}, _) ->
    ["** Client ", {t, Name}, " stacktrace~n** ", {t, Stack}, "~n"].

%% Events that sys logged before the failure.
log([], _) ->
    [];
log(Events, #{single_line := true}) ->
    [" Log: ", {t, Events}];
log(Events, _) ->
    ["** Log ==~n** ["] ++ lists:join(",~n    ", [{t, E} || E <- Events]) ++ ["]~n"].
