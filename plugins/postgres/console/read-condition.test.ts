import { DriverError } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import type { ShapeColumn } from '../catalog/shape.ts'
import { readCondition } from './read-condition.ts'

const column = (name: string, kind: ShapeColumn['kind']): ShapeColumn => ({
	name,
	type: kind,
	kind,
	base: kind,
	sqlType: kind,
	isBuiltIn: true,
	operatorSchema: undefined,
	isUnbounded: false,
	isNotNull: false,
	isProvenNotNull: false,
	isComposite: false,
	isLooselyCollated: false,
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	isComputed: false,
	filterFields: [{ name, kind, operators: ['equals', 'starts_with'] }],
})
const asked: unknown[] = []

/** `|` is the cursor. */
async function at(text: string) {
	const offset = text.indexOf('|')
	const bare = text.replace('|', '')
	const { completions, ...words } = await readCondition(
		{ text: bare, offset },
		{
			columns: [column('state', 'text'), column('Total', 'number'), column('Given name', 'number')],
			check: async raw => {
				if (raw.endsWith('=')) throw new DriverError('invalid_argument', 'The condition is not valid.')
			},
			top: async (filters, name) => {
				asked.push([name, ...filters.map(({ values }) => values[0])])
				return ['new', "not 'yet'"]
			},
		},
	)
	return {
		typed: bare.slice(completions.from, offset),
		inserts: completions.options.map(({ label, insert = label }) => insert),
		...words,
	}
}

test('columns and words are offered, and values behind a comparison', async () => {
	expect(await at('sta|')).toMatchObject({ typed: 'sta', inserts: ['state'] })
	expect((await at('|')).inserts).toEqual(['state', '"Total"', '"Given name"'])
	expect(await at('state = 1 and "To|')).toMatchObject({ typed: '"To', inserts: ['"Total"'] })
	expect(await at('"Total"|')).toMatchObject({ typed: '"Total"', inserts: ['"Total"'] })
	// Not `"Giv"Given name"`.
	expect(await at('"Giv|')).toMatchObject({ typed: '"Giv', inserts: ['"Given name"'] })
	expect(await at('"Giv|" = 1')).toMatchObject({ typed: '"Giv', inserts: ['"Given name"'] })
	expect(await at('exists (select 1 where "Giv| = 1)')).toMatchObject({ typed: '"Giv', inserts: ['"Given name"'] })
	expect((await at('state is no|')).inserts).toEqual(['not'])
	for (const text of ["state = 'n|", "state <> 'n|", "state in ('old', 'n|", '"Total" > 1 and state like \'n|']) {
		expect(await at(text)).toMatchObject({ typed: "'n", inserts: ["'new'", "'not ''yet'''"] })
		expect(asked.at(-1)).toEqual(['state', 'n'])
	}
	expect((await at("lower('n|")).inserts).toEqual([])
	expect((await at('-- sta|')).inserts).toEqual([])
})

test('it says which columns it reads, and what is wrong', async () => {
	expect(await at('"Total" > 1 and STATE = \'a\'|')).toMatchObject({
		understood: 'Condition on state, Total.',
	})
	expect(await at('state =|')).toMatchObject({ fault: 'The condition is not valid.' })
})
