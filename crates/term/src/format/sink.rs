//! Where text goes: into a string, or into a deep list of characters.
//!
//! The lists that `io_lib` returns are nested in a certain way that programs can see. Whoever
//! writes says where nested lists begin and end; a string ignores it.

use crate::Term;

pub trait Sink {
    fn char(&mut self, c: char);
    fn text(&mut self, text: &str);
    /// A nested list begins.
    fn open(&mut self) {}
    /// The innermost nested list ends.
    fn close(&mut self) {}
    /// Blanks at the start of a line.
    fn indent(&mut self, indent: &Indent);

    /// A nested list of a line break and blanks.
    fn new_line(&mut self, indent: &Indent);

    /// A nested list of these characters.
    fn element(&mut self, text: &str) {
        self.open();
        self.text(text);
        self.close();
    }
}

impl Sink for String {
    fn char(&mut self, c: char) {
        self.push(c);
    }

    fn text(&mut self, text: &str) {
        self.push_str(text);
    }

    fn indent(&mut self, indent: &Indent) {
        self.extend(std::iter::repeat_n(' ', indent.width));
    }

    fn new_line(&mut self, indent: &Indent) {
        self.push('\n');
        self.indent(indent);
    }
}

/// A deep list under construction.
#[derive(Default, Debug)]
pub struct CharList {
    /// What is in the open lists, the outermost first.
    items: Vec<Term>,
    /// Where each open list begins.
    starts: Vec<usize>,
}

impl CharList {
    /// Adds a finished element.
    pub fn push(&mut self, element: Term) {
        self.items.push(element);
    }

    /// Adds the elements of another list.
    pub fn append(&mut self, other: CharList) {
        self.items.extend(other.items);
    }

    pub fn finish(self) -> Term {
        Term::list(self.items)
    }
}

impl Sink for CharList {
    fn char(&mut self, c: char) {
        self.items.push(Term::from(u32::from(c)));
    }

    fn text(&mut self, text: &str) {
        self.items.extend(text.chars().map(|c| Term::from(u32::from(c))));
    }

    fn open(&mut self) {
        self.starts.push(self.items.len());
    }

    fn close(&mut self) {
        if let Some(start) = self.starts.pop() {
            let list = Term::list(self.items.drain(start..));
            self.items.push(list);
        }
    }

    fn indent(&mut self, indent: &Indent) {
        self.items.push(indent.list.clone());
    }

    fn new_line(&mut self, indent: &Indent) {
        self.items.push(Term::cons(Term::int(10), indent.list.clone()));
    }
}

/// Blanks, as a number and as the list that `io_lib_pretty` makes of them.
#[derive(Clone, Debug)]
pub struct Indent {
    pub width: usize,
    list: Term,
}

impl Indent {
    pub fn new(width: usize) -> Indent {
        Indent { width, list: blanks(width) }
    }

    /// With `more` blanks.
    pub fn deeper(&self, more: usize) -> Indent {
        let rest = self.list.clone();
        let list = match more {
            1 => Term::cons(Term::int(32), rest),
            4 => {
                let two = blanks(2);
                Term::cons(two.clone(), Term::cons(two, rest))
            }
            _ => Term::cons(blanks(more), rest),
        };
        Indent { width: self.width + more, list }
    }
}

fn blanks(n: usize) -> Term {
    match n {
        1 => Term::list([Term::int(32), Term::NIL]),
        _ => repeated(&Term::int(32), n),
    }
}

/// A list of `n` times the same, halves shared.
pub fn repeated(item: &Term, n: usize) -> Term {
    if n <= 3 {
        return Term::list(vec![item.clone(); n]);
    }
    let half = repeated(item, n / 2);
    let doubled = Term::cons(half.clone(), half);
    if n.is_multiple_of(2) { doubled } else { Term::cons(item.clone(), doubled) }
}
