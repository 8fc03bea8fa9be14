import { expect, test } from 'vitest'
import { behindAny, completionsFor, isCertain } from './completion-info.ts'

const options = [
	{ label: 'is distinct from', kind: 'keyword' },
	{ label: 'from', kind: 'keyword' },
	{ label: 'sales.open_orders', kind: 'table' },
	{ label: 'sales.orders', kind: 'table' },
	{ label: 'old_id', kind: 'column', isDeprecated: true },
	{ label: 'id', kind: 'column' },
	{ label: 'count', kind: 'function', insert: 'count(' },
	{ label: 'sales.close_order', kind: 'function', insert: 'sales.close_order()' },
	{ label: '_source', kind: 'keyword' },
] as const
const shown = (typed: string, isExplicit = false) =>
	completionsFor({ from: 0, options }, { typed, isExplicit })?.options.map(({ label }) => label)

test('options begin with the word, and names of tables and columns may contain it', () => {
	expect(shown('f')).toEqual(['from'])
	expect(shown('ord')).toEqual(['sales.orders', 'sales.open_orders'])
	expect(shown('i')).toEqual(['is distinct from', 'id', 'old_id'])
	expect(shown('fm')).toBeUndefined()
	expect(shown('clo')).toEqual(['sales.close_order'])
	expect(shown('sou')).toEqual(['_source'])
})

test('a word that an option would not change opens no list, unless the user asks for it', () => {
	expect(shown('id')).toBeUndefined()
	expect(shown('id', true)).toEqual(['id', 'old_id'])
	expect(shown('count')).toEqual(['count'])
})

test('Enter accepts the first option if its name begins with what is typed, or the driver is certain', () => {
	const accepted = (typed: string, some: Parameters<typeof completionsFor>[0]['options'] = options) =>
		completionsFor({ from: 0, options: some }, { typed, isExplicit: true })
			?.options.filter(isCertain)
			.map(({ label }) => label)
	expect(accepted('fr')).toEqual(['from'])
	expect(accepted('ord')).toEqual(['sales.orders'])
	expect(accepted('rder')).toEqual([])
	expect(accepted('')).toEqual([])
	const condition = { label: 'o.customer_id = c.id', kind: 'keyword', isCertain: true } as const
	expect(accepted('', [condition, ...options])).toEqual(['o.customer_id = c.id'])
	expect(accepted('', [options[0], condition])).toEqual([])
})

test('a list opens behind the words and signs of the driver, in any case', () => {
	const opens = (text: string, beginnings = ['on', '(', '*']) => behindAny(beginnings).test(text)
	expect(['a join b on ', 'a JOIN b ON  ', 'insert into t (', 'select *'].filter(text => !opens(text))).toEqual([])
	expect(['a join b on', 'carton ', 'on x ', 'a + ', ''].filter(text => opens(text))).toEqual([])
	expect(opens('a join b on ', [])).toBe(false)
})
