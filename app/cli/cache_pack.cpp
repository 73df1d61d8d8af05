// SPDX-License-Identifier: BSD-3-Clause
// tessera cache pack and load: entries in one file, from a machine with a compiler to one without.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/cache_arguments.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "kernels/runtime/cache/cubin_pack.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> keys;
  bool force = false;
};

void note_not_used(const std::vector<NotUsed>& entries) {
  for (const auto& [key, why] : entries) note(fmt::format("not used: {}: {}", key, why));
}

// What cannot be checked cannot be run where it is taken to.
void note_unchecked(const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    note(
        fmt::format("note: {} goes without the kernels that check it: `tessera gemm run` wants them, and `tessera gemm compile GEMM --arch "
                    "ARCH --with-checks` makes them",
                    key));
}

// The chosen entries in the order of the list, and the kernels that check and time them.
Result<std::vector<std::string>> keys_to_pack(const OpenedCache& cache, const Arguments& arguments) {
  std::vector<EntryUse> chosen = cache.entries;
  if (!arguments.keys.empty()) {
    TESSERA_TRY(meant, find_entries(cache.entries, arguments.keys));
    chosen = std::move(meant);
  }
  if (chosen.empty())
    return Error{
        ErrorCode::io, "the cache is empty, so there is nothing to pack", {}, {"`tessera gemm compile GEMM --with-checks` fills it"}};
  std::vector<std::string> keys;
  for (const EntryUse& entry : chosen) keys.push_back(entry.name);
  const Companions more = companions(*cache.folder, keys);
  if (!more.keys.empty() && !arguments.keys.empty()) {
    note(fmt::format("with {} that check and time them", counted(more.keys.size(), "kernel", "kernels")));
    keys.insert(keys.end(), more.keys.begin(), more.keys.end());
  }
  note_unchecked(more.unchecked);
  return keys;
}

Exit pack(const Arguments& arguments) {
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  const Result<std::vector<std::string>> keys = keys_to_pack(*cache, arguments);
  if (!keys) return refuse(keys.error());
  return write_pack(arguments.file, *keys, arguments.force, print_line);
}

Exit load(const Arguments& arguments) {
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  const Result<std::string> bytes = read_file(arguments.file);
  if (!bytes) return refuse(bytes.error());
  const Result<LoadReport> report = load_pack(cache->settings, *bytes);
  if (!report) return refuse(report.error());
  note_not_used(report->not_used);
  for (const std::string& key : report->taken) print_line("taken " + key);
  for (const std::string& key : report->there) print_line("there already " + key);
  for (const std::string& key : report->made_room) print_line("removed to make room " + key);
  print_line(fmt::format("{} taken, {} there already, {} not used", counted(report->taken.size(), "entry", "entries"), report->there.size(),
                         report->not_used.size()));
  return report->not_used.empty() ? Exit::right : Exit::refused;
}

}  // namespace

Exit write_pack(const std::string& file, const std::vector<std::string>& keys, bool force, void (*say)(std::string_view)) {
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  if (!cache->folder)
    return refuse(Error{ErrorCode::io, fmt::format("nothing is kept in {}, so there is nothing to pack", cache->settings.folder), {}, {}});
  const Result<Unpacked> found = entries_to_pack(*cache->folder, keys);
  if (!found) return refuse(found.error());
  note_not_used(found->not_used);
  if (found->entries.empty())
    return refuse(Error{ErrorCode::corrupt, "none of these entries can be packed, so nothing was written", {}, {}});
  const std::string text = pack_text(found->entries);
  if (const Status written = export_file(file, text, force); !written) return refuse(written.error());
  for (const PackedEntry& entry : found->entries) say(fmt::format("packed {}  {} bytes", entry.key, entry.texts.bytes()));
  say(fmt::format("{}  {}, {} bytes", file, counted(found->entries.size(), "entry", "entries"), text.size()));
  return found->not_used.empty() ? Exit::right : Exit::refused;
}

Subcommand cache_pack_subcommand() {
  return {"pack",
          "Write entries into one file, to be loaded on another machine",
          "  tessera cache pack kernels.pack\n  tessera cache pack tensor.pack tensor_gemm-sm_90a\n\n"
          "Without keys every entry is packed; with keys also the kernels that check and time them, as far as the cache has them\n"
          "(`tessera gemm compile --with-checks` makes them without a GPU).",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("file", a->file, "the file to write");
            options.positionals("key", a->keys, "keys of entries, or beginnings of one each; by default all");
            options.flag("--force", a->force, "replace a file that exists");
            return [a] { return pack(*a); };
          },
          {}};
}

Subcommand cache_load_subcommand() {
  return {
      "load",
      "Take the entries of a pack into the cache, each after a check",
      "  tessera cache load kernels.pack\n\n"
      "An entry that is there and whole stays as it is. A pack is machine code that will run on the GPU: its hashes say that it arrived\n"
      "as it was written, not who wrote it. Exit code 1 where an entry was not used.",
      [](Options& options) {
        auto a = std::make_shared<Arguments>();
        options.positional("file", a->file, "what `tessera cache pack` wrote");
        return [a] { return load(*a); };
      },
      {}};
}

}  // namespace tessera
