/** Words of ES|QL, from Elastic's reference of the language. Each has the first version that knows it, from 8.11 on. */

export interface EsqlWord {
	readonly name: string
	/** How it is called: arguments, and optional ones in brackets. */
	readonly signature: string
	readonly since: string
}

/** Lines of `name signature`, with `@version` if the word is newer than 8.11. */
function words(text: string): readonly EsqlWord[] {
	return text
		.trim()
		.split('\n')
		.map(line => {
			const [, name = '', signature = '', since = '8.11'] =
				/^\s*(\w+(?: \w+)*?)(\(.*?\)|)(?:\s+@([\d.]+))?$/.exec(line) ?? []
			return { name, signature, since }
		})
}

export const sourceCommands = words(`
	FROM
	ROW
	SHOW
	TS @9.2
`)

export const processingCommands = words(`
	WHERE
	EVAL
	STATS
	KEEP
	DROP
	RENAME
	SORT
	LIMIT
	DISSECT
	GROK
	ENRICH
	MV_EXPAND
	INLINE STATS @9.2
	LOOKUP JOIN @8.18
	CHANGE_POINT @8.19
	SAMPLE @8.19
	COMPLETION @8.19
	RERANK @9.1
	FORK @8.19
	FUSE @9.2
`)

/** Of `STATS` alone. */
export const aggregateFunctions = words(`
	ABSENT(field) @9.2
	AVG(number)
	COUNT([field])
	COUNT_DISTINCT(field [, precision])
	FIRST(field, sortField) @9.3
	LAST(field, sortField) @9.3
	MAX(field)
	MEDIAN(number)
	MEDIAN_ABSOLUTE_DEVIATION(number)
	MIN(field)
	PERCENTILE(number, percentile)
	PRESENT(field) @9.2
	SAMPLE(field, limit) @8.19
	STD_DEV(number) @8.18
	ST_CENTROID_AGG(field)
	ST_EXTENT_AGG(field) @8.18
	SUM(number)
	TOP(field, limit, order) @8.15
	VALUES(field) @8.14
	VARIANCE(number) @9.2
	WEIGHTED_AVG(number, weight) @8.15
`)

/** Of `STATS` after `TS`, inside of an aggregate function. */
export const timeSeriesFunctions = words(`
	ABSENT_OVER_TIME(field [, window]) @9.2
	AVG_OVER_TIME(field [, window]) @9.2
	COUNT_DISTINCT_OVER_TIME(field [, window]) @9.2
	COUNT_OVER_TIME(field [, window]) @9.2
	DELTA(field [, window]) @9.2
	DERIV(field [, window]) @9.3
	FIRST_OVER_TIME(field [, window]) @9.2
	IDELTA(field [, window]) @9.2
	INCREASE(field [, window]) @9.2
	IRATE(field [, window]) @9.2
	LAST_OVER_TIME(field [, window]) @9.2
	MAX_OVER_TIME(field [, window]) @9.2
	MIN_OVER_TIME(field [, window]) @9.2
	PERCENTILE_OVER_TIME(field, percentile [, window]) @9.3
	PRESENT_OVER_TIME(field [, window]) @9.2
	RATE(field [, window]) @9.2
	STDDEV_OVER_TIME(field [, window]) @9.3
	SUM_OVER_TIME(field [, window]) @9.2
	VARIANCE_OVER_TIME(field [, window]) @9.3
`)

/** After `BY`. */
export const groupingFunctions = words(`
	BUCKET(field, buckets [, from, to]) @8.14
	CATEGORIZE(field) @8.18
	TBUCKET(interval) @9.2
`)

export const scalarFunctions = words(`
	ABS(number)
	ACOS(number)
	ASIN(number)
	ATAN(number)
	ATAN2(y, x)
	BIT_LENGTH(string) @8.17
	BYTE_LENGTH(string) @8.17
	CASE(condition, value [, condition, value] [, otherwise])
	CBRT(number) @8.16
	CEIL(number)
	CHUNK(string [, settings]) @9.3
	CIDR_MATCH(ip, block [, block])
	CLAMP(value, min, max) @9.3
	CLAMP_MAX(value, max) @9.3
	CLAMP_MIN(value, min) @9.3
	COALESCE(value [, value])
	CONCAT(string, string [, string])
	CONTAINS(string, substring) @9.2
	COPY_SIGN(magnitude, sign) @8.19
	COS(angle)
	COSH(number)
	DATE_DIFF(unit, start, end) @8.13
	DATE_EXTRACT(part, date)
	DATE_FORMAT([format,] date)
	DATE_PARSE([format,] string)
	DATE_TRUNC(interval, date)
	DAY_NAME(date) @9.2
	DECAY(value, origin, scale [, options]) @9.3
	E()
	ENDS_WITH(string, suffix)
	EXP(number) @8.16
	FLOOR(number)
	FROM_BASE64(string) @8.14
	GREATEST(value [, value])
	HASH(algorithm, value) @8.17
	HYPOT(a, b) @8.16
	IP_PREFIX(ip, length4, length6) @8.14
	KNN(field, vector [, options]) @9.2
	KQL(query) @8.18
	LEAST(value [, value])
	LEFT(string, length)
	LENGTH(string)
	LOCATE(string, substring [, start]) @8.14
	LOG([base,] number) @8.14
	LOG10(number)
	LTRIM(string)
	MATCH(field, query [, options]) @8.17
	MATCH_PHRASE(field, query [, options]) @8.19
	MD5(string) @8.17
	MONTH_NAME(date) @9.2
	MULTI_MATCH(query, field [, field] [, options]) @8.19
	MV_APPEND(values, values) @8.14
	MV_AVG(values)
	MV_CONCAT(values, separator)
	MV_CONTAINS(values, values) @9.2
	MV_COUNT(values)
	MV_DEDUPE(values)
	MV_FIRST(values) @8.13
	MV_INTERSECTION(values, values) @9.3
	MV_LAST(values) @8.13
	MV_MAX(values)
	MV_MEDIAN(values)
	MV_MEDIAN_ABSOLUTE_DEVIATION(values) @8.16
	MV_MIN(values)
	MV_PERCENTILE(values, percentile) @8.16
	MV_PSERIES_WEIGHTED_SUM(values, p) @8.16
	MV_SLICE(values, start [, end]) @8.14
	MV_SORT(values [, order]) @8.14
	MV_SUM(values)
	MV_ZIP(values, values [, separator]) @8.14
	NETWORK_DIRECTION(source, destination, networks) @9.3
	NOW()
	PI()
	POW(base, exponent)
	QSTR(query) @8.17
	REPEAT(string, count) @8.15
	REPLACE(string, regex, replacement)
	REVERSE(string) @8.16
	RIGHT(string, length)
	ROUND(number [, decimals])
	ROUND_TO(field, point [, point]) @9.1
	RTRIM(string)
	SCALB(number, exponent) @8.19
	SCORE(condition) @9.2
	SHA1(string) @8.17
	SHA256(string) @8.17
	SIGNUM(number) @8.14
	SIN(angle)
	SINH(number)
	SPACE(count) @8.16
	SPLIT(string, delimiter)
	SQRT(number)
	STARTS_WITH(string, prefix)
	ST_CONTAINS(geometry, geometry) @8.14
	ST_DISJOINT(geometry, geometry) @8.14
	ST_DISTANCE(point, point) @8.15
	ST_ENVELOPE(geometry) @8.18
	ST_GEOHASH(geometry, precision [, bounds]) @9.2
	ST_GEOHEX(geometry, precision [, bounds]) @9.2
	ST_GEOTILE(geometry, precision [, bounds]) @9.2
	ST_INTERSECTS(geometry, geometry) @8.14
	ST_WITHIN(geometry, geometry) @8.14
	ST_X(point) @8.14
	ST_XMAX(geometry) @8.18
	ST_XMIN(geometry) @8.18
	ST_Y(point) @8.14
	ST_YMAX(geometry) @8.18
	ST_YMIN(geometry) @8.18
	SUBSTRING(string, start [, length])
	TAN(angle)
	TANH(number)
	TAU()
	TEXT_EMBEDDING(text, inference) @9.3
	TOP_SNIPPETS(field, query [, options]) @9.3
	TO_AGGREGATE_METRIC_DOUBLE(number) @8.19
	TO_BASE64(string) @8.14
	TO_BOOLEAN(value)
	TO_CARTESIANPOINT(value)
	TO_CARTESIANSHAPE(value)
	TO_DATEPERIOD(value) @8.16
	TO_DATETIME(value)
	TO_DATE_NANOS(value) @8.18
	TO_DEGREES(number)
	TO_DENSE_VECTOR(values) @9.2
	TO_DOUBLE(value)
	TO_GEOHASH(value) @9.2
	TO_GEOHEX(value) @9.2
	TO_GEOPOINT(value)
	TO_GEOSHAPE(value)
	TO_GEOTILE(value) @9.2
	TO_INTEGER(value)
	TO_IP(value)
	TO_LONG(value)
	TO_LOWER(string)
	TO_RADIANS(number)
	TO_STRING(value)
	TO_TIMEDURATION(value) @8.16
	TO_UNSIGNED_LONG(value)
	TO_UPPER(string)
	TO_VERSION(value)
	TRANGE(from [, to]) @9.3
	TRIM(string)
	URL_DECODE(string) @9.2
	URL_ENCODE(string) @9.2
	URL_ENCODE_COMPONENT(string) @9.2
	V_COSINE(vector, vector) @9.3
	V_DOT_PRODUCT(vector, vector) @9.3
	V_HAMMING(vector, vector) @9.3
	V_L1_NORM(vector, vector) @9.3
	V_L2_NORM(vector, vector) @9.3
`)

export const metadataFields = ['_id', '_index', '_version', '_source', '_score', '_ignored', '_index_mode'] as const
