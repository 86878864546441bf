%% What functions of `lists` take and give where OTP's specs leave out what happens: lists that do
%% not end in [], elements that are not looked at, what folds give. Of the clauses of a function the first that
%% takes all that it is given holds; the others say what else comes back.
-module(lists).

-spec all(fun((T) -> boolean()), [T]) -> boolean()
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> boolean().
-spec any(fun((T) -> boolean()), [T]) -> boolean()
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> boolean().
-spec append([[T]]) -> [T]
    ; ([any()]) -> any().
-spec concat([atom() | number() | string()]) -> string()
    ; ([any()]) -> any().
-spec delete(any(), [T]) -> [T]
    ; (any(), maybe_improper_list()) -> any().
-spec dropwhile(fun((T) -> boolean()), [T]) -> [T]
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> any().
-spec flatten(maybe_improper_list(), [any()]) -> [any()]
    ; (maybe_improper_list(), maybe_improper_list()) -> any().
-spec foldl(fun((any(), any()) -> A), A, [any()]) -> A.
-spec foldr(fun((any(), any()) -> A), A, [any()]) -> A.
-spec keydelete(any(), pos_integer(), [T]) -> [T]
    ; (any(), pos_integer(), maybe_improper_list()) -> any().
-spec keyfind(any(), pos_integer(), [T]) -> T | false when T :: tuple()
    ; (any(), pos_integer(), maybe_improper_list()) -> tuple() | false.
-spec keymember(any(), pos_integer(), maybe_improper_list()) -> boolean().
-spec keymerge(pos_integer(), [T1], [T2]) -> [T1 | T2]
    ; (pos_integer(), any(), [any()]) -> any().
-spec keyreplace(any(), pos_integer(), [T], N) -> [T | N] when N :: tuple()
    ; (any(), pos_integer(), maybe_improper_list(), tuple()) -> maybe_improper_list().
-spec keysearch(any(), pos_integer(), [T]) -> {value, T} | false when T :: tuple()
    ; (any(), pos_integer(), maybe_improper_list()) -> {value, tuple()} | false.
-spec keysort(pos_integer(), [T]) -> [T].
-spec keystore(any(), pos_integer(), [T], N) -> [T | N, ...] when N :: tuple()
    ; (any(), pos_integer(), maybe_improper_list(), tuple()) ->
        nonempty_maybe_improper_list().
-spec keytake(any(), pos_integer(), [T]) -> {value, T, [T]} | false
    ; (any(), pos_integer(), maybe_improper_list()) -> {value, any(), any()} | false.
-spec mapfoldl(fun((any(), any()) -> {B, A}), A, [any()]) -> {[B], A}.
-spec mapfoldr(fun((any(), any()) -> {B, A}), A, [any()]) -> {[B], A}.
-spec member(any(), maybe_improper_list()) -> boolean().
-spec merge([[T]]) -> [T]
    ; (any()) -> any().
-spec merge([T1], [T2]) -> [T1 | T2]
    ; (any(), any()) -> any().
-spec merge(fun((A, B) -> boolean()), [A], [B]) -> [A | B]
    ; (any(), any(), any()) -> any().
-spec merge3([A], [B], [C]) -> [A | B | C]
    ; (any(), any(), any()) -> any().
-spec nth(pos_integer(), nonempty_maybe_improper_list(T, any())) -> T.
-spec nthtail(non_neg_integer(), [T]) -> [T]
    ; (non_neg_integer(), any()) -> any().
-spec prefix(maybe_improper_list(), maybe_improper_list()) -> boolean().
-spec search(fun((T) -> boolean()), [T]) -> {value, T} | false
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> {value, any()} | false.
-spec split(non_neg_integer(), [T]) -> {[T], [T]}
    ; (non_neg_integer(), maybe_improper_list()) -> {[any()], any()}.
-spec splitwith(fun((T) -> boolean()), [T]) -> {[T], [T]}
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> {[any()], any()}.
-spec sublist([T], integer()) -> [T]
    ; (maybe_improper_list(), integer()) -> [any()].
-spec sublist([T], pos_integer(), any()) -> [T]
    ; (maybe_improper_list(), pos_integer(), any()) -> [any()].
-spec takewhile(fun((T) -> boolean()), [T]) -> [T]
    ; (fun((any()) -> boolean()), maybe_improper_list()) -> [any()].
-spec ukeymerge(pos_integer(), [T1], [T2]) -> [T1 | T2]
    ; (pos_integer(), any(), any()) -> any().
-spec ukeysort(pos_integer(), [T]) -> [T].
-spec umerge([[T]]) -> [T]
    ; (any()) -> any().
-spec umerge([T1], [T2]) -> [T1 | T2]
    ; (any(), any()) -> any().
-spec umerge(fun((A, B) -> boolean()), [A], [B]) -> [A | B]
    ; (any(), any(), any()) -> any().
-spec umerge3([A], [B], [C]) -> [A | B | C]
    ; (any(), any(), any()) -> any().
