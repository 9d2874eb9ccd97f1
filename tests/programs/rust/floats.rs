// f32 and f64: shortest printing, scientific notation, parsing, rounding, classification, bits.
fn main() {
    let values = [0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, 1e7, 1e15, 1e16, 1e17, 123456789.125, 1e21, 1e-5, 1e-7, 5e-324, f64::MAX, f64::MIN_POSITIVE, f64::EPSILON, f64::INFINITY, f64::NEG_INFINITY, 2.5, -3.5];
    for v in values {
        println!("{v} {v:?} {v:e} {v:.3} {v:+.1e} {:08.2} {:016x}", v % 1000.0, v.to_bits());
    }
    println!("{} {:?} {}", f64::NAN, f32::NAN, (0.0f64 / 0.0).is_nan());
    for v in [0.1f32, 16777217.0, 3.4028235e38, 1e-45, 1.0 / 3.0] {
        println!("{v} {v:?} {v:e} {} {:08x}", f64::from(v), v.to_bits());
    }
    for text in ["1", "-0", "1e400", "1e-400", ".5", "5.", "inf", "-NaN", "0.1e1", "1_0", "", "e", "4.9e-324", "9007199254740993", "1.7976931348623159e308"] {
        println!("{text:?} {:?}", text.parse::<f64>());
    }
    println!("{:?} {:?}", "0.1".parse::<f32>(), "x".parse::<f32>().map_err(|e| e.to_string()));
    for v in [2.5f64, -2.5, 3.5, 0.49999999999999994, -0.2, 1e300] {
        println!("{} {} {} {} {} {} {:?}", v.floor(), v.ceil(), v.round(), v.trunc(), v.fract(), v.round_ties_even(), v.signum());
    }
    println!("{} {} {} {}", 300.7f64 as u8, -5.0f64 as u32, f64::NAN as i32, 1e20 as i64);
    println!("{:?} {:?} {}", 2f64.sqrt(), 2f64.mul_add(3.0, 4.0), 7.5f64.rem_euclid(-2.0));
    println!("{:?} {:?} {:?}", 1.0f64.max(f64::NAN), (-0.0f64).min(0.0).abs(), 5.0f64.clamp(0.0, 1.0));
    println!("{:?} {:?}", 1.0f64.partial_cmp(&f64::NAN), (-0.0f64).total_cmp(&0.0));
    let mut list = [3.5, -1.0, f64::INFINITY, 0.0, -0.0, 2.25];
    list.sort_by(f64::total_cmp);
    println!("{list:?} {}", list[..4].iter().sum::<f64>());
    println!("{:?} {:?}", 10f64.powi(-3), 1.5f64.powi(20));
}
