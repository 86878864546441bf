%% Input and output by the Erlang I/O protocol.
%%
%% A device that the runtime itself provides (standard input and output, a
%% capture of output) is served in the calling process: one native action, no
%% messages. Any other device is a process and gets the request as a message.
-module(io).

-export([format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3,
         put_chars/1, put_chars/2, put_chars/3, nl/0, nl/1, write/1, write/2,
         get_chars/2, get_chars/3, get_line/1, get_line/2, get_password/0, get_password/1,
         fread/2, fread/3, read/1, read/2, read/3, read/4,
         getopts/0, getopts/1, setopts/1, setopts/2, columns/0, columns/1, rows/0, rows/1,
         scan_erl_exprs/1, scan_erl_exprs/2, scan_erl_exprs/3, scan_erl_exprs/4,
         scan_erl_form/1, scan_erl_form/2, scan_erl_form/3, scan_erl_form/4,
         parse_erl_exprs/1, parse_erl_exprs/2, parse_erl_exprs/3, parse_erl_exprs/4,
         parse_erl_form/1, parse_erl_form/2, parse_erl_form/3, parse_erl_form/4,
         request/1, request/2, requests/1, requests/2, printable_range/0]).

-export_type([device/0, format/0, server_no_data/0]).

-type device() :: atom() | pid().
-type format() :: atom() | string() | binary().
-type server_no_data() :: {error, ErrorDescription :: term()} | eof.

%%% ------------------------------------------------------------------ requests

-spec format(format()) -> ok.
-spec format(format(), [term()]) -> ok.
-spec format(device(), format(), [term()]) -> ok.
-spec fwrite(format()) -> ok.
-spec fwrite(format(), [term()]) -> ok.
-spec fwrite(device(), format(), [term()]) -> ok.
-spec put_chars(unicode:chardata()) -> ok.
-spec put_chars(device(), unicode:chardata()) -> ok.
-spec nl() -> ok.
-spec nl(device()) -> ok.
-spec write(term()) -> ok.
-spec write(device(), term()) -> ok.
-spec get_line(atom() | unicode:chardata()) -> string() | unicode:unicode_binary() | server_no_data().
-spec get_line(device(), atom() | unicode:chardata()) ->
    string() | unicode:unicode_binary() | server_no_data().
-spec columns() -> {ok, pos_integer()} | {error, enotsup}.
-spec rows() -> {ok, pos_integer()} | {error, enotsup}.

request(Request) -> request(group_leader(), Request).

request(Device, Request) ->
    case perform(Device, Request) of
        {failed, Reason} -> {error, Reason};
        Reply -> Reply
    end.

requests(Requests) -> requests(group_leader(), Requests).

requests(Device, Requests) -> request(Device, {requests, Requests}).

%% The reply of the device, or {failed, Reason} when it could not be asked.
perform(standard_io, Request) ->
    perform(group_leader(), Request);
perform(Pid, _) when Pid =:= self() ->
    {failed, calling_self};
perform(Pid, Request) when is_pid(Pid) ->
    case erlscope_native:io_device(Pid) of
        {native, Device} -> erlscope_io:serve(Device, translate(Request));
        process -> ask(Pid, translate(Request))
    end;
perform(Name, Request) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> {failed, arguments};
        Pid -> perform(Pid, Request)
    end.

ask(Pid, Request) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! {io_request, self(), Ref, Request},
    receive
        {io_reply, Ref, Reply} ->
            erlang:demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, _, _, _} ->
            receive {'EXIT', Pid, _} -> ok after 0 -> ok end,
            {failed, terminated}
    end.

%% From the calls of this module to the protocol.
translate({write, Term}) -> {put_chars, unicode, io_lib, write, [Term]};
translate({Format, Text, Args}) when Format =:= format; Format =:= fwrite ->
    {put_chars, unicode, io_lib, Format, [Text, Args]};
translate(nl) -> {put_chars, unicode, "\n"};
translate({put_chars, Encoding, Chars} = Request) when is_list(Chars) ->
    case catch unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) -> {put_chars, Encoding, Binary};
        _ -> Request
    end;
translate({fread, Prompt, Format}) -> {get_until, unicode, Prompt, io_lib, fread, [Format]};
translate({requests, Requests}) -> {requests, [translate(R) || R <- Requests]};
translate(Request) -> Request.

%%% --------------------------------------------------------------------- input

get_chars(Prompt, N) -> get_chars(group_leader(), Prompt, N).
get_chars(Device, Prompt, N) when is_integer(N), N >= 0 ->
    request(Device, {get_chars, unicode, Prompt, N}).

get_line(Prompt) -> get_line(group_leader(), Prompt).
get_line(Device, Prompt) -> request(Device, {get_line, unicode, Prompt}).

get_password() -> get_password(group_leader()).
get_password(Device) -> request(Device, {get_password, unicode}).

fread(Prompt, Format) -> fread(group_leader(), Prompt, Format).
fread(Device, Prompt, Format) -> request(Device, {fread, Prompt, Format}).

read(Prompt) -> read(group_leader(), Prompt).

read(Device, Prompt) ->
    case request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [1]}) of
        {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
        {error, Error, _} -> {error, Error};
        {eof, _} -> eof;
        Other -> Other
    end.

read(Device, Prompt, Location) -> read(Device, Prompt, Location, []).
read(Device, Prompt, Location, Options) ->
    parsed(fun erl_parse:parse_term/1, tokens(Device, Prompt, Location, Options)).

scan_erl_exprs(Prompt) -> tokens(group_leader(), Prompt, 1, []).
scan_erl_exprs(Device, Prompt) -> tokens(Device, Prompt, 1, []).
scan_erl_exprs(Device, Prompt, Location) -> tokens(Device, Prompt, Location, []).
scan_erl_exprs(Device, Prompt, Location, Options) -> tokens(Device, Prompt, Location, Options).

scan_erl_form(Prompt) -> tokens(group_leader(), Prompt, 1, []).
scan_erl_form(Device, Prompt) -> tokens(Device, Prompt, 1, []).
scan_erl_form(Device, Prompt, Location) -> tokens(Device, Prompt, Location, []).
scan_erl_form(Device, Prompt, Location, Options) -> tokens(Device, Prompt, Location, Options).

parse_erl_exprs(Prompt) -> parse_erl_exprs(group_leader(), Prompt).
parse_erl_exprs(Device, Prompt) -> parse_erl_exprs(Device, Prompt, 1).
parse_erl_exprs(Device, Prompt, Location) -> parse_erl_exprs(Device, Prompt, Location, []).
parse_erl_exprs(Device, Prompt, Location, Options) ->
    parsed(fun erl_parse:parse_exprs/1, tokens(Device, Prompt, Location, Options)).

parse_erl_form(Prompt) -> parse_erl_form(group_leader(), Prompt).
parse_erl_form(Device, Prompt) -> parse_erl_form(Device, Prompt, 1).
parse_erl_form(Device, Prompt, Location) -> parse_erl_form(Device, Prompt, Location, []).
parse_erl_form(Device, Prompt, Location, Options) ->
    parsed(fun erl_parse:parse_form/1, tokens(Device, Prompt, Location, Options)).

tokens(Device, Prompt, Location, Options) ->
    request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [Location, Options]}).

parsed(Parse, {ok, Tokens, End}) ->
    case Parse(Tokens) of
        {ok, Result} -> {ok, Result, End};
        {error, Error} -> {error, Error, End}
    end;
parsed(_, Other) ->
    Other.

%%% ------------------------------------------------------------------- options

getopts() -> getopts(group_leader()).
getopts(Device) -> request(Device, getopts).

setopts(Options) -> setopts(group_leader(), Options).
setopts(Device, Options) -> request(Device, {setopts, Options}).

columns() -> columns(group_leader()).
columns(Device) -> geometry(Device, columns).

rows() -> rows(group_leader()).
rows(Device) -> geometry(Device, rows).

geometry(Device, What) ->
    case request(Device, {get_geometry, What}) of
        N when is_integer(N), N > 0 -> {ok, N};
        _ -> {error, enotsup}
    end.

printable_range() -> erlscope_native:printable_range().

%%% -------------------------------------------------------------------- output
%%
%% Errors carry the arguments of the function called; their lines are those of
%% OTP 25.2.3: one for a device that cannot be asked, one for a device's error.

reason(terminated) -> terminated;
reason(calling_self) -> calling_self;
reason({no_translation, _, _}) -> no_translation;
reason(_) -> badarg.

-define(INFO(Origin, Reason), [{error_info, #{cause => {Origin, Reason}, module => erl_stdlib_errors}}]).

-file("io.erl", 91).
format(Format) ->
    case perform(group_leader(), {format, Format, []}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Format], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Format], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
format(Format, Args) ->
    case perform(group_leader(), {format, Format, Args}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Format, Args], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Format, Args], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
format(Device, Format, Args) ->
    case perform(Device, {format, Format, Args}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device, Format, Args], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device, Format, Args], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
fwrite(Format) ->
    case perform(group_leader(), {format, Format, []}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Format], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Format], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
fwrite(Format, Args) ->
    case perform(group_leader(), {format, Format, Args}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Format, Args], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Format, Args], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
fwrite(Device, Format, Args) ->
    case perform(Device, {format, Format, Args}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device, Format, Args], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device, Format, Args], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
put_chars(Chars) ->
    case perform(group_leader(), {put_chars, unicode, Chars}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Chars], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Chars], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
put_chars(Device, Chars) ->
    case perform(Device, {put_chars, unicode, Chars}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device, Chars], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device, Chars], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
put_chars(Device, Encoding, Chars) ->
    case perform(Device, {put_chars, Encoding, Chars}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device, Encoding, Chars], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device, Encoding, Chars], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
nl() ->
    case perform(group_leader(), nl) of
        {failed, Reason} -> erlang:error(reason(Reason), [], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
nl(Device) ->
    case perform(Device, nl) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
write(Term) ->
    case perform(group_leader(), {write, Term}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Term], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Term], ?INFO(device, Reason));
        Reply -> Reply
    end.

-file("io.erl", 91).
write(Device, Term) ->
    case perform(Device, {write, Term}) of
        {failed, Reason} -> erlang:error(reason(Reason), [Device, Term], ?INFO(?MODULE, Reason));



        {error, Reason} ->
            erlang:error(reason(Reason), [Device, Term], ?INFO(device, Reason));
        Reply -> Reply
    end.
