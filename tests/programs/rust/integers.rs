// Wrapping, checked, saturating and overflowing arithmetic on all widths; bit operations; parsing.
macro_rules! exercise {
    ($($t:ty),*) => {$({
        let (low, high): ($t, $t) = (<$t>::MIN, <$t>::MAX);
        println!("{} {low} {high} {:?} {:?} {:?} {:?}", stringify!($t), high.checked_add(1), low.checked_sub(1), high.checked_mul(2), low.checked_div(3));
        println!("  {} {} {} {}", high.wrapping_add(5), low.wrapping_sub(1), high.wrapping_mul(high), low.wrapping_neg());
        println!("  {} {} {:?} {:?}", high.saturating_add(1), low.saturating_sub(1), high.overflowing_add(1), low.overflowing_mul(2));
        println!("  {} {} {} {} {}", high.count_ones(), low.leading_zeros(), (high / 3).trailing_zeros(), high.rotate_left(3), (high / 5).swap_bytes());
        println!("  {} {} {} {:?}", (high / 7).reverse_bits(), high.rem_euclid(10), (high / 2).pow(1), (3 as $t).checked_pow(50));
        println!("  {:?} {:?} {:?}", "17".parse::<$t>(), "-1".parse::<$t>(), "999999999999999999999999999999999999999999".parse::<$t>());
        println!("  {:?} {:?} {}", <$t>::from_str_radix("7f", 16), high.to_be_bytes(), high.isqrt());
    })*};
}

fn main() {
    exercise!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);
    println!("{} {} {} {}", -7 / 2, -7 % 2, (-7i32).div_euclid(2), (-7i32).rem_euclid(2));
    println!("{} {} {} {}", -1i32 as u8, 300i32 as u8, u32::MAX as i32, -1i64 as u128);
    println!("{} {}", i32::MIN >> 31, (i32::MIN as u32) >> 31);
    println!("{:?} {:?} {:?}", u8::try_from(256), i8::try_from(-128i64), u32::try_from(-1));
    println!("{:?} {:?}", "".parse::<i32>(), "+5".parse::<i32>());
    println!("{:?} {:?}", 1u32.checked_shl(32), 1u32.wrapping_shl(33));
    println!("{} {} {}", 100u8.abs_diff(250), (-100i8).unsigned_abs(), i32::MIN.wrapping_abs());
    println!("{:?} {}", 10u32.checked_ilog2(), 12345u32.ilog10());
    println!("{} {}", u64::MAX.next_multiple_of(1), 37u32.next_power_of_two());
}
