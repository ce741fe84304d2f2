package difftest

// castSignatures is the matrix of conversions. Those that fail on bad input
// are risky; TRY_CAST stands for the same conversion without failure.
const castSignatures = `
	CAST | CAST({any} AS STRING) | string
	CAST | CAST({any} AS VARCHAR(4)) | varchar
	CAST | CAST({any} AS CHAR(3)) | char
	CAST | CAST({months} AS STRING) | string
	CAST | CAST({span} AS STRING) | string
	CAST | CAST({binary} AS STRING) | string
	CAST | CAST({number} AS BOOLEAN) | bool
	CAST | CAST({number} AS TINYINT) | tiny
	CAST | CAST({number} AS SMALLINT) | small
	CAST | CAST({number} AS INT) | int
	CAST | CAST({number} AS BIGINT) | big
	CAST | CAST({number} AS FLOAT) | float
	CAST | CAST({number} AS DOUBLE) | double
	CAST | CAST({number} AS DECIMAL(38, 10)) | decimal
	CAST | CAST({number} AS DECIMAL(5, 2)) | -
	CAST | CAST({bool} AS INT) | int
	CAST | CAST({bool} AS DECIMAL(3, 1)) | decimal
	CAST | CAST({bool} AS DOUBLE) | double
	CAST | CAST({text} AS BYTES) | bytes
	CAST | CAST({text} AS BINARY(3)) | binary
	CAST | CAST({binary} AS BINARY(2)) | -
	CAST | CAST({binary} AS VARBINARY(2)) | -
	CAST | CAST({binary} AS BYTES) | bytes
	CAST | CAST({date} AS TIMESTAMP(3)) | stamp
	CAST | CAST({date} AS TIMESTAMP_LTZ(3)) | local
	CAST | CAST({time} AS TIMESTAMP(3)) | stamp
	CAST | CAST({time} AS TIME(0)) | time
	CAST | CAST({stamps} AS DATE) | date
	CAST | CAST({stamps} AS TIME(3)) | time
	CAST | CAST({stamps} AS TIME) | time
	CAST | CAST({stamps} AS TIMESTAMP(0)) | stamp
	CAST | CAST({stamps} AS TIMESTAMP(9)) | stamp
	CAST | CAST({stamps} AS TIMESTAMP_LTZ(3)) | local
	CAST | CAST({stamps} AS TIMESTAMP_LTZ(0)) | local
	CAST | CAST({int} AS INTERVAL MONTH) | months
	CAST | CAST({big} AS INTERVAL SECOND) | span
	CAST | CAST({few} AS INTERVAL DAY) | span
	CAST | CAST({ints} AS ARRAY<BIGINT>) | -
	CAST | CAST({ints} AS ARRAY<STRING>) | strings
	CAST | CAST({doubles} AS ARRAY<INT>) | ints
	CAST | CAST({strings} AS ARRAY<INT>) | !ints
	CAST | CAST({intmap} AS MAP<STRING, DOUBLE>) | -
	CAST | CAST({row} AS ROW<x BIGINT, y CHAR(1)>) | -
	CAST | CAST({numtext} AS INT) | !int
	CAST | CAST({numtext} AS DECIMAL(10, 2)) | !decimal
	CAST | CAST({numtext} AS DOUBLE) | !double
	CAST | CAST({booltext} AS BOOLEAN) | !bool
	CAST | CAST({datetext} AS DATE) | !date
	CAST | CAST({timetext} AS TIME(3)) | !time
	CAST | CAST({stamptext} AS TIMESTAMP(3)) | !stamp
	CAST | CAST({stamptext} AS TIMESTAMP_LTZ(3)) | !local
	TRY_CAST | TRY_CAST({numtext} AS TINYINT) | tiny
	TRY_CAST | TRY_CAST({numtext} AS SMALLINT) | small
	TRY_CAST | TRY_CAST({numtext} AS INT) | int
	TRY_CAST | TRY_CAST({numtext} AS BIGINT) | big
	TRY_CAST | TRY_CAST({numtext} AS FLOAT) | float
	TRY_CAST | TRY_CAST({numtext} AS DOUBLE) | double
	TRY_CAST | TRY_CAST({numtext} AS DECIMAL(38, 18)) | decimal
	TRY_CAST | TRY_CAST({text} AS INT) | int
	TRY_CAST | TRY_CAST({text} AS DOUBLE) | double
	TRY_CAST | TRY_CAST({booltext} AS BOOLEAN) | bool
	TRY_CAST | TRY_CAST({datetext} AS DATE) | date
	TRY_CAST | TRY_CAST({timetext} AS TIME) | time
	TRY_CAST | TRY_CAST({timetext} AS TIME(3)) | time
	TRY_CAST | TRY_CAST({stamptext} AS TIMESTAMP(3)) | stamp
	TRY_CAST | TRY_CAST({stamptext} AS TIMESTAMP(9)) | stamp
	TRY_CAST | TRY_CAST({stamptext} AS TIMESTAMP_LTZ(3)) | local
	TRY_CAST | TRY_CAST({datetext} AS TIMESTAMP(0)) | stamp
	TRY_CAST | TRY_CAST({stamptext} AS DATE) | date
	TRY_CAST | TRY_CAST({number} AS INT) | int
	TRY_CAST | TRY_CAST({number} AS DECIMAL(4, 1)) | -
	TRY_CAST | TRY_CAST({strings} AS ARRAY<INT>) | ints
`
