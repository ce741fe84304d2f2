package expr

// IsRawJSON tells a call whose text goes into an object or array as it is; a
// cast to the type it has already hides nothing.
func IsRawJSON(n Node) bool {
	c, ok := n.(*Call)
	if !ok {
		return false
	}
	if c.Eval == nil && len(c.Args) == 1 && c.T.Same(c.Args[0].Type()) {
		return IsRawJSON(c.Args[0])
	}
	if c.Fn.Name == "COALESCE" && !c.Args[0].Type().Nullable {
		return IsRawJSON(c.Args[0])
	}
	return c.Fn.Name == "JSON_OBJECT" || c.Fn.Name == "JSON_ARRAY" || c.Fn.Name == "JSON"
}
