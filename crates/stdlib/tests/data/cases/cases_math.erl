-module(cases_math).
-export([cases/0]).

cases() -> [{pi, []}].
