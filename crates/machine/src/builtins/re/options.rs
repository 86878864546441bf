//! The options of `re:compile` and `re:run`.

use pcre::{Bsr, How, Newline, Options};
use term::{Atom, Term, View};

/// Options as they were given. Which are allowed depends on the function.
#[derive(Default)]
pub(super) struct Parsed {
    /// For compiling; newline and `\R` and `anchored` are also for matching.
    pub(super) compile: Options,
    pub(super) how: How,
    /// Whether there is one that only compiling has, or only running.
    pub(super) only_compile: bool,
    pub(super) only_run: bool,
    pub(super) global: bool,
    pub(super) report_errors: bool,
    pub(super) offset: usize,
    /// What to give back, and as what (`index` if it is not said).
    pub(super) capture: Option<(Term, Term)>,
}

/// Reads a list of options; `None` if there is a wrong one.
pub(super) fn parse(options: &Term) -> Option<Parsed> {
    let mut parsed = Parsed::default();
    let mut elements = options.elements();
    for option in elements.by_ref() {
        match option.view() {
            View::Atom(name) => parsed.flag(name)?,
            View::Tuple([name, values, kind]) if name.is_atom(Atom::new("capture")) => {
                parsed.capture = Some((values.clone(), kind.clone()));
                parsed.only_run = true;
            }
            View::Tuple([name, value]) => parsed.setting(name.as_atom()?, value)?,
            _ => return None,
        }
    }
    elements.is_proper().then_some(parsed)
}

fn natural(term: &Term) -> Option<u32> {
    term.as_int()
        .filter(|number| *number <= i64::from(i32::MAX))
        .and_then(|n| u32::try_from(n).ok())
}

impl Parsed {
    fn flag(&mut self, name: Atom) -> Option<()> {
        let Parsed { compile, how, .. } = self;
        let flag = match name.as_str() {
            "anchored" => {
                (compile.anchored, how.anchored) = (true, true);
                return Some(());
            }
            "bsr_anycrlf" => {
                compile.bsr = Some(Bsr::AnyCrLf);
                return Some(());
            }
            "bsr_unicode" => {
                compile.bsr = Some(Bsr::Unicode);
                return Some(());
            }
            "notempty" => &mut how.notempty,
            "notempty_atstart" => &mut how.notempty_atstart,
            "notbol" => &mut how.notbol,
            "noteol" => &mut how.noteol,
            "report_errors" => &mut self.report_errors,
            "global" => &mut self.global,
            name => {
                *compile_flag(compile, name)? = true;
                self.only_compile = true;
                return Some(());
            }
        };
        *flag = true;
        self.only_run = true;
        Some(())
    }

    fn setting(&mut self, name: Atom, value: &Term) -> Option<()> {
        match name.as_str() {
            "newline" => {
                self.compile.newline = Some(match value.as_atom()?.as_str() {
                    "cr" => Newline::Cr,
                    "lf" => Newline::Lf,
                    "crlf" => Newline::CrLf,
                    "any" => Newline::Any,
                    "anycrlf" => Newline::AnyCrLf,
                    _ => return None,
                });
                return Some(());
            }
            "capture" => self.capture = Some((value.clone(), Term::atom("index"))),
            "offset" => self.offset = natural(value)? as usize,
            "match_limit" => self.how.match_limit = Some(natural(value)?),
            "match_limit_recursion" => self.how.depth_limit = Some(natural(value)?),
            _ => return None,
        }
        self.only_run = true;
        Some(())
    }
}

fn compile_flag<'a>(options: &'a mut Options, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "unicode" => &mut options.unicode,
        "caseless" => &mut options.caseless,
        "dollar_endonly" => &mut options.dollar_endonly,
        "dotall" => &mut options.dotall,
        "extended" => &mut options.extended,
        "firstline" => &mut options.firstline,
        "multiline" => &mut options.multiline,
        "no_auto_capture" => &mut options.no_auto_capture,
        "dupnames" => &mut options.dupnames,
        "ungreedy" => &mut options.ungreedy,
        "no_start_optimize" => &mut options.no_start_optimize,
        "ucp" => &mut options.ucp,
        "never_utf" => &mut options.never_utf,
        _ => return None,
    })
}

/// The flags in the order of their bits.
const FLAGS: [&str; 13] = [
    "unicode",
    "caseless",
    "dollar_endonly",
    "dotall",
    "extended",
    "firstline",
    "multiline",
    "no_auto_capture",
    "dupnames",
    "ungreedy",
    "no_start_optimize",
    "ucp",
    "never_utf",
];

const NEWLINES: [Newline; 5] =
    [Newline::Cr, Newline::Lf, Newline::CrLf, Newline::Any, Newline::AnyCrLf];

/// Options as part of a compiled pattern: two bytes of flags, one of newline and `\R`.
pub(super) fn to_bytes(options: &Options) -> [u8; 3] {
    let mut options = *options;
    let mut bits = u16::from(options.anchored) << 15;
    for (bit, name) in FLAGS.iter().enumerate() {
        if compile_flag(&mut options, name).is_some_and(|flag| *flag) {
            bits |= 1 << bit;
        }
    }
    let newline = options.newline.and_then(|wanted| NEWLINES.iter().position(|n| *n == wanted));
    let newline = newline.map_or(0, |index| index as u8 + 1);
    let bsr = match options.bsr {
        None => 0,
        Some(Bsr::Unicode) => 1,
        Some(Bsr::AnyCrLf) => 2,
    };
    let [high, low] = bits.to_be_bytes();
    [high, low, bsr << 4 | newline]
}

/// The options, and the bytes after them.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<(Options, &[u8])> {
    let [high, low, lines, rest @ ..] = bytes else { return None };
    let bits = u16::from_be_bytes([*high, *low]);
    let mut options = Options { anchored: bits >> 15 & 1 == 1, ..Options::default() };
    for (bit, name) in FLAGS.iter().enumerate() {
        if let Some(flag) = compile_flag(&mut options, name) {
            *flag = bits >> bit & 1 == 1;
        }
    }
    options.newline = match usize::from(lines & 15).checked_sub(1) {
        Some(index) => Some(*NEWLINES.get(index)?),
        None => None,
    };
    options.bsr = match lines >> 4 {
        0 => None,
        1 => Some(Bsr::Unicode),
        2 => Some(Bsr::AnyCrLf),
        _ => return None,
    };
    Some((options, rest))
}
