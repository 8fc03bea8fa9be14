/**
 * Types of PostgreSQL for random tables. The schema is that of the test, so the model knows what a type means without
 * the driver's catalog.
 */
export interface Type {
	readonly sql: string
	/** Type in which values are compared, without a length, which would cut the compared value. Default: `sql`. */
	readonly compared?: string
	/** Text form of values that a column takes. */
	readonly values: readonly string[]
	/** Further values for filters: longer or more precise than a column takes, or malformed. */
	readonly probes?: readonly string[]
	/** Whether filters trim the value. */
	readonly isText?: boolean
	readonly cell?: 'number' | 'boolean' | 'json' | 'bytes'
	/** Without an order there are no comparisons and no sorts. */
	readonly isUnordered?: boolean
	readonly isNumber?: boolean
	/** Its moments are compared with days, and grouped by intervals. */
	readonly isMoment?: boolean
	/** Values that a filter refuses, although a cast of the engine takes them. */
	readonly refused?: RegExp
	/** Different texts may be equal, so a group may show either. */
	readonly sameAs?: (text: string) => string
}

/** Types that the columns below use. Run once in each database. */
export const typeSchema = `
create type mood as enum ('new', 'PAID', 'zz', '');
create type pair as (a int, b text);
create domain small as int check (value < 1000);
create domain word3 as varchar(3);
create domain day_only as date;
create domain flags as bit(3);
create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);`

const texts = [
	'a',
	'A',
	'ab',
	'Ab ',
	'abc',
	'b',
	'B',
	'',
	' ',
	'null',
	'NULL',
	'true',
	'1',
	'10',
	'9',
	"it's",
	'a"b',
	'a\\b',
	'100%',
	'a_b',
	'a*b',
	'a?b',
	'line\nbreak',
	'tab\there',
	'=1+1',
	'-5',
	'é',
	'É',
	'😀',
	'\r',
	'\\N',
	'\\.',
	',',
	'{a}',
	'\u2028',
	'{"a": 1}',
	'x'.repeat(4_100),
	`${'y'.repeat(10_000)}end`,
]
/** Equal and not equal texts of a collation that ignores case. */
const twins = ['a', 'A', 'ab', 'AB', 'Ab', 'b', 'B', 'c', 'C', 'd', 'é', 'É', '', '10', 'x y']
const shortTexts = ['a', 'A', 'ab', 'abc', 'AB', 'b', '', '1', 'é', ' a', 'x,y', '"', 'a\\']
const longer = ['abcd', 'abc ', 'ABCD', 'xyz1']
const wholes = ['0', '1', '-1', '2', '9', '10', '100', '32767', '-32768']
const decimals = ['0', '1', '1.5', '-1.5', '0.1', '10', '9.99', '-0.01', '1e5']
const wrongNumbers = ['abc', '1.5', '99999999999999999999', '', ' 7 ', '+1', '1e1']
const days = ['2024-01-01', '2024-02-29', '2024-03-31', '2023-12-31', '1999-12-31', '0001-01-01', '10000-01-01']
const moments = [
	'2024-01-01 00:00:00',
	'2024-01-01 23:59:59',
	'2024-01-02 00:00:00',
	'2024-02-29 12:30:00',
	'2024-03-31 01:59:59',
	'2024-10-27 02:30:00',
	'1999-12-31 23:59:59',
	'infinity',
	'-infinity',
]
const precise = ['2024-01-01 00:00:00.6', '2024-01-01 23:59:59.999999', '2024-01-02T00:00:00', 'yesterdays']
const asNumber = (text: string) => String(Number(text) + 0)
const cut = (text: string) => text.replace(/\.?0+$/, '')

export const types: readonly Type[] = [
	{
		sql: 'int',
		compared: 'numeric',
		values: [...wholes, '3', '7', '12', '2147483647'],
		probes: wrongNumbers,
		isNumber: true,
	},
	{ sql: 'smallint', compared: 'numeric', values: wholes, probes: [...wrongNumbers, '70000'], isNumber: true },
	{
		sql: 'bigint',
		compared: 'numeric',
		probes: wrongNumbers,
		isNumber: true,
		values: [...wholes, '9007199254740993', '-9223372036854775808', '9223372036854775807'],
	},
	{
		sql: 'numeric',
		probes: wrongNumbers,
		isNumber: true,
		sameAs: asNumber,
		values: [...decimals, '1.50', '9007199254740993.5', 'NaN'],
	},
	{
		sql: 'numeric(5,1)',
		compared: 'numeric',
		isNumber: true,
		values: ['0', '1.5', '-1.5', '10', '9999.9', '0.1'],
		probes: ['1.54', '1.46', '99999.9', '0.05'],
	},
	{
		sql: 'real',
		values: [...decimals, 'NaN', 'Infinity', '-0'],
		probes: wrongNumbers,
		isNumber: true,
		sameAs: asNumber,
	},
	{
		sql: 'double precision',
		probes: wrongNumbers,
		isNumber: true,
		sameAs: asNumber,
		values: [...decimals, '0.30000000000000004', '1e300', 'NaN', '-Infinity', '-0'],
	},
	{ sql: 'oid', compared: 'int8', values: ['0', '1', '16384', '4294967295'], probes: wrongNumbers },
	{ sql: 'boolean', values: ['true', 'false'], cell: 'boolean', probes: ['t', 'no', 'maybe'] },
	{ sql: 'text', values: texts, isText: true },
	{ sql: 'text collate loose', compared: 'text', values: twins, isText: true, sameAs: text => text.toLowerCase() },
	{ sql: 'text collate "und-x-icu"', compared: 'text', values: texts, isText: true },
	{ sql: 'varchar', compared: 'text', values: texts, isText: true },
	{ sql: 'varchar(3)', compared: 'text', values: shortTexts, probes: longer, isText: true },
	{ sql: 'char(5)', compared: 'bpchar', values: shortTexts, probes: ['abcdef', 'ab    '], isText: true },
	{ sql: 'name', compared: 'text', values: shortTexts, probes: ['n'.repeat(70)], isText: true },
	{ sql: '"char"', values: ['a', 'A', '1', ''], probes: ['xyz', 'ab'], refused: /../s },
	{ sql: 'word3', compared: 'text', values: shortTexts, probes: longer, isText: true },
	{ sql: 'mood', values: ['new', 'PAID', 'zz', ''], probes: ['paid', 'old'], isText: true },
	{
		sql: 'small',
		compared: 'numeric',
		values: ['0', '1', '-1', '10', '999'],
		probes: ['1000', ...wrongNumbers],
		isNumber: true,
	},
	{ sql: 'date', compared: 'timestamp', values: days, probes: ['2023-02-29', '2024-01-01 12:00', 'x'] },
	{ sql: 'day_only', compared: 'timestamp', values: days, probes: ['2023-02-29'] },
	{ sql: 'timestamp', values: [...moments, ...precise.slice(0, 2)], probes: [...days, ...precise], isMoment: true },
	{ sql: 'timestamp(0)', compared: 'timestamp', values: moments, probes: [...days, ...precise], isMoment: true },
	{ sql: 'timestamptz', values: [...moments, ...precise.slice(0, 2)], probes: [...days, ...precise], isMoment: true },
	{ sql: 'time', values: ['00:00:00', '12:30:00', '23:59:59.5', '24:00:00'], probes: ['25:00'] },
	{ sql: 'interval', values: ['1 day', '2 mons', '00:00:01', '-1 years', '01:00:00'], probes: ['x'] },
	{
		sql: 'interval hour',
		compared: 'interval',
		values: ['01:00:00', '2 days', '-03:00:00'],
		probes: ['01:30:00', '90 min'],
	},
	{
		sql: 'uuid',
		values: ['00000000-0000-0000-0000-000000000000', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
		probes: ['x'],
	},
	{ sql: 'inet', values: ['10.0.0.1', '10.0.0.0/8', '::1', '192.168.1.1/24'], probes: ['x', '10.0.0.1/32'] },
	{ sql: 'cidr', values: ['10.0.0.0/8', '192.168.1.0/24', '::/0'], probes: ['10.0.0.1/8'] },
	{ sql: 'bit(5)', compared: 'varbit', values: ['10000', '00000', '11111', '00001'], probes: ['1', '101010', 'x'] },
	{ sql: 'bit varying(3)', compared: 'varbit', values: ['1', '101', '111', '0', ''], probes: ['10111', '1010'] },
	{ sql: 'flags', compared: 'varbit', values: ['100', '000', '111'], probes: ['1', '1000'] },
	{
		sql: 'bytea',
		values: ['\\x', '\\x00', '\\xdeadbeef', '\\x616263'],
		probes: ['xyz', '\\x0'],
		cell: 'bytes',
		refused: /^(?!\\x([0-9a-f]{2})*$)/,
	},
	{
		sql: 'json',
		values: ['{"b":1,"a":[1,2]}', '"true"', 'null', '1', '[]', ' [ 1 ] '],
		cell: 'json',
		isUnordered: true,
	},
	{
		sql: 'jsonb',
		cell: 'json',
		values: ['{"a": 1}', '"true"', '"null"', 'null', 'true', '1', '"1"', '[]', '9007199254740993', '1.10'],
		probes: ['{', '1.1'],
		sameAs: text => cut(text),
	},
	{ sql: 'int[]', values: ['{}', '{1}', '{1,NULL}', '{{1,2},{3,4}}'], probes: ['1', '[1]'] },
	{ sql: 'text[]', values: ['{}', '{a}', '{"a,b",NULL}', '{NULL,"NULL"}', '{"",a}'], probes: ['a'] },
	{ sql: 'varchar(3)[]', compared: 'text[]', values: ['{abc}', '{a,b}', '{}'], probes: ['{abcd}'] },
	{ sql: 'numeric(5,1)[]', compared: 'numeric[]', values: ['{1.5}', '{1.5,NULL}', '{}'], probes: ['{1.54}'] },
	{ sql: 'mood[]', values: ['{new}', '{PAID,zz}', '{}'], probes: ['{old}'] },
	{ sql: 'pair', values: ['(1,x)', '(,)', '(2,)', '(3,"a,b")', '(,x)'], probes: ['(', '(1)'] },
	{ sql: 'int4range', values: ['[1,5)', 'empty', '[2,)', '(,3)'], probes: ['[5,1]'] },
	{ sql: 'point', values: ['(1,2)', '(0,0)'], isUnordered: true },
	{ sql: 'tsvector', values: ["'a' 'b'", "'c':1"], probes: [] },
]

/** Names that need quotes, or that JavaScript or the driver could take for something else. */
export const oddNames = [
	'plain',
	'select',
	'a.b',
	'Odd "quoted" name',
	"semi;colon'",
	'ünï',
	'count',
	'row',
	'__proto__',
	'constructor',
	'0',
	'with space',
	'UPPER',
	'n%',
	'back\\slash',
	'tab\tname',
	'$1',
	'ctid2',
	'oid',
	'chosen',
	'line\nname',
	'x'.repeat(63),
]
