//! Everything that can be chosen.

use crate::wavelet::Wavelet;

/// How a signature is made of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Common bursts are found as by [`Method::Iosi`], by whichever [`Mapping`] finds most. Then each
    /// sample is aligned to them, burst by burst, and the signature is the median of what is aligned.
    #[default]
    Auto,
    /// The text of the paper: a burst is where its crest is, its shape is seen in a window, and the
    /// bursts of a cluster are averaged.
    Iosi,
    /// The common bursts of [`Method::Auto`] without its alignment.
    Clusters,
    /// The median of all samples at each point in time.
    Median,
    /// One sample after the other is merged by dynamic time warping.
    Warping(Warping),
}

/// How two sequences become one when they are matched by dynamic time warping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warping {
    /// The mean along the path, resampled to the length of the shortest sample.
    PathResampled,
    /// The mean along the path, which grows with every sample.
    Path,
    /// The first sample keeps its places; those of others are brought to them.
    Projected,
}

/// What is done to samples before bursts are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preprocessing {
    /// Outliers are left out, points are put between points, the durations are made equal and the
    /// background is taken away.
    #[default]
    Full,
    /// Points are put between points, and shorter samples are followed by zeros.
    RefineOnly,
}

/// Where on the axis of time a burst is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BurstTime {
    /// At its highest point, once it is smoothed.
    Crest,
    /// At the centre of its volume: the crest of a long burst is anywhere on it.
    Centroid,
}

/// How the shapes of bursts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BurstShape {
    /// In a window around the burst's time.
    Window,
    /// Stretched to a common length.
    Resampled,
}

/// Where a burst begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BurstEdges {
    /// At the troughs beside it.
    #[default]
    Troughs,
    /// Where it rises above the mean crest and falls below it again. The paper tells that burst boundaries
    /// by a threshold may trim bursts, and its signatures hold less than is true.
    MeanCrest,
}

/// How a burst becomes a point: when it is, and what it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping {
    /// When it is.
    pub time: BurstTime,
    /// What it looks like.
    pub shape: BurstShape,
}

impl Mapping {
    /// The paper's.
    pub const PAPER: Self = Self {
        time: BurstTime::Crest,
        shape: BurstShape::Window,
    };

    /// All there are.
    pub const ALL: [Self; 4] = [
        Self::PAPER,
        Self {
            time: BurstTime::Crest,
            shape: BurstShape::Resampled,
        },
        Self {
            time: BurstTime::Centroid,
            shape: BurstShape::Window,
        },
        Self {
            time: BurstTime::Centroid,
            shape: BurstShape::Resampled,
        },
    ];
}

/// Everything that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How a signature is made. Default: [`Method::Auto`].
    pub method: Method,
    /// What is done to samples first. Default: [`Preprocessing::Full`].
    pub preprocessing: Preprocessing,
    /// The fewest samples that tell what they have in common. Default: 3.
    pub fewest_samples: usize,
    /// The most samples that are used, the most ordinary ones: more tell little more. Default: 40.
    pub most_samples: usize,
    /// A sample's outlier factor must be above this, and above the mean, to be left out. Default: 1.5.
    pub outlier_factor: f64,
    /// How many neighbours a sample is compared with; `None`: one less than half the samples, but two
    /// at least and twenty at most.
    pub outlier_neighbours: Option<usize>,
    /// Whether a point is put between any two. Default: yes.
    pub refine: bool,
    /// What smooths. Default: [`Wavelet::DiscreteMeyer`].
    pub wavelet: Wavelet,
    /// How much is smoothed away. Default: 2.
    pub level: usize,
    /// Whether a burst must be higher than the mean crest, which the paper does not ask for: without it
    /// every ripple is a burst. Default: yes.
    pub crest_test: bool,
    /// Where bursts begin and end. Default: [`BurstEdges::Troughs`].
    pub edges: BurstEdges,
    /// The mappings to try; `None`: those of the method.
    pub mapping: Option<Mapping>,
    /// How many widths of cells are tried. Default: 5.
    pub grid_widths: usize,
    /// How many heights of cells are tried. Default: 5.
    pub grid_heights: usize,
    /// The lowest and the highest cells. Default: 0.05 and 0.25.
    pub cell_height: (f64, f64),
    /// The share of the samples that must have a burst in a cell to make it dense: γ. Default: 0.5.
    pub density: f64,
    /// The share of the samples that must have one in its neighbourhood: κ. Default: 0.9.
    pub neighbourhood: f64,
    /// How often samples are aligned anew, and more often where bursts come into sight by it. Default: 3.
    pub rounds: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            preprocessing: Preprocessing::Full,
            fewest_samples: 3,
            most_samples: 40,
            outlier_factor: 1.5,
            outlier_neighbours: None,
            refine: true,
            wavelet: Wavelet::DiscreteMeyer,
            level: 2,
            crest_test: true,
            edges: BurstEdges::Troughs,
            mapping: None,
            grid_widths: 5,
            grid_heights: 5,
            cell_height: (0.05, 0.25),
            density: 0.5,
            neighbourhood: 0.9,
            rounds: 3,
        }
    }
}

impl Settings {
    /// The mappings that are tried.
    pub(super) fn mappings(&self) -> Vec<Mapping> {
        match (self.mapping, self.method) {
            (Some(mapping), _) => vec![mapping],
            (None, Method::Iosi) => vec![Mapping::PAPER],
            (None, _) => Mapping::ALL.to_vec(),
        }
    }
}
