%% Functions, exports, imports, attributes.
%%% undefined functions
f() -> g().                                        %! 8 error undefined_function
h() -> fun g/1.                                    %! 8 error undefined_function
i() -> lists:foo(), foo:bar(1).
%%% raw no module
f() -> ok.                                         %! 1 warning unused_function, 1 error undefined_module
%%% raw empty
%%% raw module twice
-module(t).
-module(t).                                        %! 2 error redefine_module
%%% raw exports
-module(t).
-export([f/0, g/1, f/0]).                          %! 2 warning duplicated_export, 2 error undefined_function
-export([module_info/0]).                          %! 2 warning duplicated_export
f() -> ok.
%%% raw unused functions
-module(t).
-export([f/0]).
f() -> g().
g() -> h().
h() -> ok.
i() -> j().                                        %! 1 warning unused_function
j() -> i().                                        %! 1 warning unused_function
k() -> k().                                        %! 1 warning unused_function
%%% raw on_load
-module(t).
-on_load(init/0).
init() -> ok.
%%% raw on_load arity
-module(t).
-on_load(init/1).                                  %! 2 error bad_on_load_arity
init(_) -> ok.
%%% raw on_load undefined
-module(t).
-on_load(init/0).
-on_load(other/0).                                 %! 2 error multiple_on_loads
other() -> ok.
%%% raw on_load undefined one
-module(t).
-on_load(init/0).                                  %! 2 error undefined_on_load
%%% raw on_load bad
-module(t).
-on_load(init).                                    %! 2 error bad_on_load
%%% raw export all
-module(t).
-compile(export_all).                              %! 2 warning export_all
f() -> ok.
%%% redefined
f() -> ok.
g() -> ok.
f() -> ok.                                         %! 1 error redefine_function
module_info() -> ok.                               %! 1 error redefine_function
%%% head mismatch is two functions
f(1) -> ok.
f(1, 2) -> ok.
f(2) -> ok.                                        %! 1 error redefine_function
%%% imports
-import(lists, [map/2, foldl/3]).
-import(lists, [map/2]).                           %! 2 error redefine_import
f() -> map(a, b).
%%% import and define
-import(lists, [map/2]).
map(_, _) -> ok.                                   %! 1 error define_import
%%% import of automatically imported
-import(foo, [abs/1, max/2, error/1]).             %! 2 warning redefine_bif_import, 2 error redefine_old_bif_import
f() -> abs(1), max(1, 2).
%%% import switched off
-compile({no_auto_import, [abs/1, max/2]}).
-import(foo, [abs/1, max/2]).
f() -> abs(1), max(1, 2).
%%% unused import
-compile(warn_unused_import).
-import(lists, [map/2, foldl/3]).                  %! 2 warning unused_import
f() -> map(a, b).
%%% local function hides automatically imported
abs(X) -> X.
max(X, Y) -> {X, Y}.
f() -> abs(1), max(1, 2), fun abs/1.               %! 8 error call_to_redefined_old_bif, 16 warning call_to_redefined_bif
%%% local function hides, switched off
-compile({no_auto_import, [abs/1, max/2]}).
abs(X) -> X.
max(X, Y) -> {X, Y}.
f() -> abs(1), max(1, 2).
%%% no auto import, not defined
-compile({no_auto_import, [abs/1]}).
f() -> abs(1), length([]).                         %! 8 error undefined_function
g(X) when abs(X) -> ok.                            %! 11 error illegal_guard_expr
%%% bif clash
-compile(nowarn_bif_clash).                        %! 2 error disallowed_nowarn_bif_clash
%%% bif clash function
-compile({nowarn_bif_clash, {f, 1}}).              %! 2 error disallowed_nowarn_bif_clash
f(_) -> ok.
%%% attributes after functions
f() -> ok.
-export([f/0]).                                    %! 2 error attribute
-import(lists, [map/2]).                           %! 2 error attribute
-vsn(1).                                           %! 2 error attribute
-record(r, {a}).
-type t() :: a.
-spec g(t()) -> #r{}.
g(X) -> X.
-dialyzer({nowarn_function, f/0}).
-callback c() -> ok.                               %! 2 error attribute
-behaviour(gen_server).                            %! 2 error attribute
%%% options that name functions
-compile({inline, [f/0, g/1]}).                    %! 2 error bad_inline
-compile({nowarn_unused_function, [h/1]}).         %! 2 error bad_nowarn_unused_function
f() -> ok.
%%% dialyzer
-dialyzer(no_match).
-dialyzer({no_match, f/0}).
-dialyzer({no_match, g/0}).                        %! 2 error undefined_function
-dialyzer(foo).                                    %! 2 error bad_dialyzer_option
-dialyzer({foo, f/0}).                             %! 2 error bad_dialyzer_option
-dialyzer({nowarn_function, [f/0, g/0]}).          %! 2 error undefined_function
-dialyzer(nowarn_function).                        %! 2 error bad_dialyzer_option
-dialyzer(1).                                      %! 2 error bad_dialyzer_attribute
-dialyzer({no_match, f}).                          %! 2 error bad_dialyzer_attribute
f() -> ok.
%%% raw deprecated attributes
-module(t).
-export([f/0, g/1]).
-deprecated([{f, 0}, {g, '_', "text"}, {h, 0}, {h, '_'}, foo, {f, 0, 1}, {f, 0, eventually}]). %! 2 error bad_deprecated, 2 error invalid_deprecated
-removed([{f, 0}, {h, 0}, {h, '_'}, {g, '_', "x"}, bar, {1, 2}]). %! 2 error bad_removed, 2 error invalid_removed
-deprecated(module).
f() -> ok.
g(_) -> ok.
%%% raw removed module
-module(t).
-export([f/0]).
-removed(module).                                  %! 2 error bad_removed
f() -> ok.
%%% deprecated functions
f() -> now(), erlang:now(), random:uniform(), pg2:create(x), erlang:get_stacktrace(). %! 8 warning deprecated, 15 warning deprecated, 29 warning deprecated, 47 warning removed, 62 warning removed
g() -> gen_fsm:start(a, b, c), crypto:hmac(a, b, c). %! 8 warning deprecated, 32 warning removed
%%% deprecated functions off
-compile([nowarn_deprecated_function, nowarn_removed]).
f() -> now(), erlang:now(), random:uniform(), pg2:create(x), erlang:get_stacktrace().
%%% deprecated functions off for one
-compile({nowarn_deprecated_function, {erlang, now, 0}}).
-compile({nowarn_removed, pg2}).
f() -> now(), erlang:now(), random:uniform(), pg2:create(x). %! 29 warning deprecated
%%% nifs
-nifs([f/0, g/1]).                                 %! 2 warning no_load_nif, 2 error undefined_nif
f() -> ok.
%%% nifs with load
-nifs([f/0]).
-compile(inline).
f() -> erlang:load_nif("x", 0).                    %! 8 warning nif_inline
%%% invalid calls
f() -> 1(), "a"(2), {a, b, c}(), [](), fun() -> ok end(). %! 8 warning invalid_call, 13 warning invalid_call, 21 warning invalid_call, 34 warning invalid_call
g(X) -> X(), X:f(), m:X(), X:X(1).
%%% module names
f() -> '':f(), ' ':g(), 'a\nb':h().                %! 8 error empty_module_name, 16 error blank_module_name, 25 error ctrl_chars_in_module_name
%%% formats
f() -> io:format("~p~n"), io:format("~p~n", []), io:format("~p~n", [1]), io:format("~p ~p", [1]). %! 18 warning format_error, 45 warning format_error, 93 warning format_error
g(X) -> io:format("~p", X), io:format(X), io:format("~y", [1]), io:format("~", [1]), io:format("x", a). %! 53 warning format_error, 75 warning format_error, 101 warning format_error
h() -> io_lib:format("~p ~s", [1, 2, 3]), io:fwrite(user, "~p", []), io:format("a", "bc"). %! 31 warning format_error, 65 warning format_error, 85 warning format_error
i() -> io:format(a, b, c, d), io:format('~p', [1, 2]), io:format("~*c", [1, 2]), io:format("~tp ~lp", [1, 2]). %! 8 warning format_error, 47 warning format_error
%%% formats off
-compile(nowarn_format).
f() -> io:format("~p").
%%% qlc
f() -> qlc:q([X || X <- []]).                      %! 8 warning missing_qlc_hrl
%%% specs
-spec f() -> ok.
f() -> ok.
-spec g() -> ok.                                   %! 2 error spec_fun_undefined
-spec f() -> ok.                                   %! 2 error redefine_spec
-spec t:h() -> ok.
h() -> ok.
-spec m:h() -> ok.                                 %! 2 error bad_module
-spec i(a) -> ok; (a, b) -> ok.                    %! 19 error spec_wrong_arity
i(_) -> ok.
%%% missing specs
-compile(warn_missing_spec).
-spec f() -> ok.
f() -> ok.
g() -> ok.                                         %! 1 warning missing_spec
%%% raw missing specs all
-module(t).
-compile(warn_missing_spec_all).
-export([f/0]).
f() -> g().                                        %! 1 warning missing_spec
g() -> ok.                                         %! 1 warning missing_spec
%%% behaviours
-behaviour(gen_server).                            %! 2 warning undefined_behaviour_func
init(_) -> ok.
handle_call(_, _, _) -> ok.
%%% behaviours conflicting
-behaviour(supervisor).
-behaviour(gen_server).                            %! 2 warning conflicting_behaviours
init(_) -> ok.
handle_call(_, _, _) -> ok.
handle_cast(_, _) -> ok.
%%% raw behaviour not exported
-module(t).
-behavior(supervisor).                             %! 2 warning undefined_behaviour_func
-export([f/0]).
f() -> init(a).
init(_) -> ok.
%%% callbacks
-callback a() -> ok.
-callback b(t()) -> ok.
-callback a() -> ok.                               %! 2 error redefine_callback
-callback m:c() -> ok.                             %! 2 error bad_callback
-optional_callbacks([a/0, d/0]).                   %! 2 error undefined_callback
-optional_callbacks([a/0]).                        %! 2 error redefine_optional_callback
-type t() :: a.
%%% callbacks and behaviour_info
-callback a() -> ok.                               %! 2 error behaviour_info
behaviour_info(_) -> [].
%%% record_info
-record(r, {a}).
f() -> record_info(fields, r), record_info(size, r), record_info(foo, r), record_info(fields, X). %! 66 error illegal_record_info, 75 error illegal_record_info, 95 error unbound_var
g() -> record_info(fields, s), fun record_info/2.  %! 8 error undefined_record, 32 error illegal_record_info
