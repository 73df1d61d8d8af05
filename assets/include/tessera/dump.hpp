// SPDX-License-Identifier: BSD-3-Clause
// What is this CuTe object? One line of JSON says it: name, place, kind, layout, address space, type.
//
//   #include <tessera/dump.hpp>
//   TESSERA_DUMP(tiled_mma);           any object of CuTe
//   TESSERA_DUMP(typename T::SmemLayoutQ{});
//   TESSERA_DUMP_VALUES(tCrC, 8);      a tensor, and its first eight values
//
// On the host, lines go to the file that the environment variable TESSERA_TRACE names, else to tessera.trace in the current folder.
// In device code they go to the program's output, each behind the mark "@tessera ": once for each place of the program, from the
// thread of block 0 that comes there first. A row says which thread it was.
//
// Define before the header is included:
//   TESSERA_DUMP_OFF      every dump is an empty statement
//   TESSERA_DUMP_BYTES    bytes of a line of device code (2048); a longer line is replaced by one that says so
//   TESSERA_DUMP_WHERE    which threads of a grid may write, as a condition; e.g. (threadIdx.x == 128)
//
// The header needs CuTe and C++17, nothing else. Compilers: g++, clang++, nvcc, NVRTC.
#pragma once

#if defined(TESSERA_DUMP_OFF)

#define TESSERA_DUMP(...) static_cast<void>(0)
#define TESSERA_DUMP_VALUES(TENSOR, COUNT) static_cast<void>(0)

#else

#if defined(__has_include)
#if !__has_include(<cute/tensor.hpp>)
#error "tessera/dump.hpp writes CuTe's objects: <cute/tensor.hpp> is not found; add -I <CUTLASS>/include"
#endif
#endif

#include <cute/tensor.hpp>

#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>
#if !defined(__CUDACC_RTC__)
#if !defined(__unix__) && !defined(__APPLE__)
#error "tessera/dump.hpp writes its file with the calls of a POSIX system"
#endif
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<cutlass/version.h>)
#include <cutlass/version.h>
#endif
#endif

#ifndef TESSERA_DUMP_BYTES
#define TESSERA_DUMP_BYTES 2048
#endif
#ifndef TESSERA_DUMP_WHERE
#define TESSERA_DUMP_WHERE ((blockIdx.x | blockIdx.y | blockIdx.z) == 0)
#endif
#if defined(__CUDACC__)  // nothing is inlined: a line of a thousand characters as one function compiles for minutes
#define TESSERA_DUMP_FUNCTION __host__ __device__ __noinline__
#else
#define TESSERA_DUMP_FUNCTION
#endif

namespace tessera::dump {

// A line: JSON that is written into a piece of memory. What has no room is counted, and so a caller knows how much room it takes.

struct Line {
  char* data;
  int capacity;                   // bytes, the final zero among them
  int size = 0;                   // bytes that the whole line takes, without the final zero
  bool quoted = false;            // inside a JSON string
  char const* unknown = nullptr;  // the compiler's name of a type that is not written

  TESSERA_DUMP_FUNCTION Line(char* memory, int bytes) : data(memory), capacity(bytes) { data[0] = 0; }

  TESSERA_DUMP_FUNCTION bool whole() const { return size < capacity; }

  TESSERA_DUMP_FUNCTION void raw(char c) {
    if (size + 1 < capacity) {
      data[size] = c;
      data[size + 1] = 0;
    }
    ++size;
  }
  TESSERA_DUMP_FUNCTION void raw(char const* text) {
    while (*text) raw(*text++);
  }
  TESSERA_DUMP_FUNCTION void put(char c) {
    if (!quoted || (static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != 127)) return raw(c);
    if (c == '"' || c == '\\') {
      raw('\\');
      return raw(c);
    }
    raw("\\u00");
    raw("0123456789abcdef"[(c >> 4) & 15]);
    raw("0123456789abcdef"[c & 15]);
  }
  TESSERA_DUMP_FUNCTION void put(char const* text) {
    while (*text) put(*text++);
  }
  TESSERA_DUMP_FUNCTION void natural(unsigned long long v) {
    char digits[24];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + v % 10);
    while (v /= 10);
    while (count) raw(digits[--count]);
  }
  TESSERA_DUMP_FUNCTION void integer(long long v) {
    if (v < 0) raw('-');
    natural(v < 0 ? 0ull - static_cast<unsigned long long>(v) : static_cast<unsigned long long>(v));
  }
  TESSERA_DUMP_FUNCTION void open() {
    raw('"');
    quoted = true;
  }
  TESSERA_DUMP_FUNCTION void close() {
    quoted = false;
    raw('"');
  }
  TESSERA_DUMP_FUNCTION void key(char const* name) {
    if (size > 1) raw(',');
    open();
    put(name);
    close();
    raw(':');
  }
};

// How many bytes a character of UTF-8 has that begins here; 0: none begins here.
inline TESSERA_DUMP_FUNCTION int utf8_length(char const* text) {
  const auto byte = [&](int i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const int length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (int i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (length == 3 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0))) return 0;  // too long, or half of a pair
  if (length == 4 && ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))) return 0;
  return length;
}

// Text of the user's, as a JSON string: bytes that are no UTF-8 become U+FFFD.
inline TESSERA_DUMP_FUNCTION void put_text(Line& line, char const* text) {
  line.open();
  while (*text) {
    const int length = utf8_length(text);
    if (!length) line.raw("\\ufffd");
    for (int i = 0; i < length; ++i) line.put(text[i]);
    text += length ? length : 1;
  }
  line.close();
}

// What a dump's argument is called: a type's object, `typename T::Layout{}`, is named after the type.
inline TESSERA_DUMP_FUNCTION void put_name(Line& line, char const* text) {
  char const* begin = text;
  char const* word = "typename ";
  while (*word && *begin == *word) ++begin, ++word;
  if (*word) begin = text;
  char const* end = begin;
  while (*end) ++end;
  if (end - begin > 2 && end[-1] == '}' && end[-2] == '{') end -= 2;
  line.open();
  while (begin < end) {
    const int length = utf8_length(begin);
    if (!length) line.raw("\\ufffd");
    for (int i = 0; i < length; ++i) line.put(begin[i]);
    begin += length ? length : 1;
  }
  line.close();
}

// Names of types, as CUTLASS's users write them.

template <class T>
TESSERA_DUMP_FUNCTION constexpr char const* compilers_name() {
  return __PRETTY_FUNCTION__;
}

// If text begins with the word: where the word ends.
TESSERA_DUMP_FUNCTION constexpr char const* after(char const* text, char const* word) {
  while (*word) {
    if (*text++ != *word++) return nullptr;
  }
  return text;
}

TESSERA_DUMP_FUNCTION constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Namespaces that users leave out, and classes that have another name for users. The first that fits counts.
inline TESSERA_DUMP_FUNCTION char const* put_short_word(Line& line, char const* text) {
  char const* const words[][2] = {{"cute::SM90::GMMA::MMA_", "SM90_"},
                                  {"cute::SM90::GMMA::SPARSE::", "SM90::GMMA::SPARSE::"},
                                  {"cute::SM90::", ""},
                                  {"cute::SM100::TMEM::LOAD::", ""},
                                  {"cute::SM100::TMEM::STORE::", ""},
                                  {"cute::", ""},
                                  {"cutlass::", ""},
                                  {"const ", ""},
                                  {"unsigned __int128", "uint128_t"},
                                  {"long long unsigned int", "uint64_t"},
                                  {"long unsigned int", "uint64_t"},
                                  {"short unsigned int", "uint16_t"},
                                  {"unsigned long long", "uint64_t"},
                                  {"unsigned long", "uint64_t"},
                                  {"unsigned short", "uint16_t"},
                                  {"unsigned char", "uint8_t"},
                                  {"unsigned int", "uint32_t"},
                                  {"long long int", "int64_t"},
                                  {"long int", "int64_t"}};
  for (auto const& word : words) {
    if (char const* rest = after(text, word[0])) {
      line.put(word[1]);
      return rest;
    }
  }
  return nullptr;
}

// `... [with T = cute::C<4>]` of a compiler, without blanks that no word needs: `C<4>`.
inline TESSERA_DUMP_FUNCTION void put_compilers_name(Line& line, char const* text) {
  char const* begin = text;
  while (*begin && !after(begin, "T = ") && !after(begin, "T=")) ++begin;
  if (!*begin) return line.put(text);
  begin += begin[1] == ' ' ? 4 : 2;
  char const* end = begin;
  while (*end) ++end;
  if (end > begin && end[-1] == ']') --end;
  for (char previous = ' '; begin < end;) {
    if (!is_letter(previous)) {
      if (char const* rest = put_short_word(line, begin)) {
        begin = rest;
        continue;
      }
    }
    const bool blank = *begin == ' ' && !(is_letter(previous) && is_letter(begin[1]));
    if (!blank) line.put(*begin);
    previous = *begin++;
  }
}

template <class T>
using IsFloat = cute::bool_constant<cute::is_same<T, float>::value || cute::is_same<T, double>::value>;

template <class T>
struct IntegerName {
  static constexpr int bits = 0;
};
template <int Bits, bool Signed>
struct IntegerName<cutlass::integer_subbyte<Bits, Signed> > {
  static constexpr int bits = Bits;
  static constexpr bool is_signed = Signed;
};

// int32_t, uint4b_t, half_t, float_e4m3_t; what has no such name is written as the compiler does.
template <class T>
TESSERA_DUMP_FUNCTION void put_type(Line& line) {
  using Name = IntegerName<T>;
  if constexpr (cute::is_same<T, bool>::value) {
    line.put("bool");
  } else if constexpr (Name::bits > 0) {
    line.put(Name::is_signed ? "int" : "uint");
    line.integer(Name::bits);
    line.put("b_t");
  } else if constexpr (cute::is_integral<T>::value && cute::is_std_integral<T>::value) {
    line.put(cute::is_signed<T>::value ? "int" : "uint");
    line.integer(8 * static_cast<int>(sizeof(T)));
    line.put("_t");
  } else {
    put_compilers_name(line, compilers_name<T>());
  }
}

// Kinds of objects.

template <class T>
struct IsTiledMma : cute::false_type {};
template <class A, class L, class P>
struct IsTiledMma<cute::TiledMMA<A, L, P> > : cute::true_type {};
template <class T>
struct IsThrMma : cute::false_type {};
template <class M, class C>
struct IsThrMma<cute::ThrMMA<M, C> > : cute::true_type {};
template <class T>
struct IsMmaAtom : cute::false_type {};
template <class... A>
struct IsMmaAtom<cute::MMA_Atom<A...> > : cute::true_type {};
template <class T>
struct IsTiledCopy : cute::false_type {};
template <class A, class L, class S>
struct IsTiledCopy<cute::TiledCopy<A, L, S> > : cute::true_type {};
template <class T>
struct IsThrCopy : cute::false_type {};
template <class C, class I>
struct IsThrCopy<cute::ThrCopy<C, I> > : cute::true_type {};
template <class T>
struct IsCopyAtom : cute::false_type {};
template <class... A>
struct IsCopyAtom<cute::Copy_Atom<A...> > : cute::true_type {};
template <class T>
struct IsSwizzle : cute::false_type {};
template <int B, int M, int S>
struct IsSwizzle<cute::Swizzle<B, M, S> > : cute::true_type {};
template <class T>
struct IsBasis : cute::false_type {};
template <class T, int... N>
struct IsBasis<cute::ScaledBasis<T, N...> > : cute::true_type {};
template <class T>
struct IsRatio : cute::false_type {};
template <auto N, auto D>
struct IsRatio<cute::R<N, D> > : cute::true_type {};
template <class T>
struct IsUnsetPointer : cute::false_type {};
template <int B>
struct IsUnsetPointer<cute::smem_ptr_flag_bits<B> > : cute::true_type {};
template <class T>
struct IsCoordinates : cute::false_type {};
template <class C>
struct IsCoordinates<cute::ArithmeticTupleIterator<C> > : cute::true_type {};

// An iterator over elements: a bare pointer, or CuTe's pointers around one.
template <class T, class = void>
struct IsPointer : cute::false_type {};
template <class T>
struct IsPointer<T*, void> : cute::true_type {};
template <class T>
struct IsPointer<T, cute::void_t<typename T::element_type, decltype(cute::raw_pointer_cast(cute::declval<T const&>()))> >
    : cute::bool_constant<cute::is_pointer<decltype(cute::raw_pointer_cast(cute::declval<T const&>()))>::value> {};

#if defined(CUTE_ARCH_TMEM_SM100_ENABLED) || __has_include(<cute/arch/tmem_allocator_sm100.hpp>)
template <class T>
struct IsTensorMemory : cute::is_tmem<T> {};
#else
template <class T>
struct IsTensorMemory : cute::false_type {};
#endif

template <class T>
struct IsComposed : cute::false_type {};
template <class A, class O, class B>
struct IsComposed<cute::ComposedLayout<A, O, B> > : cute::true_type {};

template <class Iterator>
TESSERA_DUMP_FUNCTION constexpr char const* space_of() {
  if constexpr (IsCoordinates<Iterator>::value)
    return "coord";
  else if constexpr (IsTensorMemory<Iterator>::value)
    return "tmem";
  else if constexpr (cute::is_gmem<Iterator>::value)
    return "gmem";
  else if constexpr (cute::is_smem<Iterator>::value)
    return "smem";
  else if constexpr (IsPointer<Iterator>::value)
    return "rmem";
  else
    return "none";
}

// CuTe's texts: integers, tuples, layouts, as CuTe prints them.

template <class T>
TESSERA_DUMP_FUNCTION void put_object(Line& line, T const& x);

template <int B, int M, int S>
TESSERA_DUMP_FUNCTION void put_swizzle(Line& line, cute::Swizzle<B, M, S>) {
  line.put("Sw<");
  line.integer(B);
  line.put(',');
  line.integer(M);
  line.put(',');
  line.integer(S);
  line.put('>');
}

template <class T, int... N>
TESSERA_DUMP_FUNCTION void put_basis(Line& line, cute::ScaledBasis<T, N...> const& x) {
  put_object(line, x.value());
  const int modes[] = {N..., 0};
  for (int i = static_cast<int>(sizeof...(N)); i-- > 0;) {  // CuTe prints the innermost mode first
    line.put('@');
    line.integer(modes[i]);
  }
}

template <int Bits>
TESSERA_DUMP_FUNCTION void put_unset_pointer(Line& line, cute::smem_ptr_flag_bits<Bits>) {
  line.put("smem_ptr[");
  line.integer(Bits);
  line.put("b](unset)");
}

#if __has_include(<cute/pointer_sparse.hpp>)
template <int Sparsity, int Bits>
struct IsUnsetPointer<cute::smem_sparse_ptr_flag_bits<Sparsity, Bits> > : cute::true_type {};

template <int Sparsity, int Bits>
TESSERA_DUMP_FUNCTION void put_unset_pointer(Line& line, cute::smem_sparse_ptr_flag_bits<Sparsity, Bits>) {
  line.put("smem_sparse<");
  line.integer(Sparsity);
  line.put(">_ptr[");
  line.integer(Bits);
  line.put("b](unset)");
}
#endif

template <class T, int... I>
TESSERA_DUMP_FUNCTION void put_tuple(Line& line, T const& x, cute::integer_sequence<int, I...>) {
  line.put('(');
  (((I > 0 ? line.put(',') : void()), put_object(line, cute::get<I>(x))), ...);
  line.put(')');
}

template <class T>
TESSERA_DUMP_FUNCTION void put_integer(Line& line, T const& x) {
  if constexpr (cute::is_static<T>::value) {
    line.put('_');
    line.integer(static_cast<long long>(T::value));
  } else if constexpr (cute::is_signed<T>::value) {
    line.integer(static_cast<long long>(x));
  } else {
    line.natural(static_cast<unsigned long long>(x));
  }
}

template <class T>
TESSERA_DUMP_FUNCTION void put_object(Line& line, T const& x) {
  if constexpr (IsComposed<T>::value) {
    put_object(line, x.layout_a());
    line.put(" o ");
    put_object(line, x.offset());
    line.put(" o ");
    put_object(line, x.layout_b());
  } else if constexpr (cute::is_layout<T>::value) {
    put_object(line, x.shape());
    line.put(':');
    put_object(line, x.stride());
  } else if constexpr (IsSwizzle<T>::value) {
    put_swizzle(line, x);
  } else if constexpr (IsUnsetPointer<T>::value) {
    put_unset_pointer(line, x);
  } else if constexpr (IsBasis<T>::value) {
    put_basis(line, x);
  } else if constexpr (cute::is_same<T, cute::Underscore>::value) {
    line.put('_');
  } else if constexpr (IsRatio<T>::value) {
    put_object(line, cute::C<T::num>{});
    line.put('/');
    put_object(line, cute::C<T::den>{});
  } else if constexpr (cute::is_integral<T>::value) {
    put_integer(line, x);
  } else if constexpr (cute::is_tuple<T>::value) {
    put_tuple(line, x, cute::make_integer_sequence<int, static_cast<int>(cute::tuple_size<T>::value)>{});
  } else {
    line.put('?');
    if (!line.unknown) line.unknown = compilers_name<T>();
  }
}

template <class T>
TESSERA_DUMP_FUNCTION void put_field(Line& line, char const* name, T const& x) {
  line.key(name);
  line.open();
  put_object(line, x);
  line.close();
}

inline TESSERA_DUMP_FUNCTION void put_word(Line& line, char const* name, char const* word) {
  line.key(name);
  line.open();
  line.put(word);
  line.close();
}

template <class T>
TESSERA_DUMP_FUNCTION void put_type_field(Line& line) {
  line.key("type");
  line.open();
  put_type<T>(line);
  line.close();
}

// Values of elements, as JSON numbers; what JSON has no number for is a string: "nan", "inf", "-inf".

// A number above 0: digits * 10^exponent, of so many digits.
struct Decimal {
  unsigned long long digits;
  int count;
  int exponent;
};

inline TESSERA_DUMP_FUNCTION void put_digits(Line& line, Decimal number) {
  const int count = number.count;
  char text[24];
  for (int i = count; i-- > 0; number.digits /= 10) text[i] = static_cast<char>('0' + number.digits % 10);
  int last = count;
  while (last > 1 && text[last - 1] == '0') --last;
  const int point = number.exponent + count;  // digits before the point
  if (point > 0 && point <= count) {          // 12.5
    for (int i = 0; i < point || i < last; ++i) {
      if (i == point) line.raw('.');
      line.raw(text[i]);
    }
    return;
  }
  if (point <= 0 && point > -4) {  // 0.00125
    line.raw("0.");
    for (int i = point; i < 0; ++i) line.raw('0');
    for (int i = 0; i < last; ++i) line.raw(text[i]);
    return;
  }
  line.raw(text[0]);
  if (last > 1) line.raw('.');
  for (int i = 1; i < last; ++i) line.raw(text[i]);
  line.raw('e');
  line.integer(point - 1);
}

// v, finite and above 0, to so many significant digits.
inline TESSERA_DUMP_FUNCTION Decimal decimal(double v, int count) {
#if !defined(__CUDA_ARCH__)
  if (count > 9) {  // the C library is exact
    char text[40];
    std::snprintf(text, sizeof text, "%.*e", count - 1, v);
    Decimal made{0, 0, 0};
    char const* at = text;
    for (; *at && *at != 'e'; ++at) {
      if (*at >= '0' && *at <= '9')
        made.digits = made.digits * 10 + static_cast<unsigned>(*at - '0'), ++made.count;  // the point is the locale's
    }
    made.exponent = std::atoi(at + 1) - made.count + 1;
    return made;
  }
#endif
  unsigned long long limit = 1;
  for (int i = 0; i < count; ++i) limit *= 10;
  Decimal made{0, count, 0};
  double scaled = v;
  for (double power = 10; scaled >= static_cast<double>(limit); power *= 10, ++made.exponent) scaled = v / power;
  for (; scaled < static_cast<double>(limit / 10); --made.exponent) scaled *= 10;
  made.digits = static_cast<unsigned long long>(scaled + 0.5);
  if (made.digits >= limit) made.digits /= 10, ++made.exponent;
  return made;
}

inline TESSERA_DUMP_FUNCTION double value_of(Decimal const& number) {
  double v = static_cast<double>(number.digits);
  double power = 1;
  const int exponent = number.exponent < 0 ? -number.exponent : number.exponent;
  for (int i = 0; i < exponent && i < 300; ++i) power *= 10;
  v = number.exponent < 0 ? v / power : v * power;
  for (int i = 300; i < exponent; ++i) v = number.exponent < 0 ? v / 10 : v * 10;
  return v;
}

// With at least and at most so many significant digits: no more than tell the number apart from its neighbours.
template <class Real>
TESSERA_DUMP_FUNCTION void put_real(Line& line, Real real, int least, int most) {
  double v = static_cast<double>(real);
  if (v != v) return line.raw("\"nan\"");
  const bool negative = v < 0 || (v == 0 && 1 / v < 0);
  if (negative) v = -v;
  if (v > 1.7976931348623157e308) return line.raw(negative ? "\"-inf\"" : "\"inf\"");
  if (negative) line.raw('-');
  if (v == 0) return line.raw('0');
  Decimal made{};
  for (int count = least; count <= most; ++count) {
    made = decimal(v, count);
    if (static_cast<double>(static_cast<Real>(value_of(made))) == v) break;
  }
  put_digits(line, made);
}

// Is it a number that can be written? Numbers in pairs are complex.
template <class V, class = void>
struct IsComplex : cute::false_type {};
template <class V>
struct IsComplex<V, cute::void_t<decltype(cute::declval<V const&>().real()), decltype(cute::declval<V const&>().imag())> >
    : cute::true_type {};
template <class V>
struct IsNumber
    : cute::bool_constant<IntegerName<V>::bits != 0 || cute::is_std_integral<V>::value || cute::is_constructible<float, V>::value> {};

template <class V>
TESSERA_DUMP_FUNCTION void put_number(Line& line, V const& v) {
  if constexpr (IsComplex<V>::value) {
    line.raw('[');
    put_number(line, v.real());
    line.raw(',');
    put_number(line, v.imag());
    line.raw(']');
  } else if constexpr (IntegerName<V>::bits != 0) {
    line.integer(static_cast<long long>(static_cast<int>(v)));
  } else if constexpr (cute::is_std_integral<V>::value) {
    put_integer(line, v);
  } else if constexpr (cute::is_same<V, double>::value) {
    put_real(line, v, 15, 17);
  } else {
    put_real(line, static_cast<float>(v), 6, 9);
  }
}

// Of a dump that asks for no values.
struct NoValues {};

// Can the host read there? A pointer of the device is one of the program's mistakes that must not end it.
inline TESSERA_DUMP_FUNCTION bool host_reads(void const* address) {
#if !defined(__CUDA_ARCH__) && !defined(__CUDACC_RTC__)
  int ends[2];
  if (::pipe(ends) != 0) return true;
  const bool read = ::write(ends[1], address, 1) == 1 || errno != EFAULT;
  ::close(ends[0]);
  ::close(ends[1]);
  return read;
#else
  return address != nullptr;
#endif
}

// Layouts with coordinates for results index no memory.
template <class Tensor, class = void>
struct HasOffsets : cute::false_type {};
template <class Tensor>
struct HasOffsets<Tensor, cute::void_t<decltype(cute::declval<Tensor const&>().data()[cute::declval<Tensor const&>().layout()(0)])> >
    : cute::true_type {};

// Where an element begins.
template <class T>
TESSERA_DUMP_FUNCTION void const* address_of(T* pointer) {
  return pointer;
}
template <class T>
TESSERA_DUMP_FUNCTION void const* address_of(cute::subbyte_iterator<T> const& iterator) {
  void const* pointer = nullptr;  // its first member, and private
  memcpy(&pointer, &iterator, sizeof pointer);
  return pointer;
}
template <class I, class D>
TESSERA_DUMP_FUNCTION void const* address_of(cute::iter_adaptor<I, D> const& iterator) {
  return address_of(iterator.get());
}

template <class Tensor>
TESSERA_DUMP_FUNCTION bool can_read(Tensor const& tensor, int count) {
  if constexpr (IsPointer<cute::remove_cvref_t<decltype(tensor.data())> >::value) {
    for (int i = 0; i < count; ++i) {
      if (!host_reads(address_of(tensor.data() + tensor.layout()(i)))) return false;
    }
  }
  return true;
}

template <class Tensor>
TESSERA_DUMP_FUNCTION void put_values(Line& line, Tensor const& tensor, int wanted) {
  using Iterator = typename Tensor::engine_type::iterator;
  using V = typename Tensor::value_type;
  if constexpr (IsTensorMemory<Iterator>::value) {
    put_word(line, "error", "values of tensor memory are not read here: copy them to registers with tcgen05.ld first");
  } else if constexpr (IsCoordinates<Iterator>::value) {
    put_word(line, "error", "coordinates have no values in memory");
  } else if constexpr (!HasOffsets<Tensor>::value) {
    put_word(line, "error", "the layout's results are coordinates, which index no memory");
  } else if constexpr (!IsNumber<V>::value && !IsComplex<V>::value) {
    put_word(line, "error", "elements of this type are not read");
  } else {
    const int size = static_cast<int>(cute::size(tensor));
    const int count = wanted < size ? wanted : size;
    if (!can_read(tensor, count)) {
      return put_word(line, "error",
                      "the values are in memory that is not read from here: dump the device's in device code, or copy them to the host");
    }
    line.key("values");
    line.raw('[');
    for (int i = 0; i < count; ++i) {
      if (i) line.raw(',');
      const V value = tensor(i);
      put_number(line, value);
    }
    line.raw(']');
  }
}

// The fields of each kind.

template <class Iterator>
TESSERA_DUMP_FUNCTION void put_memory(Line& line) {
  put_word(line, "space", space_of<Iterator>());
  if constexpr (!IsCoordinates<Iterator>::value) put_type_field<cute::iter_value_t<Iterator> >(line);
  using Swizzle = cute::get_swizzle_t<Iterator>;
  if constexpr (IsSwizzle<Swizzle>::value) {
    if constexpr (Swizzle::num_bits > 0) put_field(line, "swizzle", Swizzle{});
  }
}

template <class Tensor, class Count>
TESSERA_DUMP_FUNCTION void put_tensor(Line& line, Tensor const& tensor, Count values) {
  using Iterator = cute::remove_cvref_t<decltype(tensor.data())>;
  put_word(line, "kind", "tensor");
  put_field(line, "layout", tensor.layout());
  put_memory<Iterator>(line);
  if constexpr (IsCoordinates<Iterator>::value) put_field(line, "base", *tensor.data());
  if constexpr (!cute::is_same<Count, NoValues>::value) put_values(line, tensor, values);
}

template <class Op>
TESSERA_DUMP_FUNCTION void put_operation(Line& line) {
  put_compilers_name(line, compilers_name<Op>());
}

template <class... A>
TESSERA_DUMP_FUNCTION void put_mma_atom(Line& line, cute::MMA_Atom<A...> const&) {
  using Atom = cute::MMA_Atom<A...>;
  line.key("atom");
  line.open();
  put_operation<typename Atom::MMA_Op>(line);
  line.close();
  put_field(line, "shape_mnk", typename Atom::Shape_MNK{});
  put_field(line, "a_tv", typename Atom::LayoutA_TV{});  // (thr, val) -> (m, k)
  put_field(line, "b_tv", typename Atom::LayoutB_TV{});  // (thr, val) -> (n, k)
  put_field(line, "c_tv", typename Atom::LayoutC_TV{});  // (thr, val) -> (m, n)
}

template <class A, class L, class P>
TESSERA_DUMP_FUNCTION void put_tiled_mma(Line& line, cute::TiledMMA<A, L, P> const& mma) {
  put_mma_atom(line, static_cast<A const&>(mma));
  put_field(line, "atom_layout", L{});
  put_field(line, "permutation", P{});
  put_field(line, "thr_layout_vmnk", mma.get_thr_layout_vmnk());  // (v, m, n, k) -> thread
}

template <class T>
struct CopyTraits;
template <class Op, class... A>
struct CopyTraits<cute::Copy_Traits<Op, A...> > {
  using Operation = Op;
};

template <class Atom>
TESSERA_DUMP_FUNCTION void put_copy_atom(Line& line) {
  line.key("atom");
  line.open();
  line.put("Copy_Atom<");
  put_operation<typename CopyTraits<typename Atom::Traits>::Operation>(line);
  line.put(',');
  put_type<typename Atom::ValType>(line);
  line.put('>');
  line.close();
  put_type_field<typename Atom::ValType>(line);
  put_field(line, "src_tv", typename Atom::ValLayoutSrc{});  // (thr, val) -> value of the atom
  put_field(line, "dst_tv", typename Atom::ValLayoutDst{});
}

template <class Copy>
TESSERA_DUMP_FUNCTION void put_tiled_copy(Line& line) {
  put_copy_atom<Copy>(line);
  put_field(line, "tiler", typename Copy::Tiler_MN{});
  put_field(line, "layout_tv", typename Copy::TiledLayout_TV{});  // (thr, val) -> index in the tile
}

template <class Copy, class Index>
TESSERA_DUMP_FUNCTION void put_thr_copy(Line& line, cute::ThrCopy<Copy, Index> const& copy) {
  put_tiled_copy<Copy>(line);
  put_field(line, "thr", copy.thr_idx_);
}

template <class T>
TESSERA_DUMP_FUNCTION void put_other(Line& line, T const& x) {
  put_word(line, "kind", "other");
  line.key("text");
  line.open();
  if constexpr (IsFloat<T>::value) {
    line.quoted = true;
    put_number(line, x);
  } else {
    put_compilers_name(line, compilers_name<T>());
  }
  line.close();
}

template <class T, class Count>
TESSERA_DUMP_FUNCTION void put_fields(Line& line, T const& x, Count values) {
  if constexpr (cute::is_tensor<T>::value) {
    put_tensor(line, x, values);
  } else if constexpr (IsThrMma<T>::value) {
    put_word(line, "kind", "thr_mma");
    put_tiled_mma(line, x);
    put_field(line, "thr", x.thr_vmnk_);
  } else if constexpr (IsTiledMma<T>::value) {
    put_word(line, "kind", "tiled_mma");
    put_tiled_mma(line, x);
  } else if constexpr (IsMmaAtom<T>::value) {
    put_word(line, "kind", "mma_atom");
    put_mma_atom(line, x);
  } else if constexpr (IsThrCopy<T>::value) {
    put_word(line, "kind", "thr_copy");
    put_thr_copy(line, x);
  } else if constexpr (IsTiledCopy<T>::value) {
    put_word(line, "kind", "tiled_copy");
    put_tiled_copy<T>(line);
  } else if constexpr (IsCopyAtom<T>::value) {
    put_word(line, "kind", "copy_atom");
    put_copy_atom<T>(line);
  } else if constexpr (IsComposed<T>::value || cute::is_layout<T>::value || IsSwizzle<T>::value) {
    put_word(line, "kind", IsComposed<T>::value ? "composed" : IsSwizzle<T>::value ? "swizzle" : "layout");
    put_field(line, "layout", x);
  } else if constexpr (IsPointer<T>::value || IsTensorMemory<T>::value) {
    put_word(line, "kind", "pointer");
    put_memory<T>(line);
  } else if constexpr (cute::is_integral<T>::value) {
    put_word(line, "kind", "int");
    put_field(line, "value", x);
  } else if constexpr (cute::is_tuple<T>::value) {
    put_word(line, "kind", "tuple");
    put_field(line, "value", x);
  } else {
    put_other(line, x);
  }
  if (line.unknown) {
    line.key("error");
    line.open();
    line.put("a part of it, written as ?, is of a type that is not known here: ");
    put_compilers_name(line, line.unknown);
    line.close();
  }
}

// Where a dump stands.
struct Place {
  char const* name;
  char const* file;
  int line;
  char const* function;
};

inline TESSERA_DUMP_FUNCTION void put_place(Line& line, Place const& place) {
  line.raw('{');
  line.key("name");
  put_name(line, place.name);
  line.key("line");
  line.integer(place.line);
  line.key("in");
  put_text(line, place.function);
}

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)

// Device code: one line of the program's output.

// Of the threads that come to a place, the lowest one of the first warp is told true, once.
__device__ inline bool is_first(int* seen) {
  const unsigned lane = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31u;
  if (static_cast<unsigned>(__ffs(static_cast<int>(__activemask())) - 1) != lane) return false;
  return atomicExch(seen, 1) == 0;
}

__device__ inline void begin_device_row(Line& line, Place const& place) {
  put_place(line, place);
  line.key("file");  // rows of device code come without a list of files
  put_text(line, place.file);
  line.key("thread");
  line.natural((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}

template <class T, class Count>
TESSERA_DUMP_FUNCTION void write_row(T const& x, Place const& place, Count values) {
  char memory[TESSERA_DUMP_BYTES];
  Line line(memory, TESSERA_DUMP_BYTES);
  begin_device_row(line, place);
  put_fields(line, x, values);
  line.raw('}');
  if (!line.whole()) {
    const int needed = line.size + 1;
    line = Line(memory, TESSERA_DUMP_BYTES);
    begin_device_row(line, place);
    put_word(line, "kind", "other");
    put_word(line, "text", "");
    line.key("error");
    line.open();
    line.put("the row takes ");
    line.integer(needed);
    line.put(" bytes and is left out: compile with -DTESSERA_DUMP_BYTES=");
    line.integer((needed + 1023) / 1024 * 1024);
    line.close();
    line.raw('}');
  }
  printf("@tessera %s\n", memory);
}

#else

// The host: a file of lines.

// A text of any length that put(line) writes: again with more room, if the first did not do.
template <class Put>
std::string written(Put const& put) {
  std::string text(4096, '\0');
  for (;;) {
    Line line(text.data(), static_cast<int>(text.size()));
    put(line);
    const bool whole = line.whole();
    text.resize(static_cast<std::size_t>(line.size) + (whole ? 0 : 1));
    if (whole) return text;
  }
}

// SHA-256 (FIPS 180-4) of a text, as 64 hexadecimal digits: a reader knows by it whether a source is still the one that was dumped.
class Sha256 {
 public:
  static std::string of(std::string text) {
    const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
    std::uint32_t state[8];
    fractions_of_roots<2>(state, 8);
    std::uint32_t constants[64];
    fractions_of_roots<3>(constants, 64);
    for (std::size_t at = 0; at < text.size(); at += 64) block(state, constants, text.data() + at);
    std::string hex;
    for (const std::uint32_t word : state) {
      for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
    }
    return hex;
  }

 private:
  // The first 32 bits behind the point of the square or cube roots of the primes: floor(root(prime * 2^(32 * Root))) modulo 2^32.
  template <int Root>
  static void fractions_of_roots(std::uint32_t* out, int count) {
    for (unsigned prime = 2, found = 0; found < static_cast<unsigned>(count); ++prime) {
      bool divided = false;
      for (unsigned d = 2; d * d <= prime; ++d) divided = divided || prime % d == 0;
      if (divided) continue;
      std::uint64_t root = 0;  // the largest one whose power is at most prime * 2^(32 * Root)
      for (int bit = 36; bit >= 0; --bit) {
        if (power_at_most<Root>(root | (1ull << bit), prime)) root |= 1ull << bit;
      }
      out[found++] = static_cast<std::uint32_t>(root);
    }
  }
  template <int Root>
  static bool power_at_most(std::uint64_t root, unsigned prime) {
    __extension__ using Wide = unsigned __int128;
    Wide power = 1;
    for (int i = 0; i < Root; ++i) power *= root;
    return power <= static_cast<Wide>(prime) << (32 * Root);
  }
  static std::uint32_t turned(std::uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }
  static void block(std::uint32_t (&state)[8], std::uint32_t const (&constants)[64], char const* bytes) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
      w[i] = 0;
      for (int j = 0; j < 4; ++j) w[i] = (w[i] << 8) | static_cast<unsigned char>(bytes[4 * i + j]);
    }
    for (int i = 16; i < 64; ++i) {
      const std::uint32_t s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const std::uint32_t s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    std::uint32_t v[8];
    std::memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; ++i) {
      const std::uint32_t s1 = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25);
      const std::uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
      const std::uint32_t s0 = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22);
      const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      std::memmove(v + 1, v, 7 * sizeof *v);
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) state[i] += v[i];
  }
};

// A source that rows name: its number in the trace, and its text where it could be read.
struct Source {
  int number = 0;
  std::string text;
};

// The column of a dump's argument in its line, from 1; 0 where the text does not show it.
inline int column_of(std::string const& text, int line, char const* argument) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line < 1 || begin == std::string::npos) return 0;
  const std::string row = text.substr(begin, text.find('\n', begin) - begin);
  const auto stands_at = [&](std::size_t at) {  // blanks of the argument are the preprocessor's
    for (char const* c = argument; *c; ++c) {
      if (*c == ' ') continue;
      while (at < row.size() && (row[at] == ' ' || row[at] == '\t')) ++at;
      if (at == row.size() || row[at] != *c) return false;
      ++at;
    }
    at = row.find_first_not_of(" \t", at);
    return at == std::string::npos || row[at] == ')' || row[at] == ',';
  };
  for (std::size_t at = row.find("TESSERA_DUMP"); at != std::string::npos; at = row.find("TESSERA_DUMP", at + 1)) {
    std::size_t inside = row.find_first_not_of("_ABCDEFGHIJKLMNOPQRSTUVWXYZ", at);
    inside = inside == std::string::npos ? inside : row.find_first_not_of(" \t", inside);
    if (inside == std::string::npos || row[inside] != '(') continue;
    inside = row.find_first_not_of(" \t", inside + 1);
    if (inside == std::string::npos || !stands_at(inside)) continue;
    return static_cast<int>(inside) + 1;
  }
  return 0;
}

// One file of a process. Rows of several threads are whole; a forked child has a file of its own.
class Trace {
 public:
  static constexpr std::size_t most_rows = 10000;

  // The trace of this process; it is never destroyed, since objects may be dumped while the program ends.
  static Trace& of_process() {
    Trace* trace = current().load();
    while (!trace || trace->process_ != ::getpid()) {
      Trace* fresh = new Trace(trace != nullptr);
      if (current().compare_exchange_strong(trace, fresh)) {
        fresh->open();
        trace = fresh;
      } else {
        delete fresh;
      }
    }
    return *trace;
  }

  // text: the row, without its end
  void row(Place const& place, std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
    Source& source = source_of(place.file);
    text += ",\"column\":" + std::to_string(column_of(source.text, place.line, place.name));
    if (source.number) text += ",\"of\":" + std::to_string(source.number);
    text += "}\n";
    if (rows_.count(text)) return;
    if (rows_.size() >= most_rows) {
      ++dropped_;
      return;
    }
    write(text);
    rows_.insert(std::move(text));
  }

 private:
  static std::atomic<Trace*>& current() {
    static std::atomic<Trace*> trace{nullptr};
    return trace;
  }

  explicit Trace(bool forked) : process_(::getpid()), forked_(forked) {}

  void open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    char const* set = std::getenv("TESSERA_TRACE");
    path_ = set && *set ? set : "tessera.trace";
    const std::string wanted = path_;
    bool busy = forked_;  // a parent's, or another program's that runs now
    for (int more = 0; more < 100 && (busy || !take(path_)); ++more) {
      if (!busy && errno != EWOULDBLOCK) break;
      busy = false;
      path_ = wanted + "." + std::to_string(process_) + (more ? "." + std::to_string(more) : "");
    }
    if (file_ < 0) return failed();
    write("{\"tessera_trace\":1,\"by\":\"CuTe C++" + version() + "\"}\n");
    std::atexit([] { current().load()->close(); });
  }

  // Opens the file, if it can be had for this process alone.
  bool take(std::string const& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (file < 0) return false;
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      errno = EWOULDBLOCK;
      return false;
    }
    if (::ftruncate(file, 0) != 0) errno = 0;  // a pipe or a terminal has no length
    file_ = file;
    return true;
  }

  static std::string version() {
#if defined(CUTLASS_MAJOR) && defined(CUTLASS_MINOR) && defined(CUTLASS_PATCH)
    return " " + std::to_string(CUTLASS_MAJOR) + "." + std::to_string(CUTLASS_MINOR) + "." + std::to_string(CUTLASS_PATCH);
#else
    return "";
#endif
  }

  Source& source_of(char const* file) {
    const auto found = sources_.find(file);
    if (found != sources_.end()) return found->second;
    Source& source = sources_[file];
    source.number = static_cast<int>(sources_.size()) - 1;
    const bool read = read_file(file, source.text);
    write(written([&](Line& line) {
      line.raw('{');
      line.key("file");
      put_text(line, file);
      put_word(line, "sha256", read ? Sha256::of(source.text).c_str() : "");
      line.raw("}\n");
    }));
    return source;
  }

  static bool read_file(char const* path, std::string& text) {
    struct ::stat about {};
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    std::FILE* file = std::fopen(path, "rb");
    if (!file) return false;
    char piece[4096];
    for (std::size_t got = 0; (got = std::fread(piece, 1, sizeof piece, file)) > 0;) text.append(piece, got);
    const bool whole = !std::ferror(file);
    std::fclose(file);
    return whole;
  }

  void write(std::string const& text) {
    for (std::size_t done = 0; file_ >= 0 && done < text.size();) {
      const ssize_t wrote = ::write(file_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return failed();
      done += static_cast<std::size_t>(wrote);
    }
  }

  // Said once; the program goes on without a trace.
  void failed() {
    std::fprintf(stderr, "tessera/dump.hpp: %s cannot be written: %s; TESSERA_TRACE names another file\n", path_.c_str(),
                 std::strerror(errno));
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    closed_ = true;
  }

  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_ || process_ != ::getpid()) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    write(written([&](Line& line) {
      line.raw("{\"end\":true,\"rows\":");
      line.natural(rows_.size());
      line.raw(",\"dropped\":");
      line.natural(dropped_);
      line.raw(",\"errors\":[],\"guessed\":[],\"seconds\":");
      put_real(line, seconds, 6, 6);
      line.raw("}\n");
    }));
    closed_ = true;
  }

  const pid_t process_;
  const bool forked_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::string path_;
  int file_ = -1;
  bool closed_ = false;
  std::map<std::string, Source> sources_;
  std::set<std::string> rows_;
  std::size_t dropped_ = 0;
};

template <class T, class Count>
TESSERA_DUMP_FUNCTION void write_row(T const& x, Place const& place, Count values) {
  Trace::of_process().row(place, written([&](Line& line) {
                            put_place(line, place);
                            put_fields(line, x, values);
                          }));
}

#endif

// Numbers are taken by value: a static constexpr member is no variable of device code.
template <class T>
using IsPlainNumber = cute::bool_constant<cute::is_std_integral<T>::value || IsFloat<T>::value>;

template <class T, class Count, CUTE_STL_NAMESPACE::enable_if_t<IsPlainNumber<T>::value, int> = 0>
TESSERA_DUMP_FUNCTION void emit(T x, Place const& place, Count values) {
  write_row(x, place, values);
}

template <class T, class Count, CUTE_STL_NAMESPACE::enable_if_t<!IsPlainNumber<T>::value, int> = 0>
TESSERA_DUMP_FUNCTION void emit(T const& x, Place const& place, Count values) {
  write_row(x, place, values);
}

#if defined(__CUDA_ARCH__)
#define TESSERA_DUMP_ROW(ARGUMENT, NAME, COUNT)                                                           \
  do {                                                                                                    \
    static int tessera_dump_seen = 0;                                                                     \
    if ((TESSERA_DUMP_WHERE) && ::tessera::dump::is_first(&tessera_dump_seen)) {                          \
      ::tessera::dump::emit(ARGUMENT, ::tessera::dump::Place{NAME, __FILE__, __LINE__, __func__}, COUNT); \
    }                                                                                                     \
  } while (false)
#else
#define TESSERA_DUMP_ROW(ARGUMENT, NAME, COUNT) \
  ::tessera::dump::emit(ARGUMENT, ::tessera::dump::Place{NAME, __FILE__, __LINE__, __func__}, COUNT)
#endif

#define TESSERA_DUMP(...) TESSERA_DUMP_ROW((__VA_ARGS__), #__VA_ARGS__, ::tessera::dump::NoValues{})
#define TESSERA_DUMP_VALUES(TENSOR, COUNT) TESSERA_DUMP_ROW((TENSOR), #TENSOR, static_cast<int>(COUNT))

}  // namespace tessera::dump

#endif
