package value

// Lengths in milliseconds.
const (
	Second = int64(1000)
	Minute = 60 * Second
	Hour   = 60 * Minute
	Day    = 24 * Hour
)

// The days of DATE reach from 0000-01-01 to 9999-12-31.
const (
	MinDate = -719528
	MaxDate = 2932896
)

// FloorDiv divides rounding toward minus infinity, by a positive number.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// FloorMod is the remainder of FloorDiv, never negative.
func FloorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

// Civil converts days since 1970-01-01 to a date of the Gregorian calendar,
// extended backwards without end as Java's does. Years are counted from March,
// so that the leap day is the last one, in cycles of 400 years.
func Civil(days int64) (year, month, day int64) {
	days += 719468
	era := FloorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = doy - (153*mp+2)/5 + 1
	month = mp + 3
	year = yoe + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// Days is the inverse of Civil; day may lie outside the month.
func Days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := FloorDiv(year, 400)
	yoe := year - era*400
	doy := (153*(month-3)+2)/5 + day - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// Leap tells leap years.
func Leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// MonthDays is the length of a month.
func MonthDays(year, month int64) int64 {
	switch month {
	case 2:
		if Leap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// AddMonths moves a date by months; a day that the month lacks becomes its
// last one.
func AddMonths(days, months int64) int64 {
	y, m, d := Civil(days)
	n := y*12 + m - 1 + months
	y, m = FloorDiv(n, 12), FloorMod(n, 12)+1
	return Days(y, m, min(d, MonthDays(y, m)))
}

// Weekday is 0 for Sunday to 6 for Saturday.
func Weekday(days int64) int64 { return FloorMod(days+4, 7) }

// ISOWeek returns the ISO week and the year it belongs to: weeks begin on
// Monday, week 1 holds the year's first Thursday.
func ISOWeek(days int64) (year, week int64) {
	thursday := days - FloorMod(days+3, 7) + 3
	year, _, _ = Civil(thursday)
	return year, (thursday-Days(year, 1, 1))/7 + 1
}
