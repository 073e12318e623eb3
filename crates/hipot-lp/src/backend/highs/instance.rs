//! A HiGHS instance behind safe functions. Together with `functions` and
//! `library`, this is the only unsafe code of this crate.
//!
//! This module makes no decisions. Each function is one call of the C interface
//! (or the few that belong together), with the lengths of slices checked, so
//! that no argument of safe code can make HiGHS read or write out of bounds.
//! The table of functions determines whether the calls go to the linked HiGHS
//! or to a loaded one.
//!
//! HiGHS always minimizes (see the parent module for the reason): `sign` turns
//! objective coefficients around on the way in, and the objective's value and
//! the dual values on the way out. No other module knows about it.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use highs_sys as ffi;
use highs_sys::HighsInt;

use super::functions::Functions;
use super::library::Library;
use super::monitor::Hooks;
use crate::problem::{Bounds, Column, Problem, Row, Sense};

// Column numbers and row starts are passed to HiGHS without conversion.
const _: () = assert!(size_of::<HighsInt>() == size_of::<u32>());
const _: () = assert!(size_of::<Column>() == size_of::<u32>());

/// `kHighsCallbackLogging`, `kHighsCallbackSimplexInterrupt` and
/// `kHighsCallbackIpmInterrupt`. Log lines come only while logging is on.
const CALLBACKS: [HighsInt; 3] = [LOGGING, SIMPLEX, 2];
const LOGGING: HighsInt = 0;
const SIMPLEX: HighsInt = 1;

/// HiGHS did not accept what it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A call ended with an error: numbers that are too large for the solver
    /// (10¹⁵ for coefficients), a row or column that does not exist, no memory.
    #[error("HiGHS rejected the arguments of {function}")]
    Refused {
        /// The function of the C interface.
        function: &'static str,
    },
    /// A file could not be read as a linear program.
    #[error("HiGHS cannot read a linear program from {file}")]
    Unreadable {
        /// The file.
        file: String,
    },
}

/// An instance of HiGHS: a model, options, and the state of the last solve.
#[derive(Debug)]
pub(super) struct Instance {
    api: &'static Functions,
    raw: *mut c_void,
    /// 1 if the problem is a minimization, −1 if objectives and dual values
    /// change their sign on the way in and out.
    sign: f64,
    /// The state of the callback; kept alive as long as HiGHS knows its address.
    hooks: Option<Arc<Hooks>>,
}

// SAFETY: an instance owns everything its pointer leads to, and HiGHS keeps
// nothing about it elsewhere. Its only thread-local state, the task scheduler,
// belongs to the thread that runs, and each thread creates its own.
unsafe impl Send for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: created by `Highs_create` of the same table and destroyed only here.
        unsafe { (self.api.Highs_destroy)(self.raw) }
    }
}

/// An error if the call failed; warnings are fine.
fn check(status: HighsInt, function: &'static str) -> Result<(), Error> {
    if status == ffi::STATUS_ERROR { Err(Error::Refused { function }) } else { Ok(()) }
}

/// A length as HiGHS's integer type.
fn int(length: usize) -> HighsInt {
    HighsInt::try_from(length).expect("a length of at most 31 bits")
}

/// A count of HiGHS as a length.
fn size(count: HighsInt) -> usize {
    usize::try_from(count).expect("a count is not negative")
}

/// Called by HiGHS with log lines, and from within simplex and the interior
/// point method.
unsafe extern "C" fn call_back(
    kind: c_int,
    message: *const c_char,
    output: *const ffi::HighsCallbackDataOut,
    input: *mut ffi::HighsCallbackDataIn,
    hooks: *mut c_void,
) {
    // SAFETY: `hooks` is the address that `set_hooks` registered, and the
    // instance keeps the hooks alive; the other pointers are HiGHS's own, and
    // the message is a zero-terminated string.
    let (hooks, message, output, input) = unsafe {
        let message = (!message.is_null()).then(|| CStr::from_ptr(message));
        (hooks.cast::<Hooks>().as_ref(), message, output.as_ref(), input.as_mut())
    };
    let Some(hooks) = hooks else { return };
    if kind == LOGGING {
        return hooks.record_line(&message.unwrap_or_default().to_string_lossy());
    }
    if let (SIMPLEX, Some(output)) = (kind, output)
        && let Ok(iterations) = usize::try_from(output.simplex_iteration_count)
    {
        hooks.record_iterations(iterations);
    }
    if let Some(input) = input {
        input.user_interrupt = hooks.is_interrupted().into();
    }
}

impl Instance {
    /// A silent instance without a model.
    pub(super) fn new(library: Library) -> Self {
        let api = library.functions;
        // SAFETY: no arguments.
        let raw = unsafe { (api.Highs_create)() };
        assert!(!raw.is_null(), "HiGHS cannot be started: out of memory");
        let mut instance = Self { api, raw, sign: 1.0, hooks: None };
        instance.set_bool(c"output_flag", false);
        instance.set_bool(c"log_to_console", false);
        instance
    }

    /// Replaces the model.
    pub(super) fn pass(&mut self, problem: &Problem) -> Result<(), Error> {
        self.sign = match problem.sense {
            Sense::Minimize => 1.0,
            Sense::Maximize => -1.0,
        };
        let costs: Vec<f64> = problem.objective.iter().map(|cost| self.sign * cost).collect();
        // SAFETY: all vectors have the given lengths, an invariant of
        // `Problem`; columns and starts are 31-bit numbers.
        let status = unsafe {
            (self.api.Highs_passLp)(
                self.raw,
                int(problem.num_columns()),
                int(problem.num_rows()),
                int(problem.num_nonzeros()),
                ffi::MATRIX_FORMAT_ROW_WISE,
                ffi::OBJECTIVE_SENSE_MINIMIZE,
                0.0,
                costs.as_ptr(),
                problem.column_lower.as_ptr(),
                problem.column_upper.as_ptr(),
                problem.row_lower.as_ptr(),
                problem.row_upper.as_ptr(),
                problem.starts.as_ptr().cast(),
                problem.columns.as_ptr().cast(),
                problem.values.as_ptr(),
            )
        };
        check(status, "Highs_passLp")
    }

    /// Replaces the model by that of a file (`.lp` or `.mps`).
    pub(super) fn read(&mut self, file: &Path) -> Result<(), Error> {
        let unreadable = || Error::Unreadable { file: file.display().to_string() };
        let name = CString::new(file.as_os_str().as_encoded_bytes()).map_err(|_| unreadable())?;
        // SAFETY: a zero-terminated string.
        let status = unsafe { (self.api.Highs_readModel)(self.raw, name.as_ptr()) };
        check(status, "Highs_readModel").map_err(|_| unreadable())?;
        self.minimize()
    }

    /// Turns a maximization model, as read from a file, into a minimization.
    fn minimize(&mut self) -> Result<(), Error> {
        let mut sense = ffi::OBJECTIVE_SENSE_MINIMIZE;
        let mut offset = 0.0;
        // SAFETY: a valid instance and buffers for the answers.
        unsafe {
            (self.api.Highs_getObjectiveSense)(self.raw, &raw mut sense);
            (self.api.Highs_getObjectiveOffset)(self.raw, &raw mut offset);
        }
        self.sign = 1.0;
        if sense == ffi::OBJECTIVE_SENSE_MINIMIZE {
            return Ok(());
        }
        let costs: Vec<f64> = self.columns().into_iter().map(|(cost, _)| cost).collect();
        self.sign = -1.0;
        // SAFETY: a valid instance.
        unsafe {
            (self.api.Highs_changeObjectiveSense)(self.raw, ffi::OBJECTIVE_SENSE_MINIMIZE);
            (self.api.Highs_changeObjectiveOffset)(self.raw, -offset);
        }
        self.change_all_costs(&costs)
    }

    pub(super) fn num_rows(&self) -> usize {
        // SAFETY: a valid instance.
        size(unsafe { (self.api.Highs_getNumRow)(self.raw) })
    }

    pub(super) fn num_columns(&self) -> usize {
        // SAFETY: a valid instance.
        size(unsafe { (self.api.Highs_getNumCol)(self.raw) })
    }

    pub(super) fn num_nonzeros(&self) -> usize {
        // SAFETY: a valid instance.
        size(unsafe { (self.api.Highs_getNumNz)(self.raw) })
    }

    pub(super) fn sense(&self) -> Sense {
        if self.sign < 0.0 { Sense::Maximize } else { Sense::Minimize }
    }

    pub(super) fn set_bool(&mut self, name: &CStr, value: bool) {
        // SAFETY: a zero-terminated string.
        let status =
            unsafe { (self.api.Highs_setBoolOptionValue)(self.raw, name.as_ptr(), value.into()) };
        assert_eq!(status, ffi::STATUS_OK, "the option {name:?} = {value}");
    }

    pub(super) fn set_int(&mut self, name: &CStr, value: HighsInt) {
        // SAFETY: a zero-terminated string.
        let status = unsafe { (self.api.Highs_setIntOptionValue)(self.raw, name.as_ptr(), value) };
        assert_eq!(status, ffi::STATUS_OK, "the option {name:?} = {value}");
    }

    pub(super) fn set_double(&mut self, name: &CStr, value: f64) {
        // SAFETY: a zero-terminated string.
        let status =
            unsafe { (self.api.Highs_setDoubleOptionValue)(self.raw, name.as_ptr(), value) };
        assert_eq!(status, ffi::STATUS_OK, "the option {name:?} = {value}");
    }

    pub(super) fn set_string(&mut self, name: &CStr, value: &CStr) {
        // SAFETY: two zero-terminated strings.
        let status = unsafe {
            (self.api.Highs_setStringOptionValue)(self.raw, name.as_ptr(), value.as_ptr())
        };
        assert_eq!(status, ffi::STATUS_OK, "the option {name:?} = {value:?}");
    }

    /// Registers the callbacks that stop a run and record its progress.
    pub(super) fn set_hooks(&mut self, hooks: Arc<Hooks>) {
        let address = Arc::as_ptr(&hooks);
        // SAFETY: the callback has the type that HiGHS expects; it gets the
        // address of the hooks, which `self.hooks` keeps alive until others
        // are registered here.
        unsafe {
            let address = address.cast_mut().cast();
            // This also turns all callbacks off.
            (self.api.Highs_setCallback)(self.raw, Some(call_back), address);
            if hooks.is_needed() {
                for kind in CALLBACKS {
                    (self.api.Highs_startCallback)(self.raw, kind);
                }
            }
        }
        self.hooks = Some(hooks);
    }

    /// Clears the basis and the solution but keeps the model.
    pub(super) fn clear_solver(&mut self) {
        // SAFETY: a valid instance.
        unsafe { (self.api.Highs_clearSolver)(self.raw) };
    }

    /// Solves the model; returns the model status, or none after an error.
    pub(super) fn run(&mut self) -> Option<HighsInt> {
        // SAFETY: a valid instance, borrowed mutably.
        unsafe {
            (self.api.Highs_zeroAllClocks)(self.raw);
            let status = (self.api.Highs_run)(self.raw);
            (status != ffi::STATUS_ERROR).then(|| (self.api.Highs_getModelStatus)(self.raw))
        }
    }

    /// Whether the last solve left primal or dual values.
    fn has_solution(&self, which: &CStr) -> bool {
        let mut value = ffi::SOLUTION_STATUS_NONE;
        // SAFETY: a zero-terminated string and a buffer for the answer.
        let status =
            unsafe { (self.api.Highs_getIntInfoValue)(self.raw, which.as_ptr(), &raw mut value) };
        status == ffi::STATUS_OK && value != ffi::SOLUTION_STATUS_NONE
    }

    /// Column values and row duals of the last solve; empty if there are none.
    pub(super) fn solution(&self) -> (Vec<f64>, Vec<f64>) {
        let (rows, columns) = (self.num_rows(), self.num_columns());
        let [mut values, mut reduced] = [vec![0.0; columns], vec![0.0; columns]];
        let [mut activities, mut duals] = [vec![0.0; rows], vec![0.0; rows]];
        // SAFETY: each vector has one entry per column or row of the model.
        unsafe {
            (self.api.Highs_getSolution)(
                self.raw,
                values.as_mut_ptr(),
                reduced.as_mut_ptr(),
                activities.as_mut_ptr(),
                duals.as_mut_ptr(),
            );
        }
        if !self.has_solution(c"primal_solution_status") {
            values.clear();
        }
        if !self.has_solution(c"dual_solution_status") {
            duals.clear();
        }
        for dual in &mut duals {
            *dual *= self.sign;
        }
        (values, duals)
    }

    /// The objective's value after the last solve.
    pub(super) fn objective_value(&self) -> f64 {
        // SAFETY: a valid instance.
        self.sign * unsafe { (self.api.Highs_getObjectiveValue)(self.raw) }
    }

    /// The ray that primal simplex ended with. Only for models with nonzeros:
    /// for a model without rows HiGHS returns an uninitialized flag.
    pub(super) fn primal_ray(&self) -> Option<Vec<f64>> {
        let mut found = 0;
        let mut ray = vec![0.0; self.num_columns()];
        // If HiGHS has no ray and gets a vector for it, it solves again. So first
        // ask without a vector.
        // SAFETY: a buffer for the answer, and a vector with one entry per column.
        unsafe {
            (self.api.Highs_getPrimalRay)(self.raw, &raw mut found, ptr::null_mut());
            if found != 0 {
                (self.api.Highs_getPrimalRay)(self.raw, &raw mut found, ray.as_mut_ptr());
            }
        }
        (found != 0).then_some(ray)
    }

    /// Replaces the objective coefficients of some columns.
    pub(super) fn change_costs(&mut self, costs: &[(Column, f64)]) -> Result<(), Error> {
        let columns: Vec<u32> = costs.iter().map(|cost| cost.0.0).collect();
        let values: Vec<f64> = costs.iter().map(|cost| self.sign * cost.1).collect();
        // SAFETY: two vectors of the given length; HiGHS checks the numbers.
        let status = unsafe {
            (self.api.Highs_changeColsCostBySet)(
                self.raw,
                int(costs.len()),
                columns.as_ptr().cast(),
                values.as_ptr(),
            )
        };
        check(status, "Highs_changeColsCostBySet")
    }

    /// Replaces all objective coefficients.
    pub(super) fn change_all_costs(&mut self, costs: &[f64]) -> Result<(), Error> {
        assert_eq!(costs.len(), self.num_columns(), "one objective coefficient per column");
        if costs.is_empty() {
            return Ok(());
        }
        let costs: Vec<f64> = costs.iter().map(|cost| self.sign * cost).collect();
        // SAFETY: one value per column of the range.
        let status = unsafe {
            (self.api.Highs_changeColsCostByRange)(
                self.raw,
                0,
                int(costs.len() - 1),
                costs.as_ptr(),
            )
        };
        check(status, "Highs_changeColsCostByRange")
    }

    /// Replaces the bounds of some rows.
    pub(super) fn change_row_bounds(&mut self, bounds: &[(Row, Bounds)]) -> Result<(), Error> {
        let rows: Vec<u32> = bounds.iter().map(|bound| bound.0.0).collect();
        let lower: Vec<f64> = bounds.iter().map(|bound| bound.1.lower).collect();
        let upper: Vec<f64> = bounds.iter().map(|bound| bound.1.upper).collect();
        // SAFETY: three vectors of the given length; HiGHS checks the numbers.
        let status = unsafe {
            (self.api.Highs_changeRowsBoundsBySet)(
                self.raw,
                int(bounds.len()),
                rows.as_ptr().cast(),
                lower.as_ptr(),
                upper.as_ptr(),
            )
        };
        check(status, "Highs_changeRowsBoundsBySet")
    }

    /// Adds a column with terms in existing rows.
    pub(super) fn add_column(
        &mut self,
        objective: f64,
        bounds: Bounds,
        terms: &[(Row, f64)],
    ) -> Result<(), Error> {
        let rows: Vec<u32> = terms.iter().map(|term| term.0.0).collect();
        let values: Vec<f64> = terms.iter().map(|term| term.1).collect();
        // SAFETY: two vectors of the given length; HiGHS checks the numbers.
        let status = unsafe {
            (self.api.Highs_addCol)(
                self.raw,
                self.sign * objective,
                bounds.lower,
                bounds.upper,
                int(terms.len()),
                rows.as_ptr().cast(),
                values.as_ptr(),
            )
        };
        check(status, "Highs_addCol")
    }

    /// Adds the columns and rows that `problem` has beyond the model's.
    pub(super) fn append(&mut self, problem: &Problem) -> Result<(), Error> {
        let (old_rows, old_columns) = (self.num_rows(), self.num_columns());
        assert!(
            old_rows <= problem.num_rows() && old_columns <= problem.num_columns(),
            "the problem has lost rows or columns"
        );
        let costs: Vec<f64> =
            problem.objective[old_columns..].iter().map(|cost| self.sign * cost).collect();
        // SAFETY: each slice starts where the model ends and has one entry per
        // new column; no matrix is passed.
        let status = unsafe {
            (self.api.Highs_addCols)(
                self.raw,
                int(problem.num_columns() - old_columns),
                costs.as_ptr(),
                problem.column_lower[old_columns..].as_ptr(),
                problem.column_upper[old_columns..].as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
                ptr::null(),
            )
        };
        check(status, "Highs_addCols")?;
        let first = problem.starts[old_rows];
        let starts: Vec<u32> =
            problem.starts[old_rows..].iter().map(|start| start - first).collect();
        let first = first as usize;
        // SAFETY: each slice starts where the model ends and has one entry per
        // new row or nonzero; starts are relative to the first new nonzero.
        let status = unsafe {
            (self.api.Highs_addRows)(
                self.raw,
                int(problem.num_rows() - old_rows),
                problem.row_lower[old_rows..].as_ptr(),
                problem.row_upper[old_rows..].as_ptr(),
                int(problem.num_nonzeros() - first),
                starts.as_ptr().cast(),
                problem.columns[first..].as_ptr().cast(),
                problem.values[first..].as_ptr(),
            )
        };
        check(status, "Highs_addRows")
    }

    /// The bounds of all rows.
    pub(super) fn row_bounds(&self) -> Vec<Bounds> {
        let rows = self.num_rows();
        if rows == 0 {
            return Vec::new();
        }
        let [mut lower, mut upper] = [vec![0.0; rows], vec![0.0; rows]];
        let (mut count, mut nonzeros) = (0, 0);
        // SAFETY: two vectors with one entry per row; the matrix is not requested.
        unsafe {
            (self.api.Highs_getRowsByRange)(
                self.raw,
                0,
                int(rows - 1),
                &raw mut count,
                lower.as_mut_ptr(),
                upper.as_mut_ptr(),
                &raw mut nonzeros,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            );
        }
        lower.into_iter().zip(upper).map(|(lower, upper)| Bounds { lower, upper }).collect()
    }

    /// The objective coefficients and bounds of all columns.
    pub(super) fn columns(&self) -> Vec<(f64, Bounds)> {
        let columns = self.num_columns();
        if columns == 0 {
            return Vec::new();
        }
        let mut costs = vec![0.0; columns];
        let [mut lower, mut upper] = [vec![0.0; columns], vec![0.0; columns]];
        let (mut count, mut nonzeros) = (0, 0);
        // SAFETY: three vectors with one entry per column; the matrix is not
        // requested.
        unsafe {
            (self.api.Highs_getColsByRange)(
                self.raw,
                0,
                int(columns - 1),
                &raw mut count,
                costs.as_mut_ptr(),
                lower.as_mut_ptr(),
                upper.as_mut_ptr(),
                &raw mut nonzeros,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            );
        }
        let bounds = lower.into_iter().zip(upper).map(|(lower, upper)| Bounds { lower, upper });
        costs.into_iter().map(|cost| self.sign * cost).zip(bounds).collect()
    }
}
