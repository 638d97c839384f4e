// Constants and macros of the files in assembly.

// Constants of 32 bytes: two of 16, because VPSHUFB reads its table in halves.
#define TWICE(name, low, high) \
	DATA name<>+0(SB)/8, low; \
	DATA name<>+8(SB)/8, high; \
	DATA name<>+16(SB)/8, low; \
	DATA name<>+24(SB)/8, high; \
	GLOBL name<>(SB), RODATA|NOPTR, $32

TWICE(nibble, $0x0F0F0F0F0F0F0F0F, $0x0F0F0F0F0F0F0F0F)
TWICE(topbit, $0x8080808080808080, $0x8080808080808080)

// The algorithm for UTF-8 is the one of Keiser and Lemire, "Validating UTF-8 in less than one
// instruction per byte" (2021). The tables hold a bit for each fault that two bytes in a row may
// have, by the high and the low half of the first byte and the high half of the second: a bit that
// is set in all three is a fault. The top bit is set for two continuation bytes: it is right for
// the third and the fourth byte of a character, and for no others.
TWICE(firstHigh, $0x0202020202020202, $0x4915012180808080)
TWICE(firstLow, $0xCBCBCB8B8383A3E7, $0xCBCBDBCBCBCBCBCB)
TWICE(secondHigh, $0x0101010101010101, $0x01010101BABAAEE6)

// The bytes at which the characters of text, the 32 bytes at place, are not UTF-8. Other
// registers that it uses: Y8 to Y11.
#define FAULTS(place, text, faults) \
	VMOVDQU -1+place(DI), Y8; \
	VPSRLW $4, Y8, Y9; \
	VPAND nibble<>(SB), Y9, Y9; \
	VMOVDQU firstHigh<>(SB), faults; \
	VPSHUFB Y9, faults, faults; \
	VPAND nibble<>(SB), Y8, Y8; \
	VMOVDQU firstLow<>(SB), Y9; \
	VPSHUFB Y8, Y9, Y9; \
	VPAND Y9, faults, faults; \
	VPSRLW $4, text, Y8; \
	VPAND nibble<>(SB), Y8, Y8; \
	VMOVDQU secondHigh<>(SB), Y9; \
	VPSHUFB Y8, Y9, Y9; \
	VPAND Y9, faults, faults; \
	VMOVDQU -2+place(DI), Y8; \
	VPSUBUSB third<>(SB), Y8, Y8; \
	VMOVDQU -3+place(DI), Y9; \
	VPSUBUSB fourth<>(SB), Y9, Y9; \
	VPOR Y8, Y9, Y8; \
	VPAND topbit<>(SB), Y8, Y8; \
	VPXOR Y8, faults, faults

// Subtracted with saturation, they leave the top bit of the bytes that begin a character of three
// bytes or more, and of four.
TWICE(third, $0x6060606060606060, $0x6060606060606060)
TWICE(fourth, $0x7070707070707070, $0x7070707070707070)
