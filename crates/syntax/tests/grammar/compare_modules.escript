#!/usr/bin/env escript
%% Compares our reading of modules with that of epp.
%% Usage: compare_modules.escript LIST. LIST has a line "SOURCE<tab>OURS<tab>LOCATION<tab>INCLUDE..." a module;
%% OURS is the list of forms in the external term format, or the text if its name ends in ".terms";
%% LOCATION is where the first line is said to be, "1" or "{1,1}".
%% Prints "same SOURCE" or "differs SOURCE: ...".
-mode(compile).

main([List]) ->
    ok = io:setopts([{encoding, unicode}]),
    {ok, Bytes} = file:read_file(List),
    Lines = [binary:split(Line, <<"\t">>, [global])
             || Line <- binary:split(Bytes, <<"\n">>, [global, trim])],
    Self = self(),
    Queue = spawn_link(fun() -> queue(Lines) end),
    Workers = erlang:system_info(schedulers_online),
    [spawn_link(fun() -> worker(Queue, Self) end) || _ <- lists:seq(1, Workers)],
    collect(length(Lines)).

queue(Lines) ->
    receive {next, Pid} ->
        case Lines of
            [Line | Rest] -> Pid ! {work, Line}, queue(Rest);
            [] -> Pid ! done, queue([])
        end
    end.

worker(Queue, Parent) ->
    Queue ! {next, self()},
    receive
        {work, [Source, Ours, Location | Includes]} ->
            Parent ! {result, compare(unicode:characters_to_list(Source),
                                      unicode:characters_to_list(Ours), Location,
                                      [unicode:characters_to_list(I) || I <- Includes])},
            worker(Queue, Parent);
        done -> ok
    end.

collect(0) -> ok;
collect(N) ->
    receive {result, {Source, same}} -> io:format("same ~ts~n", [Source]);
            {result, {Source, Difference}} -> io:format("differs ~ts: ~ts~n", [Source, Difference])
    end,
    collect(N - 1).

compare(Source, OurFile, Start, Includes) ->
    Ours = case filename:extension(OurFile) of
        ".terms" -> case file:consult(OurFile) of {ok, Terms} -> Terms; Error -> [Error] end;
        _ -> {ok, Bytes} = file:read_file(OurFile), binary_to_term(Bytes)
    end,
    Location = case Start of <<"1">> -> 1; _ -> {1, 1} end,
    Otp = try epp:parse_file(Source, [{location, Location}, {includes, Includes}]) of
        {ok, Forms} -> Forms;
        Failure -> [Failure]
    catch Class:Reason -> [{Class, Reason}]
    end,
    {Source, difference(Ours, Otp)}.

difference(Forms, Forms) -> same;
difference([Form | Ours], [Form | Otp]) -> difference(Ours, Otp);
difference(Ours, Otp) ->
    {A, B} = narrow(first(Ours), first(Otp)),
    io_lib:format("ours ~0tP otp ~0tP", [A, 14, B, 14]).

first([Form | _]) -> Form;
first([]) -> no_more_forms.

%% The innermost part that differs.
narrow(A, B) when is_tuple(A), is_tuple(B), tuple_size(A) =:= tuple_size(B), tuple_size(A) > 0 ->
    case narrow_list(tuple_to_list(A), tuple_to_list(B)) of
        {X, Y} when is_tuple(X); is_tuple(Y); is_list(X); is_list(Y) -> {X, Y};
        _ -> {A, B}
    end;
narrow([_ | _] = A, [_ | _] = B) -> narrow_list(A, B);
narrow(A, B) -> {A, B}.

narrow_list([X | As], [X | Bs]) -> narrow_list(As, Bs);
narrow_list([X | _], [Y | _]) -> narrow(X, Y);
narrow_list(As, Bs) -> {As, Bs}.
