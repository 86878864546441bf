-module(manager).
-behaviour(gen_event).
-export([main/0, handled/0, linked/0, hibernates/0, init/1, handle_event/2, handle_call/2]).
main() -> {ok, _} = gen_event:start(), ok.
handled() -> {ok, E} = gen_event:start(), ok = gen_event:add_handler(E, ?MODULE, []), gen_event:sync_notify(E, hello).
linked() -> {ok, E} = gen_event:start_link(), ok = gen_event:add_sup_handler(E, ?MODULE, []).
hibernates() -> {ok, E} = gen_event:start(), ok = gen_event:add_handler(E, ?MODULE, hibernate), gen_event:notify(E, hello).
init(hibernate) -> {ok, [], hibernate};
init(S) -> {ok, S}.
handle_event(_, S) -> {ok, S}.
handle_call(_, S) -> {ok, S, S}.
