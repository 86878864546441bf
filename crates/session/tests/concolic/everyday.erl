%% Texts, maps whose keys are not known, calls by name, parts of binaries: what everyday programs do
%% with their inputs.
-module(everyday).

-behaviour(gen_server).

-export([
    bug_folded/2, bug_tokens/1, bug_sum_of_map/1, bug_values/1, bug_split/1, bug_pairs/1,
    bug_negative_text/1, bug_by_name/2, bug_sum_of_text/1, bug_packet/1,
    bug_last_byte/1, bug_iolist/1, bug_server/1, bug_written_and_read/1,
    safe_fun/1, safe_by_name/1
]).
-export([init/1, handle_call/3, handle_cast/2]).
-export([on/1, off/1, toggle/1]).

%% The fun that folds has an unknown fun with it.
-spec bug_folded(fun((integer()) -> {ok, integer()} | error), [integer()]) -> ok.
bug_folded(F, Xs) ->
    Step = fun(X, Acc) ->
        case F(X) of
            {ok, Y} -> Acc + Y;
            error -> Acc - 1
        end
    end,
    case lists:foldl(Step, 0, Xs) of
        -2 when length(Xs) > 2 -> error(bug);
        _ -> ok
    end.

-spec bug_tokens(string()) -> ok.
bug_tokens(S) ->
    case string:tokens(S, ",") of
        ["a", B] when length(B) =:= 2 ->
            case catch list_to_integer(B) of
                17 -> error(bug);
                _ -> ok
            end;
        _ -> ok
    end.

-spec bug_sum_of_map(#{atom() => integer()}) -> ok.
bug_sum_of_map(M) ->
    case maps:fold(fun(_, V, A) -> V + A end, 0, M) of
        10 when map_size(M) =:= 2 -> error(bug);
        _ -> ok
    end.

-spec bug_values(#{integer() => integer()}) -> ok.
bug_values(M) ->
    case {maps:keys(M), maps:values(M)} of
        {[A, B], [B, A]} when A + B =:= 9 -> error(bug);
        _ -> ok
    end.

-spec bug_split(binary()) -> ok.
bug_split(B) ->
    case binary:split(B, <<":">>) of
        [<<"k">>, V] ->
            case catch binary_to_integer(V) of
                12 -> error(bug);
                _ -> ok
            end;
        _ -> ok
    end.

-spec bug_pairs(map()) -> ok.
bug_pairs(M) ->
    case maps:to_list(M) of
        [{a, 1}, {b, X}] when X > 3 -> error(bug);
        _ -> ok
    end.

-spec bug_negative_text(integer()) -> ok.
bug_negative_text(X) ->
    case integer_to_list(X) of
        [$-, $4 | _] = L when length(L) > 3 -> error(bug);
        _ -> ok
    end.

-spec bug_by_name(atom(), on | off) -> ok.
bug_by_name(F, State) ->
    case ?MODULE:F(State) of
        off when State =:= on, F =/= off -> error(bug);
        _ -> ok
    end.

on(_) -> on.
off(_) -> off.
toggle(on) -> off;
toggle(off) -> on.

-spec bug_sum_of_text(string()) -> ok.
bug_sum_of_text([_, _] = S) ->
    case catch list_to_integer(S) of
        N when is_integer(N), N * 3 =:= 51 -> error(bug);
        _ -> ok
    end;
bug_sum_of_text(_) -> ok.

-spec bug_packet(binary()) -> ok.
bug_packet(B) when byte_size(B) =:= 3 ->
    case {binary:at(B, 1), binary:part(B, 2, 1)} of
        {7, <<9>>} -> error(bug);
        _ -> ok
    end;
bug_packet(_) -> ok.

-spec bug_last_byte(binary()) -> ok.
bug_last_byte(B) when byte_size(B) > 1 ->
    case split_binary(B, byte_size(B) - 1) of
        {<<1>>, <<42>>} -> error(bug);
        _ -> ok
    end;
bug_last_byte(_) -> ok.

-spec bug_iolist([byte()]) -> ok.
bug_iolist(L) ->
    case iolist_to_binary(["<", L, ">"]) of
        <<"<ab>">> -> error(bug);
        _ -> ok
    end.

-spec bug_server([{add, integer()} | check]) -> ok.
bug_server(Requests) ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    Answers = [gen_server:call(Server, Request, infinity) || Request <- Requests],
    case lists:member(bad, Answers) of
        true -> error(bug);
        false -> ok
    end.

init([]) -> {ok, 0}.

handle_call({add, N}, _, S) -> {reply, ok, S + N};
handle_call(check, _, 77) -> {reply, bad, 77};
handle_call(check, _, S) -> {reply, good, S}.

handle_cast(_, S) -> {noreply, S}.

-spec bug_written_and_read(integer()) -> ok.
bug_written_and_read(X) ->
    case list_to_integer(integer_to_list(X) ++ "7") of
        -127 -> error(bug);
        _ -> ok
    end.

%% What is asked about a fun that is made here does not depend on the input.
-spec safe_fun(integer()) -> integer().
safe_fun(X) ->
    F = fun(Y) -> X + Y end,
    case is_function(F, 1) of
        true when X > 3 -> F(1);
        true -> F(2)
    end.

-spec safe_by_name(on | off | toggle | other) -> atom().
safe_by_name(F) ->
    try ?MODULE:F(on)
    catch error:undef -> none
    end.
