/* Replaces malloc and related functions by versions that count the calls made while an FMI function runs, and the bytes in use. */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

#include "harness.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static _Thread_local int inside;
static _Thread_local long count;

void enter(void) { ++inside; }
void leave(void) { --inside; }

long allocations_taken(void) {
    long taken = count;
    count = 0;
    return taken;
}

static atomic_long in_use;

long bytes_in_use(void) { return in_use; }

static void *note(void *block) {
    if (inside > 0) ++count;
    in_use += (long)malloc_usable_size(block);
    return block;
}

void *malloc(size_t size) { return note(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return note(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
    long before = (long)malloc_usable_size(block);
    void *moved = __libc_realloc(block, size);
    if (moved || !size) in_use -= before;
    return note(moved);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return note(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = note(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

void free(void *block) {
    in_use -= (long)malloc_usable_size(block);
    __libc_free(block);
}
