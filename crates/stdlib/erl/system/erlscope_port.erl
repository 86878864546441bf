%% The process behind a port for a program of the system: lets it run to its end, and gives its owner what it wrote.
%% Nothing can be written to it.
-module(erlscope_port).

-export([open/4]).

open(Owner, Kind, What, Options) ->
    process_flag(trap_exit, true),
    Port = erlscope_native:this_port(),
    case erlscope_native:run_program(Kind, What, Options) of
        {ok, Status, Output} ->
            [Owner ! {Port, {data, Data}} || Data <- parts(Output, Options)],
            proplists:get_bool(eof, Options) andalso (Owner ! {Port, eof}),
            proplists:get_bool(exit_status, Options) andalso (Owner ! {Port, {exit_status, Status}}),
            case proplists:get_bool(eof, Options) of
                true -> wait(Owner, Port);
                false -> ok
            end;
        {error, Error} -> exit(Error);
        refused -> exit(eacces)
    end.

%% The output has ended, but the port is open until it is closed.
wait(Owner, Port) ->
    receive
        {Owner, close} -> Owner ! {Port, closed};
        {'EXIT', Owner, Reason} -> exit(Reason);
        {_, {connect, New}} -> wait(New, Port);
        {_, {command, _}} -> wait(Owner, Port)
    end.

%% What is sent, as the options say.
parts(Output, Options) ->
    Shape = case proplists:get_bool(binary, Options) of
                true -> fun(Part) -> Part end;
                false -> fun binary_to_list/1
            end,
    case {proplists:get_value(line, Options), proplists:get_value(packet, Options)} of
        {undefined, Size} when Size =:= 1; Size =:= 2; Size =:= 4 -> [Shape(P) || P <- packets(Output, Size)];
        {undefined, _} when Output =:= <<>> -> [];
        {undefined, _} -> [Shape(Output)];
        {Most, _} -> [{Kind, Shape(Line)} || {Kind, Line} <- lines(Output, Most)]
    end.

packets(Output, Size) ->
    case Output of
        <<Length:Size/unit:8, Packet:Length/binary, Rest/binary>> -> [Packet | packets(Rest, Size)];
        _ -> []
    end.

lines(<<>>, _) -> [];
lines(Output, Most) ->
    case binary:split(Output, <<"\n">>) of
        [Line, Rest] when byte_size(Line) =< Most -> [{eol, Line} | lines(Rest, Most)];
        [Line] when byte_size(Line) =< Most -> [{noeol, Line}];
        _ ->
            <<Part:Most/binary, Rest/binary>> = Output,
            [{noeol, Part} | lines(Rest, Most)]
    end.
