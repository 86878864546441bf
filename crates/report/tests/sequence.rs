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
    expect![[r##"
        <svg class="seq" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 248 266" width="248" height="266" role="img">
        <rect x="0" y="0" width="248" height="266" fill="#fff"/><defs>
        <marker id="atip0" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#0969da"/></marker>
        <marker id="atip1" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#1a7f37"/></marker>
        <marker id="atip2" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#bc4c00"/></marker>
        </defs>
        <g class="event" data-event="0"><title>main/0 
        m.erl:3
        P ! &lt;&lt;&quot;x&quot;&gt;&gt;</title><rect class="row" x="0" y="74.0" width="248" height="28"/></g>
        <g class="event" data-event="1"><title>worker/1 
        m.erl:3
        P ! &lt;&lt;&quot;x&quot;&gt;&gt;</title><rect class="row" x="0" y="116.0" width="248" height="28"/></g>
        <g class="event" data-event="2"><title>worker/1 ends
        m.erl:3
        P ! &lt;&lt;&quot;x&quot;&gt;&gt;</title><rect class="row" x="0" y="146.0" width="248" height="28"/><text class="label" x="181.2" y="164.0">ends</text></g>
        <g class="event" data-event="3"><title>main/0 
        m.erl:3
        P ! &lt;&lt;&quot;x&quot;&gt;&gt;</title><rect class="row" x="0" y="176.0" width="248" height="28"/></g>
        <g class="event failing" data-event="4"><title>main/0 exits: badarg
        m.erl:3
        P ! &lt;&lt;&quot;x&quot;&gt;&gt;</title><rect class="row" x="0" y="206.0" width="248" height="28"/><text class="label" x="66.1" y="224.0">exits: badarg</text></g>
        <line class="life" x1="54.1" y1="50.0" x2="54.1" y2="220.0"/>
        <g class="head"><title>main/0</title><rect x="24.0" y="16.0" width="60.2" height="34.0" rx="5"/><text class="name" x="54.1" y="37.0" text-anchor="middle">main/0</text></g>
        <line class="life" x1="169.2" y1="105.0" x2="169.2" y2="160.0"/>
        <g class="head"><title>worker/1</title><rect x="132.4" y="71.0" width="73.6" height="34.0" rx="5"/><text class="name" x="169.2" y="92.0" text-anchor="middle">worker/1</text></g>
        <g class="event"><circle cx="54.1" cy="88.0" r="3.5"/></g>
        <g class="arrow"><title></title><path d="M58.1 88.0L132.4 88.0" stroke="#1a7f37" stroke-dasharray="3 3" marker-end="url(#atip1)"/></g>
        <g class="event"><circle cx="169.2" cy="130.0" r="3.5"/></g>
        <g class="arrow"><title>{ok, &lt;&lt;1&gt;&gt;}</title><path d="M165.2 130.0L58.1 190.0" stroke="#0969da" stroke-dasharray="" marker-end="url(#atip0)"/><text class="halo" x="114.4" y="153.5" text-anchor="middle" transform="rotate(-29.3 114.4 153.5)">{ok, &lt;&lt;1&gt;&gt;}</text><text x="114.4" y="153.5" text-anchor="middle" transform="rotate(-29.3 114.4 153.5)" style="fill:#0969da">{ok, &lt;&lt;1&gt;&gt;}</text></g>
        <g class="event"><path class="cross" d="M163.2 154.0l12 12m0 -12l-12 12"/></g>
        <g class="arrow"><title>normal</title><path d="M165.2 160.0L58.1 170.0" stroke="#bc4c00" stroke-dasharray="7 3" marker-end="url(#atip2)"/><text class="halo" x="131.1" y="158.2" text-anchor="middle" transform="rotate(-5.3 131.1 158.2)">normal</text><text x="131.1" y="158.2" text-anchor="middle" transform="rotate(-5.3 131.1 158.2)" style="fill:#bc4c00">normal</text></g>
        <g class="event"><circle cx="54.1" cy="190.0" r="3.5"/></g>
        <g class="event failing"><path class="cross" d="M48.1 214.0l12 12m0 -12l-12 12"/></g>
        </svg>
    "##]].assert_eq(&shapes(&picture));
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
