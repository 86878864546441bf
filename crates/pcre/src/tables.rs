//! Which bytes are letters, digits and so on where text is not UTF-8: as in Latin-1.
//!
//! PCRE2 takes them as one block of bytes: lower case of every byte, the other case, ten sets of
//! bytes as bits, and a byte of properties for every byte. The layout is that of its internal
//! header, and does not change within version 10.

const SETS: usize = 512;
const TYPES: usize = SETS + 10 * 32;

/// The block, which lives as long as the program.
pub(crate) static TABLES: [u8; TYPES + 256] = tables();

/// Sets in the order of the block.
const fn in_set(set: usize, byte: u8) -> bool {
    let letter = is_upper(byte) || is_lower(byte);
    let digit = byte.is_ascii_digit();
    let graph = matches!(byte, 33..=126 | 160..=255);
    match set {
        0 => is_space(byte),
        1 => byte.is_ascii_hexdigit(),
        2 => digit,
        3 => is_upper(byte),
        4 => is_lower(byte),
        5 => letter || digit || byte == b'_',
        6 => graph,
        7 => graph || byte == b' ',
        8 => graph && !letter && !digit,
        _ => matches!(byte, 0..=31 | 127..=159),
    }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
}

const fn is_upper(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | 192..=214 | 216..=222)
}

const fn is_lower(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | 170 | 181 | 186 | 223..=246 | 248..=255)
}

const fn lower(byte: u8) -> u8 {
    if is_upper(byte) { byte + 32 } else { byte }
}

/// The same letter in the other case.
const fn other_case(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | 224..=246 | 248..=254 => byte - 32,
        _ => lower(byte),
    }
}

const fn tables() -> [u8; TYPES + 256] {
    let mut tables = [0; TYPES + 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        tables[index] = lower(byte);
        tables[256 + index] = other_case(byte);
        let mut set = 0;
        while set < 10 {
            if in_set(set, byte) {
                tables[SETS + set * 32 + index / 8] |= 1 << (index % 8);
            }
            set += 1;
        }
        let letter = is_upper(byte) || is_lower(byte);
        let mut kind = is_space(byte) as u8;
        kind |= (letter as u8) << 1;
        kind |= (is_lower(byte) as u8) << 2;
        kind |= (byte.is_ascii_digit() as u8) << 3;
        kind |= (in_set(5, byte) as u8) << 4;
        tables[TYPES + index] = kind;
        index += 1;
    }
    tables
}
