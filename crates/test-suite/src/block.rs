//! The part of a file that is ours, between two marks. What people wrote around it stays.

/// How a comment of one line begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comments {
    Hash,
    C,
}

impl Comments {
    fn line(self, text: &str) -> String {
        match self {
            Comments::Hash => format!("# {text}"),
            Comments::C => format!("/* {text} */"),
        }
    }
}

/// How our part is marked. Several parts of a file have labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks<'m> {
    pub comments: Comments,
    pub label: &'m str,
}

impl Marks<'_> {
    fn begin_mark(self) -> String {
        let start = match self.comments {
            Comments::Hash => "# ",
            Comments::C => "/* ",
        };
        match self.label {
            "" => format!("{start}parallax: begin."),
            label => format!("{start}parallax: begin {label}."),
        }
    }

    fn begin(self) -> String {
        let label = if self.label.is_empty() { "" } else { " " };
        self.comments.line(&format!(
            "parallax: begin{label}{}. What stands up to the end mark is written by Parallax; write your own tests outside of it.",
            self.label
        ))
    }

    fn end(self) -> String {
        self.comments.line("parallax: end")
    }

    /// A new file.
    pub fn file(self, head: &str, ours: &str) -> String {
        format!("{head}{}", self.block(ours))
    }

    /// Our part with its marks.
    pub fn block(self, ours: &str) -> String {
        format!("{}\n{}\n{}\n", self.begin(), ours.trim_end(), self.end())
    }

    /// The file with another part of ours; nothing if it has none, or only one mark.
    pub fn replaced(self, file: &str, ours: &str) -> Option<String> {
        let (begin_mark, end_mark) = (self.begin_mark(), self.end());
        let mut at = 0;
        let mut begin = None;
        for line in file.split_inclusive('\n') {
            let next = at + line.len();
            if begin.is_none() && line.starts_with(&begin_mark) {
                begin = Some(at);
            }
            if let Some(begin) = begin
                && line.trim_end() == end_mark
            {
                return Some(format!(
                    "{}{}{}",
                    &file[..begin],
                    self.block(ours),
                    &file[next..]
                ));
            }
            at = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: Marks<'_> = Marks {
        comments: Comments::Hash,
        label: "",
    };

    #[test]
    fn what_others_wrote_stays() {
        let first = HASH.file("#!/bin/sh\n", "one\n");
        let edited = first.replace("#!/bin/sh\n", "#!/bin/sh\n# mine\n") + "# also mine\n";
        let second = HASH.replaced(&edited, "two\n").unwrap();
        assert_eq!(second, edited.replace("\none\n", "\ntwo\n"));
        assert_eq!(HASH.replaced("#!/bin/sh\n", "two"), None);
        assert_eq!(HASH.replaced(&first.replace(&HASH.end(), ""), "two"), None);
    }

    #[test]
    fn parts_with_labels_are_apart() {
        let [one, other] = ["one", "other"].map(|label| Marks { label, ..HASH });
        let file = one.file("", "1\n") + &other.block("2\n");
        let changed = other.replaced(&file, "3\n").unwrap();
        assert_eq!(changed, file.replace("\n2\n", "\n3\n"));
        assert_eq!(HASH.replaced(&file, "4\n"), None);
    }
}
