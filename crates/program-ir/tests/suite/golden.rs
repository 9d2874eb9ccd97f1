//! Every file in `golden` is a sound module in the exact form that it prints in, so a
//! change of the text form shows as a change of these files. `BLESS=1 cargo test -p
//! program-ir --test suite golden` rewrites them; write new ones by hand in any form that parses.

use program_ir::{parse_module, print_module, read_image, verify, write_image};
use std::path::Path;

#[test]
fn golden_files_print_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verify(&module), [], "{name}");
        let printed = print_module(&module);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &printed).unwrap();
        } else {
            assert!(
                printed == text,
                "{name} prints in another form; if that is meant, run with BLESS=1"
            );
        }
        let image = write_image(&module).unwrap();
        assert_eq!(read_image(&image).unwrap(), module, "{name}");
        count += 1;
    }
    assert!(count > 0, "no golden files in {}", folder.display());
}
