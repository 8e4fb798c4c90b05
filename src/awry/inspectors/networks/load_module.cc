// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/load_module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

struct Module {
  const char *file, *entry, *package, *purpose;
  std::uint32_t version;
};
constexpr Module kTorch = {"libawry_networks.so", kModuleEntry, "libtorch-dev",
                           "cannot compute with neural networks", kModuleVersion};
constexpr Module kSentencePiece = {"libawry_sentencepiece.so", kPieceEntry, "libsentencepiece-dev",
                                   "cannot split texts for T5", kPieceVersion};

template <class Interface>
Result<const Interface*> open_module(const Module& module, const fs::path& path) {
  const auto refuse = [&](std::string why) {
    return fail({.kind = ErrorKind::kUnsupported,
                 .what = module.purpose,
                 .input = path.string(),
                 .why = std::move(why),
                 .hint = fmt::format("Build awry again with {} installed.", module.package)});
  };
  // Torch's libraries would tell on stderr who logs before whom.
  ::setenv("GLOG_minloglevel", "2", 0);
  // oneDNN 2.6 dies on an illegal instruction where it multiplies whole numbers in tiles (AMX).
  ::setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", 0);
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return refuse(::dlerror());
  const auto entry = reinterpret_cast<const Interface* (*)()>(::dlsym(handle, module.entry));
  if (entry == nullptr) return refuse("it is not awry's");
  const Interface* const interface = entry();
  if (interface->version != module.version) return refuse("it was built with another version of awry");
  return interface;
}

template <class Interface>
Result<const Interface*> find_module(const Module& module) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder :
       {program, program.parent_path() / "lib" / "awry", fs::path(AWRY_BUILD_FOLDER)}) {
    const fs::path path = folder / module.file;
    if (fs::is_regular_file(path, ignored)) return open_module<Interface>(module, path);
  }
  return fail(
      {.kind = ErrorKind::kUnsupported,
       .what = module.purpose,
       .why = fmt::format("{} is not beside the program", module.file),
       .hint = fmt::format("This awry was built without it: install {} and build again.", module.package)});
}

}  // namespace

Result<const ModuleInterface*> load_torch() {
  static const auto module = find_module<ModuleInterface>(kTorch);
  return module;
}

Result<const PieceInterface*> load_sentencepiece() {
  static const auto module = find_module<PieceInterface>(kSentencePiece);
  return module;
}

Result<std::unique_ptr<TextEncoder>> make_encoder(const EncoderSetup& setup) {
  AWRY_TRY_ASSIGN(const ModuleInterface* const module, load_torch());
  std::string error;
  std::unique_ptr<TextEncoder> encoder = module->make_encoder(setup, error);
  if (encoder == nullptr) return fail({.what = "cannot build the encoder", .why = error});
  return encoder;
}

}  // namespace awry::inspectors::networks
