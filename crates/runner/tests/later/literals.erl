%% Literals and attributes of OTP 27 to 29: triple-quoted strings (EEP 64), sigils (EEP 66), floats with a base
%% (EEP 75), documentation (EEP 59), nominal types (EEP 69).
-module(literals).
-moduledoc "About literals".
-moduledoc #{since => "1.0"}.
-export([main/0, f/0]).
-nominal meters() :: integer().

-doc """
Documented
""".
-doc #{equiv => main/0}.
-spec f() -> meters().
f() -> 1.

-doc hidden.
main() ->
    show(based, [2#0.111, 16#f.8#e2, 16#fefe.fefe#e2, 10#1.5, 2#1.1#e-3, 1_000.5, 16#dead_beef]),
    show(triple, """
        line one
          "line" two \n not escaped
        """),
    show(triple_of_bytes, ~"""
        ümlaut
        """),
    show(four, """"
        has """ inside
        """"),
    show(empty, """
        """),
    show(sigils, [~"bin", ~b"b\x41", ~B"raw\n", ~s"str\n", ~S"raw\n", ~b(paren), ~s[br], ~S{cu}, ~b<an>, ~s/sl/, ~b|bar|, ~s'q', ~B`bt`, ~s#hash#]),
    show(in_patterns, [case X of ~"ab" -> bytes; ~s"ab" -> list; _ -> other end || X <- [<<"ab">>, "ab", ab]]),
    show(documented, f()).

show(What, Value) -> io:format("~w: ~tp~n", [What, Value]).
%> based: [0.875,3968.0,16711422.9921875,1.5,0.1875,1000.5,3735928559]
%> triple: "line one\n  \"line\" two \\n not escaped"
%> triple_of_bytes: <<"ümlaut"/utf8>>
%> four: "has \"\"\" inside"
%> empty: []
%> sigils: [<<"bin">>,<<"bA">>,<<"raw\\n">>,"str\n","raw\\n",<<"paren">>,"br",
%>          "cu",<<"an">>,"sl",<<"bar">>,"q",<<"bt">>,"hash"]
%> in_patterns: [bytes,list,other]
%> documented: 1
