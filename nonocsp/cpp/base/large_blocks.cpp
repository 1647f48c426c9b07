// Replaces operator new in the core: large blocks lie on huge pages, if the system has them. A large board
// takes a GiB. On small pages, the system needs 0.1 s to take that back, and Ctrl-C seems to hang.
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLarge = 2 * kHugePage;

void* allocate(std::size_t size) {
    if (size < kLarge) return std::malloc(size == 0 ? 1 : size);
    void* block = nullptr;
    if (posix_memalign(&block, kHugePage, size) != 0) return nullptr;
    madvise(block, size, MADV_HUGEPAGE);  // advice: if it fails, pages are small
    return block;
}

}  // namespace

void* operator new(std::size_t size) {
    void* block = allocate(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

#endif
