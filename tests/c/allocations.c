/* Replaces malloc and its siblings by versions that count the calls made while an FMI function runs. */
#include <errno.h>
#include <stddef.h>

#include "harness.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static _Thread_local int inside;
static _Thread_local long count;

void enter(void) { ++inside; }
void leave(void) { --inside; }

long allocations_taken(void) {
    long taken = count;
    count = 0;
    return taken;
}

static void note(void) {
    if (inside > 0) ++count;
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note();
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
