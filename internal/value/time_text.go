package value

import "strconv"

// AppendDate writes days since 1970 as yyyy-MM-dd.
func AppendDate(dst []byte, days int32) []byte {
	y, m, d := Civil(int64(days))
	dst = appendYear(dst, y)
	dst = append(dst, '-', byte('0'+m/10), byte('0'+m%10), '-', byte('0'+d/10), byte('0'+d%10))
	return dst
}

func appendYear(dst []byte, y int64) []byte {
	if y < 0 {
		dst = append(dst, '-')
		y = -y
	}
	if y > 9999 {
		return strconv.AppendInt(dst, y, 10)
	}
	return append(dst, byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10))
}

func appendClock(dst []byte, seconds int64) []byte {
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	return append(dst, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10))
}

// AppendTime writes milliseconds of the day as HH:mm:ss and, for a precision
// above 0, a fraction of one to precision digits that ends with the last one
// that is not zero, as Flink prints TIME: "10:20:30.0", "10:20:30.07".
func AppendTime(dst []byte, ms int32, precision int32) []byte {
	dst = appendClock(dst, int64(ms)/1000)
	if precision <= 0 {
		return dst
	}
	dst = append(dst, '.')
	f := ms % 1000
	for i := int32(0); i < precision; i++ {
		dst = append(dst, byte('0'+f/100))
		f = f % 100 * 10
		if f == 0 {
			break
		}
	}
	return dst
}

// AppendTimestamp writes microseconds since 1970 as yyyy-MM-dd HH:mm:ss and
// exactly precision digits of the second, up to 6.
func AppendTimestamp(dst []byte, micros int64, precision int32) []byte {
	seconds := FloorDiv(micros, 1e6)
	return appendMoment(dst, seconds, (micros-seconds*1e6)*1000, precision)
}

// AppendTimestampNano writes a timestamp of more than 6 digits: milliseconds
// since 1970 and the nanoseconds of the millisecond.
func AppendTimestampNano(dst []byte, millis int64, nano int32, precision int32) []byte {
	seconds := FloorDiv(millis, 1000)
	return appendMoment(dst, seconds, (millis-seconds*1000)*1e6+int64(nano), precision)
}

func appendMoment(dst []byte, seconds, nanos int64, precision int32) []byte {
	days := FloorDiv(seconds, 86400)
	dst = AppendDate(dst, int32(days))
	dst = append(dst, ' ')
	dst = appendClock(dst, seconds-days*86400)
	if precision > 0 {
		dst = append(dst, '.')
		for unit := int64(1e8); precision > 0; precision-- {
			dst = append(dst, byte('0'+nanos/unit%10))
			unit = max(unit/10, 1)
		}
	}
	return dst
}

// AppendIntervalMonths writes a year-month interval: "+1-06".
func AppendIntervalMonths(dst []byte, months int32) []byte {
	n := int64(months)
	dst, n = appendSign(dst, n)
	dst = strconv.AppendInt(dst, n/12, 10)
	return append(dst, '-', byte('0'+n%12/10), byte('0'+n%12%10))
}

// AppendIntervalMillis writes a day-time interval: "+1 02:03:04.005".
func AppendIntervalMillis(dst []byte, ms int64) []byte {
	dst, n := appendSign(dst, ms)
	u := uint64(n) // the smallest number is its own negative
	dst = strconv.AppendUint(dst, u/uint64(Day), 10)
	rest := int64(u % uint64(Day))
	dst = append(dst, ' ')
	dst = appendClock(dst, rest/1000)
	f := rest % 1000
	return append(dst, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

func appendSign(dst []byte, n int64) ([]byte, int64) {
	if n < 0 {
		return append(dst, '-'), -n
	}
	return append(dst, '+'), n
}
