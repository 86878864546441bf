//! The elimination itself; see the head of `linear`.

use rustc_hash::FxHashMap;

use super::int::Int;
use crate::meter::Meter;

/// How a sum relates to zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rel {
    /// `= 0`
    Eq,
    /// `≥ 0`
    Ge,
    /// `≠ 0`
    Ne,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Steps,
    Overflow,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row<I> {
    pub(super) terms: Vec<(u32, I)>,
    pub(super) constant: I,
    pub(super) rel: Rel,
}

type Values<I> = FxHashMap<u32, I>;
type Answer<I> = Result<Option<Values<I>>, Stop>;

/// What was taken out, to be given a value on the way back, the last first.
enum Taken<I> {
    /// The variable is the sum.
    Equal(u32, Row<I>),
    /// The variable is bounded by these rows.
    Bounded(u32, Vec<Row<I>>),
}

pub(super) struct Omega<'a> {
    pub(super) meter: &'a mut Meter,
    /// Numbers from here on are fresh.
    pub(super) vars: u32,
}

/// How deep cases may nest; a question that needs more is given up.
const MAX_DEPTH: u32 = 200;

fn some<T>(value: Option<T>) -> Result<T, Stop> {
    value.ok_or(Stop::Overflow)
}

impl<I: Int> Row<I> {
    fn factor(&self, var: u32) -> Option<&I> {
        let at = self.terms.binary_search_by_key(&var, |(var, _)| *var).ok()?;
        Some(&self.terms[at].1)
    }

    /// `self · a + other · b`, with the relation of `self`.
    fn combine(&self, a: &I, other: &Row<I>, b: &I) -> Result<Row<I>, Stop> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (var, factor) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((x, f)), Some((y, g))) if x == y => {
                    let sum = some(f.mul(a).and_then(|f| f.add(&g.mul(b)?)))?;
                    left.next();
                    right.next();
                    (*x, sum)
                }
                (Some((x, f)), None) => {
                    left.next();
                    (*x, some(f.mul(a))?)
                }
                (None, Some((y, g))) => {
                    right.next();
                    (*y, some(g.mul(b))?)
                }
                (Some((x, f)), Some((y, _))) if x < y => {
                    left.next();
                    (*x, some(f.mul(a))?)
                }
                (_, Some((y, g))) => {
                    right.next();
                    (*y, some(g.mul(b))?)
                }
            };
            if !factor.is_zero() {
                terms.push((var, factor));
            }
        }
        let constant = some(self.constant.mul(a).and_then(|c| c.add(&other.constant.mul(b)?)))?;
        Ok(Row { terms, constant, rel: self.rel })
    }

    /// The row with `var` replaced by the sum `by`.
    fn substitute(&self, var: u32, by: &Row<I>) -> Result<Row<I>, Stop> {
        let Some(factor) = self.factor(var).cloned() else { return Ok(self.clone()) };
        let mut without = self.clone();
        without.terms.retain(|(other, _)| *other != var);
        without.combine(&I::of(1), by, &factor)
    }

    /// Divides by the common divisor of the factors. `None`: never true. A row without terms
    /// that is true stays without terms.
    fn normalized(mut self) -> Result<Option<Row<I>>, Stop> {
        if self.terms.is_empty() {
            let zero = self.constant.is_zero();
            let holds = match self.rel {
                Rel::Eq => zero,
                Rel::Ge => !self.constant.is_negative(),
                Rel::Ne => !zero,
            };
            return Ok(holds.then_some(self));
        }
        let divisor = self.terms.iter().fold(I::of(0), |divisor, (_, f)| divisor.gcd(f));
        if divisor != I::of(1) {
            let quotient = self.constant.div_floor(&divisor);
            let exact = some(quotient.mul(&divisor))? == self.constant;
            match self.rel {
                Rel::Eq if !exact => return Ok(None),
                Rel::Ne if !exact => {
                    // Always true.
                    self.terms.clear();
                    self.constant = I::of(1);
                    return Ok(Some(self));
                }
                _ => {}
            }
            self.constant = quotient;
            for (_, factor) in &mut self.terms {
                *factor = factor.div_floor(&divisor);
            }
        }
        Ok(Some(self))
    }

    fn value(&self, values: &Values<I>) -> Result<I, Stop> {
        let mut sum = self.constant.clone();
        for (var, factor) in &self.terms {
            if let Some(value) = values.get(var) {
                sum = some(factor.mul(value).and_then(|product| product.add(&sum)))?;
            }
        }
        Ok(sum)
    }
}

/// Rows without those that say nothing. `None`: one is never true.
fn normalize<I: Int>(rows: Vec<Row<I>>) -> Result<Option<Vec<Row<I>>>, Stop> {
    let mut kept = Vec::with_capacity(rows.len());
    for row in rows {
        match row.normalized()? {
            None => return Ok(None),
            Some(row) if row.terms.is_empty() => {}
            Some(row) => kept.push(row),
        }
    }
    Ok(Some(kept))
}

impl Omega<'_> {
    fn step(&mut self, n: usize) -> Result<(), Stop> {
        if self.meter.take(n as u64 + 1) { Ok(()) } else { Err(Stop::Steps) }
    }

    /// Values that satisfy all rows, if there are any. Variables that matter to nothing are absent.
    pub(super) fn solve<I: Int>(&mut self, rows: Vec<Row<I>>, depth: u32) -> Answer<I> {
        if depth > MAX_DEPTH {
            return Err(Stop::Steps);
        }
        let Some(rows) = normalize(rows)? else { return Ok(None) };
        let mut taken = Vec::new();
        let original = rows.clone();
        let (mut not, mut rows): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.rel == Rel::Ne);
        loop {
            self.step(rows.len())?;
            match self.equation(&mut rows, &mut not, &mut taken)? {
                None => return Ok(None),
                Some(true) => continue,
                Some(false) => {}
            }
            let Some(kept) = tighten(rows)? else { return Ok(None) };
            rows = kept;
            if rows.iter().any(|row| row.rel == Rel::Eq) {
                continue;
            }
            let Some((var, exact)) = choose(&rows) else { break };
            if exact {
                let (bounds, others): (Vec<_>, Vec<_>) =
                    rows.into_iter().partition(|row| row.factor(var).is_some());
                rows = others;
                self.step(bounds.len() * bounds.len())?;
                let Some(shadow) = normalize(shadow(&bounds, var, false)?)? else {
                    return Ok(None);
                };
                rows.extend(shadow);
                taken.push(Taken::Bounded(var, bounds));
                continue;
            }
            return self.inexact(rows, not, taken, var, original, depth);
        }
        self.back(Values::default(), &not, taken, original, depth)
    }

    /// Takes out one equation. `None`: no solution; `false`: there was none to take.
    fn equation<I: Int>(
        &mut self,
        rows: &mut Vec<Row<I>>,
        not: &mut Vec<Row<I>>,
        taken: &mut Vec<Taken<I>>,
    ) -> Result<Option<bool>, Stop> {
        let weight = |row: &Row<I>| {
            let unit = row.terms.iter().any(|(_, factor)| factor.is_unit());
            (!unit, row.terms.len())
        };
        let candidates = rows.iter().enumerate().filter(|(_, row)| row.rel == Rel::Eq);
        let Some((at, _)) = candidates.min_by_key(|(_, row)| weight(row)) else {
            return Ok(Some(false));
        };
        let row = rows.remove(at);
        // The variable with the least factor; of units, the last variable (the youngest).
        let mut best = 0;
        for (at, (_, factor)) in row.terms.iter().enumerate() {
            if some(factor.abs())? <= some(row.terms[best].1.abs())? {
                best = at;
            }
        }
        let (var, factor) = row.terms[best].clone();
        let by = if factor.is_unit() {
            // factor · var + rest = 0, so var = -factor · rest.
            let mut rest = row;
            rest.terms.remove(best);
            let empty = Row { terms: Vec::new(), constant: I::of(0), rel: Rel::Eq };
            rest.combine(&some(factor.neg())?, &empty, &I::of(0))?
        } else {
            // var = fresh - Σ (fᵢ div factor) · xᵢ: the factors become remainders.
            let fresh = self.vars;
            self.vars += 1;
            let (divisor, sign) = (some(factor.abs())?, factor.is_negative());
            let quotient = |f: &I| {
                let quotient = f.div_floor(&divisor);
                if sign { Some(quotient) } else { quotient.neg() }
            };
            let mut terms = Vec::new();
            for (other, f) in &row.terms {
                let quotient = some(quotient(f))?;
                if *other != var && !quotient.is_zero() {
                    terms.push((*other, quotient));
                }
            }
            terms.push((fresh, I::of(1)));
            let by = Row { terms, constant: some(quotient(&row.constant))?, rel: Rel::Eq };
            rows.push(row);
            by
        };
        for list in [rows, not] {
            let changed: Result<Vec<_>, Stop> =
                list.iter().map(|row| row.substitute(var, &by)).collect();
            let Some(kept) = normalize(changed?)? else { return Ok(None) };
            *list = kept;
        }
        taken.push(Taken::Equal(var, by));
        Ok(Some(true))
    }

    /// Eliminates a variable whose combinations are not exact: real shadow, dark shadow, splinters.
    fn inexact<I: Int>(
        &mut self,
        rows: Vec<Row<I>>,
        not: Vec<Row<I>>,
        mut taken: Vec<Taken<I>>,
        var: u32,
        original: Vec<Row<I>>,
        depth: u32,
    ) -> Answer<I> {
        let (bounds, others): (Vec<_>, Vec<_>) =
            rows.iter().cloned().partition(|row| row.factor(var).is_some());
        self.step(bounds.len() * bounds.len())?;
        let with = |shadow: Vec<Row<I>>| others.iter().cloned().chain(shadow).collect::<Vec<_>>();
        if self.solve(with(shadow(&bounds, var, false)?), depth + 1)?.is_none() {
            return Ok(None);
        }
        let dark: Vec<_> =
            with(shadow(&bounds, var, true)?).into_iter().chain(not.iter().cloned()).collect();
        // Disequalities of the variable itself can only be minded on the way back.
        let dark = dark.into_iter().filter(|row| row.factor(var).is_none()).collect();
        if let Some(values) = self.solve(dark, depth + 1)? {
            taken.push(Taken::Bounded(var, bounds));
            return self.back(values, &not, taken, original, depth);
        }
        let largest = bounds
            .iter()
            .filter_map(|row| row.factor(var).filter(|f| f.is_negative())?.abs())
            .max();
        let Some(largest) = largest else { return Ok(None) };
        for low in &bounds {
            let Some(a) = low.factor(var).filter(|f| !f.is_negative()) else { continue };
            // a·x ≥ L: a·x = L + i for i up to (a·b - a - b) / b.
            let most = a
                .mul(&largest)
                .and_then(|ab| ab.add(&a.add(&largest)?.neg()?))
                .map(|n| n.div_floor(&largest));
            let most = some(most)?;
            let mut i = I::of(0);
            while i <= most {
                self.step(rows.len())?;
                let mut splinter = low.clone();
                splinter.rel = Rel::Eq;
                splinter.constant = some(i.neg().and_then(|i| splinter.constant.add(&i)))?;
                let mut all = rows.clone();
                all.extend(not.iter().cloned());
                all.push(splinter);
                if let Some(values) = self.solve(all, depth + 1)? {
                    return self.back(values, &not, taken, original, depth);
                }
                i = some(i.add(&I::of(1)))?;
            }
        }
        Ok(None)
    }

    /// Gives values to what was taken out. Where a disequality cannot be avoided by the value of
    /// the variable that comes last in it, it is split and everything solved again.
    fn back<I: Int>(
        &mut self,
        mut values: Values<I>,
        not: &[Row<I>],
        taken: Vec<Taken<I>>,
        original: Vec<Row<I>>,
        depth: u32,
    ) -> Answer<I> {
        // Disequalities between variables that nothing else speaks of.
        let mut free: Vec<u32> =
            not.iter().flat_map(|row| row.terms.iter().map(|(var, _)| *var)).collect();
        free.sort_unstable();
        free.dedup();
        let bounded = |var: u32| {
            taken.iter().any(|taken| matches!(taken, Taken::Bounded(other, _) if *other == var))
        };
        free.retain(|&var| !bounded(var) && !values.contains_key(&var));
        let free = free.into_iter().map(|var| Taken::Bounded(var, Vec::new()));
        let taken: Vec<Taken<I>> = taken.into_iter().chain(free).collect();
        for taken in taken.iter().rev() {
            self.step(1)?;
            match taken {
                Taken::Equal(var, sum) => {
                    let value = sum.value(&values)?;
                    values.insert(*var, value);
                }
                Taken::Bounded(var, bounds) => {
                    let value = match place(*var, bounds, not, &values)? {
                        Ok(value) => value,
                        Err(row) => return self.split(row, original, depth),
                    };
                    values.insert(*var, value);
                }
            }
        }
        // What is left to check are disequalities all of whose variables got values elsewhere.
        for row in original.iter().filter(|row| row.rel == Rel::Ne) {
            if row.value(&values)?.is_zero() {
                return self.split(row.clone(), original, depth);
            }
        }
        Ok(Some(values))
    }

    /// Below zero or above it.
    fn split<I: Int>(&mut self, row: Row<I>, original: Vec<Row<I>>, depth: u32) -> Answer<I> {
        self.step(original.len())?;
        let one = Row { terms: Vec::new(), constant: I::of(-1), rel: Rel::Ge };
        for sign in [1, -1] {
            let mut side = row.combine(&I::of(sign), &one, &I::of(1))?;
            side.rel = Rel::Ge;
            let mut rows = original.clone();
            rows.push(side);
            if let Some(values) = self.solve(rows, depth + 1)? {
                return Ok(Some(values));
            }
        }
        Ok(None)
    }
}

/// The value nearest to zero within the bounds that no disequality forbids; where there is none,
/// a disequality to split.
fn place<I: Int>(
    var: u32,
    bounds: &[Row<I>],
    not: &[Row<I>],
    values: &Values<I>,
) -> Result<Result<I, Row<I>>, Stop> {
    let (mut low, mut high): (Option<I>, Option<I>) = (None, None);
    for row in bounds {
        let Some(factor) = row.factor(var) else { continue };
        // factor · var + rest ≥ 0
        let rest = row.value(values)?;
        if factor.is_negative() {
            let limit = rest.div_floor(&some(factor.neg())?);
            high = Some(high.map_or(limit.clone(), |high| high.min(limit)));
        } else {
            let limit = some(rest.neg().and_then(|rest| rest.div_ceil(factor)))?;
            low = Some(low.map_or(limit.clone(), |low| low.max(limit)));
        }
    }
    let mut forbidden: Vec<(I, &Row<I>)> = Vec::new();
    for row in not {
        let Some(factor) = row.factor(var) else { continue };
        if row.terms.iter().any(|(other, _)| *other != var && !values.contains_key(other)) {
            continue;
        }
        let rest = some(row.value(values)?.neg())?;
        let divisor = some(factor.abs())?;
        let quotient = rest.div_floor(&divisor);
        if some(quotient.mul(&divisor))? == rest {
            let value = if factor.is_negative() { some(quotient.neg())? } else { quotient };
            forbidden.push((value, row));
        }
    }
    let inside = |value: &I| {
        low.as_ref().is_none_or(|low| low <= value)
            && high.as_ref().is_none_or(|high| value <= high)
    };
    let mut start = I::of(0);
    if let Some(low) = low.as_ref().filter(|low| **low > start) {
        start = low.clone();
    }
    if let Some(high) = high.as_ref().filter(|high| **high < start) {
        start = high.clone();
    }
    // One more candidate than there are forbidden values, on both sides of the start.
    for distance in 0..=forbidden.len() as i64 {
        for signed in [distance, -distance] {
            let value = some(start.add(&I::of(signed)))?;
            if inside(&value) && forbidden.iter().all(|(other, _)| *other != value) {
                return Ok(Ok(value));
            }
        }
    }
    match forbidden.into_iter().find(|(value, _)| inside(value)) {
        Some((_, row)) => Ok(Err(row.clone())),
        // Bounds that exclude each other cannot be here: the shadow was satisfied.
        None => Ok(Ok(start)),
    }
}

/// Keeps the strongest of parallel inequalities; two that meet become an equation. `None`: two
/// exclude each other.
fn tighten<I: Int>(rows: Vec<Row<I>>) -> Result<Option<Vec<Row<I>>>, Stop> {
    let mut kept: Vec<Row<I>> = Vec::with_capacity(rows.len());
    'rows: for row in rows {
        for other in &mut kept {
            if other.rel != Rel::Ge || other.terms.len() != row.terms.len() {
                continue;
            }
            if other.terms == row.terms {
                if row.constant < other.constant {
                    other.constant = row.constant;
                }
                continue 'rows;
            }
        }
        kept.push(row);
    }
    for i in 0..kept.len() {
        for j in i + 1..kept.len() {
            if kept[i].rel != Rel::Ge || kept[j].rel != Rel::Ge {
                continue;
            }
            let opposite = kept[i].terms.len() == kept[j].terms.len()
                && kept[i]
                    .terms
                    .iter()
                    .zip(&kept[j].terms)
                    .all(|((x, f), (y, g))| x == y && f.neg().is_some_and(|f| f == *g));
            if !opposite {
                continue;
            }
            let sum = some(kept[i].constant.add(&kept[j].constant))?;
            if sum.is_negative() {
                return Ok(None);
            }
            if sum.is_zero() {
                kept[i].rel = Rel::Eq;
                kept.remove(j);
                break;
            }
        }
    }
    Ok(Some(kept))
}

/// The variable to eliminate next, and whether that is exact.
fn choose<I: Int>(rows: &[Row<I>]) -> Option<(u32, bool)> {
    // For each variable: lower and upper bounds, and how many of them have no unit factor.
    let mut seen: FxHashMap<u32, [usize; 4]> = FxHashMap::default();
    let mut order = Vec::new();
    for (var, factor) in rows.iter().flat_map(|row| &row.terms) {
        let counts = seen.entry(*var).or_insert_with(|| {
            order.push(*var);
            [0; 4]
        });
        let side = usize::from(factor.is_negative());
        counts[side] += 1;
        counts[2 + side] += usize::from(!factor.is_unit());
    }
    order
        .into_iter()
        .map(|var| {
            let [low, high, low_hard, high_hard] = seen[&var];
            let exact = low == 0 || high == 0 || low_hard == 0 || high_hard == 0;
            (!exact, low * high, std::cmp::Reverse(var))
        })
        .min()
        .map(|(inexact, _, std::cmp::Reverse(var))| (var, !inexact))
}

/// All combinations of a lower and an upper bound; where `dark`, those that leave room for an
/// integer whatever the rest is.
fn shadow<I: Int>(bounds: &[Row<I>], var: u32, dark: bool) -> Result<Vec<Row<I>>, Stop> {
    let mut shadow = Vec::new();
    for low in bounds {
        let Some(a) = low.factor(var).filter(|f| !f.is_negative()) else { continue };
        for high in bounds {
            let Some(b) = high.factor(var).filter(|f| f.is_negative()) else { continue };
            let b = some(b.neg())?;
            let mut row = low.combine(&b, high, a)?;
            if dark {
                let one = I::of(-1);
                let room = a.add(&one).and_then(|a| a.mul(&b.add(&one)?)?.neg());
                row.constant = some(room.and_then(|room| row.constant.add(&room)))?;
            }
            shadow.push(row);
        }
    }
    Ok(shadow)
}
