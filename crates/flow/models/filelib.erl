%% What calls a fun; the rest keeps and calls nothing.
-module(filelib).
fold_files(D, R, Deep, F, A) -> either(A, fold_files(D, R, Deep, F, F(string(), A))).
