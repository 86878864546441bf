//! Changes of texts: stretches that are replaced, all at once.

use std::borrow::Cow;

/// A stretch of a text, in bytes, and what stands there instead.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Splice {
    pub from: u32,
    pub to: u32,
    pub by: Cow<'static, str>,
}

impl Splice {
    pub fn new(from: u32, to: u32, by: impl Into<Cow<'static, str>>) -> Splice {
        Splice { from, to, by: by.into() }
    }

    /// Whether the two cannot be made together.
    fn meets(&self, other: &Splice) -> bool {
        // Two insertions at one place have no order.
        (self.from < other.to && other.from < self.to) || self.from == other.from
    }
}

/// Changes of the text of one module that belong together: in order, none of which meets another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// Which of the texts.
    pub module: usize,
    pub splices: Vec<Splice>,
}

impl Edit {
    /// An edit of these changes; `None` if they cannot be made together.
    pub fn of(module: usize, mut splices: Vec<Splice>) -> Option<Edit> {
        splices.sort();
        splices.dedup();
        let apart = splices.windows(2).all(|pair| !pair[0].meets(&pair[1]));
        (apart && !splices.is_empty()).then_some(Edit { module, splices })
    }

    pub fn replace(module: usize, from: u32, to: u32, by: impl Into<Cow<'static, str>>) -> Edit {
        Edit { module, splices: vec![Splice::new(from, to, by)] }
    }

    /// The same, with as many line breaks as it takes away; what follows keeps its column where
    /// it is the first on its line.
    pub fn keeping_lines(mut self, text: &str) -> Edit {
        for splice in &mut self.splices {
            let taken = text.get(splice.from as usize..splice.to as usize).unwrap_or_default();
            let Some(last) = taken.rfind('\n') else { continue };
            let breaks = "\n".repeat(taken.matches('\n').count());
            let column = &taken[last + 1..];
            let column = if column.trim().is_empty() { column } else { "" };
            splice.by = format!("{}{breaks}{column}", splice.by).into();
        }
        self
    }

    /// Both at once, if that can be.
    pub fn with(&self, other: &Edit) -> Option<Edit> {
        if self.module != other.module {
            return None;
        }
        let splices = self.splices.iter().chain(&other.splices).cloned().collect();
        let both = Edit::of(self.module, splices)?;
        (both.splices.len() == self.splices.len() + other.splices.len()).then_some(both)
    }

    /// How many bytes it takes away.
    pub fn taken(&self) -> usize {
        self.splices.iter().map(|splice| (splice.to - splice.from) as usize).sum()
    }

    /// The text with the changes made.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for splice in &self.splices {
            out.push_str(text.get(at..splice.from as usize).unwrap_or_default());
            out.push_str(&splice.by);
            at = splice.to as usize;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// Where a stretch is afterwards, changes inside of it made; `None` if it is not as it was at
    /// one of its ends.
    pub fn moved_range(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let mut shift = 0i64;
        let (mut start, mut end) = (i64::from(from), i64::from(to));
        for splice in &self.splices {
            let change = splice.by.len() as i64 - i64::from(splice.to - splice.from);
            let is_before = splice.to <= from;
            let is_inside = splice.from >= from && splice.to <= to && !is_before;
            if is_before {
                shift += change;
            } else if is_inside {
                if splice.from == from && splice.to == to {
                    return None;
                }
                end += change;
            } else if splice.from < to {
                return None;
            }
        }
        start += shift;
        end += shift;
        Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?))
    }

    /// The same changes in the text that another edit has left; `None` if the two meet.
    pub fn after(&self, other: &Edit) -> Option<Edit> {
        if self.module != other.module {
            return Some(self.clone());
        }
        let mut splices = Vec::with_capacity(self.splices.len());
        for splice in &self.splices {
            if other.splices.iter().any(|made| made.meets(splice)) {
                return None;
            }
            let before = other.splices.iter().take_while(|made| made.from < splice.from);
            let shift: i64 =
                before.map(|made| made.by.len() as i64 - i64::from(made.to - made.from)).sum();
            let moved = |place: u32| u32::try_from(i64::from(place) + shift).ok();
            splices.push(Splice {
                from: moved(splice.from)?,
                to: moved(splice.to)?,
                by: splice.by.clone(),
            });
        }
        Some(Edit { module: self.module, splices })
    }
}
