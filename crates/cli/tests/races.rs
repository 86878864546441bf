//! Every outcome that the BEAM ever showed of a small racing program is found by exploring it.
//!
//! The programs are those of `xtask/programs/races`, what the BEAM showed is in `seen.txt` there
//! (`cargo xtask races --record` adds to it, and compares all programs; here it is every 16th, or
//! every `RACES_EVERY`th). Programs of which something is known to be missed are in `known.txt`, by
//! cause.

mod harness;

use std::path::Path;

use harness::Project;
use serde_json::Value;

/// What exploring a program finds: the messages of its findings. The program ends by
/// `exit({outcome, _})`.
fn explored(project: &Project, programs: &Path, call: &str) -> Result<Vec<String>, String> {
    let (module, rest) = call.split_once(':').ok_or("no module")?;
    let (function, arguments) = rest.split_once('(').ok_or("no arguments")?;
    let arguments = arguments.strip_suffix(')').ok_or("no arguments")?;
    let file = |name: &str| programs.join(format!("{name}.erl")).display().to_string();
    let run = format!("race:run({module}, {function}, [{arguments}])");
    let (module, race) = (file(module), file("race"));
    // An outcome that has the reason of another process in it is no consequence of that.
    let normal = ["--equal-times", "--treat-as-normal", "bad"];
    let options = ["--format", "json", "--no-witnesses"];
    let command = [&["explore", &module, &race, &run], &options[..], &normal].concat();
    let ran = project.run(&command);
    let json: Value = serde_json::from_str(&ran.stdout).map_err(|_| ran.transcript())?;
    if json["complete"] != true {
        return Err(format!("not complete: {}", json["incomplete_because"]));
    }
    let findings = json["findings"].as_array().into_iter().flatten();
    Ok(findings.filter_map(|finding| finding["message"].as_str().map(str::to_owned)).collect())
}

#[test]
fn outcomes_of_the_beam() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/programs/races");
    let seen = std::fs::read_to_string(programs.join("seen.txt")).expect("seen.txt is there");
    let every = std::env::var("RACES_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(16);
    let project = Project::new("races", &[]);
    let known = std::fs::read_to_string(programs.join("known.txt")).expect("known.txt is there");
    let known: Vec<&str> = known.lines().collect();
    let is_judged =
        |line: &&str| !line.starts_with('#') && !line.split('\t').any(|call| known.contains(&call));
    let lines: Vec<&str> = seen.lines().filter(is_judged).collect();
    assert!(lines.len() > 1000, "{} programs", lines.len());
    let (mut outcomes, mut wrong) = (0, Vec::new());
    for line in lines.iter().step_by(every) {
        let mut columns = line.split('\t');
        let call = columns.next().unwrap_or_default();
        let found = match explored(&project, &programs, call) {
            Ok(found) => found,
            Err(message) => {
                wrong.push(format!("{call}: {message}"));
                continue;
            }
        };
        for outcome in columns {
            outcomes += 1;
            let told = format!("{{outcome,{outcome}}}");
            if !found.iter().any(|message| message.ends_with(&told)) {
                wrong.push(format!("{call}: {outcome} is missed"));
            }
        }
    }
    assert!(outcomes > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}
