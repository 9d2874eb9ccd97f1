//! A squarified treemap (Bruls, Huizing, van Wijk 2000): rectangles with given areas that fill a rectangle, each as near to a square
//! as a greedy choice makes it.

/// A rectangle, in parts of the whole from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rectangle {
    fn area(&self) -> f64 {
        self.width * self.height
    }
}

/// A rectangle for each weight, in their order. Weights are positive.
pub(super) fn treemap(weights: &[f64], whole: Rectangle) -> Vec<Rectangle> {
    let sum: f64 = weights.iter().sum();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&one, &other| weights[other].total_cmp(&weights[one]));
    let areas: Vec<f64> = weights
        .iter()
        .map(|weight| weight / sum * whole.area())
        .collect();
    let mut placed = vec![whole; weights.len()];
    let mut left = whole;
    let mut rest = &order[..];
    while !rest.is_empty() {
        let side = left.width.min(left.height);
        let mut count = 1;
        while count < rest.len()
            && worst(&areas, &rest[..count + 1], side) <= worst(&areas, &rest[..count], side)
        {
            count += 1;
        }
        let (row, others) = rest.split_at(count);
        left = lay(&areas, row, left, &mut placed);
        rest = others;
    }
    placed
}

/// The ratio of the longer to the shorter side of the least square rectangle of a row along a side.
fn worst(areas: &[f64], row: &[usize], side: f64) -> f64 {
    let sum: f64 = row.iter().map(|&at| areas[at]).sum();
    let thickness = sum / side;
    let ratio = |&at: &usize| {
        let length = areas[at] / thickness;
        (length / thickness).max(thickness / length)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

/// Lays a row along the shorter side; what is left.
fn lay(areas: &[f64], row: &[usize], left: Rectangle, placed: &mut [Rectangle]) -> Rectangle {
    let sum: f64 = row.iter().map(|&at| areas[at]).sum();
    let is_wide = left.width >= left.height;
    let side = left.width.min(left.height);
    let thickness = sum / side;
    let mut along = 0.0;
    for &at in row {
        let length = areas[at] / thickness;
        placed[at] = match is_wide {
            true => Rectangle {
                x: left.x,
                y: left.y + along,
                width: thickness,
                height: length,
            },
            false => Rectangle {
                x: left.x + along,
                y: left.y,
                width: length,
                height: thickness,
            },
        };
        along += length;
    }
    match is_wide {
        true => Rectangle {
            x: left.x + thickness,
            width: (left.width - thickness).max(0.0),
            ..left
        },
        false => Rectangle {
            y: left.y + thickness,
            height: (left.height - thickness).max(0.0),
            ..left
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WHOLE: Rectangle = Rectangle {
        x: 0.0,
        y: 0.0,
        width: 2.0,
        height: 1.0,
    };

    proptest! {
        #[test]
        fn areas_are_as_asked_and_nothing_overlaps(weights in prop::collection::vec(0.01f64..100.0, 1..40)) {
            let placed = treemap(&weights, WHOLE);
            let sum: f64 = weights.iter().sum();
            for (at, (own, weight)) in placed.iter().zip(&weights).enumerate() {
                prop_assert!((own.area() - weight / sum * 2.0).abs() < 1e-6);
                prop_assert!(own.x >= -1e-9 && own.y >= -1e-9);
                prop_assert!(own.x + own.width <= 2.0 + 1e-6 && own.y + own.height <= 1.0 + 1e-6);
                for other in &placed[..at] {
                    let wide = own.x.max(other.x) + 1e-6 < (own.x + own.width).min(other.x + other.width);
                    let high = own.y.max(other.y) + 1e-6 < (own.y + own.height).min(other.y + other.height);
                    prop_assert!(!(wide && high), "{own:?} {other:?}");
                }
            }
        }
    }
}
