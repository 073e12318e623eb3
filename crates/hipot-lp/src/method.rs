//! Algorithms for linear programs.

/// An algorithm for linear programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The methods that [`choose`](crate::choose) picks by the problem's size.
    Auto,
    /// Primal simplex: ends at a vertex, warm starts after new objectives.
    PrimalSimplex,
    /// Dual simplex: ends at a vertex, warm starts after new row bounds.
    DualSimplex,
    /// The interior point method, without crossover to a vertex.
    Ipm,
    /// PDLP: a first-order method, restarted primal-dual hybrid gradient.
    Pdlp,
    /// HiPDLP: primal-dual hybrid gradient with Halpern iterations. It does not
    /// detect infeasible or unbounded problems: such a run ends at its limit.
    HiPdlp,
    /// The engine of `hipot-potential` for LPs over pairs of facts, which is no method for
    /// general problems: here it is the same as `Auto`.
    Engine,
}

impl Method {
    /// All algorithms for general problems.
    pub const ALL: [Self; 5] =
        [Self::PrimalSimplex, Self::DualSimplex, Self::Ipm, Self::Pdlp, Self::HiPdlp];

    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::PrimalSimplex => "simplex",
            Self::DualSimplex => "dual-simplex",
            Self::Ipm => "ipm",
            Self::Pdlp => "pdlp",
            Self::HiPdlp => "hipdlp",
            Self::Engine => "engine",
        }
    }

    /// Whether the size of a general problem decides which algorithm is used.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Auto | Self::Engine)
    }

    /// Whether it needs nothing but products with the matrix, and so can run on
    /// a GPU if the solver supports it.
    pub const fn is_first_order(self) -> bool {
        matches!(self, Self::Pdlp | Self::HiPdlp)
    }

    /// Whether it moves from vertex to vertex and so has a basis.
    pub const fn is_simplex(self) -> bool {
        matches!(self, Self::PrimalSimplex | Self::DualSimplex)
    }
}
