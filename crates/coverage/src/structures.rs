//! Through which structures values go: which variable a pattern's variable got its value from.
//!
//! The Machine shows each tuple, list, map and record where the program builds it and where a
//! pattern takes it apart (`machine::observe::Observer::value`). Data is never copied when it is
//! bound, sent, kept in a table or handed to library code, so the cell that a pattern looks at *is*
//! the cell that was built: what is remembered of a cell when it is built ([`Origin`]: which
//! variable stands in which place) is found again by the cell's identity. Cells that are remembered
//! are held, so no other can be at the same address, and nobody changes them in place. An update
//! (`M#{…}`, `R#r{…}`) takes over what is known of its base, but for the fields that it writes.
//!
//! **Exact in one direction**: a pair is counted only if that very cell was built there with that
//! variable in that place. Not counted although the value is the same: what library code takes out
//! of one structure and puts into another (`setelement`, `maps:put`, `lists:append`'s cells), what
//! is written as text or bytes in between. Maps that comprehensions build are not shown.
//!
//! A pattern is shown before it is known to fit; it counts when its clause is chosen, or its match
//! has fitted, which the same process does without a break.
//!
//! Costs: an entry for each cell that is built with a variable in it, as long as somebody else
//! holds it: entries that nobody else holds are swept out each time that their number has doubled.

use std::collections::BTreeMap;
use std::mem;

use flow::criteria::{Criteria, Evidence};
use flow::def_use::{DefinitionId, HiddenId, Through, UseId};
use flow::layout::{Layout, Place, layouts};
use flow::{Flow, Site};
use machine::Pid;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId};
use term::{Shared, Term, order};

/// A field of one cell.
#[derive(Clone, Debug)]
enum Field {
    /// Of a tuple; of the cell of a list, 0 is its head and 1 its tail.
    At(u32),
    Key(Term),
}

impl Field {
    fn same(&self, other: &Field) -> bool {
        match (self, other) {
            (Field::At(a), Field::At(b)) => a == b,
            (Field::Key(a), Field::Key(b)) => order::exact_eq(a, b),
            _ => false,
        }
    }
}

/// What is known of a cell.
#[derive(Debug)]
struct Origin {
    /// The cell itself, so that it lives.
    cell: Term,
    /// The use that stands in a field.
    uses: Vec<(Field, UseId)>,
}

/// A structure of the program: what stands where, with the use or definition if it is a variable.
#[derive(Debug)]
struct Written<I> {
    parts: Vec<(Place, Option<I>)>,
    base: Option<NodeId>,
}

/// So many entries are nothing to worry about.
const FEW: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Structures {
    built: FxHashMap<Site, Written<UseId>>,
    taken_apart: FxHashMap<Site, Written<DefinitionId>>,
    /// The patterns that something shows to have fitted.
    fitted: FxHashMap<Evidence, Vec<Site>>,
    /// The other nodes whose values are wanted: keys and bases.
    others: FxHashSet<Site>,
    /// Pairs by use and definition.
    pairs: FxHashMap<(UseId, DefinitionId), HiddenId>,

    /// What nodes were shown last.
    shown: FxHashMap<Site, (Pid, Term)>,
    origins: FxHashMap<usize, Origin>,
    /// When to sweep.
    most: usize,
    /// Pairs that happened and that the analysis does not have: use and definition.
    pub(crate) unknown: BTreeMap<(UseId, DefinitionId), u64>,
}

impl Structures {
    pub(crate) fn new(flow: &Flow, criteria: &Criteria) -> Structures {
        let mut all = Structures { most: FEW, ..Structures::default() };
        let hidden = flow.def_uses.hidden.enumerate();
        let structures = hidden.filter(|(_, hidden)| hidden.through == Through::Structure);
        all.pairs =
            structures.map(|(id, hidden)| ((hidden.using, hidden.definition), id)).collect();
        for (module, around) in criteria.surroundings.enumerate() {
            let tree = &flow.modules[module].tree;
            for (node, layout) in layouts(tree) {
                if around.owner(node).is_some() {
                    let site = Site { module, node };
                    if around.pattern_root(tree, node).is_some() {
                        all.add_pattern(flow, criteria, site, &layout);
                    } else {
                        all.add_built(flow, site, &layout);
                    }
                }
            }
        }
        all
    }

    fn add_pattern(&mut self, flow: &Flow, criteria: &Criteria, site: Site, layout: &Layout) {
        let defined = |at: Site| match flow.modules[at.module].tree.kind(at.node) {
            Kind::Var(name) => flow.def_uses.definition_at(at, name),
            _ => None,
        };
        let Some(written) = self.written(site, layout, defined) else { return };
        for definition in written.parts.iter().filter_map(|&(_, definition)| definition) {
            let evidence = criteria.definition_evidence[definition];
            let sites = self.fitted.entry(evidence).or_default();
            if sites.last() != Some(&site) {
                sites.push(site);
            }
        }
        self.taken_apart.insert(site, written);
    }

    fn add_built(&mut self, flow: &Flow, site: Site, layout: &Layout) {
        let used = |at: Site| match flow.modules[at.module].tree.kind(at.node) {
            Kind::Var(name) => flow.def_uses.use_at(at, name),
            _ => None,
        };
        if let Some(written) = self.written(site, layout, used) {
            self.built.insert(site, written);
        }
    }

    /// A structure with the variables in it, if there are some.
    fn written<I: Copy>(
        &mut self,
        site: Site,
        layout: &Layout,
        variable: impl Fn(Site) -> Option<I>,
    ) -> Option<Written<I>> {
        let all = layout.parts.iter();
        let parts: Vec<(Place, Option<I>)> =
            all.map(|&(place, node)| (place, variable(Site { node, ..site }))).collect();
        if layout.base.is_none() && parts.iter().all(|(_, number)| number.is_none()) {
            return None;
        }
        for &(place, _) in &parts {
            if let Place::Key(node) = place {
                self.others.insert(Site { node, ..site });
            }
        }
        self.others.extend(layout.base.map(|node| Site { node, ..site }));
        Some(Written { parts, base: layout.base })
    }

    /// Another run begins.
    pub(crate) fn begin(&mut self) {
        self.shown.clear();
        self.origins.clear();
        self.most = FEW;
    }

    /// A node has this value.
    pub(crate) fn show(&mut self, pid: Pid, site: Site, value: &Term) {
        if let Some(written) = self.built.get(&site) {
            let origins = found(written, site, value, pid, &self.shown);
            let inherited = self.inherited(written, site, pid);
            for (cell, mut uses) in origins {
                for (field, using) in &inherited {
                    if !uses.iter().any(|(known, _)| known.same(field)) {
                        uses.push((field.clone(), Some(*using)));
                    }
                }
                self.remember(cell, uses);
            }
        }
        if self.taken_apart.contains_key(&site) || self.others.contains(&site) {
            self.shown.insert(site, (pid, value.clone()));
        }
    }

    /// What is known of what an update begins with.
    fn inherited(&self, written: &Written<UseId>, site: Site, pid: Pid) -> Vec<(Field, UseId)> {
        let base = written.base.and_then(|node| self.shown.get(&Site { node, ..site }));
        let base = base.filter(|shown| shown.0 == pid);
        let origin = base.and_then(|(_, base)| self.origins.get(&base.identity()));
        origin.map(|origin| origin.uses.clone()).unwrap_or_default()
    }

    fn remember(&mut self, cell: Term, uses: Vec<(Field, Option<UseId>)>) {
        let uses: Vec<(Field, UseId)> =
            uses.into_iter().filter_map(|(field, using)| Some((field, using?))).collect();
        if cell.is_immediate() || uses.is_empty() {
            return;
        }
        if self.origins.len() >= self.most {
            self.sweep();
            self.most = FEW.max(2 * self.origins.len());
        }
        self.origins.insert(cell.identity(), Origin { cell, uses });
    }

    /// Something is said about a node that shows that patterns have fitted. Gives the pairs.
    pub(crate) fn fits(&mut self, pid: Pid, evidence: Evidence) -> Vec<HiddenId> {
        let mut pairs = Vec::new();
        let Some(sites) = self.fitted.get(&evidence) else { return pairs };
        for &site in sites {
            let Some((_, value)) = self.shown.get(&site).filter(|shown| shown.0 == pid) else {
                continue;
            };
            let Some(written) = self.taken_apart.get(&site) else { continue };
            for (cell, definitions) in found(written, site, value, pid, &self.shown) {
                let Some(origin) = self.origins.get(&cell.identity()) else { continue };
                for (field, definition) in definitions {
                    let Some(definition) = definition else { continue };
                    let using = origin.uses.iter().find(|(known, _)| known.same(&field));
                    let Some(&(_, using)) = using else { continue };
                    match self.pairs.get(&(using, definition)) {
                        Some(&pair) => pairs.push(pair),
                        None => *self.unknown.entry((using, definition)).or_default() += 1,
                    }
                }
            }
        }
        for site in sites {
            self.shown.remove(site);
        }
        pairs
    }

    /// Forgets cells that nobody else holds.
    fn sweep(&mut self) {
        let mut alone = Vec::new();
        #[allow(clippy::iter_over_hash_type, reason = "all of them go, in whatever order")]
        for (&identity, origin) in &mut self.origins {
            if is_held_once(&mut origin.cell) {
                alone.push(identity);
            }
        }
        while let Some(identity) = alone.pop() {
            let Some(origin) = self.origins.remove(&identity) else { continue };
            let mut inside = Vec::new();
            match (origin.cell.as_tuple(), origin.cell.as_cons(), origin.cell.as_map()) {
                (Some(elements), ..) => inside.extend(elements.iter().map(Term::identity)),
                (_, Some(cell), _) => inside.extend([cell.head.identity(), cell.tail.identity()]),
                (.., Some(map)) => inside.extend(map.values().map(Term::identity)),
                _ => {
                    let values = origin.cell.as_record().map(|record| record.values());
                    inside.extend(values.into_iter().flatten().map(Term::identity));
                }
            }
            drop(origin);
            alone.extend(inside.into_iter().filter(|identity| {
                self.origins.get_mut(identity).is_some_and(|origin| is_held_once(&mut origin.cell))
            }));
        }
    }
}

/// A cell, and what is written into its fields: the number of a variable.
type Cell<I> = (Term, Vec<(Field, Option<I>)>);

/// What a structure, as it is written, has in which cell of a value, if it fits.
fn found<I: Copy>(
    written: &Written<I>,
    site: Site,
    value: &Term,
    pid: Pid,
    shown: &FxHashMap<Site, (Pid, Term)>,
) -> Vec<Cell<I>> {
    let mut cells: Vec<Cell<I>> = Vec::new();
    let is_list = value.as_cons().is_some();
    if !is_list {
        cells.push((value.clone(), Vec::new()));
    }
    let mut rest = value.clone();
    for &(place, number) in &written.parts {
        let field = match place {
            Place::Element(at) if value.as_tuple().is_some() => Field::At(at),
            Place::Head(_) | Place::Tail(_) if is_list => {
                let at = if let Place::Head(_) = place { 0 } else { 1 };
                if at == 0 {
                    let Some(cell) = rest.as_cons() else { break };
                    let tail = cell.tail.clone();
                    cells.push((mem::replace(&mut rest, tail), Vec::new()));
                }
                Field::At(at)
            }
            Place::Key(node) => {
                let key = shown.get(&Site { node, ..site }).filter(|shown| shown.0 == pid);
                let Some((_, key)) = key else { continue };
                Field::Key(key.clone())
            }
            _ => continue,
        };
        let Some((_, fields)) = cells.last_mut() else { break };
        // Of two values for one key the last one is there.
        fields.retain(|(known, _)| !known.same(&field));
        fields.push((field, number));
    }
    cells
}

/// Whether nobody but this term holds its cell.
fn is_held_once(term: &mut Term) -> bool {
    let taken = mem::replace(term, Term::NIL);
    let (is_alone, back) = match taken.into_tuple() {
        Ok(mut tuple) => (tuple.get_mut().is_some(), tuple.into()),
        Err(other) => match other.into_cons() {
            Ok(cell) => (Shared::is_unique(&cell), cell.into()),
            Err(other) => match other.into_map() {
                Ok(map) => (Shared::is_unique(&map), map.into()),
                Err(other) => (true, other),
            },
        },
    };
    *term = back;
    is_alone
}
