-define(FROM_HEADER, header).
-include("nested.hrl").
header() -> {?FILE, ?LINE}.
-ifdef(UNKNOWN).
