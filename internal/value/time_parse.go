package value

// ParseDate reads a date as CAST does: year, optional month and day, of any
// number of digits, whatever follows the first blank ignored.
func ParseDate[T Text](s T) (days int32, ok bool) {
	from, to := trimControl(s)
	for i := from; i < to; i++ {
		if s[i] == ' ' {
			to = i
			break
		}
	}
	part := [3]int64{0, 1, 1}
	n := 0
	for i := from; ; n++ {
		if n == 3 {
			return 0, false
		}
		v, next := number(s, i, to)
		if next == i {
			return 0, false
		}
		part[n] = v
		i = next
		if i == to {
			break
		}
		if s[i] != '-' {
			return 0, false
		}
		i++
	}
	y, m, d := part[0], part[1], part[2]
	if y > 9999 || m < 1 || m > 12 || d < 1 || d > MonthDays(y, m) {
		return 0, false
	}
	return int32(Days(y, m, d)), true
}

// number reads digits from i on; next is i when there are none. Numbers too
// long for any field come out as a large one.
func number[T Text](s T, i, to int) (v int64, next int) {
	for ; i < to; i++ {
		c := s[i] - '0'
		if c > 9 {
			break
		}
		if v < 1e12 {
			v = v*10 + int64(c)
		}
	}
	return v, i
}

// ParseTime reads a time of day as CAST does, in milliseconds:
// H[:m[:s[.fraction]]], the fourth digit of the fraction rounds, what follows
// the fraction is ignored, and an offset "+h[:m]" is added to the value.
func ParseTime[T Text](s T) (ms int32, ok bool) {
	from, to := trimControl(s)
	end, offset := to, int64(0)
	for i := from + 1; i < to; i++ {
		if s[i] == '+' || s[i] == '-' {
			h, next := number(s, i+1, to)
			if next == i+1 {
				return 0, false
			}
			offset = h * Hour
			if next < to {
				m, last := number(s, next+1, to)
				if s[next] != ':' || last != to || last == next+1 {
					return 0, false
				}
				offset += m * Minute
			}
			if s[i] == '-' {
				offset = -offset
			}
			end = i
			for end > from && s[end-1] == ' ' {
				end--
			}
			break
		}
	}
	units := [3]int64{Hour, Minute, Second}
	limits := [3]int64{24, 60, 60}
	total := int64(0)
	i := from
	for n := 0; ; n++ {
		if n == 3 {
			return 0, false
		}
		v, next := number(s, i, end)
		if next == i || v >= limits[n] {
			return 0, false
		}
		total += v * units[n]
		i = next
		if i == end {
			break
		}
		if n == 2 && s[i] == '.' {
			total += roundedMillis(s, i+1, end)
			break
		}
		if s[i] != ':' {
			return 0, false
		}
		i++
	}
	return int32(total + offset), true
}

// roundedMillis reads three digits of a fraction and rounds by the fourth.
func roundedMillis[T Text](s T, i, to int) int64 {
	ms, unit := int64(0), int64(100)
	for ; i < to && unit >= 0 && s[i] >= '0' && s[i] <= '9'; i++ {
		if unit == 0 {
			if s[i] >= '5' {
				ms++
			}
			break
		}
		ms += int64(s[i]-'0') * unit
		unit /= 10
	}
	return ms
}

// ParseTimestamp reads a timestamp as CAST does: yyyy-M-d[ H:m:s[.fraction]],
// up to nine digits of fraction. Days 29 to 31 that the month lacks become its
// last one, 24:00:00 is the next day. The parts are whole milliseconds since
// 1970 and the nanoseconds of the millisecond.
func ParseTimestamp[T Text](s T) (millis int64, nano int32, ok bool) {
	y, m, d, clock, i, ok := fixedFields(s)
	if !ok {
		if y, m, d, clock, i, ok = looseFields(s); !ok {
			return 0, 0, false
		}
	}
	if y == 0 || m < 1 || m > 12 || d < 1 || d > 31 || clock[1] > 59 || clock[2] > 59 {
		return 0, 0, false
	}
	nanos := int64(0)
	if to := len(s); i < to {
		if s[i] != '.' || to-i > 10 {
			return 0, 0, false
		}
		unit := int64(1e8)
		for i++; i < to; i++ {
			c := s[i] - '0'
			if c > 9 {
				return 0, 0, false
			}
			nanos += int64(c) * unit
			unit /= 10
		}
	}
	seconds := clock[0]*3600 + clock[1]*60 + clock[2]
	if clock[0] > 23 && (seconds != 86400 || nanos != 0) {
		return 0, 0, false
	}
	days := Days(y, m, min(d, MonthDays(y, m)))
	return days*Day + seconds*1000 + nanos/1e6, int32(nanos % 1e6), true
}

// fixedFields reads the usual form, in which every part has all its digits.
func fixedFields[T Text](s T) (y, m, d int64, clock [3]int64, end int, ok bool) {
	if len(s) < 19 || s[4] != '-' || s[7] != '-' || s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return
	}
	bad := byte(0)
	pair := func(i int) int64 {
		a, b := s[i]-'0', s[i+1]-'0'
		if a > 9 || b > 9 {
			bad = 1
		}
		return int64(a)*10 + int64(b)
	}
	y, m, d = pair(0)*100+pair(2), pair(5), pair(8)
	clock = [3]int64{pair(11), pair(14), pair(17)}
	return y, m, d, clock, 19, bad == 0
}

// looseFields reads parts of one or two digits and a date without a time.
func looseFields[T Text](s T) (y, m, d int64, clock [3]int64, end int, ok bool) {
	to := len(s)
	y, i := number(s, 0, to)
	if i != 4 || i == to || s[i] != '-' {
		return
	}
	if m, i, ok = twoDigits(s, i+1, to); !ok || i == to || s[i] != '-' {
		return y, m, d, clock, i, false
	}
	if d, i, ok = twoDigits(s, i+1, to); !ok || i == to {
		return y, m, d, clock, i, ok
	}
	for n := range clock {
		sep := byte(':')
		if n == 0 {
			sep = ' '
		}
		if i == to || s[i] != sep {
			return y, m, d, clock, i, false
		}
		if clock[n], i, ok = twoDigits(s, i+1, to); !ok {
			return y, m, d, clock, i, false
		}
	}
	return y, m, d, clock, i, true
}

// twoDigits reads one or two digits.
func twoDigits[T Text](s T, i, to int) (v int64, next int, ok bool) {
	v, next = number(s, i, min(to, i+2))
	return v, next, next > i && (next == to || s[next] < '0' || s[next] > '9')
}
