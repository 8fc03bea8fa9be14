/**
 * Types of MariaDB for random tables. Texts are compared by the server, so the model knows only how a value is written and
 * how a cell shows it.
 */
export interface Type {
	readonly sql: string
	/** As a user types them. */
	readonly values: readonly string[]
	/** How a value is written as SQL. Default: a text. */
	readonly written?: 'digits' | 'float' | 'bits' | 'bytes'
	readonly cell: 'number' | 'text' | 'bytes' | 'json'
	/** A day alone means all of its moments. */
	readonly isMoment?: boolean
}

const texts = [
	'a',
	'A',
	'ab',
	'Ab ',
	'b',
	'',
	' ',
	'null',
	'1',
	'10',
	"it's",
	'a"b',
	'a\\b',
	'a`b',
	'100%',
	'a_b',
	'a*b',
	'line\nbreak',
	'tab\there',
	'=1+1',
	'é',
	'É',
	'ß',
	'ss',
	'😀',
	'😁',
	'\r',
	'\\N',
	',',
	'{a}',
	'\u2028',
	'-- x',
	'/*! x */',
	`${'y'.repeat(10_000)}end`,
]
const middle = texts.filter(text => text.length <= 100)
const short = texts.filter(text => text.length <= 10 && !text.endsWith(' '))

export const whole: Type = {
	sql: 'int',
	values: ['0', '1', '-1', '7', '2147483647', '-2147483648'],
	written: 'digits',
	cell: 'number',
}

const number = (sql: string, ...values: readonly string[]): Type => ({ sql, values, written: 'digits', cell: 'number' })
const text = (sql: string, values: readonly string[] = texts): Type => ({ sql, values, cell: 'text' })
const moment = (sql: string, ...values: readonly string[]): Type => ({ sql, values, cell: 'text', isMoment: true })

export const types: readonly Type[] = [
	whole,
	number('tinyint', '0', '1', '-128', '127'),
	number('boolean', '0', '1'),
	number('bigint', '0', '9007199254740993', '9007199254740992', '-9223372036854775808'),
	number('bigint unsigned', '0', '9007199254740993', '18446744073709551615', '18446744073709551614'),
	number('decimal(30, 10)', '0', '1.5', '1.50', '-0.0000000001', '12345678901234567890.0123456789'),
	number('decimal(5, 2)', '0', '1.5', '999.99', '-1'),
	number('double', '0', '0.1', '1e300', '-1.5', '1e-300', '16777217'),
	{ sql: 'float', values: ['0', '0.1', '16777216', '-1.5', '3.4e38', '1e-38'], written: 'float', cell: 'number' },
	number('year', '1901', '2026', '2155'),
	text('varchar(200)', middle),
	text('varchar(200) collate utf8mb4_bin', middle),
	text('varchar(200) collate utf8mb4_unicode_ci', middle),
	text('varchar(200) collate utf8mb4_nopad_bin', middle),
	text('text'),
	text('mediumtext collate utf8mb4_bin'),
	text('char(10)', short),
	text('varchar(20) character set latin1', ['a', 'A', 'é', 'É', 'ß', '', "it's", 'a\\b']),
	text("enum('z', 'a', 'm', '1', '')", ['z', 'a', 'm', '1', '']),
	text("set('z', 'a', 'm')", ['z', 'a', 'z,a', 'm', '']),
	{ sql: 'date', values: ['2026-11-29', '0001-01-01', '9999-12-31', '2026-03-29'], cell: 'text' },
	moment('datetime', '2026-11-29 00:00:00', '2026-11-29 23:59:59', '2026-11-30 00:00:00', '2026-11-29'),
	moment(
		'datetime(6)',
		'2026-11-29 00:00:00.000000',
		'2026-11-29 23:59:59.999999',
		'2026-11-29',
		'1000-01-01 00:00:00.5',
	),
	moment(
		'timestamp(3) null',
		'2026-03-29 01:30:00.000',
		'2026-03-29 02:30:00.123',
		'2026-03-29',
		'2038-01-19 03:14:07',
	),
	{ sql: 'time(2)', values: ['-26:00:00.50', '00:00:00.00', '838:59:59.00', '12:00:00'], cell: 'text' },
	{ sql: 'bit(9)', values: ['000000001', '100000000', '000000000'], written: 'bits', cell: 'text' },
	{ sql: 'varbinary(9)', values: ['00ff', '', '61', '6100', '5c27'], written: 'bytes', cell: 'bytes' },
	{ sql: 'blob', values: ['00ff', '', '61', 'ff'.repeat(300)], written: 'bytes', cell: 'bytes' },
	{
		sql: 'json',
		values: ['{"a": 1.10}', '[1, "x", null]', '"text"', 'null', '12345678901234567890'],
		cell: 'json',
	},
	text('uuid', ['00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff']),
	text('inet6', ['::1', 'ffff::', '::ffff:1.2.3.4']),
]

export const oddNames: readonly string[] = [
	'a',
	'B',
	'two words',
	'quo`te',
	'it"s',
	"apo'strophe",
	'select',
	'ünï',
	'dot.ted',
	'constructor',
	'1st',
	'1e5x',
	'--x',
	'a\\b',
	'percent%',
	'n',
]
