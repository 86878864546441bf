-module(names).
-define(NAME, foo).
-define(ARGS(A, B), A, B).
-define(HERE, ?FUNCTION_NAME).
a() -> {?FUNCTION_NAME, ?FUNCTION_ARITY}.
b(X, {Y, Z}, [1, 2]) -> {?FUNCTION_NAME, ?FUNCTION_ARITY}; b(_, _, _) -> ?FUNCTION_NAME.
c({}) -> ?FUNCTION_ARITY.
d([], <<>>) -> ?FUNCTION_ARITY.
?NAME(X) -> ?FUNCTION_NAME.
e(?ARGS(1, 2)) -> ?FUNCTION_ARITY.
f() -> ?HERE.
-attribute(?FUNCTION_NAME).
?FUNCTION_NAME() -> ok.
g(?FUNCTION_NAME) -> ok.
h() -> ?FUNCTION_NAME, ?UNDEFINED.
-attribute2(?FUNCTION_ARITY, ?UNDEFINED).
i( -> ?FUNCTION_ARITY.
'q q'(A) -> ?FUNCTION_NAME.
j() -> ?'FUNCTION_NAME'.
fun_() -> ?FUNCTION_NAME
