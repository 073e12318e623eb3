//! Draws plots, for the page and as files.

use super::svg::Medium;
use super::{Plot, Report, cactus, scatter};

impl Report {
    /// The plot as an SVG file, for papers.
    pub fn svg(&self, plot: Plot) -> String {
        self.draw(plot, Medium::Paper)
    }

    pub(super) fn draw(&self, plot: Plot, medium: Medium) -> String {
        match plot.columns {
            Some(columns) => scatter::draw(self, plot, columns, medium),
            None => cactus::draw(self, plot, medium),
        }
    }
}
