//! Mistakes and warnings of a document.

use std::time::{Duration, Instant};

use hipot_pddl::lint::Linter;
use hipot_pddl::{Errors, File, Severity, Source};
use hipot_task::Limits;
use hipot_translate::obstacles::warn;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};

use crate::documents::{Pair, Text};
use crate::positions::Positions;

/// Relaxed reachability is given up after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// What there is to say about one of a pair. With `is_deep`, also what reachability knows.
pub(crate) fn checks(pair: &Pair, file: File, is_deep: bool) -> Vec<Diagnostic> {
    let Some(own) = pair.of(file) else { return Vec::new() };
    let found = match (&pair.domain, &pair.problem) {
        (Some(domain), problem) => {
            all(&domain.source(), problem.as_ref().map(Text::source).as_ref(), is_deep)
        }
        (None, _) => {
            let message = "the domain of this problem is not found: open it as well, or save it as \
                           domain.pddl beside the problem";
            return vec![Diagnostic::new_simple(Range::default(), message.to_owned())];
        }
    };
    let here = found.into_iter().filter(|it| it.place.file == own.uri);
    here.map(|it| convert(&it, pair, own)).collect()
}

fn all(domain: &Source, problem: Option<&Source>, is_deep: bool) -> Vec<hipot_pddl::Diagnostic> {
    let of_domain = hipot_pddl::read_domain(domain);
    let task = match (of_domain, problem) {
        (Err(errors), _) => Err(errors),
        (Ok(()), None) => Ok(None),
        (Ok(()), Some(problem)) => hipot_pddl::read(domain, problem).map(Some),
    };
    match task {
        Err(Errors { diagnostics, .. }) => diagnostics,
        Ok(task) => {
            let mut linter = Linter::new(domain, problem);
            if let (Some(task), true) = (task, is_deep) {
                let limits = Limits::new(Some(Instant::now() + PATIENCE), None);
                // Without time for it, less is said.
                let _ = warn(&mut linter, &task, &limits);
            }
            linter.diagnostics()
        }
    }
}

fn convert(found: &hipot_pddl::Diagnostic, pair: &Pair, own: &Text) -> Diagnostic {
    let severity = match found.severity {
        Severity::Error | Severity::Unsupported => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let help = found.help.as_ref().map_or(String::new(), |help| format!("\n{help}"));
    let related = found.notes.iter().filter_map(|note| {
        let texts = [pair.domain.as_ref(), pair.problem.as_ref()];
        let text = texts.into_iter().flatten().find(|text| text.uri == note.place.file)?;
        let range = Positions::new(&text.text).range_of_place(&note.place);
        let location = Location::new(text.uri()?, range);
        Some(DiagnosticRelatedInformation { location, message: note.text.clone() })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: Positions::new(&own.text).range_of_place(&found.place),
        severity: Some(severity),
        code: found.code.map(|code| NumberOrString::String(code.to_owned())),
        source: Some("hipot".to_owned()),
        message: format!("{}{help}", found.message),
        related_information: Some(related).filter(|related| !related.is_empty()),
        ..Diagnostic::default()
    }
}
