%% The native functions of NATIVES.md, played by the BEAM: lets the library be
%% tested there.
-module(erlscope_native).

-export([logger_config/0, logger_config/1, write_output/2, io_relay/2]).

logger_config() -> persistent_term:get('$erlscope_logger', undefined).

logger_config(Config) -> persistent_term:put('$erlscope_logger', Config).

write_output(standard_io, Text) -> io:put_chars(user, Text);
write_output(standard_error, Text) -> io:put_chars(standard_error, Text).

io_relay(_Pid, _Leader) -> ok.
