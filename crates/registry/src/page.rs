//! A page: what is wrong, why that is a problem, what to do; a wrong and a right example.
//!
//! The format is a small part of Markdown:
//!
//! ````text
//! Paragraphs.
//!
//! ## Wrong
//!
//! ```erlang
//! f() -> X.
//! ```
//!
//! ## Right
//!
//! ```erlang
//! f(X) -> X.
//! ```
//! ````
//!
//! Behind the word `erlang` may stand: `release=27`, where the example needs a release that is not
//! the default; `whole`, if it is a whole module although it has no `-module`; `unended`, if the
//! last line is not ended by a line break; or `not-run: REASON`, if the example cannot show what it
//! is about by itself.
//!
//! An example without `-module` stands for a module `example` that exports all of its functions.

/// A page, read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    pub paragraphs: Vec<String>,
    pub wrong: Example,
    pub right: Example,
}

/// Erlang text of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Example {
    pub text: String,
    /// The release of OTP that it is for, if that matters.
    pub release: Option<u32>,
    /// Why it cannot be run by itself.
    pub not_run: Option<String>,
    whole: bool,
    unended: bool,
}

/// What an example without `-module` has before it.
const HEAD: &str = "-module(example).\n-compile([export_all, nowarn_export_all]).\n";

impl Example {
    fn new(info: &str) -> Example {
        let (words, not_run) = match info.split_once("not-run:") {
            Some((words, reason)) => (words, Some(reason.trim().to_owned())),
            None => (info, None),
        };
        let words: Vec<&str> = words.split_whitespace().collect();
        Example {
            text: String::new(),
            release: words.iter().find_map(|word| word.strip_prefix("release=")?.parse().ok()),
            not_run,
            whole: words.contains(&"whole"),
            unended: words.contains(&"unended"),
        }
    }

    /// The module that the example is, or stands for.
    pub fn module(&self) -> String {
        let whole = self.whole || self.text.lines().any(|line| line.starts_with("-module("));
        let text = if self.unended { self.text.trim_end() } else { &self.text };
        if !whole && text.starts_with("-feature") {
            // Features come before everything else.
            let (feature, rest) = text.split_at(text.find('\n').map_or(text.len(), |end| end + 1));
            return format!("{feature}{HEAD}{rest}");
        }
        format!("{}{text}", if whole { "" } else { HEAD })
    }
}

impl Page {
    pub(crate) fn read(text: &str) -> Page {
        let mut page = Page::default();
        let mut paragraph = String::new();
        let mut is_right = false;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.is_empty() || line.starts_with("## ") {
                if !paragraph.is_empty() {
                    page.paragraphs.push(std::mem::take(&mut paragraph));
                }
                is_right |= line == "## Right";
            } else if let Some(info) = line.strip_prefix("```erlang") {
                let mut example = Example::new(info);
                for line in lines.by_ref().take_while(|line| *line != "```") {
                    example.text.push_str(line);
                    example.text.push('\n');
                }
                *(if is_right { &mut page.right } else { &mut page.wrong }) = example;
            } else {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line);
            }
        }
        if !paragraph.is_empty() {
            page.paragraphs.push(paragraph);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read() {
        let page = Page::read(
            "One\nline.\n\nTwo.\n\n## Wrong\n\n```erlang release=27\nf() -> X.\n```\n\n\
             ## Right\n\n```erlang not-run: it takes two\nf(X) -> X.\n```\n",
        );
        assert_eq!(page.paragraphs, ["One line.", "Two."]);
        assert_eq!((page.wrong.text.as_str(), page.wrong.release), ("f() -> X.\n", Some(27)));
        assert_eq!(page.right.not_run.as_deref(), Some("it takes two"));
        assert_eq!(page.right.module(), format!("{HEAD}f(X) -> X.\n"));
    }

    #[test]
    fn a_feature_comes_first() {
        let page = Page::read("```erlang\n-feature(a, enable).\nf() -> 1.\n```\n");
        let expected = format!("-feature(a, enable).\n{HEAD}f() -> 1.\n");
        assert_eq!(page.wrong.module(), expected);
    }
}
