#!/usr/bin/env bash
# Tests of the library's processes, behaviours and testing modules. Each scenario runs on a node with OTP's
# modules and on one with ours (the whole node, from its boot, runs on them); the outcomes must be equal.
# Prints the differences, and "N passed, M failed". Needs Erlang/OTP 25; skipped without.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/../../erl/otp
command -v erl >/dev/null || { echo "erl not found: all skipped"; exit 0; }
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp"/{boot,late,after,tests,otp,ours,inc,w1,w2}
opts="+debug_info +nowarn_deprecated_function"

# Modules that a node can boot on, modules that it can replace when it is up, and modules that it finds then.
boot="gen gen_server gen_statem gen_event gen_fsm supervisor supervisor_bridge proc_lib sys timer application
 application_controller application_master logger logger_filters logger_formatter logger_std_h error_logger
 global erlscope_crash erlscope_report erlscope_logger"
after="rpc erpc pg io file_io_server"
late="eunit eunit_tty eunit_lib eunit_proc eunit_listener erlscope_eunit erlscope_eunit_data erlscope_io
 ct test_server erlscope_ct eunit_autoexport"
cd "$lib"
erlc $opts -o "$tmp/boot" $(printf '%s.erl ' $boot) >"$tmp/log" 2>&1 || { head -30 "$tmp/log"; exit 1; }
erlc $opts -o "$tmp/late" $(printf '%s.erl ' $late) >"$tmp/log" 2>&1 || { head -30 "$tmp/log"; exit 1; }
erlc $opts -o "$tmp/after" $(printf '%s.erl ' $after) >"$tmp/log" 2>&1 || { head -30 "$tmp/log"; exit 1; }
cp -r "$here"/../../headers/* "$tmp/inc"
cd "$here"
erlc -o "$tmp/late" erlscope_native.erl
sed 's/^-module(code)/-module(code_copy)/' "$lib/code.erl" >"$tmp/code_copy.erl"
erlc -o "$tmp/late" "$tmp/code_copy.erl"
erlc +nowarn_deprecated_function -o "$tmp/tests" compare.erl test_*.erl scenario_*.erl >"$tmp/log" 2>&1 || { head -30 "$tmp/log"; exit 1; }
# Sample tests are compiled with the headers of their own side.
for f in sample_*.erl; do
    erlc -o "$tmp/otp" "$f" >/dev/null
    erlc -I "$tmp/inc" -pa "$tmp/late" -o "$tmp/ours" "$f" >/dev/null
done
erl -noshell -eval '
    {ok, Bin} = file:read_file(code:root_dir() ++ "/bin/start_clean.boot"),
    {script, Id, Is} = binary_to_term(Bin),
    {Before, [{primLoad, Ms} | After]} =
        lists:splitwith(fun({primLoad, L}) -> length(L) < 20; (_) -> true end, Is),
    New = [erlscope_native, erlscope_report, erlscope_crash, erlscope_logger, logger_std_h, proplists, calendar],
    ok = file:write_file("'"$tmp"'/ours.boot", term_to_binary({script, Id, Before ++ [{primLoad, New ++ Ms} | After]})),
    halt(0).'
modules=$(cd "$tmp/tests" && ls scenario_*.beam | sed 's/\.beam//' | paste -sd,)
run="compare:main([WORK, $modules])"
timeout 58 erl -noshell -pa "$tmp/tests" "$tmp/otp" -eval "${run/WORK/\"$tmp/w1\"}" >"$tmp/otp.txt" 2>"$tmp/otp.err" &
timeout 58 erl -noshell -boot "$tmp/ours" -pa "$tmp/boot" "$tmp/late" "$tmp/tests" "$tmp/ours" \
    -eval "[begin code:unstick_mod(M), code:purge(M), {module, M} = code:load_abs(\"$tmp/after/\" ++ atom_to_list(M)) end || M <- [$(echo $after | tr ' ' ,)]], ${run/WORK/\"$tmp/w2\"}" >"$tmp/ours.txt" 2>"$tmp/ours.err" &
wait
# A scenario's line starts with module:name; other lines are output that belongs to the scenario after it.
python3 - "$tmp/otp.txt" "$tmp/ours.txt" "${1:-}" <<'P'
import re, sys
# Identifiers, times, and the frames of EUnit's own modules.
NOISE = [(r"<0\.\d+\.0>", "<pid>"), (r"\[[0-9.]+ s\] ", ""), (r" *\[done in [0-9.]+ s\]\n", ""),
         (r"in call from (eunit_\w+|erlscope_\w+):.*\n", "")]
def read(path):
    found, text = {}, ""
    for line in open(path, errors="replace"):
        text += line
        m = re.match(r"(scenario_\w+:\w+) ", line)
        if m:
            if m.group(1).startswith("scenario_ct:"):
                text = line          # Common Test prints what it likes
            for pattern, new in NOISE:
                text = re.sub(pattern, new, text)
            found[m.group(1)] = text
            text = ""
    return found
otp, ours = read(sys.argv[1]), read(sys.argv[2])
failed = 0
if not ours:
    print("no outcome on our side")
    otp = {name: otp[name] for name in list(otp)[:1]}
for name in otp:
    if ours.get(name) != otp[name]:
        failed += 1
        a, b = otp[name], ours.get(name, "(missing)\n")
        i = next((k for k in range(min(len(a), len(b))) if a[k] != b[k]), min(len(a), len(b)))
        wide = 10**6 if sys.argv[3] == "-v" else 90
        print(f"{name} differs:\n  OTP:  {a[max(0, i - wide):i + wide]!r}\n  ours: {b[max(0, i - wide):i + wide]!r}")
print(f"{len(otp) - failed} passed, {failed} failed")
sys.exit(failed > 0)
P
status=$?
[ -s "$tmp/otp.txt" ] || cat "$tmp/otp.err"
[ -s "$tmp/ours.txt" ] || cat "$tmp/ours.err"
exit $status
