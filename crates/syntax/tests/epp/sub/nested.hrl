-file("fake.hrl", 20).
nested() -> {?FILE, ?LINE}.
