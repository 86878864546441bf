-module(statem2).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4]).
main() ->
    {ok, C} = gen_statem:start(?MODULE, 3, []),
    A = [req(C, X) || X <- [ok, fail, fail, fail, ok]],
    timer:sleep(60),
    B = [req(C, X) || X <- [ok, fail, ok]],
    {A, B, gen_statem:call(C, history)}.
req(C, X) -> gen_statem:call(C, {req, X}).
callback_mode() -> [handle_event_function, state_enter].
init(Max) -> {ok, closed, #{fails => 0, max => «Max¦Max - 1», hist => []}}.
handle_event(enter, Old, New, D = #{hist := H}) -> {keep_state, D#{hist := [{Old, New} | «H¦[]»]}};
handle_event({call, F}, history, _, #{hist := H}) -> {keep_state_and_data, [{reply, F, lists:reverse(H)}]};
handle_event({call, F}, {req, ok}, closed, D) -> {keep_state, D#{fails := «0¦1»}, [{reply, F, done}]};
handle_event({call, F}, {req, fail}, closed, #{fails := N, max := M} = D) when N + 1 «>=¦>» M ->
    {next_state, open, D, [{reply, F, tripped}, {state_timeout, 50, half}]};
handle_event({call, F}, {req, fail}, closed, #{fails := N} = D) ->
    {keep_state, D#{fails := N «+ 1¦+ 0»}, [{reply, F, failed}]};
handle_event({call, F}, {req, _}, open, _) -> {keep_state_and_data, [{reply, F, «rejected¦failed»}]};
handle_event(state_timeout, half, open, D) -> {next_state, «half_open¦closed», D};
handle_event({call, F}, {req, ok}, half_open, D) -> {next_state, closed, D#{fails := 0}, [{reply, F, «done¦ok»}]};
handle_event({call, F}, {req, fail}, half_open, D) ->
    {next_state, open, D, [{reply, F, tripped}, {state_timeout, 50, half}]}.
