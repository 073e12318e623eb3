//! What the LP maximizes.

use hipot_task::Value;

use crate::delta::true_features;
use crate::feature::Features;
use crate::model::Model;

/// Makes the LP maximize φ(`state`) − φ(`goal`).
pub fn maximize_in_state(model: &mut Model, features: &Features, state: &[Value], goal: &[Value]) {
    for feature in features.ids() {
        let column = model.w(feature);
        model.problem_mut().set_objective(column, 0.0);
    }
    for (state, sign) in [(state, 1.0), (goal, -1.0)] {
        for feature in true_features(features, state) {
            let column = model.w(feature);
            let before = model.problem().objective(column);
            model.problem_mut().set_objective(column, before + sign);
        }
    }
}
