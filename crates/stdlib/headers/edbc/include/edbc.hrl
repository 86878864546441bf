%% The macros with which contracts are written for EDBC (Erlang Design-By-Contract), in our own
%% words. Where `edbc` is defined they become functions that Erlscope reads as contracts; else the
%% forms among them say nothing, and a module that uses them is one that any compiler takes.

-ifndef(EDBC_HRL).
-define(EDBC_HRL, true).

-include_lib("stdlib/include/assert.hrl").

-compile(nowarn_unused_function).

-ifdef(edbc).

%% Before the first clause of a function: a fun without parameters that says whether the function
%% may be called.
-define(PRE(FUN), edbc_pre() -> FUN).
%% Behind the last clause: whether it may return what it did.
-define(POST(FUN), edbc_post() -> FUN).
%% Anywhere: a fun that says of a behaviour's state whether that may be one.
-define(INVARIANT(FUN), edbc_invariant() -> FUN).
%% Before: a parameter, or a list of some, that does not go up in calls inside of calls; or that
%% goes down.
-define(DECREASES(PARAMETERS), edbc_decreases() -> PARAMETERS).
-define(SDECREASES(PARAMETERS), edbc_sdecreases() -> PARAMETERS).
%% Before: how many milliseconds a call may take; with TIMEOUT it is stopped then.
-define(EXPECTED_TIME(FUN), edbc_expected_time() -> FUN).
-define(TIMEOUT(FUN), edbc_timeout() -> FUN).
%% Before: it does nothing but give a value.
-define(PURE, edbc_pure() -> ok).
%% In the funs: a parameter by its number, and the result.
-define(P(NUMBER), (edbc_p(NUMBER))).
-define(R, (edbc_r())).

-else.

-define(PRE(FUN), -dialyzer([])).
-define(POST(FUN), -dialyzer([])).
-define(INVARIANT(FUN), -dialyzer([])).
-define(DECREASES(PARAMETERS), -dialyzer([])).
-define(SDECREASES(PARAMETERS), -dialyzer([])).
-define(EXPECTED_TIME(FUN), -dialyzer([])).
-define(TIMEOUT(FUN), -dialyzer([])).
-define(PURE, -dialyzer([])).
-define(P(NUMBER), erlang:get({edbc_p, NUMBER})).
-define(R, erlang:get(edbc_r)).

-endif.

-define(DECREASE(PARAMETERS), ?DECREASES(PARAMETERS)).
-define(SDECREASE(PARAMETERS), ?SDECREASES(PARAMETERS)).

-endif.
