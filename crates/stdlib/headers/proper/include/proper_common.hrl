%% The macros of PropEr, without the imports of `proper.hrl`. A property keeps the text of the
%% pattern that a `?FORALL` binds, for the report.

-define(FORCE(Delayed), (Delayed)()).
-define(DELAY(Expr), fun() -> Expr end).
-define(LAZY(Type), proper_types:lazy(?DELAY(Type))).

%% ---- Properties ------------------------------------------------------------------------------

-define(FORALL(Pattern, Type, Prop), proper:forall(Type, fun(Pattern) -> Prop end, ??Pattern)).
-define(EXISTS(Pattern, Type, Prop), proper:exists(Type, fun(Pattern) -> Prop end, false)).
-define(NOT_EXISTS(Pattern, Type, Prop), proper:exists(Type, fun(Pattern) -> Prop end, true)).
-define(FORALL_TARGETED(Pattern, Type, Prop), ?FORALL(Pattern, Type, Prop)).
-define(IMPLIES(Condition, Prop), proper:implies(Condition, ?DELAY(Prop))).
-define(WHENFAIL(Action, Prop), proper:whenfail(?DELAY(Action), ?DELAY(Prop))).
-define(TRAPEXIT(Prop), proper:trapexit(?DELAY(Prop))).
-define(TIMEOUT(Milliseconds, Prop), proper:timeout(Milliseconds, ?DELAY(Prop))).
-define(ALWAYS(Times, Prop), proper:always(Times, ?DELAY(Prop))).
-define(SOMETIMES(Times, Prop), proper:sometimes(Times, ?DELAY(Prop))).
-define(SETUP(Setup, Prop), proper:setup(Setup, Prop)).

%% ---- Generators ------------------------------------------------------------------------------

-define(SIZED(Size, Type), proper_types:sized(fun(Size) -> Type end)).
-define(LET(Pattern, Type, Made), proper_types:bind(Type, fun(Pattern) -> Made end, false)).
-define(LETSHRINK(Parts, Type, Made), proper_types:bind(Type, fun(Parts) -> Made end, true)).
-define(SHRINK(Type, Simpler), proper_types:shrinkwith(?DELAY(Type), ?DELAY(Simpler))).
-define(SUCHTHAT(Pattern, Type, Condition),
        proper_types:add_constraint(Type, fun(Pattern) -> Condition end, true)).
-define(SUCHTHATMAYBE(Pattern, Type, Condition),
        proper_types:add_constraint(Type, fun(Pattern) -> Condition end, false)).

%% ---- Search towards a goal: values are made without one here ---------------------------------

-define(USERNF(Type, _Next), Type).
-define(USERMATCHER(Type, _Matcher), Type).
-define(MAXIMIZE(Fitness), proper_target:update_uv(Fitness, inc)).
-define(MINIMIZE(Fitness), proper_target:update_uv(Fitness, dec)).
