/* emulator_test.cpp -- runs the threads of a block as fibers of one thread; for tests only.
 *
 * In a round every fiber that can run does so, until it waits or ends, and gives way to the next
 * one.  Between rounds, a warp goes on whose 32 threads wait for each other, and a block of which
 * all threads do.  When neither happens, the kernel has a barrier or a shuffle that not all threads
 * reach. */
#include "cuda/emulated/emulated_places.h"
#include "cuda/emulated/emulated_work.h"
#include "cuda_runtime.h"

#include <cstdio>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;
cudaGraph_t emulated_capture;
bool emulated_spoilt;
long emulated_live, emulated_until_failure = -1;
size_t emulated_taken;
std::mutex emulated_turn;
const void *emulated_of_host;
void *emulated_only_stream;
long emulated_strays, emulated_waits;
thread_local int emulated_device;
long emulated_misplaced;
static std::unordered_map<const void *, int> owners;

void emulated_own(const void *p)
{
    owners[p] = emulated_device;
}

void emulated_disown(const void *p)
{
    const auto found = owners.find(p);
    if (found == owners.end()) return;
    emulated_misplaced += found->second != emulated_device;
    owners.erase(found);
}

int emulated_owner(const void *p)
{
    const std::lock_guard<std::mutex> turn(emulated_turn);
    const auto found = owners.find(p);
    return found != owners.end() ? found->second : emulated_device;
}

namespace spmv
{
enum {
    SHARED = 227 << 10, /* bytes, the most that a block of a current GPU has */
    GUARD = 256         /* behind them */
};
extern thread_local double dynamic_shared[];
extern thread_local double2 dynamic_shared_pairs[];
thread_local double dynamic_shared[(SHARED + GUARD) / sizeof(double)];
alignas(16) thread_local double2 dynamic_shared_pairs[(SHARED + GUARD) / sizeof(double2)];
} // namespace spmv

namespace
{

enum {
    WARP = 32,
    MAX_BLOCK = 1024,
    STACK = (64 << 10) + 320 /* bytes: stacks that lie in the same lines of a cache are slow */
};
enum state : unsigned char { READY, AT_WARP, AT_BLOCK, ENDED };

/* Holds where to go on, as __builtin_setjmp notes it.  swapcontext would call the system each time,
 * and AddressSanitizer would clear a whole stack: three quarters of the time of a test. */
using place = void *[5];

struct fiber {
    ucontext_t context; /* of the beginning */
    bool begun;
    std::vector<char> stack;
};
fiber fibers[MAX_BLOCK];

/* What is needed all the time, side by side. */
place at[MAX_BLOCK]; /* of each fiber that has begun */
state now[MAX_BLOCK];
bool odd[MAX_BLOCK]; /* times that each has shown something to its warp */

place scheduler; /* where a round ends */
unsigned threads;
const std::function<void()> *kernel;
/* Holds what each thread shows to its warp, in two places by turns: nobody comes back to the first
 * before all have come to the second, and so have seen it. */
emulated_word lanes[2][MAX_BLOCK];

[[noreturn]] void die(const char *why)
{
    fprintf(stderr, "emulated kernel, block %u: %s\n", blockIdx.x, why);
    abort();
}

/* Callers may keep nothing in registers, as other threads use them meanwhile; nor may they see that
 * go_to does not come back: AddressSanitizer, which knows but one stack, would look for its end. */
#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

OPAQUE __attribute__((no_sanitize("address"))) void go_to(place to)
{
    __builtin_longjmp(to, 1);
}

/* Goes on with the first fiber that can run, of those from t on; ends the round without one. */
OPAQUE void go_on(unsigned t)
{
    while (t < threads && now[t] != READY) t++;
    if (t == threads) go_to(scheduler);
    threadIdx.x = t;
    if (fibers[t].begun) go_to(at[t]);
    fibers[t].begun = true;
    setcontext(&fibers[t].context);
}

OPAQUE void leave(state why)
{
    const unsigned t = threadIdx.x;
    now[t] = why;
    if (__builtin_setjmp(at[t]) == 0) go_on(t + 1);
}

/* Shows something to the warp; returns what its lanes show. */
const emulated_word *show(emulated_word word)
{
    const unsigned t = threadIdx.x;
    odd[t] = !odd[t];
    lanes[odd[t]][t] = word;
    leave(AT_WARP);
    return lanes[odd[t]] + t / WARP * WARP;
}

/* A fiber that has ended is there for the next block: beginning one calls the system. */
void run_kernels()
{
    for (;;) {
        (*kernel)();
        leave(ENDED);
    }
}

void prepare(fiber *f)
{
    if (f->begun) return;
    f->stack.resize(STACK);
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack.data();
    f->context.uc_stack.ss_size = STACK;
    makecontext(&f->context, run_kernels, 0);
}

OPAQUE void run_round()
{
    if (__builtin_setjmp(scheduler) == 0) go_on(0);
}

/* Lets threads [first, last) go on if all of them wait in state `why`. */
bool release(unsigned first, unsigned last, state why)
{
    for (unsigned t = first; t < last; t++)
        if (now[t] != why) return false;
    memset(now + first, READY, last - first);
    return true;
}

/* Lets those go on that have met; false when there are none. */
bool release_all()
{
    bool any = release(0, threads, AT_BLOCK);
    for (unsigned w = 0; w < threads; w += WARP) any = release(w, w + WARP, AT_WARP) || any;
    return any;
}

/* Nobody may change what lies behind the shared memory of a block. */
constexpr int GUARD = spmv::GUARD, GUARD_BYTE = 0xa5;

void check_guard(const void *memory, size_t shared)
{
    const unsigned char *guard = (const unsigned char *)memory + shared;
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != GUARD_BYTE) die("a write beyond its shared memory");
}

void run_block(size_t shared)
{
    for (void *memory : {(void *)spmv::dynamic_shared, (void *)spmv::dynamic_shared_pairs}) {
        memset(memory, 0xff, shared);
        memset((char *)memory + shared, GUARD_BYTE, GUARD);
    }
    memset(now, READY, threads);
    memset(odd, false, threads);
    for (unsigned t = 0; t < threads; t++) prepare(&fibers[t]);
    do run_round();
    while (release_all());
    for (unsigned t = 0; t < threads; t++)
        if (now[t] != ENDED) die("threads wait for others that never come");
    check_guard(spmv::dynamic_shared, shared);
    check_guard(spmv::dynamic_shared_pairs, shared);
}

} // namespace

void __syncthreads()
{
    leave(AT_BLOCK);
}

void __syncwarp()
{
    leave(AT_WARP);
}

emulated_word emulated_exchange(emulated_word word, int from)
{
    return show(word)[from];
}

/* The first lane of a warp, which goes on before the others, counts for all. */
unsigned emulated_ballot(bool vote)
{
    static unsigned votes_of[2][MAX_BLOCK / WARP];
    const emulated_word *shown = show({vote, 0});
    const unsigned t = threadIdx.x;
    unsigned &votes = votes_of[odd[t]][t / WARP];
    if (t % WARP == 0) {
        votes = 0;
        for (unsigned lane = 0; lane < WARP; lane++) votes |= (unsigned)shown[lane].low << lane;
    }
    return votes;
}

unsigned emulated_match(unsigned value)
{
    unsigned same = 0;
    const emulated_word *shown = show({value, 0});
    for (unsigned lane = 0; lane < WARP; lane++)
        same |= (unsigned)(shown[lane].low == value) << lane;
    return same;
}

/* Undefined behaviour in a kernel traps, see CMakeLists.txt; this reports where. */
extern "C" const char *__asan_default_options()
{
    return "handle_sigill=1";
}

long long emulated_number(const char *name, long long usual)
{
    const char *text = getenv(name);
    return text != nullptr ? strtoll(text, nullptr, 10) : usual;
}

extern "C" int64_t spmv__emulated_narrow_limit()
{
    return emulated_number("EMULATED_WIDE", 0) != 0 ? -1 : INT32_MAX - (1 << 20);
}

extern "C" void emulated_enqueue(void (*work)(void *), void *user)
{
    if (emulated_capture != nullptr)
        emulated_capture->push_back([=] { work(user); });
    else
        work(user);
}

void emulated_launch(const cudaLaunchConfig_t *config, const std::function<void()> &body)
{
    const std::lock_guard<std::mutex> turn(emulated_turn);
    threads = config->blockDim.x;
    blockDim = config->blockDim;
    gridDim = config->gridDim;
    if (gridDim.x == 0 || threads == 0 || threads % WARP != 0 || threads > MAX_BLOCK ||
        config->dynamicSmemBytes > spmv::SHARED)
        die("a launch that no GPU accepts");
    kernel = &body;
    for (unsigned b = 0; b < gridDim.x; b++) {
        blockIdx.x = b;
        run_block(config->dynamicSmemBytes);
    }
}
