-module(conditions).
-define(YES, 1).
-ifdef(YES).
a() -> yes.
-else.
a() -> no.
-endif.
-ifdef(NO).
b() -> yes.
-else.
b() -> no.
-endif.
-ifndef(NO).
c() -> yes.
-endif.
-ifndef('YES').
c() -> no.
-endif.
-ifdef(MODULE).
d() -> module.
-endif.
-ifdef(FUNCTION_NAME).
d() -> function.
-endif.
-ifdef(LINE).
d() -> line.
-endif.
-ifdef(FEATURE_ENABLED).
d() -> feature.
-endif.
-ifdef(NO).
-ifdef(YES).
e() -> 1.
-else.
e() -> 2.
-endif.
-else.
-ifdef(YES).
e() -> 3.
-else.
e() -> 4.
-endif.
-endif.
-if(?YES == 1).
f() -> 1.
-elif(true).
f() -> 2.
-elif(true).
f() -> 22.
-else.
f() -> 3.
-endif.
-if(false).
g() -> 1.
-elif(false).
g() -> 2.
-elif(true).
g() -> 3.
-else.
g() -> 4.
-endif.
-if(false).
-elif(false).
-else.
h() -> 1.
-endif.
-if(true).
-ifdef(NO).
 illegal $
-endif.
i() -> ok.
-endif.
-ifdef(NO).
i() -> "unterminated
