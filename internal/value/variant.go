package value

import "encoding/binary"

// A VARIANT lies in a column as the length of its text (uvarint), the text as
// it is printed, which is JSON, and then what tells it from other values of the
// same text: 1 and 1.0 both print 1, but are not equal.

// VariantText is the text of a VARIANT.
func VariantText(v string) string {
	n, at := binary.Uvarint([]byte(v[:min(len(v), binary.MaxVarintLen64)]))
	return v[at : at+int(n)]
}

// VariantIdentity is what stands behind the text.
func VariantIdentity(v string) string {
	n, at := binary.Uvarint([]byte(v[:min(len(v), binary.MaxVarintLen64)]))
	return v[at+int(n):]
}

// AppendVariant makes a VARIANT.
func AppendVariant(dst, text, identity []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(append(dst, text...), identity...)
}
