// SPDX-License-Identifier: BSD-3-Clause
// tessera cache list, show, verify and clear: what is kept, whether it is as it was written, and how it goes.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/cache_arguments.hpp"
#include "app/cli/command.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "kernels/runtime/cache/disassemble.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // ns

struct Arguments {
  std::vector<std::string> keys;
  std::string key, cubin;
  bool json = false, all = false, ptx = false, sass = false, plan = false, force = false;
};

// "damaged: ..." or "not used: it is of format 2, ..."
std::string state_in_words(const Error& error) {
  return fmt::format("{}: {}", error.code == ErrorCode::limit ? "not used" : "damaged", error.message);
}

Error no_record() { return Error{ErrorCode::corrupt, "its .json is missing", {}, {}}; }

// An entry without a record is damaged, or another process has removed it meanwhile.
bool is_there(const CacheFolder& folder, const std::string& name) {
  const std::vector<EntryUse> entries = folder.entries();
  return std::any_of(entries.begin(), entries.end(), [&](const EntryUse& entry) { return entry.name == name; });
}

Json::Members row_json(const EntryUse& entry, const Result<std::optional<EntryRecord>>& record) {
  Json::Members row{{"key", entry.name}, {"bytes", entry.bytes}, {"last_used", entry.used_ns / kSecond}};
  if (!record || !*record) {
    row.push_back({"problem", state_in_words(record ? no_record() : record.error())});
    return row;
  }
  const CacheKey& key = (*record)->key;
  row.push_back({"name", field_of(key, "name")});
  row.push_back({"arch", field_of(key, "arch")});
  row.push_back({"compiler", field_of(key, "compiler")});
  row.push_back({"problem_size", (*record)->origin.problem});
  row.push_back({"made", (*record)->origin.made});
  row.push_back({"made_by", (*record)->origin.by});
  row.push_back({"cubin_bytes", (*record)->cubin_bytes});
  row.push_back({"ptx_bytes", (*record)->ptx_bytes});
  return row;
}

Exit list(const Arguments& arguments) {
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  const std::int64_t now = cache->settings.now_ns();
  std::uintmax_t total = 0;
  std::size_t count = 0;
  Json::List items;
  std::vector<std::vector<std::string>> rows{{"key", "GEMM", "problem", "arch", "compiler", "bytes", "last used"}};
  for (const EntryUse& entry : cache->entries) {
    const Result<std::optional<EntryRecord>> record = cache->folder->record(entry.name);
    if (record && !*record && !is_there(*cache->folder, entry.name)) continue;
    total += entry.bytes;
    ++count;
    if (arguments.json) {
      items.push_back(Json::object(row_json(entry, record)));
    } else if (!record || !*record) {
      rows.push_back({entry.name, state_in_words(record ? no_record() : record.error())});
    } else {
      const auto field = [&](std::string_view name) { return std::string(field_of((*record)->key, name)); };
      rows.push_back({entry.name, field("name"), (*record)->origin.problem, field("arch"), field("compiler"), std::to_string(entry.bytes),
                      age_in_words((now - entry.used_ns) / kSecond)});
    }
  }
  if (arguments.json) {
    print_data(
        Json::object(
            {{"folder", cache->settings.folder}, {"bytes", total}, {"cap_bytes", cache->settings.cap}, {"entries", std::move(items)}})
            .dump(2) +
        "\n");
    return Exit::right;
  }
  if (count > 0) print(table(rows));
  print_line(fmt::format("{}, {} of at most {}, in {}", counted(count, "entry", "entries"), bytes_in_words(total),
                         bytes_in_words(cache->settings.cap), cache->settings.folder));
  return Exit::right;
}

void print_record(const EntryUse& entry, const EntryRecord& record, std::int64_t now_ns) {
  const auto field = [&](std::string_view name) { return std::string(field_of(record.key, name)); };
  const auto moment = [&](std::int64_t seconds) {
    return fmt::format("{} ({})", date_in_words(seconds), age_in_words(now_ns / kSecond - seconds));
  };
  const ResourceUse use = parse_ptxas_log(record.log, field("entry"));
  const std::string ptx = record.ptx_bytes > 0 ? fmt::format("{} bytes; --ptx shows it", record.ptx_bytes)
                                               : "not kept: the compiler gave none; `tessera gemm emit` writes the source";
  print(table({{"key", entry.name},
               {"GEMM", field("name")},
               {"problem", record.origin.problem.empty() ? "none: one of the kernels that check and time" : record.origin.problem},
               {"entry", field("entry")},
               {"architecture", field("arch")},
               {"compiler", field("compiler")},
               {"options", field("options")},
               {"source", field("text")},
               {"plan", fmt::format("{}; --plan shows it", field("plan"))},
               {"made", moment(record.origin.made)},
               {"made by", record.origin.by.empty() ? "not said" : record.origin.by},
               {"last used", moment(entry.used_ns / kSecond)},
               {"machine code", fmt::format("{} bytes; --cubin FILE writes it, --sass shows it", record.cubin_bytes)},
               {"PTX", ptx},
               {"registers", use.registers < 0 ? "not said" : fmt::format("{} a thread", use.registers)},
               {"spills", use.registers < 0 ? "not said"
                                            : fmt::format("{} bytes stored, {} bytes loaded", use.spill_store_bytes, use.spill_load_bytes)},
               {"ptxas", remarks_in_short(use)},
               {"files", "whole: every byte has the hash that was written"}}));
}

Exit print_ptx(const EntryTexts& texts) {
  if (texts.ptx.empty()) {
    return refuse(Error{ErrorCode::io,
                        "no PTX was kept with this entry: the compiler gave none",
                        {},
                        {"`tessera gemm emit` writes the source, of which `nvcc --ptx` makes it"}});
  }
  print_data(texts.ptx);
  return Exit::right;
}

Exit print_sass(const EntryTexts& texts) {
  const Result<std::string> sass = disassemble(texts.cubin);
  if (!sass) return refuse(sass.error());
  print(*sass);
  return Exit::right;
}

// Name, value and map of each line, as `tessera gemm show` has them.
Exit print_plan(std::string_view plan) {
  std::vector<std::vector<std::string>> rows;
  while (!plan.empty()) {
    const std::size_t end = std::min(plan.find('\n'), plan.size());
    std::vector<std::string> row(1);
    for (const char c : plan.substr(0, end)) {
      if (c == '\t')
        row.emplace_back();
      else
        row.back() += c;
    }
    rows.push_back(std::move(row));
    plan.remove_prefix(std::min(end + 1, plan.size()));
  }
  if (rows.empty()) return refuse(Error{ErrorCode::io, "no plan was kept with this entry: its kernel is no GEMM's", {}, {}});
  print(table(rows));
  return Exit::right;
}

Exit show(const Arguments& arguments) {
  if (arguments.ptx + arguments.sass + arguments.plan > 1) return misuse("--ptx, --sass and --plan are three texts: ask for one");
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  const Result<std::vector<EntryUse>> meant = find_entries(cache->entries, {arguments.key});
  if (!meant) return refuse(meant.error());
  const EntryUse& entry = meant->front();
  EntryTexts texts;
  const Result<std::optional<EntryRecord>> record = cache->folder->check(entry.name, true, &texts);
  if (!record || !*record) {
    return refuse(Error{ErrorCode::corrupt,
                        fmt::format("the entry {} is {}", entry.name, state_in_words(record ? no_record() : record.error())),
                        {},
                        {fmt::format("`tessera cache clear {}` removes it; it is compiled again when it is wanted", entry.name)}});
  }
  if (!arguments.cubin.empty()) {
    if (const Status written = export_file(arguments.cubin, texts.cubin, arguments.force); !written) return refuse(written.error());
    note(fmt::format("{}  {} bytes", arguments.cubin, texts.cubin.size()));
  }
  if (arguments.ptx) return print_ptx(texts);
  if (arguments.sass) return print_sass(texts);
  if (arguments.plan) return print_plan((*record)->origin.plan);
  if (arguments.cubin.empty()) print_record(entry, **record, cache->settings.now_ns());
  return Exit::right;
}

Exit verify(const Arguments&) {
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  std::size_t whole = 0, damaged = 0, unused = 0;
  for (const EntryUse& entry : cache->entries) {
    const Result<std::optional<EntryRecord>> record = cache->folder->check(entry.name, true);
    if (record && *record) {
      ++whole;
      continue;
    }
    if (record && !is_there(*cache->folder, entry.name)) continue;
    const Error wrong = record ? no_record() : record.error();
    ++(wrong.code == ErrorCode::limit ? unused : damaged);
    print_line(fmt::format("{}  {}", entry.name, state_in_words(wrong)));
  }
  print_line(fmt::format("{} whole, {} damaged, {} of another format", counted(whole, "entry", "entries"), damaged, unused));
  if (damaged > 0)
    note("a damaged entry is never launched: it is compiled again when it is wanted, or removed by `tessera cache clear KEY`");
  return damaged > 0 ? Exit::refused : Exit::right;
}

Exit clear(const Arguments& arguments) {
  if (arguments.all == !arguments.keys.empty())
    return misuse("say what is to go: keys, as `tessera cache list` shows them, or --all; not both");
  const Result<OpenedCache> cache = open_cache();
  if (!cache) return refuse(cache.error());
  const Result<std::vector<EntryUse>> meant =
      arguments.all ? Result<std::vector<EntryUse>>(cache->entries) : find_entries(cache->entries, arguments.keys);
  if (!meant) return refuse(meant.error());
  std::uintmax_t total = 0;
  for (const EntryUse& entry : *meant) {
    if (const Status removed = cache->folder->remove(entry.name); !removed) return refuse(removed.error());
    print_line(fmt::format("removed {}  {} bytes", entry.name, entry.bytes));
    total += entry.bytes;
  }
  print_line(fmt::format("{} removed, {}", counted(meant->size(), "entry", "entries"), bytes_in_words(total)));
  return Exit::right;
}

void declare_list(Options& options, Arguments& a) { options.flag("--json", a.json, "for machines"); }
void declare_none(Options&, Arguments&) {}
void declare_show(Options& options, Arguments& a) {
  options.positional("key", a.key, "an entry's key, or the beginning of one");
  options.flag("--plan", a.plan, "print the plan that it was made of");
  options.flag("--ptx", a.ptx, "print the PTX that was kept with it");
  options.flag("--sass", a.sass, "print the machine code as text, by cuobjdump or nvdisasm");
  options.option("--cubin", a.cubin, "write the machine code to this file");
  options.flag("--force", a.force, "replace a file that exists");
}
void declare_clear(Options& options, Arguments& a) {
  options.positionals("key", a.keys, "keys of entries, or beginnings of one each");
  options.flag("--all", a.all, "every entry");
}

}  // namespace

Subcommand cache_subcommand() {
  return {"cache",
          "List, show, verify, clear, pack or load the cubins that are kept",
          "  tessera gemm compile tensor_gemm --arch sm_90 --with-checks\n  tessera cache list\n  tessera cache pack kernels.pack\n"
          "  tessera cache load kernels.pack      # on a machine without NVRTC; `tessera gemm run tensor_gemm` then launches from it\n\n"
          "A key is the kernel's name, the architecture and a hash of all that the machine code depends on: source, plan, options,\n"
          "NVRTC's version. The cache holds up to 256 MiB, or \"cache_bytes\" of the settings; what was used longest ago goes first.",
          {},
          {command<Arguments>("list", "The entries, the last used first", "  tessera cache list --json", list, declare_list),
           command<Arguments>("show", "An entry's record, its PTX, its SASS, its machine code",
                              "  tessera cache show tensor_gemm-sm_90a\n  tessera cache show tensor_gemm-sm_90a --ptx > tensor.ptx", show,
                              declare_show),
           command<Arguments>("verify", "Compare every byte with the hashes that were written; exit code 1 where one is another",
                              "  tessera cache verify", verify, declare_none),
           command<Arguments>("clear", "Remove entries",
                              "  tessera cache clear tensor_gemm-sm_90a-1a2b3c4d5e6f\n  tessera cache clear --all", clear, declare_clear),
           cache_pack_subcommand(), cache_load_subcommand()}};
}

}  // namespace tessera
