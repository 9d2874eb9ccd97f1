//! Damaged images: an error or a module, never a panic, and never much memory.
//!
//! One test, so that the memory this process used is the memory that it used.

use crate::support::Words;
use program_ir::{
    ImageError, Module, parse_module, print_module, read_foreign_image, read_image, write_image,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const SOUND: &str = include_str!("../golden/every_instruction.ir");

#[test]
fn damaged_images_are_harmless() {
    let sound = write_image(&parse_module(SOUND).unwrap()).unwrap();
    assert!(read_foreign_image(&sound).is_ok());
    ends_are_noticed(&sound);

    let before = peak_kilobytes();
    for place in 16..sound.len() {
        // A long run of zeros is the contents of a global, which may be anything.
        if sound[place - 4..].iter().take(8).all(|&byte| byte == 0) {
            continue;
        }
        // Small changes move ids and kinds; runs of ones are very long lengths.
        for changed in [sound[place] ^ 1, sound[place] ^ 0x40, 0x7f] {
            let mut image = sound.clone();
            image[place] = changed;
            use_image(&image);
        }
        let mut image = sound.clone();
        let end = (place + 4).min(image.len());
        image[place..end].fill(0xff);
        use_image(&image);
    }
    random_damage();
    let grown = peak_kilobytes() - before;
    assert!(
        grown < 64 << 10,
        "reading damaged images took {grown} kB more than sound ones"
    );
}

fn ends_are_noticed(sound: &[u8]) {
    for length in 0..sound.len() {
        assert!(read_image(&sound[..length]).is_err(), "read {length} bytes");
    }
    let longer = [sound, &[0]].concat();
    assert!(matches!(read_image(&longer), Err(ImageError::TooLong(1))));
    assert!(matches!(read_image(b"ELF"), Err(ImageError::NotAnImage)));
}

fn random_damage() {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(1000)
    };
    let words = prop::collection::vec(any::<u32>(), 0..300);
    let damages = prop::collection::vec((any::<usize>(), any::<u8>(), any::<bool>()), 0..8);
    let ran = TestRunner::new(config).run(&(words, damages), |(words, damages)| {
        let module = Words::new(&words).module();
        let mut image = write_image(&module).unwrap();
        assert!(read_image(&image).unwrap() == module);
        for (place, byte, remove) in damages {
            // The damage is to what follows the sixteen bytes that say it is an image.
            let place = 16 + place % (image.len() - 16);
            match remove && image.len() > 17 {
                true => drop(image.remove(place)),
                false => image[place] = byte,
            }
        }
        use_image(&image);
        Ok(())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

/// What may be done with an image from outside.
fn use_image(image: &[u8]) {
    match read_foreign_image(image) {
        Ok(module) => assert_same(&print_module(&module), &module),
        // A dump helps to see what is wrong with a module, so it must not fail on one.
        Err(ImageError::Unsound(_)) => drop(print_module(&read_image(image).unwrap())),
        Err(_) => {}
    }
}

fn assert_same(text: &str, module: &Module) {
    match parse_module(text) {
        Ok(parsed) => assert!(parsed == *module, "another module came back from:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The most address space that this process ever had.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says so");
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number
        .and_then(|number| number.parse().ok())
        .expect("a number of kB")
}
