use super::*;

const ALL: [Coefficient; 5] = [
    Coefficient::Pearson,
    Coefficient::Spearman,
    Coefficient::Distance,
    Coefficient::DistanceCorrected,
    Coefficient::Information {
        neighbours: 3,
        seed: 0,
    },
];

fn noise(seed: u64, length: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..length).map(|_| random.normal()).collect()
}

fn with_count(count: usize) -> Permutations {
    Permutations {
        count,
        ..Permutations::default()
    }
}

#[test]
fn a_straight_line_is_beaten_by_no_permutation() {
    let x = noise(1, 40);
    let falling: Vec<f64> = x.iter().map(|x| 3.0 - x).collect();
    for coefficient in ALL {
        let found = with_count(99)
            .test(coefficient, &x, &falling, None)
            .unwrap();
        assert_eq!(found.as_extreme, 0, "{coefficient:?}");
        assert!((found.p_value - 0.01).abs() < 1e-15);
        assert!(found.null_95 < found.observed.abs());
        assert_eq!((found.permutations, found.blocks), (99, 40));
    }
}

#[test]
fn the_chance_of_three_points_is_that_of_their_six_orders() {
    // Of six orders, one rises as it does and one falls as much.
    let x = [1.0, 2.0, 4.0];
    let found = with_count(6000)
        .test(Coefficient::Pearson, &x, &x, None)
        .unwrap();
    // 1/6 rises; no other order has −1 or 1. Four standard errors.
    assert!((found.p_value - 1.0 / 6.0).abs() < 0.02, "{found:?}");
    let even = [1.0, 2.0, 3.0];
    let found = with_count(6000)
        .test(Coefficient::Pearson, &even, &even, None)
        .unwrap();
    assert!((found.p_value - 1.0 / 3.0).abs() < 0.025, "{found:?}");
}

#[test]
fn independent_columns_have_evenly_spread_chances() {
    for coefficient in [Coefficient::Pearson, Coefficient::Distance] {
        let chance = |seed: u64| {
            let (x, y) = (noise(2 * seed, 25), noise(2 * seed + 1, 25));
            with_count(99)
                .test(coefficient, &x, &y, None)
                .unwrap()
                .p_value
        };
        let below = (0..400).filter(|&seed| chance(seed) <= 0.1).count();
        // 40 on average, with a standard deviation of 6.
        assert!((18..62).contains(&below), "{coefficient:?}: {below} of 400");
    }
}

#[test]
fn the_plain_distance_correlation_of_independent_columns_is_far_from_zero() {
    let (x, y) = (noise(5, 173), noise(6, 173));
    let found = with_count(99)
        .test(Coefficient::Distance, &x, &y, None)
        .unwrap();
    assert!((found.null_mean - 0.136).abs() < 0.015, "{found:?}");
    let corrected = with_count(99)
        .test(Coefficient::DistanceCorrected, &x, &y, None)
        .unwrap();
    assert!(corrected.null_mean.abs() < 0.01, "{corrected:?}");
}

#[test]
fn campaigns_do_not_pass_for_many_independent_jobs() {
    // Ten days of twenty jobs; both columns depend on the day alone, and not on each other.
    let days: Vec<u32> = (0..200).map(|i| i / 20).collect();
    let levels = |seed| -> Vec<f64> {
        let (level, own) = (noise(seed, 10), noise(seed + 1000, 200));
        days.iter()
            .zip(own)
            .map(|(&day, own)| level[day as usize] + 0.1 * own)
            .collect()
    };
    let blocks = Blocks::of(&days);
    let rejections = |blocks: Option<&Blocks>| {
        let chance = |seed: u64| {
            let (x, y) = (levels(2 * seed), levels(2 * seed + 1));
            let found = with_count(99).test(Coefficient::Pearson, &x, &y, blocks);
            found.unwrap().p_value
        };
        (0..100).filter(|&seed| chance(seed) <= 0.05).count()
    };
    assert!(rejections(None) > 50);
    assert!(rejections(Some(&blocks)) < 15);
}

#[test]
fn a_block_meets_one_other_which_is_stretched_to_its_size() {
    let blocks = Blocks::of(&[0, 0, 0, 1, 2, 2, 0]);
    assert_eq!(blocks.members(), [vec![0, 1, 2, 6], vec![3], vec![4, 5]]);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let pairing = exchanged(&blocks, &mut Random::new(seed));
        let met = |block: &Vec<u32>| -> Vec<u32> {
            block.iter().map(|&point| pairing[point as usize]).collect()
        };
        let met: Vec<Vec<u32>> = blocks.members().iter().map(met).collect();
        let whole: &[&[u32]] = &[&[0, 1, 2, 6], &[3, 3, 3, 3], &[4, 4, 5, 5]];
        assert!(whole.contains(&met[0].as_slice()), "{met:?}");
        assert!([2, 3, 5].contains(&met[1][0]), "{met:?}");
        let pairs: &[&[u32]] = &[&[1, 6], &[3, 3], &[4, 5]];
        assert!(pairs.contains(&met[2].as_slice()), "{met:?}");
        seen.insert(met);
    }
    assert_eq!(seen.len(), 6, "all orders of three");
}

#[test]
fn blocks_of_many_sizes_make_up_no_dependence() {
    // Both columns depend on the block alone, and not on each other.
    let labels: Vec<u32> = (0..20)
        .flat_map(|block| std::iter::repeat_n(block, 1 + 7 * block as usize % 19))
        .collect();
    let blocks = Blocks::of(&labels);
    let levels = |seed| -> Vec<f64> {
        let (level, own) = (noise(seed, 20), noise(seed + 100_000, labels.len()));
        labels
            .iter()
            .zip(own)
            .map(|(&block, own)| level[block as usize] + 0.3 * own)
            .collect()
    };
    for coefficient in [Coefficient::Spearman, Coefficient::DistanceCorrected] {
        let chance = |seed: u64| {
            let (x, y) = (levels(2 * seed), levels(2 * seed + 1));
            let found = with_count(99).test(coefficient, &x, &y, Some(&blocks));
            found.unwrap().p_value
        };
        let below = (0..400).filter(|&seed| chance(seed) <= 0.05).count();
        // 20 on average, with a standard deviation of 4.4.
        assert!((5..34).contains(&below), "{coefficient:?}: {below} of 400");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let (x, y) = (noise(7, 60), noise(8, 60));
    for coefficient in ALL {
        let by = |threads| {
            let settings = Permutations {
                threads: NonZeroUsize::new(threads),
                ..with_count(50)
            };
            settings.test(coefficient, &x, &y, None).unwrap()
        };
        assert_eq!(by(1), by(3));
    }
}

#[test]
fn what_cannot_be_permuted_says_why() {
    let (x, y) = (noise(1, 5), noise(2, 5));
    let test =
        |blocks: &Blocks| Permutations::default().test(Coefficient::Pearson, &x, &y, Some(blocks));
    assert_eq!(test(&Blocks::of(&[1; 5])), Err(Undetermined::OneBlock));
    let labels = Undetermined::Labels {
        labels: 4,
        points: 5,
    };
    assert_eq!(test(&Blocks::of(&[1, 2, 3, 4])), Err(labels));
    assert!(test(&Blocks::of::<u8>(&[])).is_err());
    let constant = Permutations::default().test(Coefficient::Distance, &[1.0; 5], &y, None);
    assert!(matches!(constant, Err(Undetermined::Constant { .. })));
    let none = with_count(0)
        .test(Coefficient::Pearson, &x, &y, None)
        .unwrap();
    assert_eq!((none.p_value, none.null_mean), (1.0, 0.0));
}
