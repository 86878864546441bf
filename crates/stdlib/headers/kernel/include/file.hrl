%% What `file` knows of a file, and what an open one is.

-ifndef(FILE_HRL_).
-define(FILE_HRL_, 1).

-record(file_info, {
    %% bytes
    size :: non_neg_integer() | undefined,
    type :: device | directory | other | regular | symlink | undefined,
    access :: read | write | read_write | none | undefined,
    %% last read, last written; seconds since 1970 when asked for with {time, posix}
    atime :: file:date_time() | non_neg_integer() | undefined,
    mtime :: file:date_time() | non_neg_integer() | undefined,
    %% Unix: last change of the file or its inode; Windows: creation
    ctime :: file:date_time() | non_neg_integer() | undefined,
    %% permission bits
    mode :: non_neg_integer() | undefined,
    links :: non_neg_integer() | undefined,
    %% the file system, or the drive
    major_device :: non_neg_integer() | undefined,
    %% the rest means something on Unix only
    minor_device :: non_neg_integer() | undefined,
    inode :: non_neg_integer() | undefined,
    uid :: non_neg_integer() | undefined,
    gid :: non_neg_integer() | undefined
}).

-record(file_descriptor, {
    %% the module that does the work, and what it needs for it
    module :: module(),
    data :: term()
}).

-endif.
