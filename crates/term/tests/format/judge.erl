%% Reads cases, one term each, and writes what OTP makes of each on a line of its own.
-module(judge).
-export([main/0]).

main() ->
    [In, Out] = init:get_plain_arguments(),
    {ok, Cases} = file:consult(In),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    [ok = file:write(File, unicode:characters_to_binary([io_lib:write(answer(Case), [{encoding, unicode}]), $\n])) || Case <- Cases],
    ok = file:close(File),
    halt(0).

answer(Case) ->
    try {ok, run(Case)} catch _:_ -> failed end.

run({format, Format, Args}) -> io_lib:format(Format, Args);
run({format, Format, Args, Options}) -> io_lib:format(Format, Args, Options);
run({scan, Format, Args}) -> io_lib:scan_format(Format, Args);
run({print, Term, Column, Length, Depth}) -> io_lib:print(Term, Column, Length, Depth);
run({pretty, Term, Options, Records}) ->
    Fun = fun(Tag, N) ->
                  case lists:keyfind({Tag, N}, 1, Records) of
                      {_, Names} -> Names;
                      false -> no
                  end
          end,
    io_lib_pretty:print(Term, [{record_print_fun, Fun} | Options]);
run({write, Term, Options}) -> io_lib:write(Term, Options);
run({length, Chars}) -> io_lib:chars_length(Chars).
