-define(NO_NEWLINE, 1).
no_dot() -> ok