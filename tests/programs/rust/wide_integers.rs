// i128 and u128: factorials, Fibonacci, division, formatting, bit manipulation, gcd.
fn gcd(a: u128, b: u128) -> u128 { if b == 0 { a } else { gcd(b, a % b) } }

fn power_mod(mut base: u128, mut exponent: u128, modulus: u128) -> u128 {
    let mut result = 1;
    base %= modulus;
    while exponent > 0 {
        if exponent & 1 == 1 { result = result * base % modulus }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

fn main() {
    let mut factorial = 1u128;
    let mut n = 1u128;
    while let Some(next) = factorial.checked_mul(n) {
        factorial = next;
        n += 1;
    }
    println!("{}! = {factorial}", n - 1);
    let (mut a, mut b) = (0u128, 1u128);
    let mut steps = 0;
    while let Some(sum) = a.checked_add(b) {
        (a, b) = (b, sum);
        steps += 1;
    }
    println!("{steps} {b} {b:x} {b:o} {b:#b}");
    println!("{} {} {}", i128::MIN, i128::MAX, u128::MAX);
    println!("{} {} {}", i128::MIN / 7, i128::MIN % 7, (i128::MIN + 1) / -1);
    println!("{} {}", gcd(factorial, b), gcd(u128::MAX, 3u128.pow(40)));
    println!("{}", power_mod(3, 1 << 100, (1 << 61) - 1));
    println!("{:e} {} {}", 12345678901234567890123456789u128, u128::MAX as f64, (1e30f64) as u128);
    println!("{:>45} {:<45}|", i128::MIN, 7i128);
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58du128;
    for i in 0..1000u128 {
        hash = (hash ^ i).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b).rotate_left((i % 127) as u32);
    }
    println!("{hash:032x} {} {}", hash.count_ones(), hash.leading_zeros());
    println!("{:?} {:?}", "340282366920938463463374607431768211455".parse::<u128>(), "340282366920938463463374607431768211456".parse::<u128>());
    println!("{:?} {:?}", (hash as i128).checked_neg(), i128::MAX.checked_mul(-1));
}
