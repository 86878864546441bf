//! `erlscope slice` and `erlscope check` of Java files.

use std::io;
use std::path::{Path, PathBuf};

use report::{drawing, java as shown};
use session::java::{
    Request, Sliced, Which, check as check_files, is_java, slice as slice_program,
};
use session::slice::Target;

use crate::args::{Check, Color, Slice as Arguments, SliceFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

/// Whether the command is about Java files.
pub(crate) fn is_asked(paths: &[PathBuf]) -> bool {
    !paths.is_empty() && paths.iter().all(|path| is_java(path))
}

pub(crate) fn slice(arguments: &Arguments, target: Target, color: Color) -> Result<Exit, Failure> {
    if arguments.trace.is_some() {
        return Err(Failure::Use("runs of Java programs are not recorded".to_owned()));
    }
    let which = match &arguments.to {
        Some(to) => Which::To(Target::parse(to)?),
        None if arguments.forward => Which::Forward,
        None => Which::Backward,
    };
    let also = arguments.also.iter().map(|text| Target::parse(text));
    let request = Request {
        target,
        occurrence: arguments.occurrence,
        which,
        also: also.collect::<Result<_, _>>()?,
        projects: arguments.projects.clone(),
        why: arguments.why.clone(),
        before: arguments.before,
    };
    let sliced = slice_program(&request, &front::control())?;
    write(arguments, &sliced, color)?;
    Ok(Exit::NothingFound)
}

fn write(arguments: &Arguments, sliced: &Sliced, color: Color) -> Result<(), Failure> {
    let file = arguments.output.as_deref();
    let is_program =
        arguments.format == SliceFormat::Text && !arguments.highlight && arguments.why.is_none();
    if let Some(dir) =
        file.filter(|path| is_program && (path.is_dir() || path.extension().is_none()))
    {
        return write_files(dir, sliced);
    }
    let text = match arguments.format {
        SliceFormat::Json => shown::json(sliced),
        _ if sliced.why.is_some() => shown::why(sliced),
        SliceFormat::Text if arguments.highlight => {
            let coloured = arguments.output.is_none() && output::coloured(color, &io::stdout());
            shown::terminal(sliced, coloured)
        }
        SliceFormat::Text => shown::text(sliced),
        SliceFormat::Html => shown::html(sliced),
        SliceFormat::Dot => drawing::dot(&shown::picture(sliced)),
        SliceFormat::Svg => drawing::svg(&shown::picture(sliced)),
    };
    output::write_document(file, &text)
}

/// Each file of a slice, below a directory as it is below the directory that all have in common.
fn write_files(dir: &Path, sliced: &Sliced) -> Result<(), Failure> {
    let left: Vec<_> = sliced.files.iter().filter(|file| file.text.is_some()).collect();
    let mut common = left.first().and_then(|file| file.path.parent()).map(Path::to_path_buf);
    for file in &left {
        while common.as_ref().is_some_and(|common| !file.path.starts_with(common)) {
            common = common.as_ref().and_then(|common| common.parent()).map(Path::to_path_buf);
        }
    }
    let common = common.unwrap_or_default();
    for file in left {
        let path = dir.join(file.path.strip_prefix(&common).unwrap_or(&file.path));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, file.text.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

pub(crate) fn check(arguments: &Check) -> Result<Exit, Failure> {
    let problems = check_files(&arguments.paths)?;
    let text = match crate::limits::format_of(arguments.format) {
        report::Format::Json => shown::problems_json(&problems),
        _ => shown::problems(&problems),
    };
    output::write_document(arguments.output.as_deref(), &text)?;
    Ok(if problems.is_empty() { Exit::NothingFound } else { Exit::SomethingFound })
}
