-module(persistent_term).
put(K, V) -> '$put'(persistent_term, K, V), ok.
get(K) -> '$get'(persistent_term, K).
get(K, D) -> either(D, '$get'(persistent_term, K)).
get() -> list({any(), '$get'(persistent_term, any())}).
erase(_) -> boolean().
info() -> any().
