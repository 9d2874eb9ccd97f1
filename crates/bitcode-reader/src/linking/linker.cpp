// What linking needs of LLVM and LLVM's C interface does not have, under C names; called by mod.rs alone.

#include <llvm-c/Core.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/ModuleSymbolTable.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

extern "C" {

// Types that several modules describe become one, as every linker of LLVM has it.
void parallax_merge_debug_types(LLVMContextRef context) {
    unwrap(context)->enableDebugTypeODRUniquing();
}

// A module whose functions are read when they are asked for. Null if that fails, with a message to be disposed of.
LLVMModuleRef parallax_open(LLVMContextRef context, const char *path, char **message) {
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> module = getLazyIRFileModule(path, diagnostic, *unwrap(context));
    if (!module) {
        *message = LLVMCreateMessage(diagnostic.getMessage().str().c_str());
        return nullptr;
    }
    if (Error error = module->materializeMetadata()) {
        *message = LLVMCreateMessage(toString(std::move(error)).c_str());
        return nullptr;
    }
    UpgradeDebugInfo(*module);
    return wrap(module.release());
}

// Uses up the source. True is failure, of which the context's handler has been told.
bool parallax_link(LLVMModuleRef destination, LLVMModuleRef source, bool only_needed) {
    unsigned flags = only_needed ? Linker::Flags::LinkOnlyNeeded : Linker::Flags::None;
    return Linker::linkModules(*unwrap(destination), std::unique_ptr<Module>(unwrap(source)), flags);
}

typedef void (*SymbolVisitor)(void *state, const char *name, size_t length, bool defined, bool function, bool weak);

// Every global symbol, those of assembly among them; no intrinsics.
void parallax_visit_symbols(LLVMModuleRef module, SymbolVisitor visit, void *state) {
    using object::BasicSymbolRef;
    ModuleSymbolTable table;
    table.addModule(unwrap(module));
    std::string name;
    for (ModuleSymbolTable::Symbol symbol : table.symbols()) {
        uint32_t flags = table.getSymbolFlags(symbol);
        if (!(flags & BasicSymbolRef::SF_Global) || (flags & BasicSymbolRef::SF_FormatSpecific))
            continue;
        name.clear();
        raw_string_ostream stream(name);
        table.printSymbolName(stream, symbol);
        visit(state, name.data(), name.size(), !(flags & BasicSymbolRef::SF_Undefined),
              flags & BasicSymbolRef::SF_Executable, flags & BasicSymbolRef::SF_Weak);
    }
}
}
