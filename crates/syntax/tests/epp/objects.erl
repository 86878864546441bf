-module(objects).
-define(ONE, 1).
-define(two, 2).
-define('Three', 3).
-define(EMPTY, ).
-define(PAIR, ?ONE, ?two).
-define(CALL, foo:bar).
-define(MARK, ?).
-define(HALF, ?MARK ONE).
f() -> {?ONE, ?two, ?'Three', ?'two'}.
g() -> [?PAIR].
h() -> ?CALL(1, 2), ?CALL().
i() -> ?EMPTY ok ?EMPTY.
j() -> ?MARK ONE.
k() -> ?HALF.
l() -> ?ONE(2).
m() -> {?MODULE, ?MODULE_STRING, ?FILE, ?LINE, ?MACHINE, ?BEAM, ?OTP_RELEASE}.
n() ->
    ?LINE + ?'LINE'.
-undef(ONE).
o() -> ?ONE.
-undef(never).
-undef(MODULE).
p() -> ?MODULE.
-define(MODULE, again).
q() -> ?MODULE.
