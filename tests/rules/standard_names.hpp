// SPDX-License-Identifier: BSD-3-Clause
// Which standard header gives which name of namespace std. Source: the C++20 standard's synopses of these headers.
#pragma once

#include <string_view>

namespace tessera::rules {

// A source that uses one of `names` includes one of `headers`; both are separated by blanks.
struct StandardNames {
  std::string_view headers;
  std::string_view names;
};

// std::size_t, std::ptrdiff_t and the range functions come with every container, too: its own members are declared with them.
inline constexpr StandardNames kStandardNames[] = {
    {"algorithm",
     "adjacent_find all_of any_of binary_search clamp copy copy_if count count_if equal equal_range fill fill_n find find_end "
     "find_first_of find_if find_if_not for_each generate includes inplace_merge is_permutation is_sorted lexicographical_compare "
     "lower_bound max max_element merge min min_element minmax minmax_element mismatch next_permutation none_of nth_element partial_sort "
     "partition partition_point ranges remove_if replace replace_if reverse reverse_copy rotate search set_difference set_intersection "
     "set_union shuffle sort stable_partition stable_sort transform unique unique_copy upper_bound"},
    {"algorithm cstdio", "remove"},
    {"array", "array to_array"},
    {"atomic",
     "atomic atomic_bool atomic_flag memory_order memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release "
     "memory_order_seq_cst"},
    {"bit", "bit_cast bit_ceil bit_floor bit_width countl_zero countr_one countr_zero endian has_single_bit popcount rotl rotr"},
    {"bitset", "bitset"},
    {"cctype", "isalnum isalpha isdigit islower isprint ispunct isspace isupper isxdigit tolower toupper"},
    {"cerrno", "errno_t"},
    {"charconv", "chars_format from_chars from_chars_result to_chars to_chars_result"},
    {"chrono", "chrono chrono_literals"},
    {"cmath",
     "atan atan2 cbrt ceil copysign cos exp exp2 fabs floor fma fmod frexp hypot ilogb isfinite isinf isnan ldexp llround log log10 log2 "
     "lround nan nearbyint nextafter pow rint round signbit sin sqrt tan trunc"},
    {"cmath cstdlib", "abs"},
    {"compare", "partial_ordering strong_ordering weak_ordering"},
    {"concepts", "convertible_to derived_from floating_point integral invocable same_as signed_integral unsigned_integral"},
    {"condition_variable", "condition_variable condition_variable_any"},
    {"csignal", "raise sig_atomic_t signal"},
    {"cstddef", "byte max_align_t nullptr_t to_integer"},
    {"cstddef array deque map set span string string_view unordered_map unordered_set vector", "ptrdiff_t"},
    {"cstddef cstdio cstdlib cstring ctime array deque map set span string string_view unordered_map unordered_set vector", "size_t"},
    {"cstdint", "int16_t int32_t int64_t int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t"},
    {"cstdio", "FILE fclose fflush fgets fopen fprintf fputs fread freopen fscanf fwrite printf puts snprintf sscanf"},
    {"cstdlib",
     "_Exit abort aligned_alloc atexit atof atoi atoll exit free getenv malloc qsort strtod strtof strtol strtoll strtoul strtoull system"},
    {"cstring", "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strncpy strstr"},
    {"ctime", "clock clock_t difftime gmtime localtime mktime strftime time time_t tm"},
    {"deque", "deque"},
    {"deque map set string unordered_map unordered_set vector", "erase_if"},
    {"deque map string vector", "erase"},
    {"exception", "current_exception exception exception_ptr rethrow_exception set_terminate terminate uncaught_exceptions"},
    {"filesystem", "filesystem"},
    {"fstream", "fstream ifstream ofstream"},
    {"functional", "bit_or bit_xor cref equal_to function greater hash invoke less minus multiplies negate not_equal_to plus ref"},
    {"initializer_list", "initializer_list"},
    {"iomanip", "put_time quoted setfill setprecision setw"},
    {"ios iostream fstream sstream istream ostream", "dec hex ios ios_base streamoff streamsize"},
    {"iostream", "cerr cin clog cout"},
    {"istream iostream fstream sstream", "istream ws"},
    {"iterator",
     "advance back_inserter distance forward_iterator_tag front_inserter input_iterator_tag inserter istream_iterator istreambuf_iterator "
     "iterator_traits make_move_iterator make_reverse_iterator next ostream_iterator prev random_access_iterator_tag reverse_iterator"},
    {"iterator array deque map regex set span string string_view unordered_map unordered_set vector",
     "begin cbegin cend data empty end rbegin rend size ssize"},
    {"limits", "numeric_limits"},
    {"list", "list"},
    {"map", "map multimap"},
    {"memory",
     "addressof align allocator allocator_arg construct_at default_delete destroy_at destroy_n enable_shared_from_this make_shared "
     "make_unique shared_ptr static_pointer_cast uninitialized_copy uninitialized_copy_n uninitialized_move "
     "uninitialized_value_construct_n unique_ptr weak_ptr"},
    {"mutex", "call_once defer_lock lock_guard mutex once_flag recursive_mutex scoped_lock"},
    {"mutex shared_mutex", "unique_lock"},
    {"new", "align_val_t bad_alloc launder nothrow"},
    {"numbers", "numbers"},
    {"numeric", "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce"},
    {"optional", "in_place_t make_optional nullopt nullopt_t optional"},
    {"ostream iostream fstream sstream", "endl flush ostream"},
    {"queue", "priority_queue queue"},
    {"random",
     "bernoulli_distribution default_random_engine discrete_distribution mt19937 mt19937_64 normal_distribution random_device "
     "uniform_int_distribution uniform_real_distribution"},
    {"ratio chrono", "micro milli nano ratio"},
    {"regex", "cmatch regex regex_error regex_match regex_replace regex_search smatch sregex_iterator"},
    {"set", "multiset set"},
    {"shared_mutex", "shared_lock shared_mutex"},
    {"span", "as_bytes as_writable_bytes dynamic_extent span"},
    {"sstream", "istringstream ostringstream stringstream"},
    {"stdexcept", "invalid_argument logic_error out_of_range runtime_error"},
    {"stop_token thread", "nostopstate stop_callback stop_source stop_token"},
    {"streambuf iostream fstream sstream", "streambuf"},
    {"string", "basic_string getline stod stof stoi stol stoll stoul stoull string to_string u16string u32string"},
    {"string string_view", "char_traits"},
    {"string_view", "string_view u32string_view"},
    {"system_error", "error_code generic_category make_error_code system_category system_error"},
    {"system_error charconv filesystem", "errc"},
    {"thread", "jthread this_thread thread"},
    {"tuple", "apply forward_as_tuple ignore make_tuple tie tuple tuple_cat"},
    {"tuple utility array variant", "get tuple_element_t tuple_size_v"},
    {"type_traits",
     "add_const_t bool_constant common_type_t conditional_t decay_t enable_if_t false_type integral_constant invoke_result_t "
     "is_arithmetic_v is_base_of_v is_const_v is_constant_evaluated is_convertible_v is_enum_v is_floating_point_v is_integral_v "
     "is_invocable_v is_nothrow_move_constructible_v is_pointer_v is_reference_v is_same_v is_signed_v is_trivially_copyable_v "
     "is_unsigned_v is_void_v make_signed_t make_unsigned_t remove_const_t remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t "
     "true_type underlying_type_t void_t"},
    {"typeindex", "type_index"},
    {"unordered_map", "unordered_map unordered_multimap"},
    {"unordered_set", "unordered_multiset unordered_set"},
    {"utility",
     "as_const cmp_equal cmp_greater cmp_less declval exchange forward in_place_index in_place_type in_range index_sequence "
     "index_sequence_for integer_sequence make_index_sequence make_pair move move_if_noexcept pair swap unreachable"},
    {"variant", "get_if holds_alternative monostate variant variant_alternative_t variant_size_v visit"},
    {"vector", "vector"},
};

}  // namespace tessera::rules
