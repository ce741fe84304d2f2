package value

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

func dec(t *testing.T, s string, p, scale int) types.Dec {
	t.Helper()
	d, err := ParseDec(s, p, scale)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return d
}

func TestParseDec(t *testing.T) {
	for _, x := range []struct {
		in       string
		p, scale int
		want     string
	}{
		{"3.1", 5, 2, "3.10"}, {" +3.1 ", 5, 2, "3.10"}, {"-1.005", 5, 2, "-1.01"}, {"1.004999", 5, 2, "1.00"}, {".5", 3, 0, "1"}, {"5.", 5, 2, "5.00"},
		{"1E-2", 5, 2, "0.01"}, {"1e2", 5, 2, "100.00"}, {"-0", 5, 2, "0.00"}, {"999.994", 5, 2, "999.99"}, {"\t12\n", 10, 2, "12.00"}, {"1e-400", 38, 2, "0.00"},
		{"12345678901234567890.123456789012345678", 38, 18, "12345678901234567890.123456789012345678"},
		{"0.99999999999999999999999999999999999999", 38, 0, "1"}, {"99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999"},
		{"-2.5", 3, 0, "-3"}, {"0.00000000000000000000000000000000000000000001e44", 10, 0, "1"},
		{"1000", 5, 2, "range"}, {"999.995", 5, 2, "range"}, {"99999999999999999999999999999999999999.5", 38, 0, "range"}, {"1e39", 38, 0, "range"},
		{"", 5, 2, "syntax"}, {".", 5, 2, "syntax"}, {"1e", 5, 2, "syntax"}, {"x", 5, 2, "syntax"}, {"1 2", 5, 2, "syntax"}, {"1.2.3", 5, 2, "syntax"}, {"+-1", 5, 2, "syntax"}, {"NaN", 5, 2, "syntax"}, {"1,5", 5, 2, "syntax"},
	} {
		d, err := ParseDec(x.in, x.p, x.scale)
		got := string(AppendDec(nil, d, x.scale))
		if errors.Is(err, ErrRange) {
			got = "range"
		} else if errors.Is(err, ErrSyntax) {
			got = "syntax"
		}
		if got != x.want {
			t.Errorf("%q as DECIMAL(%d, %d) is %s, want %s", x.in, x.p, x.scale, got, x.want)
		}
	}
}

// toBig and the rounding below are the slow and plain way to compute.
func toBig(d types.Dec) *big.Int {
	b := new(big.Int).Lsh(big.NewInt(d.Hi), 64)
	return b.Add(b, new(big.Int).SetUint64(d.Lo))
}

func pow(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func halfUp(num, den *big.Int) *big.Int {
	neg := num.Sign()*den.Sign() < 0
	q, r := new(big.Int).QuoRem(new(big.Int).Abs(num), new(big.Int).Abs(den), new(big.Int))
	if r.Lsh(r, 1).CmpAbs(den) >= 0 {
		q.Add(q, big.NewInt(1))
	}
	if neg {
		q.Neg(q)
	}
	return q
}

func TestDecimalsAgainstBig(t *testing.T) {
	limit := pow(38)
	seed := uint64(7)
	next := func() uint64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return seed >> 11
	}
	random := func() types.Dec {
		n := new(big.Int).SetUint64(next())
		n.Mul(n, new(big.Int).SetUint64(next()))
		n.Mul(n, new(big.Int).SetUint64(next()))
		n.Mod(n, pow(int(next()%39)))
		d := types.Dec{Lo: n.Uint64(), Hi: new(big.Int).Rsh(n, 64).Int64()}
		if next()%2 == 0 {
			d = DecNeg(d)
		}
		return d
	}
	check := func(what string, got types.Dec, ok bool, want *big.Int) {
		t.Helper()
		if fits := want.CmpAbs(limit) < 0; fits != ok || fits && toBig(got).Cmp(want) != 0 {
			t.Fatalf("%s: %s %v, want %s", what, toBig(got), ok, want)
		}
	}
	for i := 0; i < 20000; i++ {
		a, b := random(), random()
		as, bs := int(next()%39), int(next()%39)
		m := max(as, bs)
		s := int(next() % 39)
		x, y := new(big.Int).Mul(toBig(a), pow(m-as)), new(big.Int).Mul(toBig(b), pow(m-bs))
		scaled := func(v *big.Int) *big.Int { return halfUp(new(big.Int).Mul(v, pow(s)), pow(m)) }
		sum, ok := DecSum(a, as, b, bs, s, false)
		check("sum", sum, ok, scaled(new(big.Int).Add(x, y)))
		diff, ok := DecSum(a, as, b, bs, s, true)
		check("difference", diff, ok, scaled(new(big.Int).Sub(x, y)))
		drop := int(next()) % (as + bs + 1)
		prod, ok := DecMul(a, b, drop)
		check("product", prod, ok, halfUp(new(big.Int).Mul(toBig(a), toBig(b)), pow(drop)))
		r, ok := DecRescale(a, as, s)
		check("rescale", r, ok, halfUp(new(big.Int).Mul(toBig(a), pow(s)), pow(as)))
		if DecSign(b) != 0 {
			q, ok := DecDiv(a, as, b, bs, s)
			check("quotient", q, ok, halfUp(new(big.Int).Mul(new(big.Int).Mul(toBig(a), pow(s)), pow(bs)), new(big.Int).Mul(toBig(b), pow(as))))
			rem, ok := DecRem(a, as, b, bs, m)
			check("remainder", rem, ok, new(big.Int).Rem(x, y))
		}
		if c := DecCompare(a, as, b, bs); c != x.Cmp(y) {
			t.Fatalf("compare: %d", c)
		}
		check("floor", DecFloor(a, as), true, new(big.Int).Div(toBig(a), pow(as)))
		if p := int(next() % 39); DecFits(a, p) != (toBig(a).CmpAbs(pow(p)) < 0) {
			t.Fatalf("fits %s %d", toBig(a), p)
		}
	}
}

func TestCalendar(t *testing.T) {
	y, m, d := int64(-5), int64(1), int64(1)
	for days := Days(y, m, d); days < Days(2500, 1, 1); days++ {
		if cy, cm, cd := Civil(days); cy != y || cm != m || cd != d {
			t.Fatalf("day %d is %d-%d-%d, want %d-%d-%d", days, cy, cm, cd, y, m, d)
		}
		if d++; d > MonthDays(y, m) {
			d = 1
			if m++; m > 12 {
				y, m = y+1, 1
			}
		}
	}
	if Days(1970, 1, 1) != 0 || Weekday(0) != 4 || Days(0, 1, 1) != MinDate || Days(9999, 12, 31) != MaxDate {
		t.Error("the ends of the calendar")
	}
	if got := string(AppendDate(nil, int32(AddMonths(Days(2024, 1, 31), 1)))); got != "2024-02-29" {
		t.Error(got)
	}
	for _, x := range []struct {
		y, m, d    int64
		year, week int64
	}{{2021, 1, 3, 2020, 53}, {2024, 12, 30, 2025, 1}, {2016, 1, 3, 2015, 53}, {2023, 1, 1, 2022, 52}} {
		if y, w := ISOWeek(Days(x.y, x.m, x.d)); y != x.year || w != x.week {
			t.Errorf("%v: %d %d", x, y, w)
		}
	}
}

// The texts and answers of CAST in Flink.
func TestParseTimes(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-01": "2024-05-01", " 2024-05-01": "2024-05-01", "2024-05-01 junk": "2024-05-01", "2024-5": "2024-05-01", "2024": "2024-01-01", "24-05-01": "0024-05-01",
		"0000-01-01": "0000-01-01", "02024-05-01": "2024-05-01", "\t12": "0012-01-01", "12024-01-01": "-", "2023-02-29": "-", "2024-00-10": "-", "2024-05-": "-",
		"2024-05-01T10:00:00": "-", "+2024-05-01": "-", "2024-05-01-01": "-", "": "-", "abc": "-", "2024/05/01": "-",
	} {
		d, ok := ParseDate(in)
		if got := string(AppendDate(nil, d)); ok && got != want || !ok && want != "-" {
			t.Errorf("DATE %q is %s %v, want %s", in, got, ok, want)
		}
	}
	for in, want := range map[string]string{
		"10": "10:00:00.0", "1:2:3": "01:02:03.0", "10:20:30.1234": "10:20:30.123", "10:20:30.1235": "10:20:30.124", "10:20:30.9995": "10:20:31.0", "10:20:30.1x": "10:20:30.1",
		"10:20:30.": "10:20:30.0", "010:020:30": "10:20:30.0", "10:20:30+1": "11:20:30.0", "10:20:30-2": "08:20:30.0", "10:20:30 +1": "11:20:30.0", "23:59:59.9999": "24:00:00.0",
		"24:00:00": "-", "23:59:60": "-", "10:60:00": "-", "10:": "-", "-1:00:00": "-", "10.5": "-", "10:20:30Z": "-", "": "-",
	} {
		ms, ok := ParseTime(in)
		if got := string(AppendTime(nil, ms, 3)); ok && got != want || !ok && want != "-" {
			t.Errorf("TIME %q is %s %v, want %s", in, got, ok, want)
		}
	}
	for in, want := range map[string]string{
		"2024-05-01 10:20:30": "2024-05-01 10:20:30.000000000", "2024-5-1": "2024-05-01 00:00:00.000000000", "2024-05-01 1:2:3.5": "2024-05-01 01:02:03.500000000",
		"2023-02-29": "2023-02-28 00:00:00.000000000", "2024-05-01 24:00:00": "2024-05-02 00:00:00.000000000", "2024-05-01 10:20:30.": "2024-05-01 10:20:30.000000000",
		"1969-12-31 23:59:59.123456789": "1969-12-31 23:59:59.123456789", "2024-05-01 24:00:01": "-", "2024-05-01 10:20": "-", "2024-05-01 10:20:30.1234567891": "-",
		"2024-05-32": "-", "24-5-1": "-", "0000-01-01": "-", "02024-05-01": "-", " 2024-05-01": "-", "2024-05-01T10:20:30": "-", "2024-05-01 10:20:30Z": "-", "": "-",
	} {
		ms, nano, ok := ParseTimestamp(in)
		if got := string(AppendTimestampNano(nil, ms, nano, 9)); ok && got != want || !ok && want != "-" {
			t.Errorf("TIMESTAMP %q is %s %v, want %s", in, got, ok, want)
		}
	}
}

func TestParseNumbers(t *testing.T) {
	for in, want := range map[string]int64{"12": 12, " 12 ": 12, "+12": 12, "-12.9": -12, ".5": 0, "5.": 5, "00012": 12, "-128": -128, "127": 127} {
		if got, err := ParseInt(in, 8); err != nil || got != want {
			t.Errorf("%q is %d, %v", in, got, err)
		}
	}
	for _, in := range []string{"", " ", "12a", "1e3", "--1", "+", "\t12", "1 2", "1.x", "１２"} {
		if _, err := ParseInt(in, 64); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", in, err)
		}
	}
	for in, bits := range map[string]int{"128": 8, "-129": 8, "32768": 16, "2147483648": 32, "9223372036854775808": 64, "99999999999999999999999": 64} {
		if _, err := ParseInt([]byte(in), bits); !errors.Is(err, ErrRange) {
			t.Errorf("%q: %v", in, err)
		}
	}
	if n, err := ParseInt("-9223372036854775808", 64); err != nil || n != -1<<63 {
		t.Error(n, err)
	}
	for _, in := range []string{"", "abc", "0x10", "1e", "nan", "inf", "1_0", "1 2", "0x1.8", "d"} {
		if f, err := ParseDouble(in); err == nil {
			t.Errorf("%q is %v", in, f)
		}
	}
	for in, want := range map[string]string{"1d": "1.0", "1.5F": "1.5", "0x1p3": "8.0", "+NaN": "NaN", "-Infinity": "-Infinity", "1e400": "Infinity", "1e-400": "0.0", " .5 ": "0.5"} {
		if f, err := ParseDouble(in); err != nil || string(AppendDouble(nil, f)) != want {
			t.Errorf("%q is %v, %v", in, f, err)
		}
	}
	for in, want := range map[string]string{"t": "TRUE", "Yes": "TRUE", "1": "TRUE", "N": "FALSE", "false": "FALSE", "on": "-", "TRUE ": "-", "": "-", "truee": "-"} {
		v, ok := ParseBool(in)
		if got := map[bool]string{true: "TRUE", false: "FALSE"}[v]; ok && got != want || !ok && want != "-" {
			t.Errorf("%q is %v %v", in, v, ok)
		}
	}
}

func TestZones(t *testing.T) {
	for in, want := range map[string]string{"UTC": "UTC", "GMT": "GMT", "GMT+8": "GMT+08:00", "GMT-03:30": "GMT-03:30", "GMT+0800": "GMT+08:00", "GMT-0": "GMT", "Europe/Berlin": "Europe/Berlin", "Japan": "Japan"} {
		if z, err := LoadZone(in); err != nil || z.String() != want {
			t.Errorf("%s is %v, %v", in, z, err)
		}
	}
	// Java's table.local-time-zone refuses these too.
	for _, in := range []string{"", "UTC+8", "+08:00", "PST", "EST", "Local", "GMT+8:00", "GMT+24:00", "europe/berlin", "Nowhere", "../etc/passwd"} {
		if z, err := LoadZone(in); err == nil {
			t.Errorf("%q was taken as %s", in, z)
		}
	}
	for in, hours := range map[string]int64{"PST": -8, "EST": -5, "JST": 9, "Nowhere/Land": 0, "GMT+08:00": 8} {
		if got := LoadTimeZone(in).Local(0); got != hours*Hour {
			t.Errorf("%s is %d", in, got)
		}
	}
	far, _ := LoadZone("Europe/Berlin")
	for _, ms := range []int64{Days(3000, 1, 1) * Day, Days(3000, 7, 1) * Day} { // beyond the tables
		if got := far.UTC(far.Local(ms)); got != ms {
			t.Errorf("%d came back as %d", ms, got)
		}
	}
}

func TestText(t *testing.T) {
	z, _ := LoadZone("GMT+01:00")
	ltz := row.NewVec(types.TimestampLTZOf(3), 1)
	nano := row.NewVec(types.TimestampOf(9), 1)
	nano.I64[0], nano.Nano[0] = -1, 999999
	bytes := row.NewVec(types.Of(types.VarBinary), 1)
	bytes.Str[0] = "a\xe2\x82b"
	list := row.NewVec(types.ArrayOf(types.Of(types.Int)), 1)
	list.Kids[0].AppendNull(1)
	list.Kids[0].AppendRange(&row.Vec{Type: types.Of(types.Int), Len: 1, I32: []int32{7}}, 0, 1)
	list.Size[0] = 2
	tuple := row.NewVec(types.RowOf(types.Field{Name: "a", Type: types.Of(types.Boolean)}, types.Field{Name: "b", Type: types.String()}), 1)
	tuple.Kids[1].Str[0] = "x"
	for _, x := range []struct {
		v             *row.Vec
		print, string string
	}{
		{ltz, "1970-01-01 01:00:00.000", ""}, {nano, "1969-12-31 23:59:59.999999999", ""}, {bytes, "x'61e28262'", "a\ufffdb"},
		{list, "[NULL, 7]", ""}, {tuple, "(FALSE, x)", ""}, {row.AllNull(types.String(), 1), "NULL", ""},
	} {
		if x.string == "" {
			x.string = x.print
		}
		if got := string(AppendText(nil, x.v, 0, z)); got != x.print {
			t.Errorf("%s prints %s, want %s", x.v.Type, got, x.print)
		}
		if got := string(AppendString(nil, x.v, 0, z)); got != x.string {
			t.Errorf("%s as text is %s, want %s", x.v.Type, got, x.string)
		}
	}
	for ms, want := range map[int64]string{-1: "-0 00:00:00.001", 93784005: "+1 02:03:04.005", -1 << 63: "-106751991167 07:12:55.808"} {
		if got := string(AppendIntervalMillis(nil, ms)); got != want {
			t.Errorf("%d is %s, want %s", ms, got, want)
		}
	}
	if got := string(AppendIntervalMonths(nil, -25)); got != "-2-01" {
		t.Error(got)
	}
}

func TestNoAllocation(t *testing.T) {
	buf := make([]byte, 0, 64)
	d := dec(t, "12345678901234567890.5", 38, 3)
	text := []byte(strings.Repeat(" ", 2) + "-12.5")
	if n := testing.AllocsPerRun(100, func() {
		buf = AppendDouble(buf[:0], 0.1)
		buf = AppendDouble(buf[:0], 1e300)
		buf = AppendDec(buf[:0], d, 3)
		buf = AppendTimestamp(buf[:0], 1714558830123000, 3)
		ParseDec(text, 10, 2)
		ParseDouble(text)
		ParseInt(text, 32)
		ParseTimestamp("2024-05-01 10:20:30.123")
		ParseDate(text)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendDouble(b *testing.B) {
	var buf []byte
	for i := 0; b.Loop(); i++ {
		buf = AppendDouble(buf[:0], float64(i)*0.37)
	}
}

func BenchmarkTimestamp(b *testing.B) {
	var buf []byte
	for i := 0; b.Loop(); i++ {
		buf = AppendTimestamp(buf[:0], 1714558830123000+int64(i)*1000, 3)
		ParseTimestamp(buf)
	}
}
