%% What `inet:gethostbyname/1` and its relatives answer with.

-record(hostent, {
    %% the official name, and others
    h_name :: inet:hostname(),
    h_aliases = [] :: [inet:hostname()],
    h_addrtype :: inet | inet6,
    %% bytes of an address
    h_length :: non_neg_integer(),
    h_addr_list = [] :: [inet:ip_address()]
}).
