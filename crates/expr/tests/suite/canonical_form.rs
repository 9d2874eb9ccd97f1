//! What the canonical form promises to its users.

use expr::{ExprId, Rule, Store, Symbol};

#[test]
fn rule_numbers_are_unique_and_ascend() {
    let numbers: Vec<u32> = Rule::ALL.iter().map(|rule| rule.number()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}

#[test]
fn ids_are_never_zero() {
    let mut store = Store::new();
    let byte = store.symbol_term(&Symbol::Stdin { offset: 0 });
    assert_ne!(byte.raw(), 0);
    assert_eq!(ExprId::from_raw(byte.raw()), Some(byte));
    assert_eq!(ExprId::from_raw(0), None);
    assert_eq!(size_of::<Option<ExprId>>(), 4);
}

/// Two ways to compute the same thing, as two program versions might.
#[test]
fn equal_computations_have_equal_ids() {
    let mut store = Store::new();
    let byte = store.symbol_term(&Symbol::Arg { arg: 1, offset: 0 });
    let other = store.symbol_term(&Symbol::Arg { arg: 1, offset: 1 });
    let (x, y) = (store.zext(byte, 32), store.zext(other, 32));
    let (two, eight, three) = (
        store.constant(2, 32),
        store.constant(8, 32),
        store.constant(3, 32),
    );

    let doubled = store.mul(x, two);
    let one = store.constant(1, 32);
    let shifted = store.shl(x, one);
    assert_eq!(doubled, shifted);

    let (quotient, right) = (store.udiv(x, eight), store.lshr(x, three));
    assert_eq!(quotient, right);

    // (x << 8) | y, (x << 8) + y and x * 256 + y are the two bytes side by side.
    let amount = store.constant(8, 32);
    let high = store.shl(x, amount);
    let (with_or, with_add) = (store.or(high, y), store.add(y, high));
    let pair = store.concat(byte, other);
    let wide = store.zext(pair, 32);
    assert_eq!(with_or, wide);
    assert_eq!(with_add, wide);

    let (sum, swapped) = (store.add(x, y), store.add(y, x));
    assert_eq!(sum, swapped);
    let (less, not_less) = (store.ult(x, y), store.ule(y, x));
    assert_eq!(store.not(less), not_less);
}

#[test]
fn a_symbolic_write_is_read_back_as_one_choice() {
    let mut store = Store::new();
    let index = store.symbol_term(&Symbol::Stdin { offset: 0 });
    let variable = |store: &mut Store, name: &str| -> Vec<ExprId> {
        (0..4)
            .map(|offset| {
                store.symbol_term(&Symbol::Variable {
                    name: name.into(),
                    offset,
                    size: 4,
                })
            })
            .collect()
    };
    let (new, old) = (variable(&mut store, "new"), variable(&mut store, "old"));
    let zero = store.constant(0, 8);
    let hit = store.eq(index, zero);
    let bytes: Vec<ExprId> = new
        .iter()
        .zip(&old)
        .map(|(&new, &old)| store.ite(hit, new, old))
        .collect();
    let loaded = store.concat_le(&bytes);
    let (new, old) = (store.concat_le(&new), store.concat_le(&old));
    assert_eq!(loaded, store.ite(hit, new, old));
}

#[test]
fn overflow_predicates_agree_with_wide_arithmetic() {
    let mut store = Store::new();
    for a in (0..256u128).step_by(7) {
        for b in (0..256u128).step_by(5) {
            let (x, y) = (store.constant(a, 8), store.constant(b, 8));
            let (i, j) = (a as u8 as i8, b as u8 as i8);
            let (u, v) = (a as u8, b as u8);
            let expected = [
                u.checked_add(v).is_none(),
                i.checked_add(j).is_none(),
                u.checked_sub(v).is_none(),
                i.checked_sub(j).is_none(),
                u.checked_mul(v).is_none(),
                i.checked_mul(j).is_none(),
            ];
            let found = [
                store.add_overflows_unsigned(x, y),
                store.add_overflows_signed(x, y),
                store.sub_overflows_unsigned(x, y),
                store.sub_overflows_signed(x, y),
                store.mul_overflows_unsigned(x, y),
                store.mul_overflows_signed(x, y),
            ];
            assert_eq!(found.map(|id| store.is_true(id)), expected, "{a} and {b}");
        }
    }
    // Beyond 64 bits the products are checked by division.
    for (a, b) in [
        (i128::MAX, 2),
        (i128::MIN, -1),
        (1 << 64, 1 << 62),
        (1 << 63, -(1 << 64)),
        (0, 5),
    ] {
        let (x, y) = (
            store.constant(a as u128, 128),
            store.constant(b as u128, 128),
        );
        let signed = store.mul_overflows_signed(x, y);
        assert_eq!(
            store.is_true(signed),
            a.checked_mul(b).is_none(),
            "{a} * {b}"
        );
        let unsigned = store.mul_overflows_unsigned(x, y);
        let expected = (a as u128).checked_mul(b as u128).is_none();
        assert_eq!(store.is_true(unsigned), expected, "{a} * {b} unsigned");
    }
}
