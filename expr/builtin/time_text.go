package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func timeTexts() []*expr.Func {
	return []*expr.Func{
		{Name: "DATE_FORMAT", Doc: "The time written by a pattern of Java's DateTimeFormatter; a text is read as yyyy-MM-dd HH:mm:ss first.",
			Example: "DATE_FORMAT(TIMESTAMP '2024-02-29 10:20:30', 'dd.MM.yy') = '29.02.24'", Syntax: "DATE_FORMAT(t, pattern)", Resolve: resolveDateFormat},
		{Name: "TO_DATE", Doc: "Reads a date, by a pattern or as CAST does; NULL for other texts.", Example: "TO_DATE('29.2.2024', 'd.M.yyyy') = DATE '2024-02-29'", Syntax: "TO_DATE(s [, pattern])", Resolve: resolveToDate},
		{Name: "TO_TIMESTAMP", Doc: "Reads a TIMESTAMP(3), by a pattern or as CAST does; NULL for other texts.",
			Example: "TO_TIMESTAMP('29.02.2024 10:20', 'dd.MM.yyyy HH:mm') = TIMESTAMP '2024-02-29 10:20:00'", Syntax: "TO_TIMESTAMP(s [, pattern])", Resolve: resolveToTimestamp},
		{Name: "FROM_UNIXTIME", Doc: "Seconds since 1970 written in the session zone by a pattern of Java's SimpleDateFormat (yyyy-MM-dd HH:mm:ss).",
			Example: "FROM_UNIXTIME(0) = '1970-01-01 00:00:00'", Syntax: "FROM_UNIXTIME(seconds [, pattern])", Resolve: resolveFromUnix},
		{Name: "UNIX_TIMESTAMP", Doc: "Seconds since 1970: now, or of a text in the session zone; -9223372036854775808 for a text that does not fit the pattern.",
			Example: "UNIX_TIMESTAMP('1970-01-01 00:01:00') = 60", Syntax: "UNIX_TIMESTAMP([s [, pattern]])", Dynamic: true, Resolve: resolveUnix},
		{Name: "CONVERT_TZ", Doc: "A text yyyy-MM-dd HH:mm:ss moved from one zone to another; an unknown zone counts as UTC.",
			Example: "CONVERT_TZ('2024-01-01 00:00:00', 'UTC', 'GMT+02:00') = '2024-01-01 02:00:00'", Syntax: "CONVERT_TZ(s, from, to)", Resolve: texts(3, 3, func([]expr.Node) types.Type { return str(true) }, convertTZ)},
	}
}

const defaultPattern = "yyyy-MM-dd HH:mm:ss"

// patternCache keeps the pattern of a column of patterns.
type patternCache struct {
	text string
	old  bool
	p    *datePattern
}

func (k *patternCache) get(text string) (*datePattern, error) {
	if k.p != nil && k.text == text {
		return k.p, nil
	}
	p, err := newPattern(text, k.old)
	if err == nil {
		k.p, k.text = p, text
	}
	return p, err
}

// newCache checks a constant pattern while the call is resolved.
func newCache(n expr.Node, old bool) (patternCache, error) {
	k := patternCache{old: old}
	if text, ok := expr.ConstString(n); ok {
		if _, err := k.get(text); err != nil {
			return k, err
		}
	}
	return k, nil
}

// withPattern adds the default pattern to the operands.
func withPattern(args []expr.Node, pattern string) []expr.Node {
	if len(args) == 1 {
		lit, _ := expr.NewLiteral(types.CharOf(int32(len(pattern))), pattern)
		return append(args[:1:1], lit)
	}
	return args
}

func resolveDateFormat(args []expr.Node) (*expr.Call, error) {
	ok := func(t types.Type) bool { return t.IsTimestamp() || t.IsString() }
	if err := takes(args, 2, false, ok, isText); err != nil {
		return nil, err
	}
	cache, err := newCache(args[1], false)
	if err != nil {
		return nil, err
	}
	t := args[0].Type()
	in, err := newPattern(defaultPattern, true)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: str(true), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z, k := c.SessionZone(), cache
		for i := range expr.Rows(sel, out.Len) {
			p, err := k.get(args[1].Str[i])
			if err != nil {
				return err
			}
			var ms int64
			var nano int32
			switch {
			case t.IsString():
				r, ok := in.read(args[0].Str[i])
				if !ok {
					out.SetNull(int(i))
					continue
				}
				ms, _ = in.wall(r)
			default:
				if ms, nano = moment(args[0], i); t.Kind == types.TimestampLTZ {
					ms = z.Local(ms)
				}
			}
			b, err := p.append(c.Scratch(), clockOf(ms, nano))
			if err != nil {
				return err
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}}, nil
}

func resolveToDate(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isText, isText); err != nil {
		return nil, err
	}
	call := &expr.Call{Args: args, T: of(types.Date, true)}
	if len(args) == 1 {
		call.Eval = expr.MapNull1(func(s string) (int32, bool) { return value.ParseDate(s) })
		return call, nil
	}
	cache, err := newCache(args[1], true)
	if err != nil {
		return nil, err
	}
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		k := cache
		for i := range expr.Rows(sel, out.Len) {
			p, err := k.get(args[1].Str[i])
			if err != nil {
				return err
			}
			r, ok := p.read(args[0].Str[i])
			if !ok {
				out.SetNull(int(i))
				continue
			}
			ms, _ := p.wall(r)
			out.I32[i] = int32(value.FloorDiv(ms, value.Day))
		}
		return nil
	}
	return call, nil
}

func resolveToTimestamp(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isText, isText); err != nil {
		return nil, err
	}
	call := &expr.Call{Args: args, T: types.TimestampOf(3)}
	var cache patternCache
	if len(args) == 2 {
		var err error
		if cache, err = newCache(args[1], false); err != nil {
			return nil, err
		}
	}
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		k := cache
		for i := range expr.Rows(sel, out.Len) {
			var ms int64
			var ok bool
			if len(args) == 2 {
				p, err := k.get(args[1].Str[i])
				if err != nil {
					return err
				}
				ms, ok = p.timestamp(args[0].Str[i])
			} else {
				ms, _, ok = value.ParseTimestamp(args[0].Str[i])
			}
			if !ok {
				out.SetNull(int(i))
				continue
			}
			out.I64[i] = ms * 1000
		}
		return nil
	}
	return call, nil
}

func resolveFromUnix(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isWhole, isText); err != nil {
		return nil, err
	}
	args, err := to(withPattern(args, defaultPattern), bigType, anyType)
	if err != nil {
		return nil, err
	}
	cache, err := newCache(args[1], true)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: str(true), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z, k := c.SessionZone(), cache
		for i := range expr.Rows(sel, out.Len) {
			p, err := k.get(args[1].Str[i])
			if err != nil {
				return err
			}
			utc := args[0].I64[i] * 1000
			local := z.Local(utc)
			w := clockOf(local, 0)
			w.offset, w.zone, w.longZone = local-utc, value.ZoneName(z, utc), value.LongZoneName(z, utc)
			b, err := p.append(c.Scratch(), w)
			if err != nil {
				return err
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}}, nil
}

func resolveUnix(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 {
		return &expr.Call{T: of(types.BigInt, false), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			now := value.FloorDiv(clockNow(c), 1000)
			for i := range out.I64 {
				out.I64[i] = now
			}
			return nil
		}}, nil
	}
	if err := takes(args, 1, false, isText, isText); err != nil {
		return nil, err
	}
	args = withPattern(args, defaultPattern)
	cache, err := newCache(args[1], true)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: of(types.BigInt, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z, k := c.SessionZone(), cache
		for i := range expr.Rows(sel, out.Len) {
			p, err := k.get(args[1].Str[i])
			if err != nil {
				return err
			}
			r, ok := p.read(args[0].Str[i])
			if !ok {
				out.I64[i] = -1 << 63
				continue
			}
			ms, _ := p.wall(r)
			if r.zoned {
				ms -= r.offset
			} else {
				ms = standardTime(z, ms)
			}
			out.I64[i] = value.FloorDiv(ms, 1000)
		}
		return nil
	}}, nil
}

func convertTZ(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	p, err := newPattern(defaultPattern, true)
	if err != nil {
		return err
	}
	zones := map[string]value.Zone{}
	load := func(name string) value.Zone {
		z := zones[name]
		if z == nil {
			z = value.LoadTimeZone(name)
			zones[name] = z
		}
		return z
	}
	for i := range expr.Rows(sel, out.Len) {
		r, ok := p.read(args[0].Str[i])
		if !ok {
			out.SetNull(int(i))
			continue
		}
		ms, _ := p.wall(r)
		ms = load(args[2].Str[i]).Local(standardTime(load(args[1].Str[i]), ms))
		out.Str[i] = c.Keep(value.AppendTimestamp(c.Scratch(), ms*1000, 0))
	}
	return nil
}

// standardTime is the instant of a wall clock as Java's calendar takes it: of
// one that comes twice the second, which is standard time.
func standardTime(z expr.Zone, local int64) int64 {
	first := z.UTC(local)
	later := first + 6*value.Hour
	if second := local - (z.Local(later) - later); second > first && z.Local(second) == local {
		return second
	}
	return first
}

// notTime is the error of a text that must be a time.
func notTime(s, t string) error {
	return diag.New(diag.BadValue, diag.Span{}, "the text '%s' is no %s", s, t).WithHint("the form is yyyy-MM-dd HH:mm:ss[.fraction]")
}
