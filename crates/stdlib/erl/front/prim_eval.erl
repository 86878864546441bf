%% A `receive' whose clauses are a function.
-module(prim_eval).

-export(['receive'/2]).

%% Takes the first message that Accept answers with something else than
%% `nomatch': that answer; or `timeout'.
'receive'(Accept, Timeout) ->
    Until = case Timeout of
                infinity -> infinity;
                _ when is_integer(Timeout), Timeout >= 0, Timeout =< 16#FFFFFFFF ->
                    erlang:monotonic_time(millisecond) + Timeout;
                _ -> erlang:error(timeout_value)
            end,
    look(Accept, Until, 0).

look(Accept, Until, Seen) ->
    {messages, Messages} = erlang:process_info(self(), messages),
    case first(Accept, lists:nthtail(Seen, Messages)) of
        {Message, Answer} ->
            %% No timer is left running.
            erlscope_native:await_message(0, 0),
            receive Message -> Answer end;
        none ->
            case erlscope_native:await_message(length(Messages), left(Until)) of
                true -> look(Accept, Until, length(Messages));
                false -> timeout
            end
    end.

first(Accept, [Message | Messages]) ->
    case Accept(Message) of
        nomatch -> first(Accept, Messages);
        Answer -> {Message, Answer}
    end;
first(_, []) ->
    none.

left(infinity) -> infinity;
left(Until) -> max(0, Until - erlang:monotonic_time(millisecond)).
