//! The only place that touches LLVM beside the linker: thin handles over its C interface.
//!
//! A handle is a copyable pointer that stays valid while the [`Module`] it came from
//! lives; handles do not leave this crate, and [`Module`] outlives every reader. The
//! functions here are as safe as the caller is right about the *kind* of a value (LLVM
//! checks kinds only in its debug builds), so callers look at `kind`, `opcode` or the
//! type first.
#![allow(unsafe_code)]

use crate::ReadError;
use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;
pub(crate) use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMDbgRecordKind as RecordKind, LLVMIntPredicate as IntPredicate,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
    LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) struct $name($raw);

        impl Convert<$raw> for $name {
            fn convert(raw: $raw) -> Self {
                assert!(!raw.is_null(), "LLVM returned no {}", stringify!($name));
                $name(raw)
            }
        }

        impl Convert<$raw> for Option<$name> {
            fn convert(raw: $raw) -> Self {
                (!raw.is_null()).then_some($name(raw))
            }
        }
    };
}

/// From what LLVM returns to what we return.
trait Convert<Raw> {
    fn convert(raw: Raw) -> Self;
}

impl Convert<LLVMBool> for bool {
    fn convert(raw: LLVMBool) -> Self {
        raw != 0
    }
}

macro_rules! convert_as_is {
    ($($ty:ty),*) => { $(impl Convert<$ty> for $ty { fn convert(raw: $ty) -> Self { raw } })* };
}
convert_as_is!(
    u16,
    u32,
    u64,
    TypeKind,
    ValueKind,
    Opcode,
    Linkage,
    IntPredicate,
    RealPredicate,
    RmwOp,
    RecordKind,
    MetadataKind,
    c_int
);

handle!(Type, LLVMTypeRef);
handle!(Value, LLVMValueRef);
handle!(Block, LLVMBasicBlockRef);
handle!(Metadata, LLVMMetadataRef);
handle!(
    /// A debug record: what LLVM 19 and later have instead of calls of `llvm.dbg.value`.
    Record, LLVMDbgRecordRef);
handle!(Use, LLVMUseRef);

/// Methods that are one call of the C interface with the handle as first argument.
macro_rules! methods {
    ($owner:ident: $($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty = $function:ident;)*) => {
        impl $owner {
            $(pub(crate) fn $name(self $(, $arg: $ty)*) -> $ret {
                // SAFETY: the handle is alive (see the module header) and the caller has
                // looked at its kind.
                Convert::convert(unsafe { $function(self.0 $(, $arg)*) })
            })*
        }
    };
}

methods! { Type:
    kind() -> TypeKind = LLVMGetTypeKind;
    int_width() -> u32 = LLVMGetIntTypeWidth;
    element() -> Type = LLVMGetElementType;
    vector_size() -> u32 = LLVMGetVectorSize;
    array_length() -> u64 = LLVMGetArrayLength2;
    field_count() -> u32 = LLVMCountStructElementTypes;
    field(index: u32) -> Type = LLVMStructGetTypeAtIndex;
    is_opaque_struct() -> bool = LLVMIsOpaqueStruct;
    return_type() -> Type = LLVMGetReturnType;
    param_count() -> u32 = LLVMCountParamTypes;
    is_variadic() -> bool = LLVMIsFunctionVarArg;
    is_sized() -> bool = LLVMTypeIsSized;
}

methods! { Value:
    kind() -> ValueKind = LLVMGetValueKind;
    ty() -> Type = LLVMTypeOf;
    operand_count() -> c_int = LLVMGetNumOperands;
    operand(index: u32) -> Value = LLVMGetOperand;
    opcode() -> Opcode = LLVMGetInstructionOpcode;
    const_opcode() -> Opcode = LLVMGetConstOpcode;
    next_instruction() -> Option<Value> = LLVMGetNextInstruction;
    next_function() -> Option<Value> = LLVMGetNextFunction;
    next_global() -> Option<Value> = LLVMGetNextGlobal;
    next_alias() -> Option<Value> = LLVMGetNextGlobalAlias;
    next_ifunc() -> Option<Value> = LLVMGetNextGlobalIFunc;
    first_block() -> Option<Block> = LLVMGetFirstBasicBlock;
    param(index: u32) -> Value = LLVMGetParam;
    no_signed_wrap() -> bool = LLVMGetNSW;
    no_unsigned_wrap() -> bool = LLVMGetNUW;
    exact() -> bool = LLVMGetExact;
    int_predicate() -> IntPredicate = LLVMGetICmpPredicate;
    real_predicate() -> RealPredicate = LLVMGetFCmpPredicate;
    allocated_type() -> Type = LLVMGetAllocatedType;
    alignment() -> u32 = LLVMGetAlignment;
    volatile() -> bool = LLVMGetVolatile;
    gep_source_type() -> Type = LLVMGetGEPSourceElementType;
    is_inbounds() -> bool = LLVMIsInBounds;
    incoming_count() -> u32 = LLVMCountIncoming;
    incoming_value(index: u32) -> Value = LLVMGetIncomingValue;
    incoming_block(index: u32) -> Block = LLVMGetIncomingBlock;
    mask_length() -> u32 = LLVMGetNumMaskElements;
    mask_value(index: u32) -> c_int = LLVMGetMaskValue;
    index_count() -> u32 = LLVMGetNumIndices;
    rmw_op() -> RmwOp = LLVMGetAtomicRMWBinOp;
    successor_count() -> u32 = LLVMGetNumSuccessors;
    successor(index: u32) -> Block = LLVMGetSuccessor;
    switch_case_value(index: u32) -> Value = LLVMGetSwitchCaseValue;
    is_conditional() -> bool = LLVMIsConditional;
    condition() -> Value = LLVMGetCondition;
    normal_destination() -> Block = LLVMGetNormalDest;
    unwind_destination() -> Block = LLVMGetUnwindDest;
    called_value() -> Value = LLVMGetCalledValue;
    called_type() -> Type = LLVMGetCalledFunctionType;
    argument_count() -> u32 = LLVMGetNumArgOperands;
    intrinsic_id() -> u32 = LLVMGetIntrinsicID;
    linkage() -> Linkage = LLVMGetLinkage;
    is_declaration() -> bool = LLVMIsDeclaration;
    global_value_type() -> Type = LLVMGlobalGetValueType;
    is_global_constant() -> bool = LLVMIsGlobalConstant;
    is_thread_local() -> bool = LLVMIsThreadLocal;
    initialiser() -> Option<Value> = LLVMGetInitializer;
    aliasee() -> Value = LLVMAliasGetAliasee;
    resolver() -> Value = LLVMGetGlobalIFuncResolver;
    aggregate_element(index: u32) -> Option<Value> = LLVMGetAggregateElement;
    block_address_function() -> Value = LLVMGetBlockAddressFunction;
    block_address_block() -> Block = LLVMGetBlockAddressBasicBlock;
    subprogram() -> Option<Metadata> = LLVMGetSubprogram;
    debug_location() -> Option<Metadata> = LLVMInstructionGetDebugLoc;
    first_record() -> Option<Record> = LLVMGetFirstDbgRecord;
    as_metadata() -> Metadata = LLVMValueAsMetadata;
    is_null() -> bool = LLVMIsNull;
    metadata_operand_count() -> u32 = LLVMGetMDNodeNumOperands;
    int_bits_64() -> u64 = LLVMConstIntGetZExtValue;
    first_use() -> Option<Use> = LLVMGetFirstUse;
    parent() -> Block = LLVMGetInstructionParent;
    argument(index: u32) -> Value = LLVMGetArgOperand;
}

methods! { Block:
    first_instruction() -> Option<Value> = LLVMGetFirstInstruction;
    terminator() -> Option<Value> = LLVMGetBasicBlockTerminator;
    next() -> Option<Block> = LLVMGetNextBasicBlock;
    as_value() -> Value = LLVMBasicBlockAsValue;
}

methods! { Use:
    next() -> Option<Use> = LLVMGetNextUse;
    user() -> Value = LLVMGetUser;
}

methods! { Record:
    next() -> Option<Record> = LLVMGetNextDbgRecord;
    kind() -> RecordKind = LLVMDbgRecordGetKind;
    location() -> Option<Metadata> = LLVMDbgRecordGetDebugLoc;
    variable() -> Option<Metadata> = LLVMDbgVariableRecordGetVariable;
    expression() -> Option<Metadata> = LLVMDbgVariableRecordGetExpression;
    value(index: u32) -> Option<Value> = LLVMDbgVariableRecordGetValue;
}

methods! { Metadata:
    kind() -> MetadataKind = LLVMGetMetadataKind;
    location_line() -> u32 = LLVMDILocationGetLine;
    location_column() -> u32 = LLVMDILocationGetColumn;
    location_scope() -> Metadata = LLVMDILocationGetScope;
    location_inlined_at() -> Option<Metadata> = LLVMDILocationGetInlinedAt;
    scope_file() -> Option<Metadata> = LLVMDIScopeGetFile;
    subprogram_line() -> u32 = LLVMDISubprogramGetLine;
    variable_line() -> u32 = LLVMDIVariableGetLine;
    variable_file() -> Option<Metadata> = LLVMDIVariableGetFile;
    type_size() -> u64 = LLVMDITypeGetSizeInBits;
    type_offset() -> u64 = LLVMDITypeGetOffsetInBits;
    tag() -> u16 = LLVMGetDINodeTag;
}

/// # Safety
/// `start` points to `length` readable bytes, or is null.
pub(crate) unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: passed on to the caller.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// # Safety
/// `message` was returned by LLVM for the caller to dispose of, or is null.
pub(crate) unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: a non-null message is a C string that we own.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

impl Type {
    pub(crate) fn param_types(self) -> Vec<Type> {
        let mut raw = vec![ptr::null_mut(); self.param_count() as usize];
        // SAFETY: a function type, and the buffer has room for all its parameters.
        unsafe { LLVMGetParamTypes(self.0, raw.as_mut_ptr()) };
        raw.into_iter().map(Convert::convert).collect()
    }

    /// As LLVM prints it.
    pub(crate) fn spelling(self) -> String {
        // SAFETY: the handle is alive; the message is ours.
        unsafe { take_message(LLVMPrintTypeToString(self.0)) }
    }
}

impl Value {
    /// The section that a global asks to be put into, if it asks.
    pub(crate) fn section(self) -> Option<String> {
        // SAFETY: a global variable or function; LLVM returns a C string that lives as long as it does.
        let name = unsafe {
            let start = LLVMGetSection(self.0);
            (!start.is_null()).then(|| CStr::from_ptr(start).to_string_lossy().into_owned())
        };
        name.filter(|name| !name.is_empty())
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: LLVM returns the name's bytes and their number.
        unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            text(start, length)
        }
    }

    /// As LLVM prints it. Cheap only for constants and metadata: others make LLVM number
    /// the whole module.
    pub(crate) fn spelling(self) -> String {
        // SAFETY: the handle is alive; the message is ours.
        unsafe { take_message(LLVMPrintValueToString(self.0)) }
    }

    /// The base name of an intrinsic (`llvm.ctpop` for `llvm.ctpop.i32`); `None` for
    /// other functions.
    pub(crate) fn intrinsic_name(self) -> Option<String> {
        let id = self.intrinsic_id();
        if id == 0 {
            return None;
        }
        let mut length = 0;
        // SAFETY: a nonzero id names an intrinsic; the name is a static string.
        unsafe {
            let start = LLVMIntrinsicGetName(id, &mut length);
            Some(text(start, length))
        }
    }

    /// A constant's bits as another type. Folds to a plain constant for numbers.
    pub(crate) fn bit_cast(self, to: Type) -> Value {
        // SAFETY: both handles are alive; the caller gives a type of the same width.
        Convert::convert(unsafe { LLVMConstBitCast(self.0, to.0) })
    }

    /// Of a load or store.
    pub(crate) fn set_volatile(self, volatile: bool) {
        // SAFETY: an access, as the caller has seen.
        unsafe { LLVMSetVolatile(self.0, volatile.into()) }
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        let count = self.index_count() as usize;
        // SAFETY: such an instruction has at least one index, stored contiguously.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.0), count) }.to_vec()
    }

    /// Template and constraints of an inline assembly value.
    pub(crate) fn inline_assembly(self) -> (String, String) {
        let (mut template_length, mut constraint_length) = (0, 0);
        // SAFETY: an inline assembly value; both strings belong to it.
        unsafe {
            let template = LLVMGetInlineAsmAsmString(self.0, &mut template_length);
            let constraints = LLVMGetInlineAsmConstraintString(self.0, &mut constraint_length);
            (
                text(template, template_length),
                text(constraints, constraint_length),
            )
        }
    }

    /// The bytes of a constant data array or vector.
    pub(crate) fn raw_data(self) -> Vec<u8> {
        let mut length = 0_usize;
        // SAFETY: a constant data sequence. The binding declares the out parameter as an
        // integer; it is a pointer to the length.
        unsafe {
            let start = LLVMGetRawDataValues(self.0, (&raw mut length) as usize);
            if start.is_null() || length == 0 {
                return Vec::new();
            }
            std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec()
        }
    }

    /// The type of a call's `byval`-like attribute on argument `index`.
    pub(crate) fn argument_type_attribute(self, index: u32, kind: u32) -> Option<Type> {
        // SAFETY: a call; a type attribute has a type.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            (!attribute.is_null()).then(|| Type::convert(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The number of a call's `align`-like attribute on argument `index`.
    pub(crate) fn argument_int_attribute(self, index: u32, kind: u32) -> Option<u64> {
        // SAFETY: a call; an integer attribute has a number.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            (!attribute.is_null()).then(|| LLVMGetEnumAttributeValue(attribute))
        }
    }

    /// Whether a call, or the function it names, has an attribute.
    pub(crate) fn calls_with_attribute(self, kind: u32) -> bool {
        // SAFETY: a call; functions alone are asked for a function's attributes.
        unsafe {
            let target = self.called_value();
            !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind).is_null()
                || target.kind() == ValueKind::LLVMFunctionValueKind
                    && !LLVMGetEnumAttributeAtIndex(target.0, LLVMAttributeFunctionIndex, kind)
                        .is_null()
        }
    }

    /// The metadata attached to a global, with its kinds.
    pub(crate) fn global_metadata(self) -> Vec<(u32, Metadata)> {
        let mut count = 0;
        let mut all = Vec::new();
        // SAFETY: a global object; the entries are ours until disposed of.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            for index in 0..count as c_uint {
                let kind = LLVMValueMetadataEntriesGetKind(entries, index);
                let metadata = LLVMValueMetadataEntriesGetMetadata(entries, index);
                all.push((kind, Metadata::convert(metadata)));
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        all
    }

    /// The text of a metadata string; `None` for other metadata.
    pub(crate) fn metadata_string(self) -> Option<String> {
        let mut length = 0;
        // SAFETY: a metadata value.
        unsafe {
            let start = LLVMGetMDString(self.0, &mut length);
            (!start.is_null()).then(|| text(start, length as usize))
        }
    }
}

impl Metadata {
    pub(crate) fn file_name(self) -> String {
        let mut length = 0;
        // SAFETY: a DIFile; the string belongs to it.
        unsafe {
            let start = LLVMDIFileGetFilename(self.0, &mut length);
            text(start, length as usize)
        }
    }

    pub(crate) fn file_directory(self) -> String {
        let mut length = 0;
        // SAFETY: a DIFile; the string belongs to it.
        unsafe {
            let start = LLVMDIFileGetDirectory(self.0, &mut length);
            text(start, length as usize)
        }
    }

    pub(crate) fn type_name(self) -> String {
        let mut length = 0;
        // SAFETY: a DIType; the string belongs to it.
        unsafe {
            let start = LLVMDITypeGetName(self.0, &mut length);
            text(start, length)
        }
    }
}

/// At most `most` bytes of a text that somebody else wrote.
pub(crate) fn shorten(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

pub(crate) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is passed with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// The kind of the `!dbg` attachment.
pub(crate) const DBG_KIND: u32 = 0;

/// A parsed module with its context.
pub(crate) struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// Errors that LLVM reported. Owned, and a pointer because LLVM holds its address.
    diagnostics: *mut Vec<String>,
}

impl Module {
    /// Parses bitcode or textual IR and checks it with LLVM's verifier.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Module, ReadError> {
        // SAFETY: the context is new, the handler's argument lives as long as
        // the context, and the buffer is a copy that we dispose of.
        let (mut this, failed, message) = unsafe {
            let context = LLVMContextCreate();
            let mut this = Module {
                context,
                module: ptr::null_mut(),
                diagnostics: Box::into_raw(Box::default()),
            };
            LLVMContextSetDiagnosticHandler(
                context,
                Some(record_diagnostic),
                this.diagnostics.cast(),
            );
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"input".as_ptr(),
            );
            let mut message = ptr::null_mut();
            let failed = llvm_sys::ir_reader::LLVMParseIRInContext2(
                context,
                buffer,
                &mut this.module,
                &mut message,
            );
            LLVMDisposeMemoryBuffer(buffer);
            (this, failed != 0, take_message(message))
        };
        if failed || this.module.is_null() {
            return Err(ReadError::Malformed(this.explain(message)));
        }
        let mut message = ptr::null_mut();
        // SAFETY: the module was parsed; the message is ours.
        let (broken, message) = unsafe {
            let action = llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let broken = llvm_sys::analysis::LLVMVerifyModule(this.module, action, &mut message);
            (broken != 0, take_message(message))
        };
        if broken {
            return Err(ReadError::Malformed(this.explain(message)));
        }
        Ok(this)
    }

    /// Gives one of this module's functions an attribute without a value.
    pub(crate) fn add_function_attribute(&self, function: Value, kind: u32) {
        // SAFETY: a function of this module, and so of its context.
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
            LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Runs a pipeline in the notation of `opt -passes=`.
    pub(crate) fn run_passes(&mut self, pipeline: &str) -> Result<(), ReadError> {
        let pipeline = CString::new(pipeline).map_err(|_| {
            ReadError::Normalise("a symbol to keep contains a zero byte".to_owned())
        })?;
        // SAFETY: module and options are alive; the error, if any, is consumed.
        let problem = unsafe {
            use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
            use llvm_sys::transforms::pass_builder::*;
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, pipeline.as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            (!error.is_null()).then(|| {
                let message = LLVMGetErrorMessage(error);
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(message);
                text
            })
        };
        match problem {
            Some(message) => Err(ReadError::Normalise(self.explain(message))),
            None => Ok(()),
        }
    }

    fn explain(&mut self, message: String) -> String {
        let mut parts = vec![message];
        // SAFETY: ours, and no call into LLVM is under way.
        parts.append(unsafe { &mut *self.diagnostics });
        let joined = parts.join("; ");
        let words: Vec<&str> = joined.split_whitespace().collect();
        let line = shorten(words.join(" "), 300);
        match line.is_empty() {
            true => "LLVM gives no reason".to_owned(),
            false => line,
        }
    }

    pub(crate) fn target_triple(&self) -> String {
        // SAFETY: the module is alive and owns the string.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.module)) }
            .to_string_lossy()
            .into_owned()
    }

    pub(crate) fn function(&self, name: &str) -> Option<Value> {
        // SAFETY: the module is alive; the name is passed with its length.
        let raw = unsafe {
            LLVMGetNamedFunctionWithLength(self.module, name.as_ptr().cast(), name.len())
        };
        Convert::convert(raw)
    }

    pub(crate) fn first_function(&self) -> Option<Value> {
        // SAFETY: the module is alive.
        Convert::convert(unsafe { LLVMGetFirstFunction(self.module) })
    }

    pub(crate) fn first_global(&self) -> Option<Value> {
        // SAFETY: the module is alive.
        Convert::convert(unsafe { LLVMGetFirstGlobal(self.module) })
    }

    pub(crate) fn first_alias(&self) -> Option<Value> {
        // SAFETY: the module is alive.
        Convert::convert(unsafe { LLVMGetFirstGlobalAlias(self.module) })
    }

    pub(crate) fn first_ifunc(&self) -> Option<Value> {
        // SAFETY: the module is alive.
        Convert::convert(unsafe { LLVMGetFirstGlobalIFunc(self.module) })
    }

    /// Bytes from one array element of this type to the next.
    pub(crate) fn alloc_size(&self, ty: Type) -> u64 {
        // SAFETY: module and type are alive, and the type is sized.
        unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    pub(crate) fn alignment(&self, ty: Type) -> u32 {
        // SAFETY: module and type are alive, and the type is sized.
        unsafe { LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    pub(crate) fn field_offset(&self, ty: Type, field: u32) -> u64 {
        // SAFETY: module and type are alive; the type is a sized struct with that field.
        unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.module), ty.0, field) }
    }

    pub(crate) fn int_type(&self, bits: u32) -> Type {
        // SAFETY: the context is alive.
        Convert::convert(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    /// `metadata` as a value, which is how the C interface gives access to operands.
    pub(crate) fn metadata_value(&self, metadata: Metadata) -> Value {
        // SAFETY: context and metadata are alive.
        Convert::convert(unsafe { LLVMMetadataAsValue(self.context, metadata.0) })
    }

    /// The operands of a metadata node; absent ones are `None`.
    pub(crate) fn metadata_operands(&self, node: Metadata) -> Vec<Option<Value>> {
        let node = self.metadata_value(node);
        let mut raw = vec![ptr::null_mut(); node.metadata_operand_count() as usize];
        // SAFETY: a metadata node, and the buffer has room for all its operands.
        unsafe { LLVMGetMDNodeOperands(node.0, raw.as_mut_ptr()) };
        raw.into_iter().map(Convert::convert).collect()
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both are ours, and nothing that points into them outlives this.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.diagnostics));
        }
    }
}

pub(crate) extern "C" fn record_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic and the sink that was registered with the
    // handler, which nobody else uses during a call into LLVM.
    unsafe {
        if matches!(
            LLVMGetDiagInfoSeverity(info),
            llvm_sys::LLVMDiagnosticSeverity::LLVMDSError
        ) {
            let description = take_message(LLVMGetDiagInfoDescription(info));
            (*sink.cast::<Vec<String>>()).push(description);
        }
    }
}
