//! Debug information: source locations, scopes, types and variables.
//!
//! LLVM's C interface has getters for little of it. Operands of metadata nodes are
//! reached by number (the numbers are those of LLVM 22's `DebugInfoMetadata.h`), and the
//! few integers that are no operands are taken from the node's printed form.

use crate::function::FunctionReader;
use crate::llvm::{self, MetadataKind, RecordKind};
use crate::translation::signed_bits;
use program_ir::{
    Constant, DebugField, DebugType, DebugTypeData, File, FileData, GlobalVariableInfo, Loc,
    LocData, Scope, ScopeData, SourceMap, Variable, VariableData, VariablePlace,
};
use std::collections::HashMap;

// Operand numbers.
const NODE_SCOPE: usize = 1;
const NODE_NAME: usize = 2;
const SUBPROGRAM_TYPE: usize = 4;
const VARIABLE_SCOPE: usize = 0;
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;
/// The first operand after those that all types have.
const TYPE_BASE: usize = 5;
const COMPOSITE_ELEMENTS: usize = 6;
const COMPOSITE_DISCRIMINATOR: usize = 10;

#[derive(Default)]
pub(crate) struct DebugInfo {
    files: HashMap<(String, String), File>,
    file_nodes: HashMap<llvm::Metadata, File>,
    scopes: HashMap<llvm::Metadata, Scope>,
    locs: HashMap<llvm::Metadata, Loc>,
    types: HashMap<llvm::Metadata, DebugType>,
    /// Types that have an id but no contents yet.
    pending_types: Vec<(llvm::Metadata, DebugType)>,
    expressions: HashMap<llvm::Metadata, Expression>,
}

/// What the location expressions that we understand do to the value of a record.
#[derive(Clone, Copy, PartialEq)]
enum Expression {
    Nothing,
    Dereference,
    Other,
}

impl DebugInfo {
    pub(crate) fn loc(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        location: llvm::Metadata,
    ) -> Loc {
        if let Some(&loc) = self.locs.get(&location) {
            return loc;
        }
        // The chain of inlined calls can be long; it is built from its outer end.
        let mut chain = vec![location];
        while let Some(outer) = chain[chain.len() - 1].location_inlined_at() {
            if self.locs.contains_key(&outer) {
                break;
            }
            chain.push(outer);
        }
        let mut result = None;
        for location in chain.into_iter().rev() {
            let scope = self.scope(module, source, location.location_scope());
            let outer = location.location_inlined_at();
            let loc = source.locs.push(LocData {
                line: location.location_line(),
                column: location.location_column(),
                scope,
                inlined_at: outer.and_then(|outer| self.locs.get(&outer).copied()),
            });
            self.locs.insert(location, loc);
            result = Some(loc);
        }
        result.expect("the chain is not empty")
    }

    pub(crate) fn scope(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        node: llvm::Metadata,
    ) -> Scope {
        if let Some(&scope) = self.scopes.get(&node) {
            return scope;
        }
        let file = self.file(source, node.scope_file());
        let operands = module.metadata_operands(node);
        let is_subprogram = matches!(node.kind(), MetadataKind::LLVMDISubprogramMetadataKind);
        let data = if is_subprogram {
            let signature = match operand(&operands, SUBPROGRAM_TYPE) {
                Some(ty) => self.signature(module, source, ty),
                None => Vec::new(),
            };
            ScopeData {
                function: Some(name(&operands, NODE_NAME)),
                file,
                line: node.subprogram_line(),
                parent: None,
                signature,
            }
        } else {
            let parent = operand(&operands, NODE_SCOPE).filter(|parent| {
                matches!(
                    parent.kind(),
                    MetadataKind::LLVMDISubprogramMetadataKind
                        | MetadataKind::LLVMDILexicalBlockMetadataKind
                        | MetadataKind::LLVMDILexicalBlockFileMetadataKind
                )
            });
            let line = printed_number(&module.metadata_value(node).spelling(), ", line: ");
            ScopeData {
                function: None,
                file,
                line: line.unwrap_or(0) as u32,
                parent: parent.map(|parent| self.scope(module, source, parent)),
                signature: Vec::new(),
            }
        };
        let scope = source.scopes.push(data);
        self.scopes.insert(node, scope);
        self.fill_types(module, source);
        scope
    }

    fn file(&mut self, source: &mut SourceMap, node: Option<llvm::Metadata>) -> File {
        if let Some(node) = node
            && let Some(&file) = self.file_nodes.get(&node)
        {
            return file;
        }
        let (name, directory) = match node {
            Some(node) => (node.file_name(), node.file_directory()),
            None => Default::default(),
        };
        let file = *self
            .files
            .entry((name.clone(), directory.clone()))
            .or_insert_with(|| source.files.push(FileData { name, directory }));
        if let Some(node) = node {
            self.file_nodes.insert(node, file);
        }
        file
    }

    /// The debug information of a global variable.
    pub(crate) fn global(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        global: llvm::Value,
    ) -> Option<GlobalVariableInfo> {
        let attachments = global.global_metadata();
        let expression = attachments
            .iter()
            .find(|(kind, _)| *kind == llvm::DBG_KIND)?
            .1;
        let variable = operand(&module.metadata_operands(expression), 0)?;
        let operands = module.metadata_operands(variable);
        let info = GlobalVariableInfo {
            name: name(&operands, VARIABLE_NAME),
            file: self.file(source, variable.variable_file()),
            line: variable.variable_line(),
            ty: operand(&operands, VARIABLE_TYPE).map(|ty| self.ty(source, ty)),
        };
        self.fill_types(module, source);
        Some(info)
    }

    // Types. An id is given out at once and filled later, because types refer to
    // themselves and chains of them are long.

    fn ty(&mut self, source: &mut SourceMap, node: llvm::Metadata) -> DebugType {
        if let Some(&ty) = self.types.get(&node) {
            return ty;
        }
        let ty = source.types.push(DebugTypeData::Other {
            description: String::new(),
        });
        self.types.insert(node, ty);
        self.pending_types.push((node, ty));
        ty
    }

    fn fill_types(&mut self, module: &llvm::Module, source: &mut SourceMap) {
        while let Some((node, ty)) = self.pending_types.pop() {
            let data = self.type_data(module, source, node);
            source.types[ty] = data;
        }
    }

    fn type_data(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        node: llvm::Metadata,
    ) -> DebugTypeData {
        let spelling = || module.metadata_value(node).spelling();
        match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => DebugTypeData::Base {
                name: node.type_name(),
                bits: node.type_size(),
                encoding: encoding(&spelling()),
            },
            MetadataKind::LLVMDIDerivedTypeMetadataKind => {
                let operands = module.metadata_operands(node);
                let of = operand(&operands, TYPE_BASE).map(|ty| self.ty(source, ty));
                let qualified = |qualifier: &str| DebugTypeData::Qualified {
                    qualifier: qualifier.to_owned(),
                    of,
                };
                match node.tag() {
                    // Pointers, references.
                    0x0f | 0x10 | 0x42 => DebugTypeData::Pointer { to: of },
                    0x16 => DebugTypeData::Typedef {
                        name: node.type_name(),
                        of,
                    },
                    0x26 => qualified("const"),
                    0x35 => qualified("volatile"),
                    0x37 => qualified("restrict"),
                    0x47 => qualified("_Atomic"),
                    tag => other(tag, node.type_name()),
                }
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite(module, source, node),
            MetadataKind::LLVMDISubroutineTypeMetadataKind => DebugTypeData::Subroutine {
                signature: self.signature(module, source, node),
            },
            _ => DebugTypeData::Other {
                description: "type".to_owned(),
            },
        }
    }

    fn signature(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        subroutine: llvm::Metadata,
    ) -> Vec<Option<DebugType>> {
        let operands = module.metadata_operands(subroutine);
        let Some(list) = operand(&operands, TYPE_BASE) else {
            return Vec::new();
        };
        let types = module.metadata_operands(list);
        types
            .into_iter()
            .map(|ty| ty.map(|ty| self.ty(source, ty.as_metadata())))
            .collect()
    }

    fn composite(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        node: llvm::Metadata,
    ) -> DebugTypeData {
        let operands = module.metadata_operands(node);
        let elements: Vec<llvm::Metadata> = match operand(&operands, COMPOSITE_ELEMENTS) {
            Some(list) => module
                .metadata_operands(list)
                .into_iter()
                .flatten()
                .map(llvm::Value::as_metadata)
                .collect(),
            None => Vec::new(),
        };
        match node.tag() {
            0x01 => DebugTypeData::Array {
                element: operand(&operands, TYPE_BASE).map(|ty| self.ty(source, ty)),
                counts: elements.iter().map(|&range| count(module, range)).collect(),
            },
            0x04 => DebugTypeData::Enumeration {
                name: node.type_name(),
                bits: node.type_size(),
                enumerators: elements
                    .iter()
                    .map(|&item| enumerator(module, item))
                    .collect(),
            },
            tag @ (0x02 | 0x13 | 0x17 | 0x33) => {
                let mut fields = Vec::new();
                self.fields(module, source, &elements, &mut fields);
                DebugTypeData::Composite {
                    name: node.type_name(),
                    is_union: tag == 0x17,
                    bits: node.type_size(),
                    fields,
                }
            }
            tag => other(tag, node.type_name()),
        }
    }

    fn fields(
        &mut self,
        module: &llvm::Module,
        source: &mut SourceMap,
        elements: &[llvm::Metadata],
        fields: &mut Vec<DebugField>,
    ) {
        for &element in elements {
            let operands = module.metadata_operands(element);
            match element.kind() {
                // Members and base classes.
                MetadataKind::LLVMDIDerivedTypeMetadataKind
                    if matches!(element.tag(), 0x0d | 0x1c) =>
                {
                    fields.push(DebugField {
                        name: element.type_name(),
                        ty: operand(&operands, TYPE_BASE).map(|ty| self.ty(source, ty)),
                        offset_bits: element.type_offset(),
                        size_bits: element.type_size(),
                    });
                }
                // The variants of a Rust enum: the discriminator, then each variant.
                MetadataKind::LLVMDICompositeTypeMetadataKind if element.tag() == 0x33 => {
                    let discriminator = operand(&operands, COMPOSITE_DISCRIMINATOR);
                    let variants = match operand(&operands, COMPOSITE_ELEMENTS) {
                        Some(list) => module.metadata_operands(list),
                        None => Vec::new(),
                    };
                    let variants = variants.into_iter().flatten();
                    let members: Vec<llvm::Metadata> = discriminator
                        .into_iter()
                        .chain(variants.map(llvm::Value::as_metadata))
                        .filter(|member| {
                            matches!(member.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
                        })
                        .collect();
                    self.fields(module, source, &members, fields);
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, module: &llvm::Module, node: llvm::Metadata) -> Expression {
        *self.expressions.entry(node).or_insert_with(|| {
            let spelling = module.metadata_value(node).spelling();
            let start = spelling.find("!DIExpression(").map_or(0, |at| at + 14);
            match spelling[start..].trim_end_matches(')') {
                "" => Expression::Nothing,
                "DW_OP_deref" => Expression::Dereference,
                _ => Expression::Other,
            }
        })
    }
}

impl FunctionReader<'_, '_> {
    /// The variable that a debug record is about, and where it is from now on.
    pub(crate) fn read_record(
        &mut self,
        record: llvm::Record,
    ) -> Option<(Variable, VariablePlace)> {
        let kind = record.kind();
        if matches!(kind, RecordKind::LLVMDbgRecordLabel) {
            return None;
        }
        let node = record.variable()?;
        let variable = self.variable(node, record.location()?);
        let translation = &mut *self.translation;
        let expression = match record.expression() {
            Some(node) => translation.debug.expression(translation.llvm, node),
            None => Expression::Nothing,
        };
        let value = match expression {
            Expression::Other => None,
            _ => record.value(0),
        };
        let scalar = value.and_then(|value| self.record_scalar(value));
        let in_memory = matches!(kind, RecordKind::LLVMDbgRecordDeclare);
        let place = match (scalar, in_memory, expression) {
            (Some(address), true, Expression::Nothing)
            | (Some(address), false, Expression::Dereference) => VariablePlace::Memory(address),
            (Some(scalar), false, Expression::Nothing) => VariablePlace::Value(scalar),
            _ => VariablePlace::Gone,
        };
        Some((variable, place))
    }

    /// The one scalar of a record's value, if that needs no computation.
    fn record_scalar(&mut self, value: llvm::Value) -> Option<program_ir::Value> {
        if let Some(scalars) = self.known(value) {
            return (scalars.len() == 1).then(|| scalars[0]);
        }
        let shape = self.shape(value.ty());
        let [ty] = shape.scalars[..] else {
            return None;
        };
        if value.kind() == llvm::ValueKind::LLVMConstantFPValueKind {
            return Some(self.scalar_operand(value));
        }
        if value.kind() == llvm::ValueKind::LLVMConstantIntValueKind {
            return Some(self.scalar_operand(value));
        }
        let constant: Constant = self.translation.linear(value)?.as_constant(ty)?;
        Some(self.constant_of(ty, constant))
    }

    fn variable(&mut self, node: llvm::Metadata, location: llvm::Metadata) -> Variable {
        let key = (node, location.location_inlined_at());
        if let Some(&variable) = self.variables.get(&key) {
            return variable;
        }
        let translation = &mut *self.translation;
        let (module, source) = (translation.llvm, &mut translation.module.source);
        let operands = module.metadata_operands(node);
        let spelling = module.metadata_value(node).spelling();
        let scope = operand(&operands, VARIABLE_SCOPE).unwrap_or_else(|| location.location_scope());
        let data = VariableData {
            name: name(&operands, VARIABLE_NAME),
            scope: translation.debug.scope(module, source, scope),
            line: node.variable_line(),
            ty: operand(&operands, VARIABLE_TYPE).map(|ty| translation.debug.ty(source, ty)),
            parameter: printed_number(&spelling, ", arg: ").unwrap_or(0) as u16,
        };
        translation.debug.fill_types(module, source);
        let variable = self.function.variables.push(data);
        self.variables.insert(key, variable);
        variable
    }
}

fn operand(operands: &[Option<llvm::Value>], index: usize) -> Option<llvm::Metadata> {
    operands
        .get(index)
        .copied()
        .flatten()
        .map(llvm::Value::as_metadata)
}

fn name(operands: &[Option<llvm::Value>], index: usize) -> String {
    let string = operands.get(index).copied().flatten();
    string
        .and_then(llvm::Value::metadata_string)
        .unwrap_or_default()
}

/// The number after `label` in the printed form of a node.
fn printed_number(spelling: &str, label: &str) -> Option<i128> {
    let start = spelling.find(label)? + label.len();
    let rest = &spelling[start..];
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '-')
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn count(module: &llvm::Module, range: llvm::Metadata) -> Option<u64> {
    if !matches!(range.kind(), MetadataKind::LLVMDISubrangeMetadataKind) {
        return None;
    }
    let count = (*module.metadata_operands(range).first()?)?;
    if count.kind() != llvm::ValueKind::LLVMConstantIntValueKind {
        return None;
    }
    u64::try_from(signed_bits(count)?).ok()
}

fn enumerator(module: &llvm::Module, node: llvm::Metadata) -> (String, i128) {
    let spelling = module.metadata_value(node).spelling();
    let name = name(&module.metadata_operands(node), 0);
    (name, printed_number(&spelling, ", value: ").unwrap_or(0))
}

/// DWARF's code for the encoding that a basic type prints.
fn encoding(spelling: &str) -> u32 {
    const NAMES: [(&str, u32); 9] = [
        ("DW_ATE_address", 0x01),
        ("DW_ATE_boolean", 0x02),
        ("DW_ATE_complex_float", 0x03),
        ("DW_ATE_float", 0x04),
        ("DW_ATE_signed", 0x05),
        ("DW_ATE_signed_char", 0x06),
        ("DW_ATE_unsigned", 0x07),
        ("DW_ATE_unsigned_char", 0x08),
        ("DW_ATE_UTF", 0x10),
    ];
    let label = "encoding: ";
    let Some(start) = spelling.find(label) else {
        return 0;
    };
    let rest = &spelling[start + label.len()..];
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let found = NAMES.iter().find(|(name, _)| *name == &rest[..end]);
    found.map_or(0, |(_, code)| *code)
}

fn other(tag: u16, name: String) -> DebugTypeData {
    DebugTypeData::Other {
        description: format!("DWARF tag {tag:#x} {name}").trim_end().to_owned(),
    }
}
