//! Installs musl's headers: the public ones, the architecture's `bits/`, and the two that musl's own
//! build generates from templates.

use std::fs;
use std::path::Path;

use crate::error::{BuildError, IoContext, Result};

/// Fills `target` with what a program sees as its system headers.
pub(super) fn install(source: &Path, target: &Path) -> Result<()> {
    copy_headers(&source.join("include"), target)?;
    // The architecture's own file wins over the generic one.
    copy_headers(&source.join("arch/generic/bits"), &target.join("bits"))?;
    copy_headers(&source.join("arch/x86_64/bits"), &target.join("bits"))?;

    let template = |name: &str| {
        let path = source.join(name);
        fs::read_to_string(&path).context("read", path)
    };
    let types = template("arch/x86_64/bits/alltypes.h.in")? + &template("include/alltypes.h.in")?;
    write(&target.join("bits/alltypes.h"), &expand_types(&types)?)?;

    let numbers = template("arch/x86_64/bits/syscall.h.in")?;
    let aliases: String = numbers
        .lines()
        .filter(|line| line.contains("__NR_"))
        .map(|line| line.replacen("__NR_", "SYS_", 1) + "\n")
        .collect();
    write(&target.join("bits/syscall.h"), &(numbers + &aliases))
}

/// Links the host's Linux headers, which belong to no libc, into one folder: a project that was
/// configured on this host may include `<linux/…>` and `<asm/…>`.
pub(super) fn link_kernel(target: &Path) -> Result<()> {
    fs::create_dir_all(target).context("create", target)?;
    for (name, places) in [
        ("linux", &["/usr/include/linux"][..]),
        ("asm-generic", &["/usr/include/asm-generic"]),
        (
            "asm",
            &["/usr/include/x86_64-linux-gnu/asm", "/usr/include/asm"],
        ),
        ("mtd", &["/usr/include/mtd"]),
    ] {
        if let Some(place) = places.iter().find(|place| Path::new(place).is_dir()) {
            let link = target.join(name);
            std::os::unix::fs::symlink(place, &link).context("create", &link)?;
        }
    }
    Ok(())
}

fn copy_headers(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context("create", to)?;
    for entry in fs::read_dir(from).context("list", from)? {
        let path = entry.context("list", from)?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            copy_headers(&path, &to.join(name))?;
        } else if path.extension().is_some_and(|kind| kind == "h") {
            fs::copy(&path, to.join(name)).context("copy", &path)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).context("write", path)
}

/// The templates declare each type as `TYPEDEF spelling name;`, `STRUCT name body;` or
/// `UNION name body;`. Each becomes a declaration that appears only when a header asks for it by
/// defining `__NEED_name`, and only once.
fn expand_types(template: &str) -> Result<String> {
    let mut text = String::new();
    for line in template.lines() {
        let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
        let tag = match keyword {
            "TYPEDEF" => None,
            "STRUCT" => Some("struct"),
            "UNION" => Some("union"),
            _ => {
                text.push_str(line);
                text.push('\n');
                continue;
            }
        };
        let malformed = || BuildError::UnknownInput {
            path: "alltypes.h.in".into(),
            reason: format!("unexpected line `{line}`"),
        };
        match tag {
            None => {
                let declaration = rest.strip_suffix(';').ok_or_else(malformed)?;
                let (_, name) = declaration.rsplit_once(' ').ok_or_else(malformed)?;
                text.push_str(&format!(
                    "#if defined(__NEED_{name}) && !defined(__DEFINED_{name})\ntypedef {declaration};\n\
                     #define __DEFINED_{name}\n#endif\n\n"
                ));
            }
            Some(tag) => {
                let (name, body) = rest.split_once(' ').ok_or_else(malformed)?;
                text.push_str(&format!(
                    "#if defined(__NEED_{tag}_{name}) && !defined(__DEFINED_{tag}_{name})\n\
                     {tag} {name} {body}\n#define __DEFINED_{tag}_{name}\n#endif\n\n"
                ));
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_appear_on_demand() {
        let text = expand_types(
            "#define _Int64 long\nTYPEDEF unsigned _Int64 size_t;\nSTRUCT iovec { void *p; };\n",
        )
        .unwrap();
        assert!(text.contains("#if defined(__NEED_size_t) && !defined(__DEFINED_size_t)\ntypedef unsigned _Int64 size_t;"));
        assert!(text.contains("#if defined(__NEED_struct_iovec)"));
        assert!(text.contains("struct iovec { void *p; };"));
        assert!(text.starts_with("#define _Int64 long\n"));
    }
}
