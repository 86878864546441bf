%% Common Test: an event.
-record(event, {name, node, data}).
