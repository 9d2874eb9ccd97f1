//! Names, links, listing and attributes. The differential test covers most; here is what it leaves out.

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{ConfigError, Errno, FileConfig, Kernel, KernelConfig};

use crate::support::Guest;

#[test]
fn listing_goes_on_where_it_stopped_while_entries_are_removed() {
    let mut config = KernelConfig::default();
    for name in ["one", "two", "three", "four"] {
        let path = format!("/home/user/{name}").into_bytes();
        config.files.insert(path, FileConfig::file(""));
    }
    let mut guest = Guest::new(config);
    let directory = guest.open(".", libc::O_RDONLY | libc::O_DIRECTORY).unwrap();
    let buffer = guest.buffer(64);
    let mut names = Vec::new();
    loop {
        let count = guest
            .value(number::getdents64, &[directory, buffer, 64])
            .unwrap() as usize;
        if count == 0 {
            break;
        }
        let mut rest = guest.memory_at(buffer, count).to_vec();
        while !rest.is_empty() {
            let length = usize::from(u16::from_le_bytes([rest[16], rest[17]]));
            let name = rest[19..length].split(|&byte| byte == 0).next().unwrap();
            let name = String::from_utf8(name.to_vec()).unwrap();
            if !name.starts_with('.') {
                let path = guest.text(&name);
                assert_eq!(guest.value(number::unlink, &[path]), Ok(0));
            }
            names.push(name);
            rest.drain(..length);
        }
    }
    names.sort();
    assert_eq!(names, [".", "..", "four", "one", "three", "two"]);
    assert_eq!(
        guest.value(number::getdents64, &[directory, buffer, 8]),
        Ok(0)
    );
}

#[test]
fn a_buffer_too_small_for_one_entry_is_invalid() {
    let mut guest = Guest::new(KernelConfig::default());
    let directory = guest.open("/", libc::O_RDONLY).unwrap();
    let buffer = guest.buffer(8);
    assert_eq!(
        guest.value(number::getdents64, &[directory, buffer, 8]),
        Err(Errno::EINVAL)
    );
}

#[test]
fn the_executable_has_a_link() {
    let mut guest = Guest::new(KernelConfig::default());
    let path = guest.text("/proc/self/exe");
    let buffer = guest.buffer(100);
    let count = guest.value(number::readlink, &[path, buffer, 100]).unwrap();
    assert_eq!(guest.memory_at(buffer, count as usize), b"/usr/bin/program");
}

#[test]
fn stat_reports_the_configured_world() {
    let mut config = KernelConfig {
        time: 1234,
        ..KernelConfig::default()
    };
    config
        .files
        .insert(b"/home/user/f".to_vec(), FileConfig::file("12345"));
    let mut guest = Guest::new(config);
    let (path, stat) = (guest.text("f"), guest.buffer(144));
    assert_eq!(guest.value(number::stat, &[path, stat]), Ok(0));
    assert_eq!(guest.u32_at(stat + 24), 0o100644);
    assert_eq!(
        (guest.u32_at(stat + 28), guest.u32_at(stat + 32)),
        (1000, 1000)
    );
    assert_eq!(guest.u64_at(stat + 48), 5);
    assert_eq!(guest.u64_at(stat + 56), 4096);
    assert_eq!(guest.u64_at(stat + 64), 8);
    assert_eq!(guest.u64_at(stat + 88), 1234);
}

#[test]
fn times_are_set_to_the_nanosecond() {
    let mut guest = Guest::new(KernelConfig::default());
    guest.open("f", libc::O_CREAT | libc::O_RDWR).unwrap();
    let (path, stat) = (guest.text("f"), guest.buffer(144));
    let times: Vec<u8> = [5_u64, 6, 7, 8]
        .iter()
        .flat_map(|t| t.to_le_bytes())
        .collect();
    let times = guest.bytes(&times);
    let here = libc::AT_FDCWD as u64;
    assert_eq!(
        guest.value(number::utimensat, &[here, path, times, 0]),
        Ok(0)
    );
    guest.value(number::stat, &[path, stat]).unwrap();
    let fields: Vec<u64> = (0..4).map(|i| guest.u64_at(stat + 72 + 8 * i)).collect();
    assert_eq!(fields, [5, 6, 7, 8]);
}

#[test]
fn named_pipes_are_refused_by_name() {
    let mut guest = Guest::new(KernelConfig::default());
    let path = guest.text("fifo");
    assert_eq!(
        guest.unsupported(number::mknod, &[path, 0o010644]),
        "mknod (133): named pipes are not modelled"
    );
}

#[test]
fn a_configuration_that_contradicts_itself_is_refused() {
    let mut config = KernelConfig::default();
    config.files.insert(b"/f".to_vec(), FileConfig::file(""));
    config.files.insert(b"/f/g".to_vec(), FileConfig::file(""));
    assert_eq!(
        Kernel::new(config).err(),
        Some(ConfigError {
            path: b"/f".to_vec(),
            error: Errno::ENOTDIR
        })
    );
}
