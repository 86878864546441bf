%% Which messages may come in which state: a file that is opened, written by who opened it, closed.
-module(protocol).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all]).

-messages(["call(open, _, closed) -> true; call({write, _}, {Pid, _}, {open, Owner}) -> Pid =:= Owner;"
           "call(written, _, _) -> true",
           "cast(close, {open, _}) -> true",
           "info(tick, _) -> true; info(_, closed) -> {false, \"it is closed\"}"]).

init(S) -> {ok, S}.
handle_call(open, {Pid, _}, _) -> {reply, ok, {open, Pid}};
handle_call({write, _}, _, S) -> {reply, ok, S};
handle_call(written, _, S) -> {reply, S, S}.
handle_cast(_, _) -> {noreply, closed}.
handle_info(_, S) -> {noreply, S}.

run(Messages) ->
    {ok, P} = gen_server:start(?MODULE, closed, []),
    [send(P, Message) || Message <- Messages],
    case catch gen_server:call(P, written) of
        {open, _} -> open;
        closed -> closed;
        _ -> gone
    end.
send(P, {cast, Message}) -> gen_server:cast(P, Message);
send(P, {info, Message}) -> P ! Message;
send(P, {other, Message}) ->
    Self = self(),
    spawn(fun() -> catch gen_server:call(P, Message), Self ! done end),
    receive done -> ok end;
send(P, Message) -> catch gen_server:call(P, Message).

%! run([open, {write, a}, {cast, close}]): closed
%! run([open, {write, a}, {write, b}]): open
%! run([{info, tick}, open, {info, tick}]): open
%! run([{write, a}]): messages caller
%! run([open, open]): messages caller
%! run([open, {other, {write, a}}]): messages caller
%! run([{cast, close}]): messages caller
%! run([open, {cast, other}]): messages caller
%! run([{info, stop}]): messages caller
%! run([open, {info, stop}]): messages caller
