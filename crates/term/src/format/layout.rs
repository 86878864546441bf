//! From a [`Tree`] to text: on one line where it fits, else broken as `io_lib_pretty` breaks it.
//!
//! The elements of a container stand below each other, indented by the width of its bracket; only
//! elements that are plain text may share a line. The rest of a tagged tuple or a record is
//! indented by the width of the tag, or, where that would put something too far to the right, by
//! four columns, or by one. [`tag_indent`] finds out which, before anything is written.
//!
//! Both walks go top down and need nothing back from what is inside, so a stack of tasks does:
//! whatever is inside something is never written directly but becomes a task.
//! Names of quantities: `col` is the column (from 1) where something starts, `ld` how many closing
//! brackets must follow on the last line, `w` how many characters are on the line already.

use super::sink::{Indent, Sink};
use super::tree::{Kind, NodeId, Seq, Span, Tail, Tree};
use super::write::{End, Shown, digits};

/// What is the same everywhere in one text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Columns of a line.
    pub(super) width: i64,
    /// Characters on a line without its indentation.
    pub(super) max_chars: i64,
    /// How far the rest of a tagged tuple is indented; as the tag is wide if not positive.
    pub(super) tag_indent: i64,
}

impl Page {
    /// Whether text of this length fits here, with what must follow it.
    fn fits(&self, len: i64, col: i64, ld: i64, w: i64) -> bool {
        len < self.width - col - ld && len + w + ld <= self.max_chars
    }

    /// Whether one more element of this length, with its comma, fits on the line.
    fn fits_after(&self, len: i64, col: i64, ld: i64, w: i64) -> bool {
        if ld == 0 { self.fits(len + 2, col, 0, w) } else { self.fits(len + 1, col, ld, w) }
    }

    /// Indentation for what follows something `wide` columns wide, and whether it starts a line.
    fn after(&self, wide: i64) -> (i64, bool) {
        let breaks = self.tag_indent > 0 && wide > self.tag_indent;
        (if breaks { self.tag_indent } else { wide }, breaks)
    }

    fn value_indent(&self) -> i64 {
        if self.tag_indent > 0 { self.tag_indent } else { 4 }
    }
}

/// Closing brackets after the element at `index`, if the container needs `ld` after itself.
fn closing(seq: &Seq, index: usize, ld: i64) -> i64 {
    if index + 1 < seq.count() { 0 } else { ld + 1 }
}

/// What the elements of a sequence are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Elements,
    Pairs,
    Fields,
}

fn is_text(tree: &Tree<'_>, of: Of, id: NodeId) -> bool {
    match of {
        Of::Elements => tree.node(id).is_text(),
        Of::Pairs | Of::Fields => tree.has_text_parts(id),
    }
}

// ---- where tagged tuples are indented
// ------------------------------------------------------------

/// The indentation may not exceed half the line unless all fits anyway.
struct TooFar;

/// The first of the possible indentations with which nothing is too far to the right.
pub(super) fn tag_indent(tree: &Tree<'_>, root: NodeId, col: i64, page: Page) -> i64 {
    let good = [-1, 4].into_iter().find(|&tag_indent| {
        let page = Page { tag_indent, ..page };
        Trial { tree, page, pending: Vec::new() }.run(root, col).is_ok()
    });
    good.unwrap_or(1)
}

/// One indentation being tried.
struct Trial<'a, 't> {
    tree: &'a Tree<'t>,
    page: Page,
    /// Node, column, closing brackets, characters on the line.
    pending: Vec<(NodeId, i64, i64, i64)>,
}

impl Trial<'_, '_> {
    fn run(mut self, root: NodeId, col: i64) -> Result<(), TooFar> {
        self.pending.push((root, col, 0, 0));
        while let Some((id, col, ld, w)) = self.pending.pop() {
            if self.page.fits(self.tree.len(id), col, ld, w) {
                continue;
            }
            match self.tree.node(id).kind {
                Kind::List(seq) | Kind::Tuple(false, seq) => {
                    self.first(Of::Elements, &seq, 0, col + 1, ld, w + 1)?;
                }
                Kind::Tuple(true, seq) => self.tagged(&seq, col, ld, w + 1)?,
                Kind::Map(seq) => self.first(Of::Pairs, &seq, 0, col + 2, ld, w + 2)?,
                Kind::Record(name, seq) if seq.count() > 0 => {
                    let len = super::chardata::text_length(self.tree.span(name)) as i64;
                    let (col, w) = self.after(len + 1, col, w + len + 1)?;
                    self.first(Of::Fields, &seq, 0, col, ld, w)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn tagged(&mut self, seq: &Seq, col: i64, ld: i64, w: i64) -> Result<(), TooFar> {
        if seq.count() == 0 {
            return Ok(());
        }
        let Page { width, max_chars, tag_indent, .. } = self.page;
        let tag = self.tree.len(self.tree.element(seq, 0));
        let after_tag = col + tag + 2;
        if tag_indent > 0 && tag + 2 > tag_indent {
            let below = col + tag_indent;
            if max_chars + below <= width || below <= width / 2 {
                return self.tail(Of::Elements, seq, 1, (below, after_tag), ld, w + tag);
            }
        } else if max_chars + after_tag < width || after_tag < width / 2 {
            return self.first(Of::Elements, seq, 1, after_tag, ld, w + tag + 1);
        }
        Err(TooFar)
    }

    /// Column and characters after a name.
    fn after(&self, wide: i64, col: i64, w: i64) -> Result<(i64, i64), TooFar> {
        let Page { width, max_chars, .. } = self.page;
        let (indent, breaks) = self.page.after(wide);
        let col = col + indent;
        if max_chars + col <= width || col <= width / 2 {
            Ok((col, if breaks { 0 } else { w }))
        } else {
            Err(TooFar)
        }
    }

    /// The elements from `at` on, of which the first needs no comma.
    fn first(
        &mut self,
        of: Of,
        seq: &Seq,
        at: usize,
        col: i64,
        ld: i64,
        w: i64,
    ) -> Result<(), TooFar> {
        if at >= seq.count() {
            return Ok(());
        }
        let element = self.tree.element(seq, at);
        let width = self.element(of, element, col, closing(seq, at, ld), w)?;
        self.tail(of, seq, at + 1, (col, col + width), ld, w + width)
    }

    /// The elements from `at` on; of the columns, one is where lines start and one where we are.
    fn tail(
        &mut self,
        of: Of,
        seq: &Seq,
        at: usize,
        (start, mut col): (i64, i64),
        ld: i64,
        mut w: i64,
    ) -> Result<(), TooFar> {
        for index in at..seq.count() {
            let element = self.tree.element(seq, index);
            let ld = closing(seq, index, ld);
            let len = self.tree.len(element);
            if self.page.fits_after(len, col, ld, w) && is_text(self.tree, of, element) {
                col += len + 1;
                w += len + 1;
            } else {
                let width = self.element(of, element, start, ld, 0)?;
                // For fields OTP goes on from where it was.
                col = if of == Of::Fields { col } else { start } + width;
                w = width;
            }
        }
        if let Tail::Improper(last) = seq.tail {
            let len = self.tree.len(last);
            let fits = self.page.fits(len + 1, col, ld + 1, w);
            if !(fits && self.tree.node(last).is_text()) {
                self.pending.push((last, col, ld + 1, 0));
            }
        }
        Ok(())
    }

    /// How wide an element is; what does not fit ends its line.
    fn element(&mut self, of: Of, id: NodeId, col: i64, ld: i64, w: i64) -> Result<i64, TooFar> {
        let len = self.tree.len(id);
        let text = is_text(self.tree, of, id);
        let line = self.page.width;
        if self.page.fits(len, col, ld, w) && (text || of != Of::Elements) {
            return Ok(if text { len } else { line });
        }
        match self.tree.node(id).kind {
            Kind::Pair(key, value) => {
                self.pending.push((key, col, ld, w));
                self.pending.push((value, col + self.page.value_indent(), ld, 0));
            }
            Kind::Field(name, value) => {
                let wide = super::chardata::text_length(self.tree.span(name)) as i64 + 3;
                let (col, w) = self.after(wide, col, w + wide)?;
                self.pending.push((value, col, ld, w));
            }
            _ => self.pending.push((id, col, ld, w)),
        }
        Ok(line)
    }
}

// ---- writing
// -------------------------------------------------------------------------------------

/// Something that is still to be written.
enum Task {
    Text(&'static str),
    /// Between key and value.
    Arrow,
    Close,
    /// A nested list with a node on one line.
    Element(NodeId),
    /// A node on one line, as part of the current list.
    Content(NodeId),
    /// The elements from an index on, on one line, with what stands before a rest.
    Line(Seq, usize, char),
    /// A node over several lines, as part of the current list.
    Broken(NodeId, Place),
    /// The elements from an index on, over several lines.
    Tail(Of, Seq, usize, i64, Place, char),
    /// The value of a pair, below its key.
    Below(NodeId, Place),
}

/// Where something is written: the column, the blanks that start a line, closing brackets,
/// characters on the line.
#[derive(Clone, Debug)]
struct Place {
    col: i64,
    indent: Indent,
    ld: i64,
    w: i64,
}

impl Place {
    fn deeper(&self, more: i64) -> Place {
        let indent = self.indent.deeper(usize::try_from(more).unwrap_or(0));
        Place { col: self.col + more, indent, ld: self.ld, w: self.w }
    }
}

/// Writes text into a sink.
pub(super) struct Writer<'a, 't, S> {
    tree: &'a Tree<'t>,
    page: Page,
    out: &'a mut S,
    tasks: Vec<Task>,
}

impl<'a, 't, S: Sink> Writer<'a, 't, S> {
    pub(super) fn new(tree: &'a Tree<'t>, page: Page, out: &'a mut S) -> Writer<'a, 't, S> {
        Writer { tree, page, out, tasks: Vec::new() }
    }

    /// The whole tree on one line.
    pub(super) fn one_line(mut self, root: NodeId) {
        self.content(root);
        self.run();
    }

    /// The whole tree from column `col` on.
    pub(super) fn lines(mut self, root: NodeId, col: i64) {
        let indent = Indent::new(usize::try_from(col - 1).unwrap_or(0));
        self.broken(root, Place { col, indent, ld: 0, w: 0 });
        self.run();
    }

    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Text(text) => self.out.text(text),
                Task::Arrow => self.out.element(" => "),
                Task::Close => self.out.close(),
                Task::Element(id) => self.element(id),
                Task::Content(id) => self.content(id),
                Task::Line(seq, at, bar) => self.line(seq, at, bar),
                Task::Broken(id, place) => self.broken(id, place),
                Task::Tail(of, seq, at, start, place, bar) => {
                    self.tail(of, seq, at, start, place, bar);
                }
                Task::Below(value, place) => {
                    self.out.element(" =>\n");
                    let place = place.deeper(self.page.value_indent());
                    self.out.indent(&place.indent);
                    self.tasks.push(Task::Broken(value, Place { w: 0, ..place }));
                }
            }
        }
    }

    // ---- on one line

    fn element(&mut self, id: NodeId) {
        self.out.open();
        self.tasks.push(Task::Close);
        self.content(id);
    }

    fn name(&mut self, name: Span) {
        self.out.element(self.tree.span(name));
    }

    fn content(&mut self, id: NodeId) {
        match self.tree.node(id).kind {
            Kind::Text(span) => self.out.text(self.tree.span(span)),
            Kind::Framed(span, frame) => {
                let (front, behind, nested) = frame.around();
                self.out.text(front);
                self.name(span);
                if nested {
                    self.out.element(behind);
                } else {
                    self.out.text(behind);
                }
            }
            Kind::Bits(index) => self.tree.bits[index as usize].write(self.out),
            Kind::List(seq) => self.bracketed(seq, "[", "]", '|'),
            Kind::Tuple(_, seq) => self.bracketed(seq, "{", "}", ','),
            Kind::Map(seq) => self.bracketed(seq, "#{", "}", ','),
            Kind::Record(name, seq) => {
                self.name(name);
                self.bracketed(seq, "{", "}", ',');
            }
            Kind::Pair(key, value) => {
                self.tasks.extend([Task::Element(value), Task::Arrow, Task::Element(key)]);
            }
            Kind::Field(name, value) => {
                self.name(name);
                self.out.element(" = ");
                self.tasks.push(Task::Content(value));
            }
        }
    }

    fn bracketed(&mut self, seq: Seq, front: &str, behind: &'static str, bar: char) {
        self.out.text(front);
        self.out.open();
        self.tasks.extend([Task::Text(behind), Task::Close]);
        if seq.count() == 0 {
            if let Tail::Dots(_) = seq.tail {
                self.out.text("...");
            }
            return;
        }
        self.tasks.push(Task::Line(seq, 1, bar));
        self.tasks.push(Task::Element(self.tree.element(&seq, 0)));
    }

    fn line(&mut self, seq: Seq, at: usize, bar: char) {
        for index in at..seq.count() {
            self.out.char(',');
            let element = self.tree.element(&seq, index);
            if !self.tree.node(element).is_text() {
                self.tasks.push(Task::Line(seq, index + 1, bar));
                self.tasks.push(Task::Element(element));
                return;
            }
            self.out.open();
            self.content(element);
            self.out.close();
        }
        match seq.tail {
            Tail::Nil => {}
            Tail::Dots(_) => {
                self.out.char(bar);
                self.out.text("...");
            }
            Tail::Improper(last) => {
                self.out.char(bar);
                self.tasks.push(Task::Content(last));
            }
        }
    }

    // ---- over several lines

    fn broken(&mut self, id: NodeId, place: Place) {
        let Place { col, ld, w, .. } = place;
        if self.page.fits(self.tree.len(id), col, ld, w) {
            return self.content(id);
        }
        match self.tree.node(id).kind {
            Kind::List(seq) => {
                self.begin("[", "]");
                self.first(Of::Elements, seq, 0, Place { w: w + 1, ..place.deeper(1) }, '|');
            }
            Kind::Tuple(true, seq) if seq.count() > 0 => {
                self.begin("{", "}");
                self.tagged(seq, Place { w: w + 1, ..place });
            }
            Kind::Tuple(_, seq) => {
                self.begin("{", "}");
                self.first(Of::Elements, seq, 0, Place { w: w + 1, ..place.deeper(1) }, ',');
            }
            Kind::Map(seq) => {
                self.begin("#{", "}");
                self.first(Of::Pairs, seq, 0, Place { w: w + 1, ..place.deeper(2) }, ',');
            }
            Kind::Record(name, seq) => {
                self.name(name);
                self.begin("{", "}");
                let len = super::chardata::text_length(self.tree.span(name)) as i64;
                self.record(seq, len + 1, Place { w: w + len + 1, ..place });
            }
            Kind::Bits(index) => {
                self.bits(&self.tree.bits[index as usize], &place.deeper(2));
            }
            _ => self.content(id),
        }
    }

    fn begin(&mut self, front: &str, behind: &'static str) {
        self.out.text(front);
        self.out.open();
        self.tasks.extend([Task::Text(behind), Task::Close]);
    }

    fn tagged(&mut self, seq: Seq, place: Place) {
        let tag = self.tree.element(&seq, 0);
        let len = self.tree.len(tag);
        let (indent, breaks) = self.page.after(len + 2);
        let after_tag = place.col + len + 2;
        let inner = Place { w: place.w + len, ..place.deeper(indent) };
        self.out.open();
        self.content(tag);
        self.out.close();
        if breaks {
            let start = inner.col;
            let place = Place { col: after_tag, ..inner };
            self.tasks.push(Task::Tail(Of::Elements, seq, 1, start, place, ','));
        } else {
            self.out.char(',');
            self.first(Of::Elements, seq, 1, Place { w: inner.w + 1, ..inner }, ',');
        }
    }

    fn record(&mut self, seq: Seq, wide: i64, place: Place) {
        if seq.count() == 0 {
            if let Tail::Dots(_) = seq.tail {
                self.out.text("...");
            }
            return;
        }
        let place = self.after(wide, place);
        self.first(Of::Fields, seq, 0, place, ',');
    }

    /// Goes to where what follows a name is written.
    fn after(&mut self, wide: i64, place: Place) -> Place {
        let (indent, breaks) = self.page.after(wide);
        let place = place.deeper(indent);
        if breaks {
            self.out.new_line(&place.indent);
            Place { w: 0, ..place }
        } else {
            self.out.element("");
            place
        }
    }

    /// The elements from `at` on, of which the first needs no comma.
    fn first(&mut self, of: Of, seq: Seq, at: usize, place: Place, bar: char) {
        if at >= seq.count() {
            return self.out.text("...");
        }
        let element = self.tree.element(&seq, at);
        let here = Place { ld: closing(&seq, at, place.ld), ..place.clone() };
        let width = self.width(of, element, &here);
        let start = place.col;
        // A map counts only its first pair, not what stands before it.
        let w = if of == Of::Pairs { width } else { place.w + width };
        let next = Place { col: start + width, w, ..place };
        self.tasks.push(Task::Tail(of, seq, at + 1, start, next, bar));
        self.one(element, here);
    }

    fn tail(&mut self, of: Of, seq: Seq, at: usize, start: i64, mut place: Place, bar: char) {
        if at < seq.count() {
            let element = self.tree.element(&seq, at);
            let ld = closing(&seq, at, place.ld);
            let len = self.tree.len(element);
            if self.page.fits_after(len, place.col, ld, place.w) && is_text(self.tree, of, element)
            {
                self.out.char(',');
                place.col += len + 1;
                place.w += len + 1;
                self.tasks.push(Task::Tail(of, seq, at + 1, start, place, bar));
                return self.element(element);
            }
            self.out.text(",\n");
            self.out.indent(&place.indent);
            let here = Place { col: start, ld, w: 0, ..place.clone() };
            let width = self.width(of, element, &here);
            place.col = start + width;
            place.w = width;
            self.tasks.push(Task::Tail(of, seq, at + 1, start, place, bar));
            return self.one(element, here);
        }
        match seq.tail {
            Tail::Nil => {}
            Tail::Dots(_) => {
                self.out.char(bar);
                self.out.text("...");
            }
            Tail::Improper(last) => {
                self.out.char(bar);
                let len = self.tree.len(last);
                let fits = self.page.fits(len + 1, place.col, place.ld + 1, place.w);
                if fits && self.tree.node(last).is_text() {
                    self.content(last);
                } else {
                    self.out.char('\n');
                    self.out.indent(&place.indent);
                    let place = Place { col: start, ld: place.ld + 1, w: 0, ..place };
                    self.tasks.push(Task::Broken(last, place));
                }
            }
        }
    }

    /// How wide an element will be; what does not fit, or has parts, ends its line.
    fn width(&self, of: Of, id: NodeId, place: &Place) -> i64 {
        let len = self.tree.len(id);
        let fits = self.page.fits(len, place.col, place.ld, place.w);
        if fits && is_text(self.tree, of, id) { len } else { self.page.width }
    }

    /// An element, as a list of its own.
    fn one(&mut self, id: NodeId, place: Place) {
        self.out.open();
        self.tasks.push(Task::Close);
        if self.page.fits(self.tree.len(id), place.col, place.ld, place.w) {
            return self.content(id);
        }
        match self.tree.node(id).kind {
            Kind::Pair(key, value) => {
                self.tasks.extend([
                    Task::Below(value, place.clone()),
                    Task::Close,
                    Task::Broken(key, place),
                ]);
                self.out.open();
            }
            Kind::Field(name, value) => {
                self.name(name);
                let wide = super::chardata::text_length(self.tree.span(name)) as i64 + 3;
                let (_, breaks) = self.page.after(wide);
                self.out.element(if breaks { " =" } else { " = " });
                let w = place.w + wide;
                let place = self.after(wide, Place { w, ..place });
                self.tasks.push(Task::Broken(value, place));
            }
            _ => self.tasks.push(Task::Broken(id, place)),
        }
    }

    /// A bit string as numbers; a line has room for at least eight characters.
    fn bits(&mut self, shown: &Shown<'_>, place: &Place) {
        let Page { width, max_chars, .. } = self.page;
        let room = 8.max((width - place.col).min(max_chars - 4 - place.w) - place.ld);
        self.out.text("<<");
        self.out.open();
        let mut left = room;
        let plain_end = shown.end == End::Nothing;
        let before_end = shown.bytes - usize::from(plain_end && shown.bytes > 0);
        for index in 0..before_end {
            let byte = shown.byte(index);
            let len = digits(byte) as i64 + 1;
            left -= len;
            if left < 0 {
                self.out.char('\n');
                self.out.indent(&place.indent);
                left = room - len;
            }
            self.out.element(&byte.to_string());
            self.out.char(',');
        }
        let last = if plain_end { shown.byte(before_end).to_string() } else { String::new() };
        let breaks = (last.len() + shown.end_len()) as i64 > left;
        if breaks {
            self.out.char('\n');
            self.out.indent(&place.indent);
            self.out.open();
        }
        if plain_end {
            self.out.element(&last);
        } else {
            shown.write_end(self.out);
        }
        if breaks {
            self.out.close();
        }
        self.out.close();
        self.out.text(">>");
    }
}
