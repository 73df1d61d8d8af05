// Swizzle<B,M,S>: flips bits M .. M+B-1 where bits M+S .. M+S+B-1 are set; for S < 0 the other way round.
template <int B, int M, int S>
__device__ int swizzle(int offset) {
  constexpr int y = ((1 << B) - 1) << (M + (S > 0 ? S : 0));
  return offset ^ (S >= 0 ? (offset & y) >> (S >= 0 ? S : 0) : (offset & y) << (S < 0 ? -S : 0));
}
