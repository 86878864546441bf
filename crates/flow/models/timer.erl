-module(timer).
apply_after(_, F) -> '$spawn'(F), {ok, any()}.
apply_after(_, F, A) -> '$spawn'(fun() -> '$apply'(F, A) end), {ok, any()}.
apply_after(_, M, F, A) -> '$spawn'(M, F, A), {ok, any()}.
apply_interval(_, F) -> '$spawn'(F), {ok, any()}.
apply_interval(_, F, A) -> '$spawn'(fun() -> '$apply'(F, A) end), {ok, any()}.
apply_interval(_, M, F, A) -> '$spawn'(M, F, A), {ok, any()}.
apply_repeatedly(_, F) -> '$spawn'(F), {ok, any()}.
apply_repeatedly(_, F, A) -> '$spawn'(fun() -> '$apply'(F, A) end), {ok, any()}.
apply_repeatedly(_, M, F, A) -> '$spawn'(M, F, A), {ok, any()}.
send_after(_, M) -> self() ! M, {ok, any()}.
send_after(_, D, M) -> D ! M, {ok, any()}.
send_interval(_, M) -> self() ! M, {ok, any()}.
send_interval(_, D, M) -> D ! M, {ok, any()}.
exit_after(_, R) -> exit(self(), R), {ok, any()}.
exit_after(_, P, R) -> exit(P, R), {ok, any()}.
kill_after(_) -> {ok, any()}.
kill_after(_, P) -> exit(P, kill), {ok, any()}.
cancel(_) -> {ok, cancel}.
sleep(_) -> ok.
tc(F) -> {number(), F()}.
tc(F, X) -> {number(), either('$apply'(F, X), F())}.
tc(M, F, A) -> {number(), either('$apply'(M, F, A), '$apply'(M, F))}.
tc(M, F, A, _) -> {number(), '$apply'(M, F, A)}.
now_diff(_, _) -> number().
seconds(_) -> number().
minutes(_) -> number().
hours(_) -> number().
hms(_, _, _) -> number().
start() -> ok.
