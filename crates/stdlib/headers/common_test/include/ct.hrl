%% What every Common Test suite includes.

%% Importance of a message, from least to most; it is printed when importance and verbosity add
%% up to at least a hundred.
-define(MIN_IMPORTANCE, 0).
-define(LOW_IMPORTANCE, 25).
-define(STD_IMPORTANCE, 50).
-define(HI_IMPORTANCE, 75).
-define(MAX_IMPORTANCE, 99).

-define(MIN_VERBOSITY, 0).
-define(LOW_VERBOSITY, 25).
-define(STD_VERBOSITY, 50).
-define(HI_VERBOSITY, 75).
-define(MAX_VERBOSITY, 100).

%% The process that calls `init/2` and `terminate/1` of a hook.
-define(CT_HOOK_INIT_PROCESS, ct_util_server).
-define(CT_HOOK_TERMINATE_PROCESS, ct_util_server).

%% Peer nodes, named after the running test case.
-define(CT_PEER_NAME(), ?CT_PEER_NAME(?FUNCTION_NAME)).
-define(CT_PEER_NAME(TestCase), test_server:peer_name(?MODULE_STRING, TestCase)).
-define(CT_PEER(), ?CT_PEER([])).
-define(CT_PEER(Options), test_server:start_peer(Options, ?MODULE, ?FUNCTION_NAME)).
-define(CT_PEER(Options, Release, PrivDir),
        test_server:start_peer(Options, ?MODULE, ?FUNCTION_NAME, Release, PrivDir)).

%% `?config(Key, Config)` looks up what the suite was given; `?line` means nothing any more.
-define(config, test_server:lookup_config).
-define(line, ).
