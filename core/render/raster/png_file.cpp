// SPDX-License-Identifier: BSD-3-Clause
// PNG through libpng, drawn and compressed in bands of rows, each on its own: several cores share the work, no more than a band a core is
// in memory, and one after another the bands are a stream as if one had made it.
#include <cstdint>
#include <string>
#include <string_view>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/png_file.hpp"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csetjmp>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/render/shared/png_text.hpp"

namespace tessera {

namespace {

constexpr std::size_t kBandBytes = std::size_t{4} << 20;  // of pixels as they are drawn; a band is whole rows
constexpr int kLevel = 3;                                 // as quick as 1 on pictures of cells; the higher ones gain little
constexpr std::size_t kMostThreads = 8;                   // each holds a band

Error no_png(std::string_view why) { return Error{ErrorCode::io, "the PNG could not be made: " + std::string(why), {}, {}}; }

struct Band {
  std::string deflated;
  uLong adler = 1, bytes = 0;  // of what was deflated
  bool whole = false;
};

// Each row is the difference to the one above, in pictures of cells mostly zeros: first the filter's number, then red, green and blue.
void filter_opaque(const std::uint8_t* here, const std::uint8_t* above, int width, std::uint8_t* out) {
  *out++ = PNG_FILTER_VALUE_UP;
  for (int x = 0; x < width; ++x, here += 4, above += 4, out += 3) {
    out[0] = static_cast<std::uint8_t>(here[2] - above[2]);
    out[1] = static_cast<std::uint8_t>(here[1] - above[1]);
    out[2] = static_cast<std::uint8_t>(here[0] - above[0]);
  }
}

// Of a pixel as Cairo has it, sample 0 to 3 as a PNG does: red, green and blue not multiplied by the opacity, and that.
std::uint8_t sample(const std::uint8_t* pixel, int which) {
  const unsigned alpha = pixel[3];
  if (which == 3) return pixel[3];
  return alpha == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>((pixel[2 - which] * 255u + alpha / 2) / alpha);
}

void filter_transparent(const std::uint8_t* here, const std::uint8_t* above, int width, std::uint8_t* out) {
  *out++ = PNG_FILTER_VALUE_UP;
  for (int x = 0; x < width; ++x, here += 4, above += 4) {
    for (int which = 0; which < 4; ++which) *out++ = static_cast<std::uint8_t>(sample(here, which) - sample(above, which));
  }
}

// A band's bytes, row by row through zlib.
class Deflater {
 public:
  Deflater() { open_ = deflateInit2(&stream_, kLevel, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK; }
  ~Deflater() {
    if (open_) deflateEnd(&stream_);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // A row, of which the checksum is known or not.
  void add(std::vector<std::uint8_t>& row, std::optional<uLong> adler, Band& band) {
    const auto bytes = static_cast<uInt>(row.size());
    band.adler = adler ? adler32_combine(band.adler, *adler, static_cast<z_off_t>(bytes)) : adler32(band.adler, row.data(), bytes);
    band.bytes += static_cast<uLong>(row.size());
    stream_.next_in = row.data();
    stream_.avail_in = static_cast<uInt>(row.size());
    run(Z_NO_FLUSH, band);
  }
  // Without a last block, the next band may follow.
  void end(bool last, Band& band) {
    const int done = run(last ? Z_FINISH : Z_SYNC_FLUSH, band);
    band.whole = open_ && done == (last ? Z_STREAM_END : Z_OK);
  }

 private:
  int run(int flush, Band& band) {
    int done = Z_OK;
    do {
      stream_.next_out = buffer_;
      stream_.avail_out = sizeof buffer_;
      done = open_ ? deflate(&stream_, flush) : Z_STREAM_ERROR;
      if (done == Z_BUF_ERROR) done = Z_OK;  // the buffer was just full, and nothing was left
      band.deflated.append(reinterpret_cast<const char*>(buffer_), sizeof buffer_ - stream_.avail_out);
    } while (done == Z_OK && stream_.avail_out == 0);
    return done;
  }
  z_stream stream_{};
  bool open_ = false;
  Bytef buffer_[16384];
};

// A band of rows; unless it is the picture's first, the row above it is drawn too, and tells what the band's first one differs from.
Band deflated(const Bitmap& drawn, bool first, bool last) {
  std::vector<std::uint8_t> row(static_cast<std::size_t>(drawn.width) * (drawn.transparent ? 4 : 3) + 1);
  std::vector<std::uint8_t> unchanged(row.size());  // of a row like the one above, as most are
  unchanged[0] = PNG_FILTER_VALUE_UP;
  const uLong adler = adler32(1, unchanged.data(), static_cast<uInt>(unchanged.size()));
  const std::vector<std::uint8_t> nothing(static_cast<std::size_t>(drawn.width) * 4);
  Band band;
  Deflater to;
  for (int y = first ? 0 : 1; y < drawn.height; ++y) {
    const std::uint8_t* here = drawn.data + static_cast<std::ptrdiff_t>(y) * drawn.stride;
    const std::uint8_t* above = y == 0 ? nothing.data() : here - drawn.stride;
    if (std::memcmp(here, above, nothing.size()) == 0) {
      to.add(unchanged, adler, band);
      continue;
    }
    (drawn.transparent ? filter_transparent : filter_opaque)(here, above, drawn.width, row.data());
    to.add(row, std::nullopt, band);
  }
  to.end(last, band);
  return band;
}

std::vector<Band> all_bands(const PngSize& size, const PngPainters& painters) {
  const std::size_t row = static_cast<std::size_t>(size.width) * 4;
  const int rows = static_cast<int>(std::clamp<std::size_t>(kBandBytes / row, 1, static_cast<std::size_t>(size.height)));
  std::vector<Band> bands(static_cast<std::size_t>((size.height + rows - 1) / rows));
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    try {
      const PngRows draw = painters();
      for (std::size_t i; !failed && (i = next++) < bands.size();) {
        const int begin = static_cast<int>(i) * rows, end = std::min(begin + rows, size.height);
        const Bitmap drawn = draw(std::max(begin - 1, 0), end);
        if (drawn.data != nullptr) bands[i] = deflated(drawn, i == 0, i + 1 == bands.size());
        if (!bands[i].whole) failed = true;
      }
    } catch (const std::bad_alloc&) {  // no exception leaves a thread
      failed = true;
    }
  };
  const std::size_t threads = std::min<std::size_t>({kMostThreads, bands.size(), std::max(1u, std::thread::hardware_concurrency())});
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads: those that are there do it
  }
  work();
  others.clear();
  return bands;
}

// The bands between zlib's two bytes and its checksum; empty where one failed.
std::string joined(const std::vector<Band>& bands) {
  std::string out = "\x78\x01";
  uLong adler = 1;
  for (const Band& band : bands) {
    if (!band.whole) return {};
    out += band.deflated;
    adler = adler32_combine(adler, band.adler, static_cast<z_off_t>(band.bytes));
  }
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(adler >> shift & 0xff);
  return out;
}

// libpng leaves a failure by longjmp: nothing in this function has a destructor.
bool write_chunks(const PngSize& size, png_uint_32 dots_per_metre, std::string_view data, std::string* out) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, [](png_structp, png_const_charp) {});
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(
      png, out,
      [](png_structp p, png_bytep bytes, std::size_t n) {
        static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(bytes), n);
      },
      nullptr);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(png, info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 8,
               size.transparent ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (dots_per_metre > 0) png_set_pHYs(png, info, dots_per_metre, dots_per_metre, PNG_RESOLUTION_METER);
  png_write_info(png, info);
  const auto chunk = [&](const char* name, std::string_view bytes) {
    png_write_chunk(png, reinterpret_cast<png_const_bytep>(name), reinterpret_cast<png_const_bytep>(bytes.data()), bytes.size());
  };
  constexpr std::size_t kLargestChunk = std::size_t{1} << 30;
  for (std::size_t at = 0; at < data.size(); at += kLargestChunk) chunk("IDAT", data.substr(at, kLargestChunk));
  chunk("IEND", {});
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Result<std::string> png_file(const PngSize& size, double dots_per_inch, std::string_view text, const PngPainters& painters) {
  constexpr double kMetresOfAnInch = 0.0254;
  const std::string data = joined(all_bands(size, painters));
  if (data.empty()) return no_png("its pixels were not drawn, or zlib refused them");
  const auto dots_per_metre = static_cast<png_uint_32>(std::lround(std::clamp(dots_per_inch / kMetresOfAnInch, 1.0, 1e9)));
  std::string out;
  out.reserve(data.size() + 256);
  if (!write_chunks(size, dots_per_metre, data, &out)) return no_png("libpng refused it");
  return text.empty() ? out : with_png_text(out, "tessera", text);
}

Result<std::string> png_file(const Bitmap& pixels, double dots_per_inch, std::string_view text) {
  const PngRows rows = [&](int begin, int end) {
    Bitmap part = pixels;
    part.data += static_cast<std::ptrdiff_t>(begin) * pixels.stride;
    part.height = end - begin;
    return part;
  };
  return png_file({pixels.width, pixels.height, pixels.transparent}, dots_per_inch, text, [&] { return rows; });
}

}  // namespace tessera

#endif
