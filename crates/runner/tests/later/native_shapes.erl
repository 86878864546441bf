%% Records for the programs beside it; nothing is run here.
-module(native_shapes).
-export([local/2, vector/0, bump/1]).
-export_record([vector, quad]).

-record #vector{x = 10, y = 1, z = 5}.
-record #quad{a, b = 2, c}.
-record #local{x, y}.

local(X, Y) -> #local{x = X, y = Y}.

vector() -> #vector{}.

bump(#local{x = X} = L) -> L#local{x = X + 1}.
