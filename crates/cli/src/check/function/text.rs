//! What the report says of a function instead of the driver that called it.

use exploration::InputRecord;
use exploration::compare::Observable;

use crate::check::contrast::{Marks, contrasted};
use crate::check::examples::Example;
use crate::check::report::Report;
use crate::check::text::{command, end_in_words};
use native::test_case::Expected;

impl Report<'_> {
    /// What is shown as differing. If one call does not come back, that is the difference, and not all that it
    /// would have done then.
    pub(in crate::check) fn shown(
        &self,
        observables: &[Observable],
        example: &Example,
    ) -> Vec<Observable> {
        let came_back = |expected: &Expected| {
            let function = self.function?;
            Some(function.came_back(expected).is_some())
        };
        match came_back(&example.old) == came_back(&example.new) {
            true => observables.to_vec(),
            false => vec![Observable::End],
        }
    }

    pub(in crate::check) fn title(&self, observable: &Observable) -> Option<String> {
        match observable {
            Observable::End => self.function.map(|_| "how the call ends".to_owned()),
            _ => self.function?.title(observable),
        }
    }

    /// What both versions did, one line each; nothing if the program's own words say it.
    pub(in crate::check) fn outcomes(
        &self,
        observable: &Observable,
        example: &Example,
        marks: Marks,
    ) -> Option<String> {
        let function = self.function?;
        if *observable == Observable::End {
            let end = |expected: &Expected| {
                let came_back = function.came_back(expected);
                came_back.unwrap_or_else(|| end_in_words(expected, self.arguments.max_steps))
            };
            return Some(format!(
                "old: {}\nnew: {}\n",
                marks.of_old(&end(&example.old)),
                marks.of_new(&end(&example.new))
            ));
        }
        let old = function.outcome(observable, &example.old)?;
        let new = function.outcome(observable, &example.new)?;
        // Backslashes are the text's own already.
        Some(contrasted(old.as_bytes(), new.as_bytes(), marks).replace("\\\\", "\\"))
    }

    /// The call that an input stands for.
    pub(in crate::check) fn command(&self, input: &InputRecord) -> Option<String> {
        let Some(function) = self.function else {
            return command(input);
        };
        // Standard input and environment as for a program, and the call in its place.
        let program = InputRecord {
            args: vec![b"f".to_vec()],
            ..input.clone()
        };
        let before = command(&program)?;
        let before = before.strip_suffix('f').unwrap_or_default();
        Some(format!("{before}{}", function.call(input)))
    }
}
