//! `erlang:decode_packet/3`: the packet at the start of some bytes.
//!
//! Packets with a length in front, lines, and the lines of an HTTP message.

use atom::Atom;
use term::{Bits, Term, arith};

use super::{Builtin, Fallible, bad, bad_because};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "decode_packet"/3 => decode_packet,
);

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Raw,
    /// A length in that many bytes, which are not part of the packet.
    Prefix(usize),
    Asn1,
    Cdr,
    Sunrm,
    Fcgi,
    Tpkt,
    Line,
    Http {
        header: bool,
        binary: bool,
    },
    SslTls,
}

fn kind(term: &Term) -> Option<Kind> {
    Some(match (term.as_int(), term.as_atom().map(Atom::as_str)) {
        (Some(0), _) | (_, Some("raw")) => Kind::Raw,
        (Some(size @ (1 | 2 | 4)), _) => Kind::Prefix(size as usize),
        (_, Some("asn1")) => Kind::Asn1,
        (_, Some("cdr")) => Kind::Cdr,
        (_, Some("sunrm")) => Kind::Sunrm,
        (_, Some("fcgi")) => Kind::Fcgi,
        (_, Some("tpkt")) => Kind::Tpkt,
        (_, Some("line")) => Kind::Line,
        (_, Some("http")) => Kind::Http { header: false, binary: false },
        (_, Some("http_bin")) => Kind::Http { header: false, binary: true },
        (_, Some("httph")) => Kind::Http { header: true, binary: false },
        (_, Some("httph_bin")) => Kind::Http { header: true, binary: true },
        (_, Some("ssl_tls")) => Kind::SslTls,
        _ => return None,
    })
}

/// Limits, 0 for none, and what ends a line.
struct Options {
    packet_size: usize,
    line_length: usize,
    delimiter: u8,
}

fn options(list: &Term, kind: Kind) -> Fallible<Options> {
    let mut options = Options { packet_size: 0, line_length: 0, delimiter: b'\n' };
    let mut elements = list.elements();
    for option in elements.by_ref() {
        let Some([name, value]) = option.as_tuple() else { return Err(bad()) };
        let number = arith::to_bigint(value).and_then(|n| u32::try_from(n).ok()).ok_or_else(bad)?;
        match name.as_atom().map(Atom::as_str) {
            Some("packet_size") => options.packet_size = number as usize,
            Some("line_length") => options.line_length = number as usize,
            Some("line_delimiter") if kind == Kind::Line => {
                options.delimiter = u8::try_from(number).map_err(|_| bad())?;
            }
            _ => return Err(bad()),
        }
    }
    if elements.is_proper() { Ok(options) } else { Err(bad()) }
}

/// How long a packet is.
enum Length {
    Known(usize),
    /// More bytes are needed to say.
    Unknown,
    Invalid,
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte))
}

/// A header of `header` bytes and `body` bytes after it.
fn with_header(header: usize, body: usize, options: &Options) -> Length {
    let limit = match options.packet_size {
        0 => i32::MAX as usize - header,
        limit => limit,
    };
    if body > limit { Length::Invalid } else { Length::Known(header + body) }
}

fn length(kind: Kind, bytes: &[u8], options: &Options) -> Length {
    let at_least = |size: usize| bytes.len() >= size;
    match kind {
        Kind::Raw if bytes.is_empty() => Length::Unknown,
        Kind::Raw => Length::Known(bytes.len()),
        Kind::Prefix(size) if at_least(size) => {
            with_header(size, big_endian(&bytes[..size]), options)
        }
        Kind::Sunrm if at_least(4) => {
            with_header(4, big_endian(&bytes[..4]) & 0x7FFF_FFFF, options)
        }
        Kind::Cdr if at_least(12) => {
            if !bytes.starts_with(b"GIOP") {
                return Length::Invalid;
            }
            let mut size = bytes[8..12].to_vec();
            if bytes[6] & 1 == 1 {
                size.reverse();
            }
            with_header(12, big_endian(&size), options)
        }
        Kind::Fcgi if at_least(8) => {
            if bytes[0] != 1 {
                return Length::Invalid;
            }
            with_header(8, big_endian(&bytes[4..6]) + usize::from(bytes[6]), options)
        }
        Kind::Tpkt if at_least(4) => {
            let size = big_endian(&bytes[2..4]);
            match size.checked_sub(4) {
                Some(body) if bytes[0] == 3 => with_header(4, body, options),
                _ => Length::Invalid,
            }
        }
        Kind::SslTls if at_least(5) => {
            if bytes[0] & 0x80 != 0 && bytes[2] == 1 {
                let body = big_endian(&bytes[..2]) & 0x7FFF;
                return body.checked_sub(3).map_or(Length::Invalid, |n| with_header(5, n, options));
            }
            with_header(5, big_endian(&bytes[3..5]), options)
        }
        Kind::Asn1 => asn1_length(bytes, options),
        Kind::Line => line_length(bytes, options),
        Kind::Http { header, .. } => http_length(bytes, header, options),
        _ => Length::Unknown,
    }
}

fn asn1_length(bytes: &[u8], options: &Options) -> Length {
    if bytes.len() < 2 {
        return Length::Unknown;
    }
    let mut at = 1;
    if bytes[0] & 0x1F == 0x1F {
        at += bytes[1..].iter().take_while(|&&byte| byte & 0x80 != 0).count();
        if bytes.len() - at < 2 {
            return Length::Unknown;
        }
        at += 1;
    }
    let short = usize::from(bytes[at] & 0x7F);
    let long = bytes[at] & 0x80 != 0;
    at += 1;
    if !long {
        return with_header(at, short, options);
    }
    match bytes.get(at..at + short) {
        None => Length::Unknown,
        Some(_) if short > 4 => Length::Invalid,
        Some(size) => with_header(at + short, big_endian(size), options),
    }
}

fn line_length(bytes: &[u8], options: &Options) -> Length {
    let Options { packet_size, line_length, delimiter } = *options;
    match bytes.iter().position(|&byte| byte == delimiter) {
        None if packet_size != 0 && bytes.len() > packet_size => Length::Invalid,
        None if line_length != 0 && bytes.len() >= line_length => Length::Known(line_length),
        None => Length::Unknown,
        Some(at) if packet_size != 0 && at + 1 > packet_size => Length::Invalid,
        Some(at) if line_length != 0 && at + 1 > line_length => Length::Known(line_length),
        Some(at) => Length::Known(at + 1),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A line; that of a header may go on in the next one.
fn http_length(bytes: &[u8], header: bool, options: &Options) -> Length {
    if matches!(bytes, b"\n" | b"\r\n") {
        return Length::Known(bytes.len());
    }
    let limit = if options.packet_size == 0 { options.line_length } else { options.packet_size };
    let within = |len: usize| {
        if limit != 0 && len > limit { Length::Invalid } else { Length::Known(len) }
    };
    let mut from = 0;
    loop {
        let Some(at) = bytes[from..].iter().position(|&byte| byte == b'\n') else {
            let full = limit != 0 && bytes.len() >= limit;
            return if full { Length::Invalid } else { Length::Unknown };
        };
        let len = from + at + 1;
        if !header {
            return within(len);
        }
        match bytes.get(len) {
            Some(&next) if is_space(next) && len > 2 => from = len,
            Some(_) => return within(len),
            None => {
                return match within(len) {
                    Length::Invalid => Length::Invalid,
                    _ => Length::Unknown,
                };
            }
        }
    }
}

fn decode_packet(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bad_option = || bad_because("erlang", "decode_packet", args, "badopt");
    let kind = kind(&args[0]).ok_or_else(bad_option)?;
    let bits = args[1].as_bits().ok_or_else(bad)?;
    // Bits after the last whole byte wait for the rest of theirs.
    let whole = bits.slice(0, bits.bit_len() / 8 * 8);
    let bytes = whole.to_bytes().unwrap_or_default();
    let options = options(&args[2], kind)?;
    let more = |length: Term| Ok(Term::tuple([Term::atom("more"), length]));
    let size = match length(kind, &bytes, &options) {
        Length::Invalid => {
            return Ok(Term::tuple([Term::atom("error"), Term::atom("invalid")]));
        }
        Length::Unknown => return more(Term::UNDEFINED),
        Length::Known(size) if size > bytes.len() => return more(Term::from(size)),
        Length::Known(size) => size,
    };
    let packet = packet(kind, bits, &bytes[..size]);
    let rest = bits.slice(size * 8, bits.bit_len() - size * 8);
    Ok(Term::tuple([Term::OK, packet, Term::bits(rest)]))
}

fn packet(kind: Kind, bits: &Bits, bytes: &[u8]) -> Term {
    let part = |from: usize, to: usize| Term::bits(bits.slice(from * 8, (to - from) * 8));
    match kind {
        Kind::Prefix(header) => part(header, bytes.len()),
        Kind::Fcgi => part(0, bytes.len() - usize::from(bytes[6])),
        Kind::Http { header, binary } => {
            let text = Text { binary };
            let parsed = if header { text.header(bytes) } else { text.start_line(bytes) };
            parsed.unwrap_or_else(|| Term::tuple([Term::atom("http_error"), text.term(bytes)]))
        }
        Kind::SslTls => {
            let hello = bytes[0] & 0x80 != 0 && bytes[2] == 1;
            let (content, version, data) = if hello {
                let size = (bytes.len() - 3) as u32;
                let mut data = vec![1];
                data.extend_from_slice(&size.to_be_bytes()[1..]);
                data.extend_from_slice(&bytes[3..]);
                (22, [bytes[3], bytes[4]], Term::binary(data))
            } else {
                (i64::from(bytes[0]), [bytes[1], bytes[2]], part(5, bytes.len()))
            };
            let version = Term::tuple(version.map(|byte| Term::int(i64::from(byte))));
            Term::tuple([Term::atom("ssl_tls"), Term::NIL, Term::int(content), version, data])
        }
        _ => part(0, bytes.len()),
    }
}

/// How texts of an HTTP message are shown.
#[derive(Clone, Copy)]
struct Text {
    binary: bool,
}

const METHODS: [&str; 7] = ["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"];

/// Fields that are shown as atoms; their place is their number.
#[rustfmt::skip]
const FIELDS: [&str; 52] = [
    "Cache-Control", "Connection", "Date", "Pragma", "Transfer-Encoding", "Upgrade", "Via",
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization", "From",
    "Host", "If-Modified-Since", "If-Match", "If-None-Match", "If-Range", "If-Unmodified-Since",
    "Max-Forwards", "Proxy-Authorization", "Range", "Referer", "User-Agent", "Age", "Location",
    "Proxy-Authenticate", "Public", "Retry-After", "Server", "Vary", "Warning",
    "Www-Authenticate", "Allow", "Content-Base", "Content-Encoding", "Content-Language",
    "Content-Length", "Content-Location", "Content-Md5", "Content-Range", "Content-Type", "Etag",
    "Expires", "Last-Modified", "Accept-Ranges", "Set-Cookie", "Set-Cookie2", "X-Forwarded-For",
    "Cookie", "Keep-Alive", "Proxy-Connection",
];
const MAX_FIELD: usize = 50;

/// Splits bytes where `is_part` ends.
fn split_while(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let len = bytes.iter().take_while(|&&byte| is_part(byte)).count();
    bytes.split_at(len)
}

/// Digits, as C reads them into an `int`.
fn number(bytes: &[u8]) -> (Option<i64>, &[u8]) {
    let (digits, rest) = split_while(bytes, |byte| byte.is_ascii_digit());
    let value = digits
        .iter()
        .fold(0i32, |value, &digit| value.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
    ((!digits.is_empty()).then_some(i64::from(value)), rest)
}

/// `1.1` and what follows.
fn version(bytes: &[u8]) -> Option<(Term, &[u8])> {
    let (major, rest) = number(bytes);
    let (minor, rest) = number(rest.strip_prefix(b".")?);
    Some((Term::tuple([Term::int(major?), Term::int(minor?)]), rest))
}

fn is_token(byte: u8) -> bool {
    (33..127).contains(&byte) && !b"()<>@,;:\\\"/[]?={}".contains(&byte)
}

fn without_line_end(bytes: &[u8]) -> &[u8] {
    match bytes {
        [line @ .., b'\r', _] | [line @ .., b'\n'] => line,
        _ => bytes,
    }
}

impl Text {
    fn term(self, bytes: &[u8]) -> Term {
        if self.binary { Term::binary(bytes) } else { super::binaries::byte_list(bytes) }
    }

    fn start_line(self, bytes: &[u8]) -> Option<Term> {
        let line = without_line_end(bytes);
        match line.strip_prefix(b"HTTP/") {
            Some(response) => self.response(response),
            None => self.request(line),
        }
    }

    fn response(self, line: &[u8]) -> Option<Term> {
        let (version, rest) = version(line)?;
        let (space, rest) = split_while(rest, is_space);
        if space.is_empty() {
            return None;
        }
        let (status, rest) = number(rest);
        let (space, phrase) = split_while(rest, is_space);
        if space.is_empty() && !phrase.is_empty() {
            return None;
        }
        let status = Term::int(status.unwrap_or(0));
        Some(Term::tuple([Term::atom("http_response"), version, status, self.term(phrase)]))
    }

    fn request(self, line: &[u8]) -> Option<Term> {
        let (method, rest) = split_while(line, is_token);
        let (space, rest) = split_while(rest, is_space);
        if method.is_empty() || space.is_empty() {
            return None;
        }
        let (uri, rest) = split_while(rest, |byte| !is_space(byte));
        if uri.is_empty() {
            return None;
        }
        let (_, rest) = split_while(rest, is_space);
        let version = if rest.is_empty() {
            Term::tuple([Term::int(0), Term::int(9)])
        } else {
            let rest = rest.strip_prefix(b"HTTP/").filter(|_| rest.len() >= 8)?;
            version(rest)?.0
        };
        let known = METHODS.iter().find(|name| name.as_bytes() == method);
        let method = known.map_or_else(|| self.term(method), |name| Term::atom(name));
        Some(Term::tuple([Term::atom("http_request"), method, self.uri(uri), version]))
    }

    fn uri(self, uri: &[u8]) -> Term {
        if uri == b"*" {
            return Term::atom("*");
        }
        if uri.len() <= 1 || uri.starts_with(b"/") {
            return Term::tuple([Term::atom("abs_path"), self.term(uri)]);
        }
        for (scheme, prefix) in [("http", &b"http://"[..]), ("https", b"https://")] {
            if uri.len() >= prefix.len() && uri[..prefix.len()].eq_ignore_ascii_case(prefix) {
                return self.absolute(scheme, &uri[prefix.len()..]);
            }
        }
        match uri.iter().position(|&byte| byte == b':') {
            Some(at) => {
                let parts = [self.term(&uri[..at]), self.term(&uri[at + 1..])];
                Term::tuple(std::iter::once(Term::atom("scheme")).chain(parts))
            }
            None => self.term(uri),
        }
    }

    fn absolute(self, scheme: &str, rest: &[u8]) -> Term {
        let (place, path) = match rest.iter().position(|&byte| byte == b'/') {
            Some(at) => rest.split_at(at),
            None => (rest, &b"/"[..]),
        };
        // Addresses in brackets are not known to OTP 25.
        let (host, port) = match place.iter().position(|&byte| byte == b':') {
            Some(at) => (&place[..at], Some(&place[at + 1..])),
            None => (place, None),
        };
        let port = port.and_then(|digits| match number(digits) {
            (Some(port), []) if port != 0 => Some(Term::int(port)),
            _ => None,
        });
        Term::tuple([
            Term::atom("absoluteURI"),
            Term::atom(scheme),
            self.term(host),
            port.unwrap_or(Term::UNDEFINED),
            self.term(path),
        ])
    }

    fn header(self, bytes: &[u8]) -> Option<Term> {
        let line = without_line_end(bytes);
        if line.is_empty() {
            return Some(Term::atom("http_eoh"));
        }
        let (name, rest) = split_while(line, is_token);
        let (_, value) = split_while(rest.strip_prefix(b":")?, is_space);
        let (number, field) = if name.len() > MAX_FIELD {
            (0, self.term(name))
        } else {
            let usual = capitalized(name);
            match FIELDS.iter().position(|field| field.as_bytes() == usual) {
                Some(at) => (at + 1, Term::atom(FIELDS[at])),
                None => (0, self.term(&usual)),
            }
        };
        let (number, name, value) = (Term::from(number), self.term(name), self.term(value));
        Some(Term::tuple([Term::atom("http_header"), number, field, name, value]))
    }
}

/// The name of a field with a large letter at the start and after each hyphen.
fn capitalized(name: &[u8]) -> Vec<u8> {
    let mut start = true;
    name.iter()
        .map(|&byte| {
            let c = if start { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
            start = !start && byte == b'-';
            c
        })
        .collect()
}
