package format

import "fsql/internal/value"

// AppendMoment writes a timestamp as Flink's json and csv do: the fraction as
// short as it can be, with Z for an instant (Style.Zone).
func (s Style) AppendMoment(dst []byte, millis int64, nano int32) []byte {
	days := value.FloorDiv(millis, value.Day)
	dst = AppendISODate(dst, int32(days))
	dst = append(dst, s.Sep)
	dst = appendClock(dst, millis-days*value.Day, nano)
	if s.Zone {
		dst = append(dst, 'Z')
	}
	return dst
}

// AppendISODate writes a date; a year beyond four digits has a sign.
func AppendISODate(dst []byte, days int32) []byte {
	if days > value.MaxDate {
		dst = append(dst, '+')
	}
	return value.AppendDate(dst, days)
}

// AppendClock writes milliseconds of the day as HH:mm:ss and the shortest
// fraction.
func AppendClock(dst []byte, ms int32) []byte { return appendClock(dst, int64(ms), 0) }

func appendClock(dst []byte, ms int64, nano int32) []byte {
	s := ms / 1000
	h, m := s/3600, s/60%60
	s %= 60
	dst = append(dst, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10))
	if f := ms%1000*1e6 + int64(nano); f > 0 {
		dst = append(dst, '.')
		for unit := int64(1e8); f > 0; unit /= 10 {
			dst = append(dst, byte('0'+f/unit))
			f %= unit
		}
	}
	return dst
}

// Moment takes a value of a TIMESTAMP or TIMESTAMP_LTZ column apart.
func Moment(micros int64) (millis int64, nano int32) {
	millis = value.FloorDiv(micros, 1000)
	return millis, int32(micros-millis*1000) * 1000
}
