%% The macros and imports of PropEr, written from its documentation: shipped with Erlscope and used
%% where no PropEr is installed.
%%
%% The parse transform exports the properties (`prop_*/0`) and makes generators of the types that a
%% module declares; Erlscope's library has it, as it has `proper`, `proper_types` and the others.
%% As with PropEr, include this header before `eunit.hrl`, which has a `?LET` of its own.

-include_lib("proper/include/proper_common.hrl").

-ifndef(PROPER_NO_IMPORTS).

-import(proper, [numtests/2, fails/1, on_output/2, conjunction/1, collect/2, collect/3, aggregate/2,
                 aggregate/3, classify/3, measure/3, with_title/1, equals/2]).

-import(proper_types, [any/0, arity/0, atom/0, binary/0, binary/1, bitstring/0, bitstring/1, bool/0,
                       boolean/0, byte/0, char/0, choose/2, default/2, elements/1, exactly/1,
                       fixed_list/1, float/0, float/2, frequency/1, function/2, function0/1,
                       function1/1, function2/1, function3/1, function4/1, int/0, integer/0,
                       integer/2, largeint/0, list/0, list/1, loose_tuple/1, nat/0, neg_integer/0,
                       non_empty/1, non_neg_float/0, non_neg_integer/0, noshrink/1, number/0,
                       oneof/1, orderedlist/1, parameter/1, parameter/2, pos_integer/0, range/2,
                       real/0, resize/2, return/1, string/0, term/0, timeout/0, tuple/0, tuple/1,
                       union/1, vector/2, weighted_default/2, weighted_union/1, with_parameter/3,
                       with_parameters/2, wunion/1]).

-import(proper_unicode, [utf8/0, utf8/1, utf8/2]).

-import(proper_symb, [defined/1, eval/1, eval/2, pretty_print/1, pretty_print/2, well_defined/1]).

-import(proper_statem, [command_names/1, commands/1, commands/2, more_commands/2,
                        parallel_commands/1, parallel_commands/2, run_commands/2, run_commands/3,
                        run_parallel_commands/2, run_parallel_commands/3, state_after/2, zip/2]).

-endif.

-ifndef(PROPER_NO_TRANS).
-compile({parse_transform, proper_transformer}).
-endif.
