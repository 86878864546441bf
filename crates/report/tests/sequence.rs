//! Sequence diagrams: golden pictures, and what must hold for any of them.

use expect_test::expect;
use report::sequence::{Arrow, ArrowKind, Column, Event, Mark, Sequence, svg};

fn column(name: &str) -> Column {
    Column { name: name.to_owned(), detail: String::new() }
}

fn event(column: usize, label: &str, mark: Mark) -> Event {
    Event {
        column,
        label: label.to_owned(),
        text: label.to_owned(),
        place: "m.erl:3".to_owned(),
        source: "P ! <<\"x\">>".to_owned(),
        mark,
        failing: false,
        arrows: Vec::new(),
    }
}

fn arrow(to: usize, text: &str, kind: ArrowKind, received: Option<usize>) -> Arrow {
    Arrow { to, text: text.to_owned(), kind, received }
}

/// One process starts another, which answers and ends.
fn small() -> Sequence {
    let mut events = vec![
        event(0, "", Mark::Point),
        event(1, "", Mark::Point),
        event(1, "ends", Mark::End),
        event(0, "", Mark::Point),
        event(0, "exits: badarg", Mark::End),
    ];
    events[0].arrows.push(arrow(1, "", ArrowKind::Spawn, None));
    events[1].arrows.push(arrow(0, "{ok, <<1>>}", ArrowKind::Message, Some(3)));
    events[2].arrows.push(arrow(0, "normal", ArrowKind::Signal, None));
    events[4].failing = true;
    Sequence {
        title: "a & b".to_owned(),
        columns: vec![column("main/0"), column("worker/1")],
        events,
    }
}

/// The shapes of a picture: elements with their positions, without styles.
fn shapes(picture: &str) -> String {
    let mut out = String::new();
    for line in picture.lines().filter(|line| !line.contains("<style>")) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[test]
fn golden() {
    let picture = svg(&small(), "a");
    expect![[r#""#]].assert_eq(&shapes(&picture));
}

#[test]
fn it_is_xml() {
    let mut sequence = small();
    sequence.columns[0].name = "<&\"'\u{1}>".to_owned();
    sequence.events[0].text = "]]> <script>".to_owned();
    let picture = svg(&sequence, "x");
    // Tags that are opened are closed, in order; text has no bare `<` or `&`.
    let mut open: Vec<String> = Vec::new();
    let mut rest = picture.as_str();
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "{}", &rest[..at]);
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default().to_owned());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!picture.contains('\u{1}'));
}

/// The numbers that an attribute has in a picture.
fn numbers(picture: &str, attribute: &str) -> Vec<f64> {
    let key = format!(" {attribute}=\"");
    picture
        .match_indices(&key)
        .filter_map(|(at, _)| {
            let value = &picture[at + key.len()..];
            value[..value.find('"')?].parse().ok()
        })
        .collect()
}

#[test]
fn everything_is_inside() {
    let mut sequence = small();
    sequence.events[1].arrows[0].text = "a long message ".repeat(10);
    sequence.events[3].label = "a long label ".repeat(10);
    sequence.events[3].arrows.push(arrow(0, "to itself", ArrowKind::Message, None));
    for picture in [svg(&small(), "a"), svg(&sequence, "a"), svg(&Sequence::default(), "a")] {
        let width = numbers(&picture, "width")[0];
        let height = numbers(&picture, "height")[0];
        for x in ["x", "x1", "x2", "cx"].iter().flat_map(|name| numbers(&picture, name)) {
            assert!((0.0..=width).contains(&x), "{x} of {width}");
        }
        for y in ["y", "y1", "y2", "cy"].iter().flat_map(|name| numbers(&picture, name)) {
            assert!((0.0..=height).contains(&y), "{y} of {height}");
        }
    }
}

#[test]
fn bad_numbers_do_no_harm() {
    let mut sequence = small();
    sequence.events[0].arrows[0].to = 7;
    sequence.events[1].arrows[0].received = Some(99);
    sequence.events[2].column = 5;
    assert!(svg(&sequence, "a").ends_with("</svg>\n"));
}
