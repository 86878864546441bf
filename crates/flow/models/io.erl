%% Input and output: requests to devices that are processes of the program.
-module(io).

%% A device that the program does not have is none of its business.
ask(D) -> D ! {io_request, self(), '$ref'(), any()}, any().
leader() -> ask('$get'(devices, leader)).

columns() -> leader().
columns(D) -> ask(D).
format(_) -> leader(), ok.
format(D, _) -> leader(), ask(D), ok.
format(D, _, _) -> ask(D), ok.
fread(_, _) -> leader().
fread(D, _, _) -> ask(D).
fwrite(_) -> leader(), ok.
fwrite(D, _) -> leader(), ask(D), ok.
fwrite(D, _, _) -> ask(D), ok.
get_chars(_, _) -> leader().
get_chars(D, _, _) -> ask(D).
get_line(_) -> leader().
get_line(D, _) -> ask(D).
get_password() -> leader().
get_password(D) -> ask(D).
getopts() -> leader().
getopts(D) -> ask(D).
nl() -> leader(), ok.
nl(D) -> ask(D), ok.
parse_erl_exprs(_) -> leader().
parse_erl_exprs(D, _) -> ask(D).
parse_erl_exprs(D, _, _) -> ask(D).
parse_erl_exprs(D, _, _, _) -> ask(D).
parse_erl_form(_) -> leader().
parse_erl_form(D, _) -> ask(D).
parse_erl_form(D, _, _) -> ask(D).
parse_erl_form(D, _, _, _) -> ask(D).
printable_range() -> atom().
put_chars(_) -> leader(), ok.
put_chars(D, _) -> ask(D), ok.
put_chars(D, _, _) -> ask(D), ok.
read(_) -> leader().
read(D, _) -> ask(D).
read(D, _, _) -> ask(D).
read(D, _, _, _) -> ask(D).
request(_) -> leader().
request(D, _) -> ask(D).
requests(_) -> leader().
requests(D, _) -> ask(D).
rows() -> leader().
rows(D) -> ask(D).
scan_erl_exprs(_) -> leader().
scan_erl_exprs(D, _) -> ask(D).
scan_erl_exprs(D, _, _) -> ask(D).
scan_erl_exprs(D, _, _, _) -> ask(D).
scan_erl_form(_) -> leader().
scan_erl_form(D, _) -> ask(D).
scan_erl_form(D, _, _) -> ask(D).
scan_erl_form(D, _, _, _) -> ask(D).
setopts(_) -> leader().
setopts(D, _) -> ask(D).
write(_) -> leader(), ok.
write(D, _) -> ask(D), ok.
