//! Classes of what is shared: one row each, with all that others derive from it.
//!
//! A class that is added gets a row here, and nothing else has to know of it: sets of classes
//! ([`Class::bit`]), saved searches, traces, stories and the judgement of what an access can depend
//! on are made from the table. What cannot be right does not compile: a column that is missing, a
//! number in saved files that two have or nobody has, more classes than a set of them can hold.

use super::{Access, Kind};

/// What two steps are both about: coarser than classes, as people think of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// A registered name.
    Name,
    Table,
    /// Which tables there are.
    Tables,
    PersistentTerm,
    Counter,
    /// Whether a process is alive.
    Life,
    /// Links and monitors of a process.
    Relations,
    Monitor,
    Alias,
    Mailbox,
    /// What else a process has.
    State,
    Timer,
    /// Which processes there are.
    Processes,
    /// What else the node has.
    Node,
}

/// By what the objects of a class are told apart, one from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Processes.
    Process,
    /// Names: their numbers are others in every run of ours.
    Name,
    /// References, hashes of keys, or numbers that the class has for itself.
    Number,
}

/// Which accesses to an object are the same whatever others did to it: the last step of a sequence
/// need not be tried out for them.
#[derive(Clone, Copy)]
enum Plain {
    All,
    /// Reads and assignments.
    Blind,
    /// Additions, whatever the other one is.
    Additions,
    /// Reads.
    Reads,
}

/// Which accesses conflict with whatever the owner of the object does, or everybody where there is
/// none.
#[derive(Clone, Copy)]
enum Disturbs {
    All,
    /// Those that are no reads.
    Changes,
    None,
}

/// Which accesses look at what others do without being asked: at mailboxes, whose messages receives
/// take or not, and at what processes do between visible actions.
#[derive(Clone, Copy)]
enum Watches {
    Reads,
    /// Those that are no reads.
    Changes,
    None,
}

macro_rules! classes {
    ($(
        $(#[$doc:meta])*
        $class:ident = $saved:literal, $owner:ident, $plain:ident, $disturbs:ident, $watches:ident,
            $traced:expr, $topic:ident;
    )*) => {
        /// What is shared.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Class {
            $($(#[$doc])* $class,)*
        }

        impl Class {
            pub const ALL: &'static [Class] = &[$(Class::$class),*];

            /// Its number in files.
            pub const fn saved(self) -> usize {
                match self { $(Class::$class => $saved),* }
            }

            pub(crate) const fn owner(self) -> Owner {
                match self { $(Class::$class => Owner::$owner),* }
            }

            const fn plain(self) -> Plain {
                match self { $(Class::$class => Plain::$plain),* }
            }

            const fn disturbs(self) -> Disturbs {
                match self { $(Class::$class => Disturbs::$disturbs),* }
            }

            const fn watches(self) -> Watches {
                match self { $(Class::$class => Watches::$watches),* }
            }

            /// Its name in traces, if accesses to it are recorded.
            pub const fn traced(self) -> Option<&'static str> {
                match self { $(Class::$class => $traced),* }
            }

            /// What two steps are both about that touch it.
            pub const fn topic(self) -> Topic {
                match self { $(Class::$class => Topic::$topic),* }
            }
        }
    };
}

// The columns: the number in saved files, which never changes; what tells objects apart; accesses
// that are plain, that disturb, that watch; the name in traces, for what is shared beside
// processes, which have events of their own; what two steps are both about that touch it.
classes! {
    /// Anything: an action whose footprint is not known.
    Everything = 0, Number, Reads, All, None,
        Some("everything"), Node;
    /// Whether a process exists: written by its end, whose steps write a part each
    /// ([`Object::begun`](super::Object::begun), [`Object::gone`](super::Object::gone)).
    Alive = 1, Process, Reads, None, None,
        None, Life;
    /// Whether a process is bound to end. Written by the signal that decides it, or by an end that
    /// no signal decided.
    Doom = 21, Process, Reads, Changes, None,
        None, Life;
    /// Where a process is in its code.
    Local = 2, Process, Reads, All, None,
        None, State;
    /// The dictionary of a process.
    Dictionary = 22, Process, Reads, None, Reads,
        None, State;
    /// Whether a process traps exits.
    Trap = 3, Process, Reads, None, None,
        None, Relations;
    /// Links, monitors and name of a process, as others change or see them.
    Relations = 4, Process, Reads, None, None,
        None, Relations;
    /// The group leader of a process.
    Leader = 23, Process, Reads, None, Changes,
        None, State;
    /// The messages of a process, as a whole.
    Mailbox = 5, Process, All, None, Reads,
        None, Mailbox;
    /// The order of the messages of a process: written by who looks at all of them; a receive that
    /// gives up adds to it, because messages that it would take come later. See `explore::order`.
    MailboxOrder = 24, Process, Reads, None, None,
        None, Mailbox;
    /// A registered name.
    Name = 6, Name, Reads, None, None,
        Some("name"), Name;
    /// An ETS table, or the objects of one key.
    Table = 7, Number, Blind, None, None,
        Some("table"), Table;
    /// The objects of an ETS table of some shape (`tables::Shape`): added to by who inserts one,
    /// read by who looks for a pattern. What a pattern could have found depends on what was
    /// inserted before.
    Objects = 9, Number, Additions, None, None,
        None, Table;
    /// A name that an ETS table has or could have.
    TableName = 8, Name, Reads, None, None,
        Some("table_name"), Tables;
    /// Which ETS tables there are.
    Tables = 25, Number, Reads, None, None,
        None, Tables;
    /// Which ETS tables a process has, as others change that.
    Owned = 26, Process, Reads, None, None,
        None, Tables;
    /// Which processes keep an ETS table fixed: added to by those that do, or do no more, and by
    /// their ends. Not told apart from another by part: a table has one.
    Fixed = 28, Number, Reads, None, None,
        None, Table;
    /// Whether two processes are linked.
    Link = 10, Process, Reads, None, None,
        None, Relations;
    /// Whether a monitor exists.
    Monitor = 11, Number, Reads, None, None,
        None, Monitor;
    /// Whether a reference is an alias.
    Alias = 12, Number, Reads, None, None,
        None, Alias;
    /// A timer.
    Timer = 13, Number, Reads, None, None,
        None, Timer;
    PersistentTerm = 14, Number, All, None, None,
        Some("persistent_term"), PersistentTerm;
    /// A cell of an atomics or counters array.
    Counter = 15, Number, All, None, None,
        Some("counter"), Counter;
    /// An input or output device.
    Device = 16, Number, All, None, None,
        None, Node;
    /// Which processes there are.
    Processes = 17, Number, Reads, None, None,
        None, Processes;
    /// The order in which numbers were given out, or clocks were read.
    Numbers = 18, Number, All, None, None,
        None, Node;
    /// Files, environment and the like.
    World = 19, Number, Reads, None, None,
        Some("world"), Node;
    /// Which code is loaded.
    Code = 20, Number, Reads, None, None,
        Some("code"), Node;
    /// Signals on their way from one process to another, in order: written by their arrivals, read
    /// by who asks about the other. Never a race: both are after the sender's earlier actions in
    /// the order in which these were.
    Route = 27, Process, Reads, None, None,
        None, Node;
    /// Which processes contracts are about, in the order in which they came.
    Members = 29, Number, Reads, None, None,
        None, Processes;
}

/// The classes by their numbers in saved files.
const BY_SAVED: [Class; Class::COUNT] = {
    let mut classes = [Class::Everything; Class::COUNT];
    let mut seen: u32 = 0;
    let mut at = 0;
    while at < Class::COUNT {
        let saved = Class::ALL[at].saved();
        assert!(saved < Class::COUNT, "numbers of classes in saved files have no gaps");
        assert!(seen >> saved & 1 == 0, "two classes have one number in saved files");
        seen |= 1 << saved;
        classes[saved] = Class::ALL[at];
        at += 1;
    }
    classes
};

impl Class {
    pub const COUNT: usize = Class::ALL.len();

    /// The set of all classes; see [`Class::bit`].
    pub const EVERY_BIT: u32 = {
        assert!(Class::COUNT <= u32::BITS as usize, "a set of classes is a word of 32 bits");
        u32::MAX >> (u32::BITS as usize - Class::COUNT)
    };

    /// How many bits the number of a class takes.
    pub const WIDTH: u32 = u32::BITS - (Class::COUNT as u32 - 1).leading_zeros();

    /// The set with this class in it.
    #[inline]
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The class of a number in a file.
    pub fn of_saved(number: usize) -> Option<Class> {
        BY_SAVED.get(number).copied()
    }

    /// Whether two accesses to an object of this class are the same whatever others did to it.
    pub fn is_plain(self, a: Kind, b: Kind) -> bool {
        let blind = |kind| matches!(kind, Kind::Read | Kind::Assign(_));
        match self.plain() {
            Plain::All => true,
            Plain::Blind => blind(a) && blind(b),
            Plain::Additions => b == Kind::Add,
            Plain::Reads => a == Kind::Read && b == Kind::Read,
        }
    }

    /// Whether such an access [is plain](Class::is_plain) together with every other of which this
    /// holds.
    #[inline]
    pub fn is_always_plain(self, kind: Kind) -> bool {
        match self.plain() {
            Plain::All => true,
            Plain::Blind => matches!(kind, Kind::Read | Kind::Assign(_)),
            Plain::Additions => kind == Kind::Add,
            // The other one may be to an object of any class.
            Plain::Reads => kind == Kind::Read && self != Class::Everything,
        }
    }
}

impl Access {
    /// Whether it conflicts with whatever the owner of the object does, or everybody where there is
    /// none.
    #[inline]
    pub fn disturbs(self) -> bool {
        match self.object.class.disturbs() {
            Disturbs::All => true,
            Disturbs::Changes => self.kind != Kind::Read,
            Disturbs::None => false,
        }
    }

    /// Whether it looks at what others do without being asked.
    pub fn watches(self) -> bool {
        match self.object.class.watches() {
            Watches::Reads => self.kind == Kind::Read,
            Watches::Changes => self.kind != Kind::Read,
            Watches::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_files_lead_back() {
        for class in Class::ALL {
            assert_eq!(Class::of_saved(class.saved()), Some(*class));
        }
        assert_eq!(Class::of_saved(Class::COUNT), None);
    }

    /// Files of earlier versions have these.
    #[test]
    fn numbers_in_files_never_change() {
        let found: Vec<String> = (0..Class::COUNT)
            .map(|number| format!("{:?}", Class::of_saved(number).expect("a class")))
            .collect();
        assert_eq!(
            found.join(" "),
            "Everything Alive Local Trap Relations Mailbox Name Table TableName Objects Link \
             Monitor Alias Timer PersistentTerm Counter Device Processes Numbers World Code Doom \
             Dictionary Leader MailboxOrder Tables Owned Route Fixed Members"
        );
    }
}
