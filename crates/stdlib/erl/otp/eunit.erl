%% EUnit's API: runs tests, prints what failed and a summary.
-module(eunit).

%% See eunit_tty for the text.
-export([test/1, test/2, test/3, start/0, start/1, stop/0, stop/1, submit/1, submit/2, submit/3,
         watch/1, watch/2, watch/3, watch_path/1, watch_path/2, watch_path/3,
         watch_regexp/1, watch_regexp/2, watch_regexp/3, watch_app/1, watch_app/2, watch_app/3]).

%% There is no server; these exist for the programs that start one.
start() -> start(eunit_server).
start(_) -> {ok, self()}.
stop() -> stop(eunit_server).
stop(_) -> ok.

test(Tests) -> test(Tests, []).

test(Tests, Options) -> test(eunit_server, Tests, Options).

test(_Server, Tests, Options0) ->
    Options = Options0 ++ environment_options(),
    Listeners = [case Listener of
                     {Module, Args} -> Module:start(Args);
                     Process -> Process
                 end || Listener <- proplists:get_all_values(report, Options)],
    Ref = make_ref(),
    [Listener ! {start, Ref} || Listener <- Listeners],
    Text = erlscope_eunit:follow(Tests, Options,
                                 fun(Report, State) ->
                                         [Listener ! Report || Listener <- Listeners],
                                         eunit_tty:report(Report, State)
                                 end, eunit_tty:new(Options)),
    [Listener ! {stop, Ref, self()} || Listener <- Listeners],
    [begin
         Monitor = monitor(process, Listener),
         receive {'DOWN', Monitor, process, _, _} -> ok end
     end || Listener <- Listeners, is_pid(Listener)],
    [receive {result, Ref, _} -> ok after 0 -> ok end || _ <- Listeners],
    eunit_tty:finish(Text).

submit(Tests) -> submit(Tests, []).
submit(Tests, Options) -> submit(eunit_server, Tests, Options).
submit(_, Tests, Options) ->
    spawn(fun() -> test(Tests, [no_tty | Options]) end),
    {ok, make_ref()}.

%% Nothing changes while a program runs here, so there is nothing to watch.
watch(_) -> ok.
watch(_, _) -> ok.
watch(_, _, _) -> ok.
watch_path(_) -> ok.
watch_path(_, _) -> ok.
watch_path(_, _, _) -> ok.
watch_regexp(_) -> ok.
watch_regexp(_, _) -> ok.
watch_regexp(_, _, _) -> ok.
watch_app(_) -> ok.
watch_app(_, _) -> ok.
watch_app(_, _, _) -> ok.

%% The variable EUNIT holds a term: an option or a list of them.
environment_options() ->
    case os:getenv("EUNIT") of
        false -> [];
        Text ->
            case erl_scan:string(Text ++ ".") of
                {ok, Tokens, _} ->
                    case erl_parse:parse_term(Tokens) of
                        {ok, Options} when is_list(Options) -> Options;
                        {ok, Option} -> [Option];
                        _ -> []
                    end;
                _ ->
                    []
            end
    end.
