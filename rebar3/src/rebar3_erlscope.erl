%% A plugin for rebar3: `rebar3 erlscope test`, `explore`, `check` and `coverage` fetch the dependencies of the project and then
%% run the program of that name on it. What stands behind the command is handed on; its exit code decides about rebar3's.
%%
%% The program is the one that ERLSCOPE names, or `erlscope` on the PATH.
-module(rebar3_erlscope).

-export([init/1, do/2, format_error/1]).

%% Each has a module of its own, which rebar3 calls.
-define(COMMANDS, [{test, "Run the project's tests with Erlscope"},
                   {explore, "Explore the schedules of the project's tests"},
                   {check, "Check the project's modules"},
                   {coverage, "Measure what the project's tests exercise"}]).

init(State) ->
    Add = fun({Name, Text}, Now) ->
                  Provider = providers:create([{name, Name}, {namespace, erlscope}, {module, module(Name)}, {bare, true},
                                               {deps, [{default, install_deps}]}, {example, "rebar3 erlscope " ++ atom_to_list(Name)},
                                               {opts, []}, {short_desc, Text}, {desc, Text}, {profiles, [test]}]),
                  rebar_state:add_provider(Now, Provider)
          end,
    {ok, lists:foldl(Add, State, ?COMMANDS)}.

module(Name) -> list_to_atom("rebar3_erlscope_" ++ atom_to_list(Name)).

do(Name, State) ->
    case program() of
        false -> {error, {?MODULE, no_program}};
        Program ->
            Arguments = arguments(Name, rebar_state:command_args(State)),
            case run(Program, Arguments, rebar_state:dir(State)) of
                0 -> {ok, State};
                Status -> {error, {?MODULE, {status, Name, Status}}}
            end
    end.

program() ->
    case os:getenv("ERLSCOPE") of
        false -> os:find_executable("erlscope");
        Given -> os:find_executable(Given)
    end.

%% Schedules are explored of tests, unless something else is asked for.
arguments(explore, []) -> ["explore", "--tests", "."];
arguments(explore, Arguments) -> ["explore", "--tests" | Arguments];
arguments(Name, []) -> [atom_to_list(Name), "."];
arguments(Name, Arguments) -> [atom_to_list(Name) | Arguments].

run(Program, Arguments, Dir) ->
    Port = open_port({spawn_executable, Program}, [{args, Arguments}, {cd, Dir}, exit_status, stderr_to_stdout, binary]),
    wait(Port).

wait(Port) ->
    receive
        {Port, {data, Bytes}} ->
            file:write(standard_io, Bytes),
            wait(Port);
        {Port, {exit_status, Status}} -> Status
    end.

format_error(no_program) -> "erlscope is not on the PATH (or name it by the environment variable ERLSCOPE)";
format_error({status, Name, Status}) -> io_lib:format("erlscope ~s ended with exit code ~w", [Name, Status]).
