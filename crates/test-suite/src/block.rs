//! The part of a file that is ours, between two marks. What people wrote around it stays.

/// The first and the last line of it.
const BEGIN: &str = "# parallax: begin. What stands up to the end mark is written by Parallax; write your own tests outside of it.";
const BEGIN_MARK: &str = "# parallax: begin";
const END: &str = "# parallax: end";

/// A new file.
pub fn file(head: &str, ours: &str) -> String {
    format!("{head}{}", block(ours))
}

fn block(ours: &str) -> String {
    format!("{BEGIN}\n{}\n{END}\n", ours.trim_end())
}

/// The file with another part of ours; nothing if it has none, or only one mark.
pub fn replaced(file: &str, ours: &str) -> Option<String> {
    let mut at = 0;
    let mut begin = None;
    for line in file.split_inclusive('\n') {
        let next = at + line.len();
        if begin.is_none() && line.starts_with(BEGIN_MARK) {
            begin = Some(at);
        }
        if let (Some(begin), END) = (begin, line.trim_end()) {
            return Some(format!(
                "{}{}{}",
                &file[..begin],
                block(ours),
                &file[next..]
            ));
        }
        at = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_stays() {
        let first = file("#!/bin/sh\n", "one\n");
        let edited = first.replace("#!/bin/sh\n", "#!/bin/sh\n# mine\n") + "# also mine\n";
        let second = replaced(&edited, "two\n").unwrap();
        assert_eq!(second, edited.replace("\none\n", "\ntwo\n"));
        assert_eq!(replaced("#!/bin/sh\n", "two"), None);
        assert_eq!(replaced(&first.replace(END, ""), "two"), None);
    }
}
