%% What functions of `unicode` take and give where specs leave out what happens: numbers that are
%% no characters come back in what is left.
-module(unicode).

-spec characters_to_binary(binary() | maybe_improper_list()) -> binary() | {error | incomplete, binary(), any()}.
-spec characters_to_binary(binary() | maybe_improper_list(), any()) -> binary() | {error | incomplete, binary(), any()}.
-spec characters_to_binary(binary() | maybe_improper_list(), any(), any()) -> binary() | {error | incomplete, binary(), any()}.
-spec characters_to_list(binary() | maybe_improper_list()) -> string() | {error | incomplete, string(), any()}.
-spec characters_to_list(binary() | maybe_improper_list(), any()) -> string() | {error | incomplete, string(), any()}.
-spec characters_to_nfc_binary(binary() | maybe_improper_list()) -> binary() | {error | incomplete, any(), any()}.
-spec characters_to_nfd_binary(binary() | maybe_improper_list()) -> binary() | {error | incomplete, any(), any()}.
-spec characters_to_nfkc_binary(binary() | maybe_improper_list()) -> binary() | {error | incomplete, any(), any()}.
-spec characters_to_nfkd_binary(binary() | maybe_improper_list()) -> binary() | {error | incomplete, any(), any()}.
-spec characters_to_nfc_list(binary() | maybe_improper_list()) -> [integer()] | {error | incomplete, any(), any()}.
-spec characters_to_nfd_list(binary() | maybe_improper_list()) -> [integer()] | {error | incomplete, any(), any()}.
-spec characters_to_nfkc_list(binary() | maybe_improper_list()) -> [integer()] | {error | incomplete, any(), any()}.
-spec characters_to_nfkd_list(binary() | maybe_improper_list()) -> [integer()] | {error | incomplete, any(), any()}.
-spec bin_is_7bit(any()) -> boolean().
