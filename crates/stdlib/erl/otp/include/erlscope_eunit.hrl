%% Items of a test set. desc is a binary or undefined; timeout is in milliseconds.
-record(test, {f, desc, timeout, location, line = 0}).
-record(group, {desc, order, timeout, context, spawn, tests}).
-record(context, {setup, cleanup, process}).
