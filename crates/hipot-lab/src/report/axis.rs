//! Logarithmic axes with room for 0 and for missing values, and linear ones.
//!
//! ```text
//! |  0  |  1 … 10 … 100 … 1000  |  unsolved  |
//! |  0     10     20     30     40     50    |
//! ```
//!
//! Both axes of a scatter plot are the same axis, so that equal values lie on the diagonal,
//! also if both are 0 or missing.

/// An axis from 0 to its length, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Its length in pixels.
    pub(super) length: f64,
    scale: Scale,
    /// The smallest value on the scale.
    low: f64,
    /// The largest value on the scale.
    high: f64,
    /// The pixels before the smallest value, with the room for 0.
    before: f64,
    /// The pixels after the largest value, with the room for missing values.
    behind: f64,
}

/// How values become positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
}

/// A tick: its position in pixels and its label.
pub(super) type Tick = (f64, String);

/// The room for 0, in pixels.
const ZERO: f64 = 30.0;

/// The room for missing values, in pixels.
const MISSING: f64 = 36.0;

/// The room between the largest value and what follows, in pixels.
const PAD: f64 = 12.0;

/// The number of ticks on a linear axis, besides 0.
const LINEAR_TICKS: u32 = 5;

impl Axis {
    /// An axis for values from `least` to `largest`, with room for smaller ones, and for missing ones
    /// if `has_missing`.
    pub(super) fn from_zero(length: f64, least: f64, largest: f64, has_missing: bool) -> Self {
        let behind = if has_missing { MISSING + PAD } else { PAD };
        let high = largest.max(10.0 * least);
        let scale = Scale::Logarithmic;
        Self { length, scale, low: least, high, before: ZERO, behind }
    }

    /// A linear axis from 0 to `high`.
    pub(super) fn linear(length: f64, high: f64) -> Self {
        Self { length, scale: Scale::Linear, low: 0.0, high, before: 0.0, behind: 0.0 }
    }

    /// An axis between two positive values.
    pub(super) fn between(length: f64, low: f64, high: f64) -> Self {
        let (scale, high) = (Scale::Logarithmic, high.max(10.0 * low));
        Self { length, scale, low, high, before: 0.0, behind: 0.0 }
    }

    /// The position of a value; `None` is a missing one.
    pub(super) fn place(&self, value: Option<f64>) -> f64 {
        match value {
            None => self.length - MISSING / 2.0,
            Some(value) if value < self.low => self.before / 2.0,
            Some(value) => {
                let value = value.min(self.high);
                let share = match self.scale {
                    Scale::Linear => (value - self.low) / (self.high - self.low),
                    Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
                };
                self.before + share * (self.length - self.before - self.behind)
            }
        }
    }

    /// The position where the room for missing values begins, if any.
    pub(super) fn missing_from(&self) -> Option<f64> {
        (self.behind > PAD).then_some(self.length - MISSING)
    }

    /// The position where the room for 0 ends, if any.
    pub(super) fn zero_until(&self) -> Option<f64> {
        (self.before > 0.0).then_some(self.before - PAD / 2.0)
    }

    /// The ticks: fifths of a linear axis; otherwise 0 and powers of ten, on short axes also 2
    /// and 5 times these.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        if self.scale == Scale::Linear {
            let values = (0..=LINEAR_TICKS)
                .map(|part| self.high / f64::from(LINEAR_TICKS) * f64::from(part));
            return values.map(|value| (self.place(Some(value)), label(value))).collect();
        }
        let (first, last) = (self.low.log10().round() as i32, self.high.log10().floor() as i32);
        let multiples: &[f64] = if last - first <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let step = if last - first < 9 { 1 } else { 3 };
        let powers = (first..=last).step_by(step);
        let values = powers
            .flat_map(|power| multiples.iter().map(move |multiple| multiple * 10f64.powi(power)));
        let zero = self.zero_until().map(|_| (self.before / 2.0, self.smallest()));
        let inside = values.filter(|&value| value <= self.high * 1.0001);
        zero.into_iter()
            .chain(inside.map(|value| (self.place(Some(value)), label(value))))
            .collect()
    }

    /// The label of the values below the scale: 0, or less than its smallest value.
    fn smallest(&self) -> String {
        if self.low < 1.0 { format!("<{}", label(self.low)) } else { "0".to_owned() }
    }

    /// The labels of the ticks and of the room for missing values, without those that would
    /// overlap another one. Powers of ten come before other numbers.
    pub(super) fn labels(&self, missing: &str) -> Vec<Tick> {
        let mut ticks = self.ticks();
        let is_round = |text: &str| !text.contains(['2', '5']);
        ticks.sort_by_key(|(_, text)| !is_round(text));
        let word = self.missing_from().map(|_| (self.place(None), missing.to_owned()));
        let mut kept: Vec<Tick> = Vec::new();
        for (place, text) in word.into_iter().chain(ticks) {
            if kept.iter().all(|other| (place - other.0).abs() >= room(&text, &other.1)) {
                kept.push((place, text));
            }
        }
        kept.sort_by(|one, other| one.0.total_cmp(&other.0));
        kept
    }
}

/// About the width of a text on an axis, in pixels, with some room on both sides.
fn width(label: &str) -> f64 {
    label.chars().count() as f64 * 6.5 + 4.0
}

/// How far the middles of two texts are apart at least.
fn room(one: &str, other: &str) -> f64 {
    f64::midpoint(width(one), width(other))
}

/// The label of a round number: 0.01, 500, 10k, 1M.
fn label(value: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    for (from, unit) in UNITS {
        if value >= from {
            return if value / from < 1e6 {
                format!("{}{unit}", (value / from).round())
            } else {
                format!("1e{}", value.log10().round())
            };
        }
    }
    ((value * 1000.0).round() / 1000.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_and_stay_inside() {
        for largest in [0_u64, 1, 7, 50, 123_456, u64::MAX] {
            let axis = Axis::from_zero(360.0, 1.0, largest as f64, true);
            let values = [0, 1, 2, 7, 10, 49, 100_000, u64::MAX];
            let mut places: Vec<f64> =
                values.iter().map(|&value| axis.place(Some(value as f64))).collect();
            places.push(axis.place(None));
            assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{places:?}");
            assert!(places.iter().all(|place| (0.0..=360.0).contains(place)), "{places:?}");
            assert!(axis.ticks().len() >= 3 && axis.ticks().len() <= 13, "{:?}", axis.ticks());
        }
    }

    #[test]
    fn linear_axes_have_round_ticks() {
        let axis = Axis::linear(100.0, 50.0);
        let labels: Vec<String> = axis.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0", "10", "20", "30", "40", "50"]);
        for value in [0.0, 25.0, 50.0] {
            assert!((axis.place(Some(value)) - 2.0 * value).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn labels_do_not_collide() {
        for length in [200.0, 340.0, 560.0] {
            for least in [0.01, 1.0] {
                for exponent in 0..40 {
                    for has_missing in [false, true] {
                        let largest = least * 1.7_f64.powi(exponent);
                        let axis = Axis::from_zero(length, least, largest, has_missing);
                        let labels = axis.labels("unsolved");
                        assert_eq!(labels.iter().any(|(_, text)| text == "unsolved"), has_missing);
                        assert!(labels.len() >= 3, "{labels:?}");
                        for pair in labels.windows(2) {
                            let least = room(&pair[0].1, &pair[1].1);
                            assert!(pair[1].0 - pair[0].0 >= least, "{labels:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn labels_are_short() {
        let labels = [0.01, 0.1, 1.0, 50.0, 1000.0, 1e4, 1e5, 1e6, 1e19].map(label);
        assert_eq!(labels, ["0.01", "0.1", "1", "50", "1k", "10k", "100k", "1M", "1e19"]);
    }
}
