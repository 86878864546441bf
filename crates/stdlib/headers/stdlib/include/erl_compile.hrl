%% What `erlc` hands to the compiler of a file type.

-record(options, {
    %% absolute directories to search for included files
    includes = [] :: [file:filename()],
    %% where results go
    outdir = "." :: file:filename(),
    output_type = undefined :: atom(),
    %% names, or names with values
    defines = [] :: [atom() | {atom(), _}],
    %% 0 means no warnings
    warning = 1 :: non_neg_integer(),
    verbose = false :: boolean(),
    optimize = 999,
    %% options of that compiler only
    specific = [] :: [_],
    outfile = "" :: file:filename(),
    cwd :: file:filename()
}).
