/* The one function of bcryptprimitives.dll that Rust's standard library calls. Wine before version 9
   does not have the library; `cargo xtask test --platforms` adds it to its own copy of Windows. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length)
{
    return RtlGenRandom(bytes, (ULONG)length);
}
