//! Parsing globals and the source map.

use super::LONGEST_ZERO_RUN;
use super::lex::Token;
use super::parse::{Parsed, Parser};
use crate::{
    DebugField, DebugType, DebugTypeData, FileData, GlobalData, GlobalVariableInfo, Initialiser,
    Linkage, LocData, Module, Relocation, ScopeData, SourceMap,
};

impl Parser<'_> {
    /// A line of the source map; the current token is its id.
    pub(super) fn source_item(&mut self, source: &mut SourceMap) -> Parsed<()> {
        let Token::Word(word) = self.token else {
            return Err(self.expected("a file, scope, loc or type"));
        };
        if word.starts_with("file") {
            self.definition("file", &source.files)?;
            let name = self.string_with("a file name")?;
            self.word("in")?;
            let directory = self.string_with("a folder")?;
            source.files.push(FileData { name, directory });
        } else if word.starts_with("scope") {
            self.definition("scope", &source.scopes)?;
            let scope = self.scope()?;
            source.scopes.push(scope);
        } else if word.starts_with("loc") {
            self.definition("loc", &source.locs)?;
            let line = self.number("a line")?;
            self.symbol(':')?;
            let column = self.number("a column")?;
            let scope = self.id("scope")?;
            let inlined_at = match self.take_word("inlined")? {
                true => {
                    self.word("at")?;
                    Some(self.id("loc")?)
                }
                false => None,
            };
            source.locs.push(LocData {
                line,
                column,
                scope,
                inlined_at,
            });
        } else {
            self.definition("type", &source.types)?;
            let ty = self.debug_type()?;
            source.types.push(ty);
        }
        Ok(())
    }

    fn scope(&mut self) -> Parsed<ScopeData> {
        let function = if self.take_word("function")? {
            Some(self.string_with("a function's name")?)
        } else if self.take_word("block")? {
            None
        } else {
            return Err(self.expected("`function` or `block`"));
        };
        let file = self.id("file")?;
        self.symbol(':')?;
        let line = self.number("a line")?;
        let parent = match self.take_word("in")? {
            true => Some(self.id("scope")?),
            false => None,
        };
        let signature = match self.take_word("signature")? {
            true => self.debug_signature()?,
            false => Vec::new(),
        };
        Ok(ScopeData {
            function,
            file,
            line,
            parent,
            signature,
        })
    }

    fn debug_signature(&mut self) -> Parsed<Vec<Option<DebugType>>> {
        self.symbol('(')?;
        self.list(')', Self::debug_type_or_void)
    }

    fn debug_type_or_void(&mut self) -> Parsed<Option<DebugType>> {
        match self.take_word("void")? {
            true => Ok(None),
            false => self.id("type").map(Some),
        }
    }

    fn debug_type(&mut self) -> Parsed<DebugTypeData> {
        let Token::Word(kind) = self.token else {
            return Err(self.expected(DEBUG_TYPE));
        };
        let start = self.start;
        self.advance()?;
        Ok(match kind {
            "base" => {
                let name = self.string_with("a type's name")?;
                let bits = self.bits_clause()?;
                self.word("encoding")?;
                DebugTypeData::Base {
                    name,
                    bits,
                    encoding: self.number("a DWARF encoding")?,
                }
            }
            "pointer" => {
                self.word("to")?;
                DebugTypeData::Pointer {
                    to: self.debug_type_or_void()?,
                }
            }
            "typedef" => DebugTypeData::Typedef {
                name: self.string_with("a type's name")?,
                of: self.of_clause()?,
            },
            "qualified" => DebugTypeData::Qualified {
                qualifier: self.string_with("a qualifier")?,
                of: self.of_clause()?,
            },
            "array" => {
                let element = self.of_clause()?;
                let mut counts = Vec::new();
                while self.take_symbol('[')? {
                    counts.push(match self.take_symbol(']')? {
                        true => None,
                        false => {
                            let count = self.number("a count or `]`")?;
                            self.symbol(']')?;
                            Some(count)
                        }
                    });
                }
                DebugTypeData::Array { element, counts }
            }
            "struct" | "union" => {
                let name = self.string_with("a type's name")?;
                let bits = self.bits_clause()?;
                self.symbol('{')?;
                DebugTypeData::Composite {
                    name,
                    is_union: kind == "union",
                    bits,
                    fields: self.list('}', Self::debug_field)?,
                }
            }
            "enum" => {
                let name = self.string_with("a type's name")?;
                let bits = self.bits_clause()?;
                self.symbol('{')?;
                let enumerators = self.list('}', |this| {
                    let name = this.string_with("an enumerator")?;
                    this.symbol('=')?;
                    Ok((name, this.number("the enumerator's value")?))
                })?;
                DebugTypeData::Enumeration {
                    name,
                    bits,
                    enumerators,
                }
            }
            "subroutine" => DebugTypeData::Subroutine {
                signature: self.debug_signature()?,
            },
            "other" => DebugTypeData::Other {
                description: self.string_with("a description")?,
            },
            _ => {
                let message = format!("expected {DEBUG_TYPE}, found {}", Token::Word(kind));
                return Err(self.error_at(start, message));
            }
        })
    }

    fn debug_field(&mut self) -> Parsed<DebugField> {
        let name = self.string_with("a field's name")?;
        self.symbol(':')?;
        let ty = self.debug_type_or_void()?;
        self.word("at")?;
        let offset_bits = self.number("the field's offset in bits")?;
        Ok(DebugField {
            name,
            ty,
            offset_bits,
            size_bits: self.bits_clause()?,
        })
    }

    fn bits_clause(&mut self) -> Parsed<u64> {
        self.word("bits")?;
        self.number("a size in bits")
    }

    fn of_clause(&mut self) -> Parsed<Option<DebugType>> {
        self.word("of")?;
        self.debug_type_or_void()
    }

    pub(super) fn linkage(&mut self) -> Parsed<Linkage> {
        let linkage = match self.token {
            Token::Word(word) => Linkage::from_name(word),
            _ => None,
        };
        match linkage {
            Some(linkage) => {
                self.advance()?;
                Ok(linkage)
            }
            None => Err(self.expected("`local`, `exported`, `import` or `weak_import`")),
        }
    }

    pub(super) fn global(&mut self, module: &mut Module) -> Parsed<()> {
        self.definition("g", &module.globals)?;
        self.word("global")?;
        let linkage = self.linkage()?;
        let name = self.string_with("the global's name")?;
        self.word("size")?;
        let size = self.number("a size in bytes")?;
        self.word("align")?;
        let align = self.number("an alignment")?;
        let constant = self.take_word("constant")?;
        let thread_local = self.take_word("thread_local")?;
        let section = match self.take_word("section")? {
            true => Some(self.string_with("the section's name")?),
            false => None,
        };
        let mut data = GlobalData {
            name,
            linkage,
            size,
            align,
            constant,
            thread_local,
            section,
            initialiser: Initialiser::default(),
            info: None,
        };
        if self.take_symbol('{')? {
            while !self.take_symbol('}')? {
                self.global_item(&mut data)?;
            }
        }
        module.globals.push(data);
        Ok(())
    }

    pub(super) fn alias(&mut self, module: &mut Module) -> Parsed<()> {
        self.word("alias")?;
        let start = self.start;
        let name = self.string_with("the alias's name")?;
        self.symbol('=')?;
        let (_, constant) = self.constant()?;
        match module.aliases.insert(name, constant) {
            None => Ok(()),
            Some(_) => Err(self.error_at(start, "there is an alias of this name already")),
        }
    }

    fn global_item(&mut self, data: &mut GlobalData) -> Parsed<()> {
        match self.token {
            Token::Text(_) => data.initialiser.bytes.extend(self.bytes()?),
            Token::Word("zero") => {
                self.advance()?;
                let start = self.start;
                let count: usize = self.number("a number of zeros")?;
                if count > LONGEST_ZERO_RUN {
                    let message = format!("expected at most {LONGEST_ZERO_RUN} zeros at a time");
                    return Err(self.error_at(start, message));
                }
                let length = data.initialiser.bytes.len();
                data.initialiser.bytes.resize(length + count, 0);
            }
            Token::Word("hex") => {
                self.advance()?;
                let start = self.start;
                let digits = self.string()?;
                for pair in digits.split_ascii_whitespace() {
                    match u8::from_str_radix(pair, 16) {
                        Ok(byte) if pair.len() == 2 && !pair.starts_with('+') => {
                            data.initialiser.bytes.push(byte);
                        }
                        _ => {
                            let message = "expected bytes of two hexadecimal digits each";
                            return Err(self.error_at(start, message));
                        }
                    }
                }
            }
            Token::Word("at") => {
                self.advance()?;
                let offset = self.number("an offset")?;
                self.word("size")?;
                let size = self.number("a size of at most 255 bytes")?;
                self.symbol('=')?;
                let (_, constant) = self.constant()?;
                let minus = match self.take_word("minus")? {
                    true => Some(self.constant()?.1),
                    false => None,
                };
                data.initialiser.relocations.push(Relocation {
                    offset,
                    size,
                    constant,
                    minus,
                });
            }
            Token::Word("source") if data.info.is_none() => {
                self.advance()?;
                let name = self.string_with("the variable's name")?;
                let file = self.id("file")?;
                self.symbol(':')?;
                let line = self.number("a line")?;
                let ty = match self.take_word("type")? {
                    true => Some(self.id("type")?),
                    false => None,
                };
                data.info = Some(GlobalVariableInfo {
                    name,
                    file,
                    line,
                    ty,
                });
            }
            _ => {
                let what = "a string, `hex`, `zero`, a relocation (`at …`), `source` or `}`";
                return Err(self.expected(what));
            }
        }
        Ok(())
    }
}

const DEBUG_TYPE: &str = "`base`, `pointer`, `typedef`, `qualified`, `array`, `struct`, `union`, \
                          `enum`, `subroutine` or `other`";
