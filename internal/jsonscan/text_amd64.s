//go:build !purego

#include "textflag.h"
#include "wide_amd64.h"

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7 // the highest function of CPUID
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // AVX, and XGETBV
	CMPL CX, $0x18000000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX // the system keeps the registers
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)

no:
	RET

// func wideText(s string, i int) bool
//
// It reads blocks of 64 bytes; the last one ends where the text does, so that some bytes are read
// again.
TEXT ·wideText(SB), NOSPLIT, $0-25
	MOVQ s_base+0(FP), DI
	MOVQ s_len+8(FP), CX
	LEAQ -64(DI)(CX*1), CX // the last block
	ADDQ i+16(FP), DI      // the block
	XORL R9, R9            // not 0 if the block before has bytes that are not ASCII
	VPXOR Y15, Y15, Y15    // not 0 where there was a fault
	VPCMPEQB Y14, Y14, Y14 // the least byte so far, at each place

block:
	VMOVDQU 0(DI), Y0
	VMOVDQU 32(DI), Y1
	VPMINUB Y0, Y14, Y14
	VPMINUB Y1, Y14, Y14
	VPOR Y0, Y1, Y2
	VPMOVMSKB Y2, AX
	ORL  AX, R9
	JNE  characters

next:
	CMPQ DI, CX
	JEQ  done
	ADDQ $64, DI
	CMPQ DI, CX
	JLS  block
	MOVL $1, R9 // it may begin inside a character
	MOVQ CX, DI
	JMP  block

characters:
	MOVL AX, R9
	FAULTS(0, Y0, Y2)
	FAULTS(32, Y1, Y3)
	VPOR Y2, Y15, Y15
	VPOR Y3, Y15, Y15
	JMP  next

done:
	VPXOR Y0, Y0, Y0
	VPCMPEQB Y14, Y0, Y14 // NULs
	VPOR Y14, Y15, Y15
	VPTEST Y15, Y15
	SETEQ ret+24(FP)
	VZEROUPPER
	RET
