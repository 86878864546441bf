//! How fields are numbered, and the symbols that stand for a field right above the empty stack or
//! right above the hollow one: sets of them are words of 64 bits.

ids::ids! {
    /// A field that edges are about: a position in [`super::steps::Steps::fields`].
    pub(crate) FieldId;
    /// A field right above one of the two stacks without fields.
    pub(crate) Symbol;
    /// 64 symbols, or as many fields, that follow each other.
    pub(crate) Word;
}

/// Symbols, as bits of their words.
pub(crate) type Symbols = Vec<(Word, u64)>;

impl FieldId {
    #[inline]
    pub(crate) fn word(self) -> Word {
        Word::new(self.index() / 64)
    }

    /// Its place in its word.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << (self.index() % 64)
    }

    /// The symbol for it right above the empty stack: the one with the same number.
    #[inline]
    pub(crate) fn symbol(self) -> Symbol {
        Symbol::new(self.index())
    }
}

impl Symbol {
    #[inline]
    pub(crate) fn word(self) -> Word {
        Word::new(self.index() / 64)
    }

    /// Its place in its word.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << (self.index() % 64)
    }
}

/// So many words have the symbols above the empty stack; behind them come as many for the same
/// fields above the hollow one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words(usize);

impl Words {
    pub(crate) fn for_fields(count: usize) -> Words {
        Words(count.div_ceil(64))
    }

    /// The first word that is about the hollow stack.
    #[inline]
    pub(crate) fn end(self) -> Word {
        Word::new(self.0)
    }

    /// The symbol for a field right above the hollow stack.
    #[inline]
    pub(crate) fn hollow(self, field: FieldId) -> Symbol {
        Symbol::new(self.0 * 64 + field.index())
    }

    #[inline]
    pub(crate) fn is_hollow(self, word: Word) -> bool {
        word.index() >= self.0
    }

    /// The fields that the symbols of a word are about.
    #[inline]
    pub(crate) fn fields(self, word: Word) -> Word {
        Word::new(if self.is_hollow(word) { word.index() - self.0 } else { word.index() })
    }
}
