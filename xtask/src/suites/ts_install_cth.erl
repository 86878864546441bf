%% OTP's suites name this hook, which builds programs in C in their data directories. Nothing is
%% built here: cases that need those programs fail on the BEAM, too, and are not counted.
-module(ts_install_cth).

-export([id/1, init/2]).

id(_) -> ?MODULE.

init(_, _) -> {ok, none}.
