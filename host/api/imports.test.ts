import { setTimeout as sleep } from 'node:timers/promises'
import { decode } from '@roundhouse/kit/encoded'
import { describe, expect, onTestFinished, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { testManifest } from '../../tests/support/manifest.ts'
import { unattended } from '../../tests/support/network-access.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { ActivityLog } from '../activity/activity-log.ts'
import type { ConnectionDraft } from '../connections/connection-fields.ts'
import { SavedConnections } from '../connections/saved-connections.ts'
import { openSecretStore } from '../connections/secrets.ts'
import { Sessions } from '../connections/sessions.ts'
import type { ImportPlan } from './api.ts'
import { ConsoleSessions } from './console-sessions.ts'
import { Grids } from './grids.ts'
import { Imports } from './imports.ts'
import { importMethods } from './methods/imports.ts'
import { Reviews } from './reviews.ts'

/** Imports on a real driver process, which keeps what it stores in memory. */

/** Inserts rows: a name that is stored already is a conflict, and `bad` fails. */
const top = `
	let stored = []
	let calls = 0
	const outcomeOf = ({ name }) =>
		name === 'bad' ? { status: 'failed', message: 'the engine does not take bad' }
		: stored.some(row => row.name === name) ? { status: 'conflict', message: name + ' exists' }
		: { status: 'applied' }
	const column = (name, kind, more) => ({ name, type: kind, kind, isKey: false, isReadOnly: false, isSortable: true, ...more })
	const columns = [
		column('name', 'text', { isKey: true }), column('size', 'number'), column('isOld', 'boolean'),
		column('photo', 'binary'), column('rank', 'number', { isReadOnly: true }),
	]
`
const common = `
	describeTable: async table =>
		table === 'stored' ? { name: table, columns: [], definition: { stored, calls } } : { name: table, columns },
`
const insertions = `
	applyChanges: async (table, changes) => {
		calls++
		return changes.map(({ values }) => {
			if (values.name === 'cut') process.exit(3)
			const outcome = outcomeOf(values)
			if (outcome.status === 'applied') stored.push(values)
			return outcome
		})
	},
`
/** All or nothing: \`finish\` stores. */
const whole = `
	openImport: async (table, { columns, onConflict }) => {
		let rows = []
		return {
			write: async cells => {
				calls++
				return cells.map(cells => {
					const row = Object.fromEntries(cells.map((cell, at) => [columns[at], cell]))
					const outcome = outcomeOf(row)
					if (outcome.status === 'conflict' && onConflict === 'replace') stored = stored.filter(({ name }) => name !== row.name)
					else if (outcome.status !== 'applied') return outcome
					rows.push(row)
					return { status: 'applied' }
				})
			},
			finish: async () => {
				if (rows.some(({ name }) => name === 'cut')) process.exit(3)
				stored = [...stored, ...rows]
			},
			abort: async () => void (rows = []),
		}
	},
`

interface Setup {
	readonly members?: string
	readonly savesWhole?: boolean
	readonly conflicts?: readonly ('skip' | 'replace')[]
	readonly imports?: null
	readonly draft?: Partial<ConnectionDraft>
	readonly tables?: string
}

async function setUp({ members = insertions, savesWhole = false, conflicts = ['skip'], imports, ...rest }: Setup = {}) {
	const { draft, tables = "[{ name: 'people' }]" } = rest
	const stack = new AsyncDisposableStack()
	onTestFinished(() => stack.disposeAsync())
	const support = stack.use(await temporarySupport())
	const driver = stack.use(await driverFromSource(`return ${tables}`, { top, members: common + members }))
	const manifest = testManifest('test', { savesWhole, imports: imports === null ? null : { conflicts } })
	const connections = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const { id } = await connections.add({ name: 'People', driverId: 'test', settings: {}, ...draft }, manifest)
	const sessions = new Sessions({
		saved: connections,
		drivers: {
			installed: () => [],
			ensure: async () => manifest,
			process: async () => driver,
			lease: () => async () => {},
			sample: async () => ({ settings: {}, url: '', ports: [], ended: new Promise(() => {}) }),
		},
		...unattended(connections),
	})
	const activity = await ActivityLog.open(support)
	stack.defer(() => activity.flush())
	const methods = importMethods({ connections, sessions, activity, manifestOf: async () => manifest })
	const context = {
		signal: new AbortController().signal,
		grids: new Grids(sessions),
		consoles: new ConsoleSessions(),
		imports: new Imports(),
		reviews: new Reviews(),
	}
	const planOf = (text: string | Uint8Array, plan: Partial<ImportPlan> = {}): ImportPlan => ({
		connection: id,
		table: 'people',
		onConflict: 'fail',
		file: { name: 'people.csv', sizeBytes: Buffer.byteLength(text) },
		format: { format: 'csv', delimiter: ',', hasHeader: true },
		mapping: ['name', 'size'].map(name => ({ field: name, column: name })),
		...plan,
	})
	const review = async (plan: ImportPlan) => (await methods['imports.review'].run(plan, context)).review
	async function begin(plan: ImportPlan & { readonly review?: string; readonly typed?: string }) {
		return (await methods['imports.begin'].run(plan, context)).id
	}
	const write = (id: string, bytes: Uint8Array) =>
		methods['imports.write'].run({ id, bytes: Buffer.from(bytes).toString('base64') }, context)
	const end = (id: string) => methods['imports.end'].run({ id }, context)
	return {
		methods,
		context,
		activity,
		review,
		begin,
		write,
		end,
		planOf,
		/** Changes the connection as a command line does, while its session is open. */
		change: (draft: Partial<ConnectionDraft>) => connections.update(id, draft, manifest),
		cancel: (id: string) => methods['imports.cancel'].run({ id }, context),
		/** Imports a whole file. */
		async run(text: string | Uint8Array, plan: Partial<ImportPlan> = {}) {
			const import_ = await begin(planOf(text, plan))
			await write(import_, Buffer.from(text))
			return end(import_)
		},
		async stored() {
			const session = await sessions.open(id)
			const { definition } = decode(await session.call('describeTable', { table: 'stored' }))
			return definition as { stored: readonly Record<string, unknown>[]; calls: number }
		},
	}
}

describe('an import of insertions', () => {
	test('inserts each row with its digits, and leaves out what the file lacks', async () => {
		const { run, stored, activity } = await setUp()
		const columns = ['name', 'size', 'isOld', 'photo']
		const mapping = columns.map(name => ({ field: name, column: name }))
		const text = 'name,size,isOld,photo\nAda,12345678901234567890,TRUE,AAH/\nBo,1.10,false,\\x00ff\nCy,,,\n'
		expect(await run(text, { mapping })).toEqual({
			state: 'done',
			rows: 3,
			imported: 3,
			skipped: 0,
			failed: 0,
			unknown: 0,
			faults: [],
		})
		expect((await stored()).stored).toEqual([
			{ name: 'Ada', size: { number: '12345678901234567890' }, isOld: true, photo: { bytes: 'AAH/' } },
			{ name: 'Bo', size: { number: '1.10' }, isOld: false, photo: { bytes: 'AP8=' } },
			{ name: 'Cy' },
		])
		expect(await activity.newest(5)).toMatchObject([
			{ action: 'rows.imported', outcome: 'success', verdict: 'write', rows: 3, connectionName: 'People' },
		])
	})

	test('names each row that failed by its line, with the words of the engine, and inserts the others', async () => {
		const { run, stored, activity } = await setUp()
		const account = await run('name,size\nAda,1\nbad,2\nBo,two\nAda,4\nCy,5,6\nDi,7\n')
		expect(account).toMatchObject({ state: 'done', rows: 6, imported: 2, failed: 4, unknown: 0 })
		expect(account.faults.toSorted((one, other) => one.line - other.line)).toEqual([
			{ line: 3, outcome: 'failed', message: 'the engine does not take bad', values: 'bad, 2' },
			{ line: 4, outcome: 'failed', message: 'size is not a number: "two"', values: 'Bo, two' },
			{ line: 5, outcome: 'failed', message: 'Ada exists', values: 'Ada, 4' },
			{ line: 6, outcome: 'failed', message: 'the first line has 2 values, and this one 3', values: '' },
		])
		expect((await stored()).stored.map(({ name }) => name)).toEqual(['Ada', 'Di'])
		expect(await activity.newest(1)).toMatchObject([{ outcome: 'error', rows: 2 }])
	})

	test('counts rows whose key exists apart if they are to be skipped', async () => {
		const { run } = await setUp()
		const account = await run('name\nAda\nAda\nBo\n', {
			mapping: [{ field: 'name', column: 'name' }],
			onConflict: 'skip',
		})
		expect(account).toMatchObject({ state: 'done', imported: 2, skipped: 1, failed: 0, faults: [] })
	})

	test('says unknown of the rows on their way when the driver is lost, and sends nothing more', async () => {
		const { run } = await setUp()
		const rows = Array.from({ length: 2_500 }, (_, at) => `p${at},1`)
		rows[1_500] = 'cut,1'
		const account = await run(`name,size\n${rows.join('\n')}\n`)
		expect(account).toMatchObject({ state: 'failed', imported: 1_000, unknown: 1_000, failed: 0 })
		expect(account.faults.map(({ line }) => line)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1_002))
	})

	test('ends after the rows on their way when it is cancelled', async () => {
		const { planOf, begin, write, cancel, end, stored } = await setUp()
		const text = `name,size\n${Array.from({ length: 5_000 }, (_, at) => `p${at},1`).join('\n')}\n`
		const id = await begin(planOf(text))
		const writing = write(id, Buffer.from(text))
		const account = await cancel(id)
		expect(account.state).toBe('cancelled')
		expect(account.imported).toBeLessThan(5_000)
		expect(await writing).toMatchObject({ state: 'cancelled' })
		expect((await stored()).stored).toHaveLength(account.imported)
		await expect(end(id)).rejects.toThrow('This import is over.')
	})

	test('keeps the rows before a place that cannot be read', async () => {
		const { run, stored } = await setUp()
		const account = await run(Buffer.concat([Buffer.from('name,size\nAda,1\nBo,'), Buffer.from([0xff, 0x0a])]))
		expect(account).toMatchObject({
			state: 'failed',
			imported: 1,
			message: expect.stringMatching(/^Line 3 is not UTF-8/),
		})
		const json = await run('[{"name":"Cy"},\n{"name":"Di"}', { format: { format: 'json' } })
		expect(json).toMatchObject({
			state: 'failed',
			imported: 1,
			message: expect.stringMatching(/^Line 2: the array is not/),
		})
		expect((await stored()).stored.map(({ name }) => name)).toEqual(['Ada', 'Cy'])
	})

	test('refuses a file of another size than the user was shown', async () => {
		const { planOf, begin, write, end } = await setUp()
		const plan = planOf('name,size\nAda,1\n')
		const longer = await begin(plan)
		expect(await write(longer, Buffer.alloc(200, 'x'))).toMatchObject({ state: 'failed', imported: 0 })
		const shorter = await begin(plan)
		await write(shorter, Buffer.from('name,size\n'))
		expect(await end(shorter)).toMatchObject({
			state: 'failed',
			imported: 0,
			message: expect.stringContaining('another size'),
		})
	})

	test('an empty file and a lone header import nothing', async () => {
		const { run, stored } = await setUp()
		for (const text of ['', 'name,size\n'])
			expect(await run(text)).toMatchObject({ state: 'done', rows: 0, imported: 0 })
		expect((await stored()).calls).toBe(0)
	})

	test('stops when ten thousand rows have failed, so that the account names each', async () => {
		const { run } = await setUp()
		const account = await run(`name,size\n${'bad,1\n'.repeat(25_000)}`)
		expect(account).toMatchObject({ state: 'failed', failed: 10_000, message: expect.stringContaining('10000 rows') })
		expect(account.faults).toHaveLength(10_000)
	})
})

describe('an import that is all or nothing', () => {
	const setups = [
		['by the way of the driver', whole],
		['by insertions in one call', insertions],
	] as const

	test.each(setups)('%s, stores all rows at the end', async (_, members) => {
		const { planOf, begin, write, end, stored } = await setUp({ members, savesWhole: true })
		const text = 'name,size\nAda,1\nBo,2\n'
		const id = await begin(planOf(text))
		expect(await write(id, Buffer.from(text))).toMatchObject({ imported: 0 })
		expect((await stored()).stored).toEqual([])
		expect(await end(id)).toMatchObject({ state: 'done', imported: 2 })
		expect((await stored()).stored).toHaveLength(2)
	})

	test('stores nothing if a row fails, here or in the engine', async () => {
		const { run, stored } = await setUp({ members: whole, savesWhole: true })
		for (const row of ['bad,2', 'Bo,two', 'Bo']) {
			const account = await run(`name,size\nAda,1\n${row}\n`)
			expect(account).toMatchObject({ state: 'failed', imported: 0, failed: 1, faults: [{ line: 3 }] })
			expect(account.message).toContain('Nothing was imported')
		}
		expect((await stored()).stored).toEqual([])
	})

	test('stores nothing if it is cancelled or cannot be read to its end', async () => {
		const { planOf, begin, write, cancel, run, stored } = await setUp({ members: whole, savesWhole: true })
		const text = `name,size\n${Array.from({ length: 3_000 }, (_, at) => `p${at},1`).join('\n')}\n`
		const id = await begin(planOf(text))
		await write(id, Buffer.from(text))
		expect(await cancel(id)).toMatchObject({ state: 'cancelled', imported: 0 })
		expect(await run(Buffer.concat([Buffer.from(text), Buffer.from([0xff])]))).toMatchObject({
			state: 'failed',
			imported: 0,
		})
		expect((await stored()).stored).toEqual([])
	})

	test('says unknown if the driver is lost while it stores', async () => {
		const { run } = await setUp({ members: whole, savesWhole: true })
		expect(await run('name,size\nAda,1\ncut,2\n')).toMatchObject({ state: 'failed', imported: 0, unknown: 2 })
	})

	test('says unknown of each row if the driver is unsure of one', async () => {
		const unsure = insertions.replace(
			"if (values.name === 'cut') process.exit(3)",
			`
			if (values.name === 'unsure') return { status: 'unknown', message: 'no answer' }`,
		)
		const { run } = await setUp({ members: unsure, savesWhole: true })
		const account = await run('name,size\nAda,1\nunsure,2\nBo,3\n')
		expect(account).toMatchObject({ state: 'failed', rows: 3, imported: 0, failed: 0, unknown: 3 })
		expect(account.faults.map(({ line }) => line)).toEqual([2, 3, 4])
	})

	test('does not leave out rows whose key exists, because one of them refuses all', async () => {
		const { begin, planOf } = await setUp({ savesWhole: true })
		await expect(begin(planOf('name,size\n', { onConflict: 'skip' }))).rejects.toThrow('cannot skip rows')
	})

	test('refuses more rows than one call takes, before any is sent', async () => {
		const { run, stored } = await setUp({ savesWhole: true })
		const text = `name,size\n${Array.from({ length: 10_001 }, (_, at) => `p${at},1`).join('\n')}\n`
		expect(await run(text)).toMatchObject({
			state: 'failed',
			imported: 0,
			message: expect.stringContaining('10000 rows'),
		})
		expect((await stored()).calls).toBe(0)
	})
})

describe('what an import needs', () => {
	const text = 'name,size\nAda,1\n'

	test('a read-only connection refuses it', async () => {
		const { run, stored } = await setUp({ draft: { safeMode: 'read-only' } })
		await expect(run(text)).rejects.toThrow('is read-only')
		expect((await stored()).stored).toEqual([])
	})

	test.each([
		['batches of insertions', insertions, false],
		['batches of the driver', whole, false],
		['all rows at the end', whole, true],
		['all insertions at the end', insertions, true],
	] as const)('a connection that becomes read only gets no more of it: %s', async (_, members, savesWhole) => {
		const { begin, change, end, planOf, stored, write } = await setUp({ members, savesWhole })
		const pieces = [0, 1, 2].map(from =>
			Buffer.from(Array.from({ length: 1_000 }, (_, at) => `p${from * 1_000 + at},1\n`).join('')),
		)
		const file = Buffer.concat([Buffer.from('name,size\n'), ...pieces])
		const id = await begin(planOf(file))
		await write(id, file.subarray(0, 10 + (pieces[0]?.length ?? 0)))
		const { calls } = await stored()
		await change({ safeMode: 'read-only' })
		if (!savesWhole) await write(id, pieces[1] ?? Buffer.alloc(0))
		else await write(id, Buffer.concat(pieces.slice(1)))
		const account = await end(id)
		expect(account).toMatchObject({
			state: 'failed',
			failed: 0,
			unknown: 0,
			imported: savesWhole ? 0 : 1_000,
			message: expect.stringContaining('is read-only'),
		})
		await change({ safeMode: 'free' })
		expect((await stored()).calls).toBe(calls)
	})

	test('a connection that asks needs a review of this plan, which counts once', async () => {
		const { review: reviewOf, begin, planOf } = await setUp({ draft: { safeMode: 'ask' } })
		const plan = planOf(text)
		await expect(begin(plan)).rejects.toThrow('was not reviewed')
		const review = await reviewOf(plan)
		const others = [
			{ table: 'others' },
			{ file: { name: 'other.csv', sizeBytes: 16 } },
			{ onConflict: 'skip' },
		] as const
		for (const other of others) await expect(begin({ ...plan, ...other, review })).rejects.toThrow('was not reviewed')
		await begin({ ...plan, review })
		await expect(begin({ ...plan, review })).rejects.toThrow('was not reviewed')
	})

	test('replacing rows needs a review, and a driver that can', async () => {
		const { begin, review, planOf, write, end, stored } = await setUp({
			members: whole,
			savesWhole: true,
			conflicts: ['replace'],
		})
		const plan = planOf(text, { onConflict: 'replace' })
		await expect(begin({ ...plan, typed: 'people' })).rejects.toThrow('was not reviewed')
		for (const size of [1, 2]) {
			const id = await begin({ ...plan, review: await review(plan) })
			await write(id, Buffer.from(text.replace('1', String(size))))
			expect(await end(id)).toMatchObject({ state: 'done', imported: 1 })
		}
		expect((await stored()).stored).toEqual([{ name: 'Ada', size: 2 }])
		for (const conflicts of [[], ['replace']] as const) {
			const other = await setUp({ conflicts })
			const wanted = other.planOf(text, { onConflict: 'replace' })
			const begun = other.begin({ ...wanted, review: await other.review(wanted) })
			await expect(begun).rejects.toThrow('cannot replace rows')
		}
	})

	test('a driver without imports, a view and a column that takes no values refuse it', async () => {
		await expect((await setUp({ imports: null })).run(text)).rejects.toThrow('does not import rows')
		const view = await setUp({ tables: "[{ name: 'people', cannot: { insert: 'A view takes no rows.' } }]" })
		await expect(view.run(text)).rejects.toThrow('A view takes no rows.')
		for (const column of ['rank', 'nowhere']) {
			const mapping = [{ field: 'name', column }]
			await expect((await setUp()).run(text, { mapping })).rejects.toThrow(`no column "${column}" that takes values`)
		}
	})
})

test('a preview shows the first rows, and proposes columns by name', async () => {
	const { methods, context, planOf } = await setUp()
	const text = 'Name,size,note\nAda,1,x\nBo\n'
	const { onConflict: _, mapping: __, ...target } = planOf(text)
	const preview = (head: string, sizeBytes: number) =>
		methods['imports.preview'].run(
			{ ...target, file: { name: 'people.csv', sizeBytes }, head: Buffer.from(head).toString('base64') },
			context,
		)
	expect(await preview(text, text.length)).toMatchObject({
		columns: [{ name: 'name' }, { name: 'size' }, { name: 'isOld' }, { name: 'photo' }],
		fields: ['Name', 'size', 'note'],
		rows: [
			{ line: 2, texts: ['Ada', '1', 'x'] },
			{ line: 3, fault: 'the first line has 3 values, and this one 1' },
		],
		count: { value: 2, isExact: true },
		mapping: { Name: 'name', size: 'size' },
	})
	await expect(preview(`${'a,'.repeat(10_000)}a\n${'1,'.repeat(10_000)}1\n`, 50_000)).rejects.toThrow(
		'more than 10000 columns',
	)
	const large = await preview(`${text}Cy`, 100 * text.length)
	expect(large.count).toMatchObject({ isExact: false, bound: 'about' })
})

test('an import that is open after its caller has gone is cancelled', async () => {
	const slow = whole.replace('let rows', 'await new Promise(resolve => setTimeout(resolve, 200)); let rows')
	const { methods, context, planOf, activity, stored } = await setUp({ members: slow, savesWhole: true })
	// Opens the connection, so that only the import is left to open.
	await stored()
	const gone = new AbortController()
	const beginning = methods['imports.begin'].run(planOf('name,size\n'), { ...context, signal: gone.signal })
	// The driver opens the import for 200 ms.
	await sleep(100)
	gone.abort()
	const { id } = await beginning
	expect(() => context.imports.get(id)).toThrow('This import is over.')
	expect(await activity.newest(5)).toMatchObject([{ outcome: 'cancelled' }])
})

test('closing the caller cancels its imports', async () => {
	const { context, begin, planOf, write, stored } = await setUp()
	const text = `name,size\n${Array.from({ length: 50_000 }, (_, at) => `p${at},1`).join('\n')}\n`
	const id = await begin(planOf(text))
	const writing = write(id, Buffer.from(text))
	// Less than the import of all rows takes.
	await sleep(5)
	await context.imports.closeAll()
	expect(await writing).toMatchObject({ state: 'cancelled' })
	expect((await stored()).stored.length).toBeLessThan(50_000)
})
