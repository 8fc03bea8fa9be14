import fc from 'fast-check'

/**
 * Values that are cheap to send and expensive to read: long runs of pattern prefixes, nesting, many names, long
 * numbers. A message contains a short note in place of each value, so that a failing message can be printed. The note
 * is expanded when the message is sent.
 */

const quoted = (unit: string) => (size: number) =>
	JSON.stringify(unit.repeat(Math.ceil(size / (JSON.stringify(unit).length - 2))))
const listed = (item: string) => (size: number) => `[${`${item},`.repeat(Math.ceil(size / (item.length + 1)))}0]`

/** JSON text of about this size, for code that searches, cuts, compares and repeats text. */
const texts: Readonly<Record<string, (size: number) => string>> = {
	letters: quoted('x'),
	brackets: quoted('['),
	closed: quoted('[:]'),
	dashes: quoted('a-'),
	schemes: quoted('a://'),
	addresses: quoted('1.1.1.1:'),
	groups: quoted('::a'),
	colons: quoted('a:'),
	credentials: quoted('a@'),
	bearers: quoted('Bearer '),
	quotes: quoted('"'),
	backslashes: quoted('\\'),
	homes: quoted('/home/'),
	drives: quoted('C:\\'),
	percents: quoted('%'),
	braces: quoted('{'),
	spaces: quoted(' '),
	lines: quoted('\n'),
	turns: quoted('\u202e'),
	surrogates: quoted('\ud800'),
	uri: size => JSON.stringify(`roundhouse://connections/${'/'.repeat(size)}`),
	statement: size => JSON.stringify(`echo ${'[a-'.repeat(size / 3)}`),
}

/** The same for the parser. These have up to the maximum size of a body. */
const structures: Readonly<Record<string, (size: number) => string>> = {
	digits: size => '1'.repeat(size),
	fraction: size => `0.${'1'.repeat(size)}`,
	lists: size => '['.repeat(size / 2) + ']'.repeat(size / 2),
	objects: size => '{"a":'.repeat(size / 6) + '1.10'.concat('}'.repeat(size / 6)),
	unclosed: size => '['.repeat(size),
	elements: listed('1'),
	exact: listed('1.10'),
	empties: listed('{}'),
	texts: listed('"a"'),
	names: size => `{${Array.from({ length: size / 11 }, (_, index) => `"${(index + 1e6).toString(36)}":1`).join(',')}}`,
}

export const oversizeNames: readonly string[] = Object.keys({ ...texts, ...structures })

const note = 'grow into'

const named = (growers: object, sizes: readonly number[]) =>
	fc.record({ what: fc.constantFrom(...Object.keys(growers)), size: fc.constantFrom(...sizes) })

export const oversize = fc
	.oneof(
		{ weight: 40, arbitrary: named({ ...texts, ...structures }, [500, 4_000, 20_000]) },
		{ weight: 6, arbitrary: named({ ...texts, ...structures }, [160_000, 1_000_000]) },
		// Copying ten megabytes of text a few times takes half the limit on an idle machine, and all of it on a busy one.
		{ weight: 1, arbitrary: named(texts, [2_000_000]) },
		{ weight: 1, arbitrary: named(structures, [9_900_000]) },
	)
	.map(({ what, size }) => ({ [note]: `${what} of ${size}` }))

const notes = new RegExp(`\\{"${note}":"(\\w+) of (\\d+)"\\}`, 'g')

/** Returns the JSON text of a message with every note expanded. */
export function grown(text: string): string {
	return text.replace(
		notes,
		(_, what: string, size: string) => (texts[what] ?? structures[what])?.(Number(size)) ?? 'null',
	)
}

/** Returns the same for a header, whose value has one line. */
export const longHeader = fc
	.constantFrom('[', 'a-', '=', '=?base64?', '{', '1', '"', '+json', ' ', ';')
	.chain(unit => fc.constantFrom(200, 2_000, 12_000).map(length => unit.repeat(length / unit.length)))
