-module(files).
-file("other.erl", 100).
a() -> ?LINE. b() -> ?FILE.
-file("more" ".erl", 7). c() -> ?LINE,
 ?FILE.
-include("sub/header.hrl").
d() -> ?LINE, ?FILE.
-file(?FILE, ?LINE).
e() -> ?LINE.
-file("x").
-file("x", y).
-file(x, 1).
-file.
-file("x", 1
).
f() -> ?FILE.
-file("files.erl",
      50).
g() -> ?LINE.
-include("sub/header.hrl").
h() -> ?LINE, ?UNDEFINED.
