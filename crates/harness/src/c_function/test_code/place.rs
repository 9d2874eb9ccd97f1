//! Objects of a test, as C writes them.

/// An object: a variable, a member, an element, or what a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    text: String,
    /// The text is a pointer to it.
    is_behind: bool,
}

impl Place {
    pub(crate) fn variable(name: &str) -> Place {
        Place {
            text: name.to_owned(),
            is_behind: false,
        }
    }

    pub(crate) fn behind(pointer: &str) -> Place {
        Place {
            text: pointer.to_owned(),
            is_behind: true,
        }
    }

    pub(crate) fn member(&self, name: &str) -> Place {
        // One without a name is reached through the outer one.
        if name.is_empty() {
            return self.clone();
        }
        let arrow = if self.is_behind { "->" } else { "." };
        Place::variable(&format!("{}{arrow}{name}", self.text))
    }

    pub(crate) fn element(&self, at: u64) -> Place {
        let text = match self.is_behind {
            true => format!("(*{})", self.text),
            false => self.text.clone(),
        };
        Place::variable(&format!("{text}[{at}]"))
    }

    pub(crate) fn value(&self) -> String {
        match self.is_behind {
            true => format!("*{}", self.text),
            false => self.text.clone(),
        }
    }

    pub(crate) fn address(&self) -> String {
        match self.is_behind {
            true => self.text.clone(),
            false => format!("&{}", self.text),
        }
    }
}

/// What pointers point to: one object, or several in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    One(Place),
    /// The name of an array, or a pointer to its first element.
    Several(String),
}

impl Target {
    pub(crate) fn element(&self, at: u64) -> Place {
        match self {
            Target::One(place) if at == 0 => place.clone(),
            Target::One(place) => Place::behind(&format!("({} + {at})", place.address())),
            Target::Several(name) => Place::variable(&format!("{name}[{at}]")),
        }
    }

    /// The address so many bytes behind the beginning.
    pub(crate) fn address(&self, offset: i64, size: i64) -> String {
        let start = match self {
            Target::One(place) => place.address(),
            Target::Several(name) => name.clone(),
        };
        match (self, offset) {
            (_, 0) => start,
            (Target::Several(name), _) if size > 0 && offset % size == 0 => {
                format!("&{name}[{}]", offset / size)
            }
            (Target::One(_), _) if size > 0 && offset % size == 0 => {
                format!("{start} + {}", offset / size)
            }
            _ => format!("(const char *){start} + {offset}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_in_c() {
        let node = Place::behind("node");
        assert_eq!(node.member("next").value(), "node->next");
        assert_eq!(node.value(), "*node");
        assert_eq!(node.address(), "node");
        assert_eq!(node.element(2).value(), "(*node)[2]");
        let point = Place::variable("point");
        assert_eq!(point.member("x").address(), "&point.x");
        assert_eq!(point.member("").member("x").value(), "point.x");
        let array = Target::Several("items".to_owned());
        assert_eq!(array.address(8, 4), "&items[2]");
        assert_eq!(array.address(3, 4), "(const char *)items + 3");
        assert_eq!(Target::One(point).address(16, 16), "&point + 1");
    }
}
