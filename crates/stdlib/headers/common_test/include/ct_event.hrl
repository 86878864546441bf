%% What an event handler of Common Test is told.

-record(event, {
    name,
    node,
    data
}).
