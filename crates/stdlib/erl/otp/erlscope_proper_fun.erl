%% Functions of any number of arguments from one that takes their list.
-module(erlscope_proper_fun).

-export([make/2]).

make(0, F) -> fun() -> F([]) end;
make(1, F) -> fun(A) -> F([A]) end;
make(2, F) -> fun(A, B) -> F([A, B]) end;
make(3, F) -> fun(A, B, C) -> F([A, B, C]) end;
make(4, F) -> fun(A, B, C, D) -> F([A, B, C, D]) end;
make(5, F) -> fun(A, B, C, D, E) -> F([A, B, C, D, E]) end;
make(6, F) -> fun(A, B, C, D, E, G) -> F([A, B, C, D, E, G]) end;
make(7, F) -> fun(A, B, C, D, E, G, H) -> F([A, B, C, D, E, G, H]) end;
make(8, F) -> fun(A, B, C, D, E, G, H, I) -> F([A, B, C, D, E, G, H, I]) end;
make(Arity, _) -> error({not_supported, {function_of_arity, Arity}}).
