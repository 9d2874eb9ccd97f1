// Mathematical functions that rustc calls through intrinsics. The two C libraries may differ in the
// last digit, so results are shown with fewer.

fn main() {
    for x in [0.25_f64, 1.0, 2.5, -0.75] {
        println!("{:.9} {:.9} {:.9}", x.sin(), x.cos(), x.tan());
        println!("{:.9} {:.9} {:.9}", x.exp(), x.exp2(), x.abs().ln());
        println!("{:.9} {:.9}", x.abs().log2(), x.abs().log10());
        println!("{:.9} {:.9}", x.abs().powf(1.5), x.powi(3));
        println!("{:.9} {:.9}", x.sinh(), x.atan2(2.0));
    }
    for x in [0.5_f32, 3.0] {
        println!("{:.4} {:.4} {:.4}", x.sin(), x.exp(), x.powf(0.5));
    }
}
