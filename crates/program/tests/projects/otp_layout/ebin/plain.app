{application, plain, [{vsn, "0.1"}, {modules, [plain]}]}.
