//! The report as one page for a browser.
//!
//! The page is self-contained: style, script, drawings, numbers and logs are inside, and its
//! content security policy forbids loading anything. Without the script it is still a report;
//! with it, tables and plots follow a filter, and every mark leads to its log.
//!
//! Names come from files and may contain anything. In markup they go through `escape`; in the
//! script's data `<` is written as an escape sequence, so that no name can end the data.

mod data;
mod markup;
mod sections;
mod tables;

use super::svg::{STYLE as PLOT_STYLE, escape};
use super::{Logs, Report};

const STYLE: &str = include_str!("style.css");
/// The script. Its parts share one scope.
const SCRIPT: &str = concat!(
    include_str!("script/filter.js"),
    include_str!("script/tables.js"),
    include_str!("script/plots.js"),
    include_str!("script/runs.js"),
    include_str!("script/export.js"),
    include_str!("script/wide.js"),
    include_str!("script/listen.js"),
);
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

impl Report {
    /// The report as an HTML page that contains these logs.
    pub fn page(&self, logs: &Logs<'_>) -> String {
        let name = escape(&self.name);
        let (data, logs_inside) = (data::data(self), data::logs(logs));
        let body = sections::body(self, logs);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\" />\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
             <title>{name}</title>\n<style>\n{STYLE}{PLOT_STYLE}</style>\n</head>\n<body>\n\
             <main>\n{body}</main>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"application/json\" id=\"logs\">{logs_inside}</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }
}
