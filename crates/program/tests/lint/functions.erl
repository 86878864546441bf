%% Functions, exports, imports, attributes.
%%% undefined functions
f() -> g().
h() -> fun g/1.
i() -> lists:foo(), foo:bar(1).
%%% raw no module
f() -> ok.
%%% raw empty
%%% raw module twice
-module(t).
-module(t).
%%% raw exports
-module(t).
-export([f/0, g/1, f/0]).
-export([module_info/0]).
f() -> ok.
%%% raw unused functions
-module(t).
-export([f/0]).
f() -> g().
g() -> h().
h() -> ok.
i() -> j().
j() -> i().
k() -> k().
%%% raw on_load
-module(t).
-on_load(init/0).
init() -> ok.
%%% raw on_load arity
-module(t).
-on_load(init/1).
init(_) -> ok.
%%% raw on_load undefined
-module(t).
-on_load(init/0).
-on_load(other/0).
other() -> ok.
%%% raw on_load undefined one
-module(t).
-on_load(init/0).
%%% raw on_load bad
-module(t).
-on_load(init).
%%% raw export all
-module(t).
-compile(export_all).
f() -> ok.
%%% redefined
f() -> ok.
g() -> ok.
f() -> ok.
module_info() -> ok.
%%% head mismatch is two functions
f(1) -> ok.
f(1, 2) -> ok.
f(2) -> ok.
%%% imports
-import(lists, [map/2, foldl/3]).
-import(lists, [map/2]).
f() -> map(a, b).
%%% import and define
-import(lists, [map/2]).
map(_, _) -> ok.
%%% import of automatically imported
-import(foo, [abs/1, max/2, error/1]).
f() -> abs(1), max(1, 2).
%%% import switched off
-compile({no_auto_import, [abs/1, max/2]}).
-import(foo, [abs/1, max/2]).
f() -> abs(1), max(1, 2).
%%% unused import
-compile(warn_unused_import).
-import(lists, [map/2, foldl/3]).
f() -> map(a, b).
%%% local function hides automatically imported
abs(X) -> X.
max(X, Y) -> {X, Y}.
f() -> abs(1), max(1, 2), fun abs/1.
%%% local function hides, switched off
-compile({no_auto_import, [abs/1, max/2]}).
abs(X) -> X.
max(X, Y) -> {X, Y}.
f() -> abs(1), max(1, 2).
%%% no auto import, not defined
-compile({no_auto_import, [abs/1]}).
f() -> abs(1), length([]).
g(X) when abs(X) -> ok.
%%% bif clash
-compile(nowarn_bif_clash).
%%% bif clash function
-compile({nowarn_bif_clash, {f, 1}}).
f(_) -> ok.
%%% attributes after functions
f() -> ok.
-export([f/0]).
-import(lists, [map/2]).
-vsn(1).
-record(r, {a}).
-type t() :: a.
-spec g(t()) -> #r{}.
g(X) -> X.
-dialyzer({nowarn_function, f/0}).
-callback c() -> ok.
-behaviour(gen_server).
%%% options that name functions
-compile({inline, [f/0, g/1]}).
-compile({nowarn_unused_function, [h/1]}).
f() -> ok.
%%% dialyzer
-dialyzer(no_match).
-dialyzer({no_match, f/0}).
-dialyzer({no_match, g/0}).
-dialyzer(foo).
-dialyzer({foo, f/0}).
-dialyzer({nowarn_function, [f/0, g/0]}).
-dialyzer(nowarn_function).
-dialyzer(1).
-dialyzer({no_match, f}).
f() -> ok.
%%% raw deprecated attributes
-module(t).
-export([f/0, g/1]).
-deprecated([{f, 0}, {g, '_', "text"}, {h, 0}, {h, '_'}, foo, {f, 0, 1}, {f, 0, eventually}]).
-removed([{f, 0}, {h, 0}, {h, '_'}, {g, '_', "x"}, bar, {1, 2}]).
-deprecated(module).
f() -> ok.
g(_) -> ok.
%%% raw removed module
-module(t).
-export([f/0]).
-removed(module).
f() -> ok.
%%% deprecated functions
f() -> now(), erlang:now(), random:uniform(), pg2:create(x), erlang:get_stacktrace().
g() -> gen_fsm:start(a, b, c), crypto:hmac(a, b, c).
%%% deprecated functions off
-compile([nowarn_deprecated_function, nowarn_removed]).
f() -> now(), erlang:now(), random:uniform(), pg2:create(x), erlang:get_stacktrace().
%%% deprecated functions off for one
-compile({nowarn_deprecated_function, {erlang, now, 0}}).
-compile({nowarn_removed, pg2}).
f() -> now(), erlang:now(), random:uniform(), pg2:create(x).
%%% nifs
-nifs([f/0, g/1]).
f() -> ok.
%%% nifs with load
-nifs([f/0]).
-compile(inline).
f() -> erlang:load_nif("x", 0).
%%% invalid calls
f() -> 1(), "a"(2), {a, b, c}(), [](), fun() -> ok end().
g(X) -> X(), X:f(), m:X(), X:X(1).
%%% module names
f() -> '':f(), ' ':g(), 'a\nb':h().
%%% formats
f() -> io:format("~p~n"), io:format("~p~n", []), io:format("~p~n", [1]), io:format("~p ~p", [1]).
g(X) -> io:format("~p", X), io:format(X), io:format("~y", [1]), io:format("~", [1]), io:format("x", a).
h() -> io_lib:format("~p ~s", [1, 2, 3]), io:fwrite(user, "~p", []), io:format("a", "bc").
i() -> io:format(a, b, c, d), io:format('~p', [1, 2]), io:format("~*c", [1, 2]), io:format("~tp ~lp", [1, 2]).
%%% formats off
-compile(nowarn_format).
f() -> io:format("~p").
%%% qlc
f() -> qlc:q([X || X <- []]).
%%% specs
-spec f() -> ok.
f() -> ok.
-spec g() -> ok.
-spec f() -> ok.
-spec t:h() -> ok.
h() -> ok.
-spec m:h() -> ok.
-spec i(a) -> ok; (a, b) -> ok.
i(_) -> ok.
%%% missing specs
-compile(warn_missing_spec).
-spec f() -> ok.
f() -> ok.
g() -> ok.
%%% raw missing specs all
-module(t).
-compile(warn_missing_spec_all).
-export([f/0]).
f() -> g().
g() -> ok.
%%% behaviours
-behaviour(gen_server).
init(_) -> ok.
handle_call(_, _, _) -> ok.
%%% behaviours conflicting
-behaviour(supervisor).
-behaviour(gen_server).
init(_) -> ok.
handle_call(_, _, _) -> ok.
handle_cast(_, _) -> ok.
%%% raw behaviour not exported
-module(t).
-behavior(supervisor).
-export([f/0]).
f() -> init(a).
init(_) -> ok.
%%% callbacks
-callback a() -> ok.
-callback b(t()) -> ok.
-callback a() -> ok.
-callback m:c() -> ok.
-optional_callbacks([a/0, d/0]).
-optional_callbacks([a/0]).
-type t() :: a.
%%% callbacks and behaviour_info
-callback a() -> ok.
behaviour_info(_) -> [].
%%% record_info
-record(r, {a}).
f() -> record_info(fields, r), record_info(size, r), record_info(foo, r), record_info(fields, X).
g() -> record_info(fields, s), fun record_info/2.
