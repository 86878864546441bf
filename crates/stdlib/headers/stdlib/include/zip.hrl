%% What `zip:list_dir/1` and `zip:table/1` answer with.

%% One file of an archive. `offset` is where its local header starts.
-record(zip_file, {
    name :: string(),
    info :: file:file_info(),
    comment :: string(),
    offset :: non_neg_integer(),
    comp_size :: non_neg_integer()
}).

%% The comment on the whole archive; always the first of the list.
-record(zip_comment, {comment :: string()}).
