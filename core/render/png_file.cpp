// SPDX-License-Identifier: BSD-3-Clause
// PNG through libpng, its image data compressed in bands of rows, each on its own: several cores share the work, and one after another
// the bands are a stream as if one had made it.
#if TESSERA_HAVE_CAIRO

#include "core/render/png_file.hpp"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csetjmp>
#include <thread>
#include <vector>

#include "core/render/png_text.hpp"

namespace tessera {

namespace {

constexpr std::size_t kBandBytes = std::size_t{1} << 20;  // of filtered rows; a band is whole rows
constexpr int kLevel = 1;                                 // flat colours leave little to the higher ones
constexpr std::size_t kMostThreads = 16;

Error no_png(std::string_view why) { return Error{ErrorCode::io, "the PNG could not be made: " + std::string(why), {}, {}}; }

struct Band {
  std::string deflated;
  uLong adler = 0, bytes = 0;  // of what was deflated
};

// One row as a PNG holds it: red, green, blue and with transparency the opacity; colours not multiplied by it.
void convert(const Bitmap& pixels, int y, std::uint8_t* out) {
  const std::uint8_t* in = pixels.data + static_cast<std::ptrdiff_t>(y) * pixels.stride;
  if (!pixels.transparent) {
    for (int x = 0; x < pixels.width; ++x, in += 4, out += 3) out[0] = in[2], out[1] = in[1], out[2] = in[0];
    return;
  }
  for (int x = 0; x < pixels.width; ++x, in += 4, out += 4) {
    const unsigned alpha = in[3];
    for (int c = 0; c < 3; ++c) out[c] = alpha == 0 ? 0 : static_cast<std::uint8_t>((in[2 - c] * 255u + alpha / 2) / alpha);
    out[3] = in[3];
  }
}

// Each row is the difference to the one above: in pictures of cells mostly zeros.
Band deflated(const Bitmap& pixels, int begin, int end, bool last) {
  constexpr std::uint8_t kUp = PNG_FILTER_VALUE_UP;
  const std::size_t row = static_cast<std::size_t>(pixels.width) * (pixels.transparent ? 4 : 3);
  std::vector<std::uint8_t> above(row), here(row), filtered((row + 1) * static_cast<std::size_t>(end - begin));
  if (begin > 0) convert(pixels, begin - 1, above.data());
  std::uint8_t* out = filtered.data();
  for (int y = begin; y < end; ++y, std::swap(above, here)) {
    convert(pixels, y, here.data());
    *out++ = kUp;
    for (std::size_t i = 0; i < row; ++i) out[i] = static_cast<std::uint8_t>(here[i] - above[i]);
    out += row;
  }
  Band band;
  band.bytes = static_cast<uLong>(filtered.size());
  band.adler = adler32(1, filtered.data(), static_cast<uInt>(filtered.size()));
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  band.deflated.resize(deflateBound(&stream, band.bytes) + 16);
  stream.next_in = filtered.data();
  stream.avail_in = static_cast<uInt>(filtered.size());
  stream.next_out = reinterpret_cast<Bytef*>(band.deflated.data());
  stream.avail_out = static_cast<uInt>(band.deflated.size());
  const int done = deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH);  // without a last block, the next band may follow
  band.deflated.resize(band.deflated.size() - stream.avail_out);
  deflateEnd(&stream);
  if (done != (last ? Z_STREAM_END : Z_OK)) return {};
  return band;
}

std::vector<Band> all_bands(const Bitmap& pixels) {
  const std::size_t row = static_cast<std::size_t>(pixels.width) * 4 + 1;
  const int rows = static_cast<int>(std::clamp<std::size_t>(kBandBytes / row, 1, static_cast<std::size_t>(pixels.height)));
  std::vector<Band> bands(static_cast<std::size_t>((pixels.height + rows - 1) / rows));
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < bands.size();) {
      const int begin = static_cast<int>(i) * rows;
      bands[i] = deflated(pixels, begin, std::min(begin + rows, pixels.height), i + 1 == bands.size());
    }
  };
  const std::size_t threads = std::min<std::size_t>({kMostThreads, bands.size(), std::max(1u, std::thread::hardware_concurrency())});
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  return bands;
}

// The bands between zlib's two bytes and its checksum; empty where one failed.
std::string joined(const std::vector<Band>& bands) {
  std::string out = "\x78\x01";
  uLong adler = 1;
  for (const Band& band : bands) {
    if (band.deflated.empty()) return {};
    out += band.deflated;
    adler = adler32_combine(adler, band.adler, static_cast<z_off_t>(band.bytes));
  }
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(adler >> shift & 0xff);
  return out;
}

// libpng leaves a failure by longjmp: nothing in this function has a destructor.
bool write_chunks(const Bitmap& pixels, png_uint_32 dots_per_metre, std::string_view data, std::string* out) {
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
  png_set_IHDR(png, info, static_cast<png_uint_32>(pixels.width), static_cast<png_uint_32>(pixels.height), 8,
               pixels.transparent ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
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

Result<std::string> png_file(const Bitmap& pixels, double dots_per_inch, std::string_view text) {
  constexpr double kMetresOfAnInch = 0.0254;
  const std::string data = joined(all_bands(pixels));
  if (data.empty()) return no_png("zlib refused its pixels");
  const auto dots_per_metre = static_cast<png_uint_32>(std::lround(std::clamp(dots_per_inch / kMetresOfAnInch, 1.0, 1e9)));
  std::string out;
  out.reserve(data.size() + 256);
  if (!write_chunks(pixels, dots_per_metre, data, &out)) return no_png("libpng refused it");
  return text.empty() ? out : with_png_text(out, "tessera", text);
}

}  // namespace tessera

#endif
