package bedrock

import (
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// eventStreamType is the content type of AWS event streams.
const eventStreamType = "application/vnd.amazon.eventstream"

// eventStreamMessage writes an event in the binary framing of AWS event
// streams: the lengths of message and headers with a checksum, the headers,
// the payload, and a checksum of it all. An event whose name ends in
// Exception is an error.
func eventStreamMessage(e fake.Event) []byte {
	var headers []byte
	add := func(name, value string) {
		const stringValue = 7
		headers = append(headers, byte(len(name)))
		headers = append(headers, name...)
		headers = append(headers, stringValue)
		headers = binary.BigEndian.AppendUint16(headers, uint16(len(value)))
		headers = append(headers, value...)
	}
	kind := "event"
	if strings.HasSuffix(e.Name, "Exception") {
		kind = "exception"
	}
	add(":"+kind+"-type", e.Name)
	add(":content-type", "application/json")
	add(":message-type", kind)

	const overhead = 16 // two lengths and two checksums of four bytes each
	b := binary.BigEndian.AppendUint32(nil, uint32(overhead+len(headers)+len(e.Data)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(headers)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, headers...), e.Data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}
