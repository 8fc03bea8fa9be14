import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cases } from '@roundhouse/kit/conformance'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { someOf } from '../../tests/support/cases.ts'
import { checkDrivers, type Edit, withEdit, writeFromTemplate } from '../../tests/support/driver-check.ts'
import { defects } from '../../tests/support/driver-defects.ts'
import type { CaseResult, Report } from './report.ts'

/** The conformance kit passes drivers that keep its rules, and names the rule that a driver breaks. */

const checkout = join(import.meta.dirname, '..', '..')
const templates = ['minimal', 'http', 'sql']
const testDrivers = ['ledger', 'shop']
let folder: string
let reports: ReadonlyMap<string, Report>

function reportOf(name: string): Report {
	const report = reports.get(name)
	if (!report) throw new Error(`${name} was not checked`)
	return report
}

/** Writes a driver of the tests into an author's folder, with changes. */
async function writeTestDriver(name: string, to: string, edits: readonly Edit[] = []): Promise<void> {
	const source = join(checkout, 'tests/mcp/drivers', name)
	const { 'manifest.json': manifest = '', ...sources } = Object.fromEntries(
		await Promise.all(
			(await readdir(source)).map(async file => [file, await readFile(join(source, file), 'utf8')] as const),
		),
	)
	const roundhouse = JSON.parse(manifest)
	const packageJson = { name, version: '1.0.0', type: 'module', license: 'MIT', roundhouse }
	const files: Record<string, string> = {
		...sources,
		'package.json': JSON.stringify(packageJson),
		'README.md': `The driver ${name} of the tests.`,
		LICENSE: 'MIT',
	}
	await mkdir(to)
	for (const [file, text] of Object.entries(files)) {
		const edited = edits.filter(edit => edit[0] === file).reduce(withEdit, text)
		await writeFile(join(to, file), edited.replaceAll("'../", "'./"))
	}
	await cp(join(source, '..', 'export-rows.ts'), join(to, 'export-rows.ts'))
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-checked-'))
	for (const name of testDrivers) await writeTestDriver(name, join(folder, name))
	for (const template of templates) await writeFromTemplate(template, join(folder, template))
	await writeFromTemplate('minimal', join(folder, 'throwing'), [throwingTool])
	await writeFromTemplate('minimal', join(folder, 'volatile'), volatileColumn)
	await writeFromTemplate('minimal', join(folder, 'filterless'), [
		['notes.ts', 'this.all().filter(matches)', 'this.all().filter(note => matches(note) || true)'],
	])
	for (const [index, [, , edit, source = 'minimal', ...others]] of someOf(defects).entries()) {
		const write = testDrivers.includes(source) ? writeTestDriver : writeFromTemplate
		await write(source, join(folder, `defect-${index}`), [edit, ...others])
	}
	const checked = [
		...someOf(defects).map(([, caseId], index) => {
			// Some defects show only when a connection is opened.
			return { name: `defect-${index}`, only: [caseId, 'connect.open'] }
		}),
		...[...templates, ...testDrivers, 'volatile'].map(name => ({ name, only: [] })),
		{ name: 'filterless', only: ['pages.filter'] },
		{ name: 'throwing', only: ['tools.examples', 'process.quiet'] },
	].map(({ name, only }) => ({ name, folder: join(folder, name), only }))
	// The longest check is the first to start.
	const shipped = { name: 'search-engine', folder: join(checkout, 'plugins/search-engine'), only: [] }
	const all = [...(inject('runsAllCases') ? [shipped] : []), ...checked]
	const made = await checkDrivers(all)
	reports = new Map(made.map((report, index) => [all[index]?.name ?? '', report]))
}, 480_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the ledger passes what it has', () => {
	const { findings, cases } = reportOf('ledger')
	expect(findings).toEqual([])
	expect(cases.find(({ id }) => id === 'pages.sort')).toMatchObject({
		outcome: 'absent',
		reason: 'The ledger has few accounts.',
	})
})

test('the shop passes what it has, also the optional parts', () => {
	const { findings, cases } = reportOf('shop')
	expect(findings).toEqual([])
	const optional = [
		'schema.cannot',
		'schema.form',
		'edits.import',
		'edits.whole',
		'console.parameters',
		'console.place',
		'console.leftovers',
		'console.session',
		'console.trigger',
		'console.cascade',
		'console.sequence',
	]
	const passed = cases.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
	expect(passed).toEqual(
		expect.arrayContaining([...optional, 'export.grid', 'export.limit', 'export.selection', 'export.statement']),
	)
})

if (inject('runsAllCases')) {
	test('the search engine passes all groups on its sample', () => {
		const { findings, groups } = reportOf('search-engine')
		expect(findings).toEqual([])
		expect(groups.find(({ group }) => group === 'connect')).toMatchObject({ passed: 8, absent: 1 })
	})
}

test.each(templates)('the template %s passes untouched, case by case', template => {
	const { findings, cases: results } = reportOf(template)
	expect(findings).toEqual([])
	expect(results.map(({ id }) => id)).toEqual(cases.map(({ id }) => id))
})

const volatileColumn: readonly Edit[] = [
	[
		'notes.ts',
		"column('stars', 'number', ofNumber),\n]",
		"column('stars', 'number', ofNumber),\n\t{ ...column('reads', 'number', ofNumber), isVolatile: true },\n]\n\nlet reads = 0",
	],
	['notes.ts', 'cells: [id, text, stars]', 'cells: [id, text, stars, ++reads]'],
	['console.ts', '[id, text, stars])', '[id, text, stars, Math.random()])'],
]

test('a value that changes by itself is no finding, if its column says so', () => {
	expect(reportOf('volatile').findings).toEqual([])
})

test('an optional example that is not given is absent with the way to give it', () => {
	const absent = reportOf('minimal').cases.find(({ id }) => id === 'schema.many')
	expect(absent?.reason).toBe(
		'conformance.ts has no `manyTables`. To try this case, add `manyTables: count => ({ settings, stop })`.',
	)
})

test('a finding about a filter names rows, the column and the cells', () => {
	const { findings } = reportOf('filterless')
	expect(findings).toContainEqual({
		id: 'pages.filter',
		place: 'filter notes.text equals "Call Ada"',
		sentence: expect.stringMatching(
			/^In the column text, row "1" has "Written by Ada", row "2" has "Buy bread", row "4" has "Read a book" and 1 more: they are returned, but do not match\.$/,
		),
	})
})

const throwingTool: Edit = [
	'driver.ts',
	'count_notes: async (_, { connection, ...call }) => {',
	"count_notes: async () => {\n\t\t\tthrow new TypeError('not counted')",
]

test('a finding names the line of the source, not of the bundle', async () => {
	const lines = (await readFile(join(folder, 'throwing', 'driver.ts'), 'utf8')).split('\n')
	const line = lines.findIndex(text => text.includes('not counted')) + 1
	expect(reportOf('throwing').findings).toContainEqual({
		id: 'process.quiet',
		place: `driver.ts:${line}`,
		sentence: `The driver printed: TypeError: not counted (driver.ts:${line}:10)`,
	})
})

test('a check that stops at the first failure reports each case at its end, and tries none behind it', async () => {
	const ended: string[] = []
	const onCase = ({ id, outcome }: CaseResult) => void ended.push(`${id} ${outcome}`)
	const [report] = await checkDrivers([
		{ folder: join(folder, 'filterless'), only: ['pages', 'edits'], failFast: true, onCase },
	])
	expect(ended.at(-1)).toBe('pages.filter failed')
	const left = report?.cases.filter(({ id }) => !ended.some(one => one.startsWith(`${id} `))) ?? []
	expect(left.length).toBeGreaterThan(0)
	expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['It was not tried, because a case failed.']))
})

describe('a driver with one defect', () => {
	test.each(
		someOf(defects).map(([defect, caseId], index) => ({ defect, caseId, index })),
	)('if $defect, the case $caseId says so', ({ caseId, index }) => {
		const { findings } = reportOf(`defect-${index}`)
		expect(findings.map(({ id }) => id)).toContain(caseId)
		for (const { place, sentence } of findings) {
			expect(place).not.toBe('')
			expect(sentence).toMatch(/^\S.*\S$/s)
		}
	})
})
