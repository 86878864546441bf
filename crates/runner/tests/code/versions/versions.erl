%% Two versions of a module, who runs which, and how the old one goes away.
-module(versions).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    show(first_load, load(1)),
    show(call, versioned:value()),
    Pid = spawn(versioned, loop, []),
    Fun = versioned:make_fun(),
    show(fun_of_first, Fun()),
    show(second_load, load(2)),
    show(call, versioned:value()),
    show(old_loop, ask(Pid, local)),
    show(old_code, erlang:check_old_code(versioned)),
    show(runs_old, erlang:check_process_code(Pid, versioned)),
    show(me, erlang:check_process_code(self(), versioned)),
    show(soft_purge, code:soft_purge(versioned)),
    show(new_loop, ask(Pid, remote)),
    show(old_fun, Fun()),
    show(runs_old, erlang:check_process_code(Pid, versioned)),
    show(soft_purge, code:soft_purge(versioned)),
    show(old_fun, catch_error(Fun)),
    show(third_load, load(3)),
    show(old_loop, ask(Pid, local)),
    Ref = monitor(process, Pid),
    show(purge, code:purge(versioned)),
    show(killed, receive {'DOWN', Ref, _, _, Why} -> Why end),
    show(purge, code:purge(versioned)),
    show(delete, code:delete(versioned)),
    show(is_loaded, code:is_loaded(versioned)),
    show(module_loaded, erlang:module_loaded(versioned)),
    show(exported, erlang:function_exported(versioned, value, 0)),
    show(undef, catch_error(fun() -> versioned:value() end)),
    show(delete, code:delete(versioned)),
    show(load_over_old, load(4)),
    show(old_code, erlang:check_old_code(versioned)),
    show(not_purged, erlang:load_module(versioned, binary(5))),
    show(value, versioned:value()),
    show(purge_module, erlang:purge_module(versioned)),
    show(bad_purge, catch_error(fun() -> erlang:purge_module(versioned) end)),
    show(load_module, erlang:load_module(versioned, binary(5))),
    show(value, versioned:value()),
    show(attributes, [Entry || {Key, _} = Entry <- versioned:module_info(attributes), Key =/= vsn]),
    show(exports, lists:sort(versioned:module_info(exports))),
    show(functions, lists:sort([F || {Name, _} = F <- versioned:module_info(functions),
                                     hd(atom_to_list(Name)) =/= $-])),
    show(module, versioned:module_info(module)),
    show(md5, byte_size(versioned:module_info(md5))),
    show(keys, [Key || {Key, _} <- versioned:module_info()]),
    show(bad_key, catch_error(fun() -> versioned:module_info(no_such_key) end)),
    show(badfile, code:load_binary(versioned, "x", <<"junk">>)),
    show(no_module, code:load_file(there_is_no_such_module)),
    show(ensure, code:ensure_loaded(there_is_no_such_module)),
    show(ensure_modules, code:ensure_modules_loaded([lists, there_is_no_such_module])),
    show(which, code:which(there_is_no_such_module)),
    show(file, code:is_loaded(versioned)).

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

catch_error(Fun) ->
    try Fun()
    catch error:{Reason, F} when is_function(F) -> {error, Reason};
          Class:Reason -> {Class, Reason}
    end.

ask(Pid, How) ->
    Pid ! {self(), How},
    receive {Pid, Value} -> Value after 1000 -> timeout end.

load(N) -> code:load_binary(versioned, "versioned.erl", binary(N)).

binary(N) ->
    Text = ["-module(versioned).\n-export([value/0, loop/0, make_fun/0]).\n-author(me).\n-behaviour(gen_server).\n-custom([a, b]).\n"
            "value() -> ", integer_to_list(N), ".\n"
            "make_fun() -> X = value(), fun() -> {X, value(), ?MODULE:value()} end.\n"
            "loop() -> receive {From, local} -> From ! {self(), value()}, loop();\n"
            "                  {From, remote} -> From ! {self(), value()}, ?MODULE:loop() end.\n"],
    {ok, versioned, Code} = compile:forms(forms(lists:flatten(Text)), [debug_info]),
    Code.

forms(Text0) ->
    Text = lists:flatten(string:replace(Text0, "?MODULE", "versioned", all)),
    forms(Text, 1).

forms(Text, Line) ->
    case erl_scan:tokens([], Text, Line) of
        {done, {ok, Tokens, Next}, Rest} ->
            {ok, Form} = erl_parse:parse_form(Tokens),
            [Form | forms(Rest, Next)];
        {more, _} ->
            [{eof, Line}];
        {done, {eof, _}, _} ->
            [{eof, Line}]
    end.
