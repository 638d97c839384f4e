//go:build !purego

#include "textflag.h"
#include "wide_amd64.h"

// This file is contentInGo in steps of 64 bytes, with AVX2.

TWICE(quote, $0x2222222222222222, $0x2222222222222222)
TWICE(slash, $0x5C5C5C5C5C5C5C5C, $0x5C5C5C5C5C5C5C5C)
TWICE(control, $0x1F1F1F1F1F1F1F1F, $0x1F1F1F1F1F1F1F1F)
// What may follow a backslash, by the low four bits: r t n \ and /. The quote has those of r and is
// found apart. No other byte equals the one at its place.
TWICE(follows, $0x00000074007200FF, $0x2F6E005C00000000)

// func wideContent(src []byte, i int) (at int, escapes, faults uint64, stopped bool)
//
// Of each block of 64 bytes it makes masks with a bit for each byte: AX the bytes that end the
// string, BX the backslashes, DX others.
TEXT ·wideContent(SB), NOSPLIT, $0-57
	MOVQ src_base+0(FP), SI
	MOVQ src_len+8(FP), CX
	MOVQ i+24(FP), DI
	ADDQ SI, DI            // the block
	LEAQ -64(SI)(CX*1), CX // the last block that the source has room for
	XORL R8, R8            // the escapes so far
	XORL R9, R9            // not 0 if the last bytes of the block before are not ASCII
	XORL R11, R11          // the faults so far
	VMOVDQU quote<>(SB), Y15
	VMOVDQU slash<>(SB), Y14
	VMOVDQU control<>(SB), Y13

block:
	CMPQ DI, CX
	JHI  little
	VMOVDQU 0(DI), Y0
	VMOVDQU 32(DI), Y1
	VPCMPEQB Y15, Y0, Y2 // quotes
	VPCMPEQB Y15, Y1, Y3
	VPMINUB Y13, Y0, Y4
	VPMINUB Y13, Y1, Y5
	VPCMPEQB Y4, Y0, Y4 // control characters
	VPCMPEQB Y5, Y1, Y5
	VPCMPEQB Y14, Y0, Y6 // backslashes
	VPCMPEQB Y14, Y1, Y7
	VPOR Y2, Y4, Y4 // what ends a string
	VPOR Y3, Y5, Y5
	VPOR Y0, Y1, Y8 // the top bits: not ASCII
	VPOR Y4, Y5, Y9
	VPOR Y6, Y7, Y10
	VPOR Y8, Y9, Y8
	VPOR Y8, Y10, Y8
	VPMOVMSKB Y8, AX
	ORL  R9, AX
	JNE  special
	ADDQ $64, DI
	JMP  block

special:
	VPMOVMSKB Y4, AX
	VPMOVMSKB Y5, R10
	SHLQ $32, R10
	ORQ  R10, AX
	VPMOVMSKB Y6, BX
	VPMOVMSKB Y7, R10
	SHLQ $32, R10
	ORQ  R10, BX
	MOVL $64, R13 // how far to go on
	TESTQ BX, BX
	JEQ  characters

	// Which backslashes begin an escape: in a row of them every other one. The subtraction
	// carries through each row, so that its end tells where it began.
	MOVQ $0xAAAAAAAAAAAAAAAA, R10
	LEAQ (BX)(BX*1), DX
	ORQ  R10, DX
	SUBQ BX, DX
	XORQ R10, DX
	MOVQ DX, R10
	XORQ BX, R10 // the bytes after them
	ANDQ BX, DX  // they
	SHRQ $63, DX // one is the last byte: the next block begins with it
	SUBQ DX, R13
	SHLQ $63, DX
	XORQ DX, BX
	VMOVDQU follows<>(SB), Y12
	VPSHUFB Y0, Y12, Y8
	VPSHUFB Y1, Y12, Y9
	VPCMPEQB Y8, Y0, Y8
	VPCMPEQB Y9, Y1, Y9
	VPOR Y2, Y8, Y8
	VPOR Y3, Y9, Y9
	VPMOVMSKB Y8, DX
	VPMOVMSKB Y9, R12
	SHLQ $32, R12
	ORQ  R12, DX // what may follow a backslash
	NOTQ DX
	ANDQ R10, DX
	SHRQ $1, DX // the backslashes before anything else
	NOTQ R10
	ANDQ R10, AX
	ORQ  DX, AX

characters:
	VPMOVMSKB Y0, DX
	VPMOVMSKB Y1, R10
	SHLQ $32, R10
	ORQ  R10, DX // the bytes that are not ASCII
	MOVQ R9, R10
	MOVQ DX, R9
	SHRQ $60, R9 // three bytes, or four if the next block begins with the last of this one
	XORL R12, R12
	ORQ  R10, DX
	JEQ  ends
	FAULTS(0, Y0, Y2)
	FAULTS(32, Y1, Y3)
	VPXOR Y8, Y8, Y8
	VPCMPEQB Y8, Y2, Y2
	VPCMPEQB Y8, Y3, Y3
	VPMOVMSKB Y2, DX
	VPMOVMSKB Y3, R12
	SHLQ $32, R12
	ORQ  DX, R12
	NOTQ R12 // the bytes with a fault

ends:
	TESTQ AX, AX
	JNE  stop
	ORQ  BX, R8
	ORQ  R12, R11
	ADDQ R13, DI
	JMP  block

stop:
	LEAQ -1(AX), DX
	XORQ AX, DX // the bits up to the first of AX
	ANDQ DX, R12
	ORQ  R12, R11
	SHRQ $1, DX
	ANDQ DX, BX
	ORQ  BX, R8
	BSFQ AX, AX
	ADDQ AX, DI
	MOVB $1, stopped+56(FP)
	JMP  done

little:
	MOVB $0, stopped+56(FP)

done:
	VZEROUPPER
	SUBQ SI, DI
	MOVQ DI, at+32(FP)
	MOVQ R8, escapes+40(FP)
	MOVQ R11, faults+48(FP)
	RET
