//! `docs/diagnostics.md` is what the registry makes of it; `UPDATE_EXPECT=1` writes it.

use std::path::Path;

#[test]
fn the_document_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let document = report::explanations::document();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &document).expect("the document can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == document, "UPDATE_EXPECT=1 rewrites docs/diagnostics.md");
}
