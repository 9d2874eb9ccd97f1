// std::fs and std::io: write, append, read, seek, metadata, directories, rename, remove, error kinds.
//@ file: given.txt=first\nsecond\nthird
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

fn names(path: &str) -> io::Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(path)?.map(|e| e.map(|e| e.file_name().to_string_lossy().into_owned())).collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

fn main() -> io::Result<()> {
    println!("{:?}", fs::read_to_string("given.txt")?);
    for (i, line) in BufReader::new(File::open("given.txt")?).lines().enumerate() { println!("{i} {}", line?) }
    fs::write("out.bin", (0..=255u8).collect::<Vec<_>>())?;
    let mut file = OpenOptions::new().read(true).write(true).open("out.bin")?;
    file.seek(SeekFrom::Start(100))?;
    file.write_all(b"HERE")?;
    file.seek(SeekFrom::Current(-6))?;
    let mut part = [0; 8];
    file.read_exact(&mut part)?;
    println!("{part:?} {}", file.seek(SeekFrom::End(-1))?);
    file.set_len(50)?;
    println!("{} {}", file.metadata()?.len(), fs::metadata("out.bin")?.is_file());
    writeln!(OpenOptions::new().append(true).create(true).open("log")?, "one")?;
    writeln!(OpenOptions::new().append(true).create(true).open("log")?, "two {}", 2)?;
    print!("{}", fs::read_to_string("log")?);
    fs::create_dir_all("a/b/c")?;
    fs::copy("log", "a/b/log")?;
    fs::rename("a/b/log", "a/moved")?;
    println!("{:?} {:?} {:?}", names(".")?, names("a")?, names("a/b")?);
    println!("{} {}", Path::new("a/moved").exists(), Path::new("a/b/log").exists());
    for result in [fs::read("absent").map(drop), fs::create_dir("a"), fs::remove_dir("a"), File::create_new("log").map(drop), fs::read_dir("log").map(drop)] {
        println!("{:?}", result.map_err(|e| e.kind()));
    }
    fs::remove_file("log")?;
    fs::remove_dir_all("a")?;
    println!("{:?}", names(".")?);
    let path = Path::new("x/y/file.tar.gz");
    println!("{:?} {:?} {:?} {:?}", path.file_stem(), path.extension(), path.parent(), path.with_extension("zip"));
    println!("{:?}", io::Cursor::new(b"a\nb\n").lines().map_while(Result::ok).collect::<Vec<_>>());
    Ok(())
}
