//! The variadic prints and scans: stable Rust cannot define them, so a few instructions make a `va_list` of
//! what they were given and go on to the hook of their `v` form.

use core::arch::naked_asm;

/// A variadic function with `$fixed` arguments before the dots, and the `v` form that it calls.
macro_rules! variadic {
    ($($name:ident, $fixed:literal, $register:literal => $target:path;)*) => {$(
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[allow(missing_docs, clippy::missing_safety_doc)]
        pub unsafe extern "C-unwind" fn $name() {
            // 0: va_list (24), 32: saved registers (176), 208: free; then the return address.
            #[cfg(target_arch = "x86_64")]
            naked_asm!(
                ".cfi_startproc",
                "sub rsp, 216",
                ".cfi_def_cfa_offset 224",
                "mov [rsp + 32], rdi",
                "mov [rsp + 40], rsi",
                "mov [rsp + 48], rdx",
                "mov [rsp + 56], rcx",
                "mov [rsp + 64], r8",
                "mov [rsp + 72], r9",
                // The caller says in al whether vector registers hold arguments.
                "test al, al",
                "je 2f",
                "movaps [rsp + 80], xmm0",
                "movaps [rsp + 96], xmm1",
                "movaps [rsp + 112], xmm2",
                "movaps [rsp + 128], xmm3",
                "movaps [rsp + 144], xmm4",
                "movaps [rsp + 160], xmm5",
                "movaps [rsp + 176], xmm6",
                "movaps [rsp + 192], xmm7",
                "2:",
                "mov dword ptr [rsp], 8 * {fixed}",
                "mov dword ptr [rsp + 4], 48",
                "lea rax, [rsp + 224]",
                "mov [rsp + 8], rax",
                "lea rax, [rsp + 32]",
                "mov [rsp + 16], rax",
                concat!("mov ", $register, ", rsp"),
                "call {target}",
                "add rsp, 216",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                fixed = const $fixed,
                target = sym $target,
            );
            // 0: va_list (32), 32: x0 to x7, 96: q0 to q7, 224: frame pointer and return address.
            #[cfg(target_arch = "aarch64")]
            naked_asm!(
                ".cfi_startproc",
                "sub sp, sp, #240",
                ".cfi_def_cfa_offset 240",
                "stp x29, x30, [sp, #224]",
                ".cfi_offset x29, -16",
                ".cfi_offset x30, -8",
                "stp x0, x1, [sp, #32]",
                "stp x2, x3, [sp, #48]",
                "stp x4, x5, [sp, #64]",
                "stp x6, x7, [sp, #80]",
                "stp q0, q1, [sp, #96]",
                "stp q2, q3, [sp, #128]",
                "stp q4, q5, [sp, #160]",
                "stp q6, q7, [sp, #192]",
                "add x9, sp, #240",
                "str x9, [sp]",
                "add x9, sp, #96",
                "str x9, [sp, #8]",
                "add x9, sp, #224",
                "str x9, [sp, #16]",
                "mov w9, #-8 * (8 - {fixed})",
                "str w9, [sp, #24]",
                "mov w9, #-128",
                "str w9, [sp, #28]",
                "mov x{fixed}, sp",
                "bl {target}",
                "ldp x29, x30, [sp, #224]",
                "add sp, sp, #240",
                "ret",
                ".cfi_endproc",
                fixed = const $fixed,
                target = sym $target,
            );
        }
    )*};
}

// The register is where x86-64 passes the argument after the fixed ones.
variadic! {
    printf, 1, "rsi" => super::transfer::vprintf;
    fprintf, 2, "rdx" => super::transfer::vfprintf;
    dprintf, 2, "rdx" => super::transfer::vdprintf;
    __printf_chk, 2, "rdx" => super::transfer::__vprintf_chk;
    __fprintf_chk, 3, "rcx" => super::transfer::__vfprintf_chk;
    __dprintf_chk, 3, "rcx" => super::transfer::__vdprintf_chk;
    scanf, 1, "rsi" => super::scan::vscanf;
    __isoc99_scanf, 1, "rsi" => super::scan::__isoc99_vscanf;
    __isoc23_scanf, 1, "rsi" => super::scan::__isoc23_vscanf;
    fscanf, 2, "rdx" => super::scan::vfscanf;
    __isoc99_fscanf, 2, "rdx" => super::scan::__isoc99_vfscanf;
    __isoc23_fscanf, 2, "rdx" => super::scan::__isoc23_vfscanf;
}
