package preflighthttp

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
)

// This file cuts responses into the units that calls are in.

// sseLines are those of server-sent events, which CR, LF or both end. An event has its JSON in one
// line. The first line may begin with a byte order mark.
type sseLines struct {
	at int // how much of the line was looked at
}

func (s *sseLines) unit(data []byte) int {
	end := bytes.IndexAny(data[s.at:], "\r\n")
	if end < 0 {
		s.at = len(data)
		return 0
	}
	size := s.at + end + 1
	s.at = 0
	return size
}

func (s *sseLines) write(out *bytes.Buffer, line []byte, give func([]byte) []byte) {
	payload, ok := bytes.CutPrefix(bytes.TrimPrefix(line, []byte("\uFEFF")), []byte("data:"))
	if !ok {
		out.Write(line)
		return
	}
	text := bytes.TrimSpace(payload)
	at := len(line) - len(payload) + bytes.Index(payload, text)
	out.Write(line[:at])
	out.Write(give(text))
	out.Write(line[at+len(text):])
}

func (s *sseLines) skip(data []byte) (n int, ended bool) {
	s.at = 0
	n = s.unit(data)
	s.at = 0
	return cmp.Or(n, len(data)), n > 0
}

// jsonValues are JSON values: a whole answer, one for each line, or the elements of an array that
// is sent as a stream. What is between them is a unit too.
type jsonValues struct {
	at      int // how much of the value was looked at
	depth   int
	quoted  bool
	escaped bool
}

func (v *jsonValues) unit(data []byte) int {
	if v.at == 0 && v.depth == 0 && data[0] != '{' { // between values
		k := 0
		for k < len(data) && data[k] != '{' {
			k++
		}
		return k
	}
	for ; v.at < len(data); v.at++ {
		c := data[v.at]
		switch {
		case v.escaped:
			v.escaped = false
		case v.quoted && c == '\\':
			v.escaped = true
		case c == '"':
			v.quoted = !v.quoted
		case v.quoted:
		case c == '{' || c == '[':
			v.depth++
		case c == '}' || c == ']':
			if v.depth--; v.depth == 0 {
				size := v.at + 1
				*v = jsonValues{}
				return size
			}
		}
	}
	return 0
}

func (v *jsonValues) write(out *bytes.Buffer, value []byte, give func([]byte) []byte) {
	out.Write(give(value))
}

func (v *jsonValues) skip(data []byte) (n int, ended bool) {
	v.at = 0
	n = v.unit(data)
	v.at = 0
	return cmp.Or(n, len(data)), n > 0
}

// awsFrames are those of AWS event streams: a prelude of the length of the frame, that of its
// headers and a checksum; headers; the payload; a checksum of all that. Source:
// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html.
type awsFrames struct{}

const (
	preludeSize  = 12
	checksumSize = 4
)

func (awsFrames) unit(data []byte) int {
	if len(data) < preludeSize {
		return 0
	}
	size := int64(binary.BigEndian.Uint32(data))
	if size < preludeSize+checksumSize || size > int64(len(data)) {
		return 0
	}
	return int(size)
}

// skip skips all that follows: a frame that is too long is no frame.
func (awsFrames) skip(data []byte) (n int, ended bool) { return len(data), false }

func (awsFrames) write(out *bytes.Buffer, frame []byte, give func([]byte) []byte) {
	start, end := int64(preludeSize), int64(len(frame)-checksumSize)
	if int64(len(frame)) >= preludeSize+checksumSize {
		start += int64(binary.BigEndian.Uint32(frame[4:]))
	}
	if start > end || int64(binary.BigEndian.Uint32(frame)) != int64(len(frame)) {
		out.Write(frame)
		return
	}
	payload := frame[start:end]
	given := giveInChunk(payload, give)
	if bytes.Equal(payload, given) {
		out.Write(frame)
		return
	}
	made := make([]byte, 0, len(frame)-len(payload)+len(given))
	made = binary.BigEndian.AppendUint32(made, uint32(len(frame)-len(payload)+len(given)))
	made = append(made, frame[4:8]...)
	made = binary.BigEndian.AppendUint32(made, crc32.ChecksumIEEE(made))
	made = append(made, frame[preludeSize:start]...)
	made = append(made, given...)
	out.Write(binary.BigEndian.AppendUint32(made, crc32.ChecksumIEEE(made)))
}

// giveInChunk gives names back in the payload of a frame: an event of Converse, or one of the
// model's own that InvokeModel packs.
func giveInChunk(payload []byte, give func([]byte) []byte) []byte {
	var members map[string]json.RawMessage
	var packed []byte
	if !bytes.Contains(payload, []byte(`"bytes"`)) || json.Unmarshal(payload, &members) != nil ||
		json.Unmarshal(members["bytes"], &packed) != nil {
		return give(payload)
	}
	given := give(packed)
	if bytes.Equal(packed, given) {
		return payload
	}
	was := bytes.Trim(members["bytes"], `"`)
	return bytes.Replace(payload, was, []byte(base64.StdEncoding.EncodeToString(given)), 1)
}
