//! What two versions do differently, as SARIF 2.1.0: each difference a result at the function of
//! the new version that was called.

use serde_json::{Value, json};
use session::compare::{Answer, Compared, Difference};

use super::{looked, one};
use crate::sarif::{of_results, physical};

pub fn sarif(answer: &Answer) -> String {
    let results: Vec<Value> =
        answer.differences().map(|(entry, difference)| result(entry, difference)).collect();
    let unable = answer.entries.iter().filter(|entry| entry.no_inputs.is_some());
    let notes: Vec<String> = unable.map(looked).collect();
    of_results(&results, &notes, answer.stopped.is_none())
}

fn result(entry: &Compared, difference: &Difference) -> Value {
    let locations: Vec<Value> =
        entry.place.iter().map(|place| json!({ "physicalLocation": physical(place) })).collect();
    json!({
        "ruleId": "different_behaviour",
        "level": "error",
        "message": { "text": one(entry, difference).trim_end() },
        "locations": locations,
        "properties": { "label": difference.label.name() },
    })
}
