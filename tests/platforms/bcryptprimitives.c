/* The function of Windows 10 with which Rust's standard library seeds its tables; older versions of
 * Wine lack the library. */
#include <stddef.h>

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t length) {
    size_t k;
    for (k = 0; k < length; k++) bytes[k] = (unsigned char)(37 * k + 11);
    return 1;
}
