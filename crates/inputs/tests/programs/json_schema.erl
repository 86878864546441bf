-module(json_schema).
%% Values against a small schema.
-export([main/1]).
-type json() :: null | boolean() | integer() | binary() | [json()] | #{binary() => json()}.
-spec main(json()) -> atom().
main(#{<<"type">> := <<"user">>, <<"name">> := Name}) when is_binary(Name) -> named(Name);
main(#{<<"type">> := <<"group">>, <<"members">> := [_ | _] = Members}) -> members(Members);
main(#{<<"type">> := T}) when is_binary(T) -> other_type;
main(#{<<"id">> := N}) when is_integer(N), N > 9000 -> high_id;
main([A, B, C]) when is_integer(A), is_integer(B), is_integer(C) -> point;
main([null | _]) -> nothing_first;
main(true) -> yes;
main(_) -> unknown.

named(<<>>) -> nobody;
named(<<"root">>) -> root;
named(N) when byte_size(N) > 8 -> long_name;
named(_) -> user.

members([#{<<"type">> := <<"user">>} | _]) -> users;
members([[] | _]) -> empty_member;
members(_) -> mixed.
