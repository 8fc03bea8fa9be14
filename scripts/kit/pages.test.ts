import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { needsOf } from './needs.ts'
import { referenceOf, reportOf, versionFault } from './pages.ts'
import { readSurface } from './surface.ts'

test('the reference and the report of the kit are current', async () => {
	const surface = await readSurface()
	const report = await readFile('plugins/kit/api-report.md', 'utf8')
	expect(versionFault(report, reportOf(surface))).toBeUndefined()
	const advice = 'Run: npm run kit:report'
	expect(report, advice).toBe(reportOf(surface))
	expect(await readFile('docs/kit.md', 'utf8'), advice).toBe(referenceOf(surface))
})

test('the report of the SQL layer is current, and each of its names says what it is', async () => {
	const surface = await readSurface('sql')
	const report = await readFile('plugins/sql/api-report.md', 'utf8')
	expect(versionFault(report, reportOf(surface))).toBeUndefined()
	expect(report, 'Run: npm run kit:report').toBe(reportOf(surface))
	// It throws for a name without a docstring.
	expect(referenceOf(surface)).toContain('connectionOf')
})

test('docs/drivers.md names each member of a dialect', async () => {
	const page = await readFile('docs/drivers.md', 'utf8')
	const listed = new Set([...page.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []))
	const { modules } = await readSurface('sql')
	const members = ['Dialect', 'Values'].flatMap(name => {
		const { signature = '' } = modules[0]?.declarations.find(one => one.name === name) ?? {}
		return [...signature.matchAll(/^ {4}(?:readonly )?(\w+)/gm)].map(([, member]) => member)
	})
	expect(members).toContain('digest')
	expect(members.filter(member => !listed.has(member ?? ''))).toEqual([])
})

test('the reference links to each of its headings', async () => {
	const page = referenceOf(await readSurface())
	const anchors = page
		.match(/(?<=^##+ ).+$/gm)
		?.map(heading => heading.toLowerCase().replaceAll(/[@/.]/g, '').replaceAll(' ', '-'))
	const links = page.match(/(?<=\]\(#)[^)]+/g)
	expect(links?.map(link => link.replace(/-\d+$/, ''))).toEqual(anchors)
	expect(new Set(links).size).toBe(links?.length)
})

test('a changed surface needs another version', () => {
	const report = (version: string, code: string) => `# Report\n\nVersion ${version}. A change.\n\n${code}\n`
	expect(versionFault(report('0.1.0', 'type A = 1'), report('0.1.0', 'type A = 2'))).toContain('npm run kit:report')
	expect(versionFault(report('0.1.0', 'type A = 1'), report('0.1.1', 'type A = 2'))).toBeUndefined()
	expect(versionFault(report('0.1.0', 'type A = 1'), report('0.1.0', 'type A = 1'))).toBeUndefined()
	expect(versionFault('', report('0.1.0', 'type A = 1'))).toBeUndefined()
})

test('a public name without a docstring is refused', async () => {
	const surface = await readSurface()
	const bare = { name: 'Bare', docs: '', code: 'export type Bare = 1', signature: 'export type Bare = 1' }
	const modules = [...surface.modules, { module: '@roundhouse/kit/bare', declarations: [bare] }]
	expect(() => referenceOf({ ...surface, modules })).toThrow('Write a docstring for Bare.')
})

test('the page of what a driver needs lists each optional member of a connection', async () => {
	const { modules } = await readSurface()
	const connection = modules.flatMap(({ declarations }) => declarations).find(({ name }) => name === 'Connection')
	const signature = connection?.signature ?? ''
	expect(needsOf({ signature })).toContain('| `openSession` |')
	expect(() => needsOf({ signature: signature.replace('openSession?', 'openSessionNew?') })).toThrow(
		'List the optional members of Connection in scripts/kit/needs.ts: openSession, openSessionNew.',
	)
})
