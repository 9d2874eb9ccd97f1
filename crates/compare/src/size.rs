//! How large an input is to a reader.

use exploration::InputRecord;

/// Short inputs are better examples.
pub(crate) fn size(input: &InputRecord) -> usize {
    let nonzero = |bytes: &Vec<u8>| bytes.iter().filter(|&&byte| byte != 0).count();
    let strings: usize = input.args.iter().map(|arg| 1 + arg.len()).sum();
    strings
        + nonzero(&input.stdin)
        + input.files.values().map(nonzero).sum::<usize>()
        + input.variables.values().map(nonzero).sum::<usize>()
}
