//go:build !purego

#include "textflag.h"

// func plain(s string) int
//
// It takes 64 bytes at a time, then 16 to find the first byte that is not plain. This needs SSE2
// only, which every amd64 processor has. A signed byte is greater than 0 exactly if it is from 0x01
// to 0x7F, so that one comparison finds NULs and what is not ASCII.
TEXT ·plain(SB), NOSPLIT, $0-24
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	PXOR X15, X15
	LEAQ (SI)(CX*1), DI // the end

loop64:
	CMPQ CX, $64
	JLT  loop16
	MOVOU 0(SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	PCMPGTB X15, X0
	PCMPGTB X15, X1
	PCMPGTB X15, X2
	PCMPGTB X15, X3
	PAND X1, X0
	PAND X3, X2
	PAND X2, X0
	PMOVMSKB X0, AX
	CMPL AX, $0xFFFF
	JNE  loop16
	ADDQ $64, SI
	SUBQ $64, CX
	JMP  loop64

loop16:
	CMPQ CX, $16
	JLT  last
	MOVOU 0(SI), X0
	PCMPGTB X15, X0
	PMOVMSKB X0, AX
	XORL $0xFFFF, AX // the bytes that are not plain
	JNE  found
	ADDQ $16, SI
	SUBQ $16, CX
	JMP  loop16

last:
	TESTQ CX, CX
	JEQ  done
	LEAQ -16(DI), SI // the last 16 bytes, some of them again
	MOVOU 0(SI), X0
	PCMPGTB X15, X0
	PMOVMSKB X0, AX
	XORL $0xFFFF, AX
	JNE  found
	MOVQ DI, SI
	JMP  done

found:
	BSFL AX, AX
	ADDQ AX, SI

done:
	SUBQ s_base+0(FP), SI
	MOVQ SI, ret+16(FP)
	RET
