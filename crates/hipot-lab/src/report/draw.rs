//! From a plot to its drawing.

use super::svg::Reader;
use super::{Plot, Report, cactus, scatter};

impl Report {
    /// The plot as a drawing that stands alone, for papers.
    pub fn svg(&self, plot: Plot) -> String {
        self.draw(plot, Reader::Paper)
    }

    pub(super) fn draw(&self, plot: Plot, reader: Reader) -> String {
        match plot.columns {
            Some(columns) => scatter::draw(self, plot, columns, reader),
            None => cactus::draw(self, plot, reader),
        }
    }
}
