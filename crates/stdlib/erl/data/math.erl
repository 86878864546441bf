%% math: mathematical functions on floats. All but pi/0 are native.
-module(math).

-export([tau/0]).
-export([acos/1, acosh/1, asin/1, asinh/1, atan/1, atan2/2, atanh/1, ceil/1, cos/1, cosh/1, erf/1,
         erfc/1, exp/1, floor/1, fmod/2, log/1, log10/1, log2/1, pi/0, pow/2, sin/1, sinh/1, sqrt/1,
         tan/1, tanh/1]).

-spec pi() -> float().
pi() -> 3.14159265358979323846.

-spec acos(number()) -> float().
acos(_X) -> erlang:nif_error(undef).

-spec acosh(number()) -> float().
acosh(_X) -> erlang:nif_error(undef).

-spec asin(number()) -> float().
asin(_X) -> erlang:nif_error(undef).

-spec asinh(number()) -> float().
asinh(_X) -> erlang:nif_error(undef).

-spec atan(number()) -> float().
atan(_X) -> erlang:nif_error(undef).

-spec atan2(number(), number()) -> float().
atan2(_Y, _X) -> erlang:nif_error(undef).

-spec atanh(number()) -> float().
atanh(_X) -> erlang:nif_error(undef).

-spec ceil(number()) -> float().
ceil(_X) -> erlang:nif_error(undef).

-spec cos(number()) -> float().
cos(_X) -> erlang:nif_error(undef).

-spec cosh(number()) -> float().
cosh(_X) -> erlang:nif_error(undef).

-spec erf(number()) -> float().
erf(_X) -> erlang:nif_error(undef).

-spec erfc(number()) -> float().
erfc(_X) -> erlang:nif_error(undef).

-spec exp(number()) -> float().
exp(_X) -> erlang:nif_error(undef).

-spec floor(number()) -> float().
floor(_X) -> erlang:nif_error(undef).

-spec fmod(number(), number()) -> float().
fmod(_X, _Y) -> erlang:nif_error(undef).

-spec log(number()) -> float().
log(_X) -> erlang:nif_error(undef).

-spec log10(number()) -> float().
log10(_X) -> erlang:nif_error(undef).

-spec log2(number()) -> float().
log2(_X) -> erlang:nif_error(undef).

-spec pow(number(), number()) -> float().
pow(_X, _N) -> erlang:nif_error(undef).

-spec sin(number()) -> float().
sin(_X) -> erlang:nif_error(undef).

-spec sinh(number()) -> float().
sinh(_X) -> erlang:nif_error(undef).

-spec sqrt(number()) -> float().
sqrt(_X) -> erlang:nif_error(undef).

-spec tan(number()) -> float().
tan(_X) -> erlang:nif_error(undef).

-spec tanh(number()) -> float().
tanh(_X) -> erlang:nif_error(undef).

%% Since OTP 26.
tau() -> 6.283185307179586.
