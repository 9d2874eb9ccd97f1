//! What would help where a level cannot be had.

use crate::launcher::{NOBODY, is_root};
use crate::level::Level;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    AllowNamespaces,
    EnableLandlock,
    /// Root of a user namespace that has no user for the program to be.
    AnotherUser,
    InstallLauncher,
}

impl Remedy {
    pub(crate) fn of(level: Level) -> Remedy {
        match level {
            Level::Namespaces => Remedy::AllowNamespaces,
            Level::Landlock => Remedy::EnableLandlock,
            Level::Unconfined => Remedy::InstallLauncher,
        }
    }

    /// In a few words, for who is busy with something else.
    pub fn in_short(self) -> &'static str {
        match self {
            Remedy::AllowNamespaces => "allow user namespaces",
            Remedy::EnableLandlock => "use Linux 6.12 or newer with Landlock",
            Remedy::AnotherUser => "start Parallax as another user than root",
            Remedy::InstallLauncher => "run `make setup`",
        }
    }

    /// All that there is to say.
    pub fn in_full(self) -> &'static str {
        match self {
            Remedy::AllowNamespaces => {
                "allow user namespaces: `sysctl user.max_user_namespaces` must not be 0; on Debian and Ubuntu \
                 `sysctl kernel.unprivileged_userns_clone=1` and \
                 `sysctl kernel.apparmor_restrict_unprivileged_userns=0` where these exist; in a container, start it with a \
                 seccomp profile that allows `unshare` and `mount`, and an unmasked /proc"
            }
            Remedy::EnableLandlock => {
                "use Linux 6.12 or newer with Landlock enabled (`lsm=` of the kernel's command line names it), and in a \
                 container a seccomp profile that allows the `landlock_*` calls"
            }
            Remedy::AnotherUser => {
                "start Parallax as the user that you were before (`unshare -c` instead of `unshare -r`), or give the namespace more users: \
                 ranges for your user in /etc/subuid and /etc/subgid, with which a container without root or `unshare --map-auto` has them"
            }
            Remedy::InstallLauncher => {
                "run `make setup`, or set PARALLAX_BOX to the program `parallax-box` of the same version"
            }
        }
    }

    /// Whether native runs without a sandbox could be had all the same.
    pub fn allows_unconfined(self) -> bool {
        self != Remedy::InstallLauncher
    }
}

/// Whether this is root, and there is no number in its user namespace for what root runs.
pub(crate) fn is_root_alone() -> bool {
    let has_nobody = |map: &str| {
        // Where it cannot be read there are no user namespaces.
        let map = std::fs::read_to_string(format!("/proc/self/{map}"));
        map.is_ok_and(|map| !maps(&map, NOBODY))
    };
    is_root() && ["uid_map", "gid_map"].into_iter().any(has_nobody)
}

/// Whether a number has a line in a map: the first of some numbers inside, the first outside, and how many there are.
fn maps(map: &str, number: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u32>);
        let (Some(Ok(first)), Some(_), Some(Ok(count))) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return false;
        };
        (first..first.saturating_add(count)).contains(&number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_a_map_or_not() {
        let whole = "         0          0 4294967295\n";
        assert!(maps(whole, NOBODY));
        assert!(!maps("         0       1000          1\n", NOBODY));
        let container = "0 1000 1\n1 100000 65536\n";
        assert!(maps(container, NOBODY));
        assert!(!maps("", 0));
    }
}
