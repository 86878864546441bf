#!/usr/bin/env escript
main(_) -> ok.
