import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
	type Change,
	type ChangeOutcome,
	type Column,
	DriverError,
	encode,
	encodeWithRaw,
	fromCell,
	type Json,
	stringifyJson,
} from '@roundhouse/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SavedConnection } from '../connections/connection-fields.ts'
import { hiddenMember } from './document.ts'
import type { KeptChange } from './kept-change.ts'
import { KeptChanges } from './kept-changes.ts'
import type { Rows } from './read-rows.ts'
import { SealedFiles } from './sealed-files.ts'

/** Changes and undos on an engine in memory, of which others change rows at any moment. */

const column = (name: string, others: Partial<Column> = {}): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...others,
})

class Engine {
	readonly rows = new Map<string, { version: number; values: Record<string, Json> }>()
	columns = [
		column('id', { isKey: true, isReadOnly: 'after_insert' }),
		column('name'),
		column('data', { kind: 'json' }),
		column('size', { isReadOnly: true, generated: 'always' }),
	]
	canInsertAgain = true
	/** Columns whose values a client does not get. */
	hidden: readonly string[] = []
	isLost = false
	/** Called directly before changes are applied. */
	before: () => void = () => {}
	/** Called directly after changes were applied. */
	after: () => void = () => {}
	cannotRead = false
	during: () => Promise<void> = async () => {}
	/** Thrown in place of outcomes. */
	fails: DriverError | undefined
	print: (values: Record<string, Json>) => string = stringifyJson
	#version = 0
	put(id: string, values: Record<string, Json>) {
		this.rows.set(id, { version: ++this.#version, values: { id, ...values, size: String(values.name).length } })
	}
	apply(changes: readonly Change[]): ChangeOutcome[] {
		this.before()
		if (this.isLost) return changes.map(() => ({ status: 'unknown', message: 'The connection was lost.' }))
		return changes.map(change => {
			if (change.kind === 'insert') {
				const { id, size: _, ...values } = valuesOf(change.values)
				const key = String(id ?? this.rows.size + 1)
				if (this.rows.has(key)) return { status: 'failed', message: `The key ${key} exists.` }
				this.put(key, values)
				return { status: 'applied', rowId: key, version: String(this.rows.get(key)?.version) }
			}
			const row = this.rows.get(change.rowId)
			if (!row || (change.version !== undefined && change.version !== String(row.version)))
				return { status: 'conflict', message: 'The row was changed meanwhile.' }
			if (change.kind === 'delete') this.rows.delete(change.rowId)
			else this.put(change.rowId, { ...row.values, ...valuesOf(change.set) })
			const { version } = this.rows.get(change.rowId) ?? {}
			return { status: 'applied', rowId: change.rowId, ...(version !== undefined && { version: String(version) }) }
		})
	}
	session(): Rows {
		const answer = async (method: string, params: { rowId: string; changes: readonly Change[] }) => {
			if (method === 'describeTable') return encode({ name: 't', columns: this.columns })
			if (method === 'applyChanges') {
				await this.during()
				if (this.fails) throw this.fails
				const outcomes = this.apply(params.changes)
				this.after()
				return outcomes
			}
			if (this.cannotRead) throw new DriverError('timeout', 'It takes too long.')
			const row = this.rows.get(params.rowId)
			if (!row) throw new DriverError('not_found', 'There is no such row.')
			const { values, version } = row
			const again = this.canInsertAgain && { insertAgain: {} }
			const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !this.hidden.includes(name)))
			const raw = Buffer.from(this.print(shown))
			const meta = this.hidden.length > 0 ? { [hiddenMember]: this.hidden } : {}
			return encodeWithRaw({ id: params.rowId, version: String(version), meta, raw, ...again })
		}
		// The fake has three methods of the driver's.
		return { call: answer, wrongAnswer: () => new DriverError('internal_failure', 'wrong') } as unknown as Rows
	}
}

const valuesOf = (cells: object): Record<string, Json> =>
	Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, fromCell(cell) ?? null]))

const connection = {
	id: 'c1',
	driverId: 'fake',
	settings: { host: 'db' },
	isSample: false,
} as unknown as SavedConnection
const maker = { kind: 'client', grantee: 'token' } as const
const { signal } = new AbortController()
let folder: string
let engine: Engine
let kept: KeptChanges
let isOn = true
const secrets = new Map<string, string>()
const secretStore = {
	get: async (key: string) => secrets.get(key),
	set: async (key: string, secret: string) => void secrets.set(key, secret),
}
const open = (now = Date.now) =>
	new KeptChanges({ files: new SealedFiles(folder, { secrets: secretStore, now }), isOn: () => isOn, now })
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-undo-'))
	engine = new Engine()
	kept = open()
	isOn = true
	engine.put('1', { name: 'Ada', data: { a: 1 } })
	engine.put('2', { name: 'Bob', data: null })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const make = async (...changes: Change[]) => {
	const id = kept.newId()
	return { id, ...(await kept.apply(engine.session(), { id, connection, table: 't', changes, maker }, signal)) }
}
const state = () => JSON.stringify([...engine.rows].map(([id, { values }]) => [id, values]).toSorted())
async function undo(id: string) {
	const change = await kept.read('c1', id)
	if (!change) throw new Error('It is not kept.')
	const plan = await kept.plan(engine.session(), change, signal)
	const undoId = kept.newId()
	const undone = await kept.undo(engine.session(), { id: undoId, connection, maker, kept: change, plan }, signal)
	return { plan, undoId, ...undone }
}
const update: Change = { kind: 'update', rowId: '1', set: { name: 'Eve' } }

test('an update, a deletion and an insertion are undone together, and the undo is undone too', async () => {
	const before = state()
	const made = await make(update, { kind: 'delete', rowId: '2' }, { kind: 'insert', values: { id: '3', name: 'New' } })
	expect(made).toMatchObject({ isKept: true, noUndo: undefined })
	const after = state()
	const undone = await undo(made.id)
	expect(state()).toBe(before)
	expect(undone).toMatchObject({ isKept: true, lost: [], plan: { stays: [] } })
	await undo(undone.undoId)
	expect(state()).toBe(after)
})

test('what is kept says what was replaced, and that it is undone', async () => {
	const { id } = await make(update)
	const [row] = (await kept.read('c1', id))?.rows ?? []
	expect(row).toMatchObject({ outcome: 'applied', change: { kind: 'update', sent: { name: 'Eve' } } })
	expect(row?.change.kind === 'update' && row.change.before.document).toContain('"name":"Ada"')
	await undo(id)
	const change = await kept.read('c1', id)
	expect(change?.rows).toMatchObject([{ isUndone: true }])
	expect((await undo(id)).plan.changes).toEqual([])
})

test('a row that is changed, deleted or inserted since is a conflict, and the others come back', async () => {
	const { id } = await make(update, { kind: 'delete', rowId: '2' }, { kind: 'insert', values: { id: '3' } })
	engine.put('2', { name: 'Another' })
	engine.put('3', { name: 'Changed' })
	const { plan } = await undo(id)
	expect(plan.stays).toEqual([
		{ row: 1, id: '2', why: 'A row with this key was inserted since.', isConflict: true },
		{ row: 2, id: '3', why: 'The row was changed since.', isConflict: true },
	])
	expect(engine.rows.get('1')?.values.name).toBe('Ada')
	expect(engine.rows.get('2')?.values.name).toBe('Another')
	expect(engine.rows.get('3')?.values.name).toBe('Changed')
})

test('a row that is changed between the plan and the undo stays', async () => {
	const { id } = await make(update)
	engine.before = () => engine.put('1', { name: 'Other' })
	expect((await undo(id)).outcomes).toMatchObject([{ status: 'conflict' }])
	expect(engine.rows.get('1')?.values.name).toBe('Other')
	expect((await kept.read('c1', id))?.rows[0]?.isUndone).toBeUndefined()
})

test('what is kept is what was replaced: a row that others change between the read and the change is not overwritten', async () => {
	engine.before = () => engine.put('1', { name: 'Other' })
	expect((await make(update)).outcomes).toMatchObject([{ status: 'conflict' }])
	expect(engine.rows.get('1')?.values.name).toBe('Other')
})

test('values that do not come back as they were are named', async () => {
	const { id } = await make(update)
	engine.columns = engine.columns.map(one => (one.name === 'name' ? { ...one, isReadOnly: true } : one))
	expect((await undo(id)).plan.changes).toEqual([])
	const other = await make({ kind: 'update', rowId: '2', set: { name: 'Bert', data: { json: '[1.10]' } } })
	const undone = await undo(other.id)
	expect(undone.lost).toEqual([{ row: 0, id: '2', columns: ['name', 'size'] }])
	expect(engine.rows.get('2')?.values.data).toBe(null)
})

test('a deleted row that cannot be inserted again, and a change without an answer, are said to stay', async () => {
	engine.canInsertAgain = false
	const { id, noUndo } = await make({ kind: 'delete', rowId: '2' })
	expect(noUndo).toBe('A deleted row cannot be inserted again as it was.')
	expect((await undo(id)).plan).toMatchObject({ changes: [], stays: [{ isConflict: false, why: expect.any(String) }] })
	engine.isLost = true
	const lost = await make(update)
	expect((await undo(lost.id)).plan.stays).toMatchObject([{ why: expect.stringContaining('outcome is unknown') }])
})

test('a change is made without an undo, with the reason, if it is too large, names a row twice or the setting is off', async () => {
	engine.put('4', { name: 'x'.repeat(6_000_000) })
	engine.put('5', { name: 'x'.repeat(6_000_000) })
	const set = { name: 'y' }
	const large = await make({ kind: 'update', rowId: '4', set }, { kind: 'update', rowId: '5', set })
	expect(large).toMatchObject({ noUndo: 'It replaces more than 10 MB.', outcomes: [{ status: 'applied' }, {}] })
	expect(await make(update, update)).toMatchObject({ noUndo: 'It names a row twice.' })
	const many = Array.from({ length: 1_001 }, (_, at): Change => ({ kind: 'insert', values: { id: `n${at}` } }))
	expect(await make(...many)).toMatchObject({ noUndo: 'It has more than 1,000 rows.' })
	isOn = false
	expect(await make(update)).toMatchObject({ noUndo: expect.stringContaining('by the settings'), isKept: false })
	expect(await readdir(folder)).toEqual([])
})

test('the files have nothing in clear, and cannot be read elsewhere or with another key', async () => {
	engine.put('1', { name: 'a secret value' })
	const { id } = await make({ kind: 'update', rowId: '1', set: { name: 'another secret value' } })
	const bytes = await readFile(join(folder, 'c1', id))
	for (const text of ['secret', 'name', '"t"', 'update']) expect(bytes.includes(text)).toBe(false)
	expect(await kept.read('c2', id)).toBeUndefined()
	expect(await kept.read('c1', `../c1/${id}`)).toBeUndefined()
	secrets.set('replaced-rows', Buffer.alloc(32).toString('base64'))
	expect(await open().read('c1', id)).toBeUndefined()
	secrets.clear()
})

test('what is kept ends after 30 days, with its connection, and when the user clears it', async () => {
	const first = await make(update)
	const old = (Date.now() - 31 * 24 * 3600 * 1000) / 1000
	await utimes(join(folder, 'c1', first.id), old, old)
	const second = await make(update)
	expect(await readdir(join(folder, 'c1'))).toEqual([second.id])
	await kept.forget(id => id !== 'c1')
	expect(await readdir(folder)).toEqual([])
	const third = await make(update)
	await kept.clear()
	expect(await kept.read('c1', third.id)).toBeUndefined()
})

test('the oldest changes end when all are too large', async () => {
	const files = new SealedFiles(folder, { secrets: secretStore, now: Date.now, mostBytes: 2_500 })
	const names = [files.newName(), files.newName(), files.newName()]
	for (const [at, name] of names.entries()) {
		await files.write('c1', name, 'x'.repeat(1_000))
		await utimes(join(folder, 'c1', name), at, Date.now() / 1000 + at)
	}
	await files.sweep(() => true)
	expect((await readdir(join(folder, 'c1'))).toSorted()).toEqual(names.slice(1).toSorted())
})

test('a row of a table that was made again stays, also if it has the version of the change', async () => {
	const { id } = await make(update, { kind: 'insert', values: { id: '3', name: 'New' } })
	for (const key of ['1', '3']) {
		const { version = 0 } = engine.rows.get(key) ?? {}
		engine.rows.set(key, { version, values: { id: key, name: 'Another', data: null, size: '7' } })
	}
	const { plan } = await undo(id)
	expect(plan.changes).toEqual([])
	expect(plan.stays.map(({ why }) => why)).toEqual(['The row was changed since.', 'The row was changed since.'])
})

test('a column that was added since is left as it is', async () => {
	const { id } = await make(update)
	engine.columns.push(column('added'))
	for (const { values } of engine.rows.values()) values.added = 'by others'
	expect((await undo(id)).plan.changes).toMatchObject([{ kind: 'update', set: { name: 'Ada' } }])
	expect(engine.rows.get('1')?.values).toMatchObject({ name: 'Ada', added: 'by others' })
})

test('a row that is gone or cannot be read after its undo, and one with other blanks, are named', async () => {
	const gone = await make({ kind: 'delete', rowId: '2' })
	engine.after = () => engine.rows.delete('2')
	expect((await undo(gone.id)).lost).toEqual([{ row: 0, id: '2', columns: ['the whole row, which is not there'] }])
	engine.after = () => {}
	const unread = await make(update)
	engine.after = () => {
		engine.cannotRead = true
	}
	expect((await undo(unread.id)).lost).toMatchObject([{ columns: [expect.stringContaining('could not be read')] }])
	engine.after = () => {}
	engine.cannotRead = false
	const other = await make(update)
	engine.after = () => {
		engine.print = values => stringifyJson(values).replace(',', ' ,')
	}
	expect((await undo(other.id)).lost).toMatchObject([{ columns: ['order and blanks of its JSON'] }])
})

test('an undo is not made twice: neither at once, nor after a host that ended, nor if that cannot be stored', async () => {
	const { id } = await make({ kind: 'delete', rowId: '2' })
	const both = await Promise.allSettled([undo(id), undo(id)])
	expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
	engine.rows.delete('2')
	expect((await undo(id)).plan.changes).toEqual([])

	engine.put('2', { name: 'Bob' })
	const second = await make({ kind: 'delete', rowId: '2' })
	const file = join(folder, 'c1', second.id)
	const during: Buffer[] = []
	engine.before = () => void during.push(readFileSync(file))
	await undo(second.id)
	engine.before = () => {}
	engine.rows.delete('2')
	await writeFile(file, during[0] ?? '')
	expect((await undo(second.id)).plan.stays).toMatchObject([{ why: expect.stringContaining('its end is not known') }])

	engine.put('2', { name: 'Bob' })
	const third = await make({ kind: 'delete', rowId: '2' })
	const change = await kept.read('c1', third.id)
	await rm(join(folder, 'c1'), { recursive: true })
	if (!change) throw new Error('It is not kept.')
	const plan = await kept.plan(engine.session(), change, signal)
	const asked = { id: kept.newId(), connection, maker, kept: change, plan }
	await expect(kept.undo(engine.session(), asked, signal)).rejects.toThrow('is not kept any more')
	expect(engine.rows.has('2')).toBe(false)
})

test('an undo that the engine refuses may be tried again, and one without an answer may not', async () => {
	const { id } = await make({ kind: 'delete', rowId: '2' })
	engine.before = () => {
		engine.before = () => {}
		engine.put('2', { name: 'Another' })
	}
	expect((await undo(id)).outcomes).toMatchObject([{ status: 'failed' }])
	engine.rows.delete('2')
	expect((await undo(id)).outcomes).toMatchObject([{ status: 'applied' }])
	const lost = await make(update)
	engine.isLost = true
	expect((await undo(lost.id)).outcomes).toMatchObject([{ status: 'unknown' }])
	engine.isLost = false
	expect((await undo(lost.id)).plan.stays).toMatchObject([{ why: expect.stringContaining('its end is not known') }])
})

test('nothing is kept of a change or an undo during which the setting is switched off', async () => {
	const { id } = await make(update)
	engine.before = () => {
		isOn = false
	}
	expect(await make({ kind: 'delete', rowId: '2' })).toMatchObject({ isKept: false, noUndo: expect.any(String) })
	isOn = true
	engine.before = () => {
		isOn = false
		rmSync(folder, { recursive: true })
	}
	await undo(id)
	expect(existsSync(folder)).toBe(false)
})

test('a locked secret store is another error than a change that is not kept', async () => {
	const { id } = await make(update)
	const locked = { ...secretStore, get: () => Promise.reject(new Error('The keychain is locked.')) }
	const later = new KeptChanges({
		files: new SealedFiles(folder, { secrets: locked, now: Date.now }),
		isOn: () => true,
	})
	await expect(later.open(connection, id)).rejects.toThrow('cannot be read: The keychain is locked.')
})

test('a change is not undone through another tunnel or proxy, which lead elsewhere', async () => {
	const { id } = await make(update)
	const ssh = { host: 'other', user: 'me' }
	const moved = 'leads to another place'
	await expect(kept.open({ ...connection, ssh } as unknown as SavedConnection, id)).rejects.toThrow(moved)
	await expect(kept.open({ ...connection, proxy: 'http://other' } as unknown as SavedConnection, id)).rejects.toThrow(
		moved,
	)
})

test('what a change replaces is stored before it is sent: a host that ends in between leaves it to be seen', async () => {
	const id = kept.newId()
	const asked = { id, connection, table: 't', changes: [update], maker }
	let during: KeptChange | undefined
	engine.during = async () => {
		during = await open().read('c1', id)
	}
	await kept.apply(engine.session(), asked, signal)
	expect(during?.rows).toMatchObject([{ outcome: 'unknown', change: { before: { document: expect.any(String) } } }])
	engine.during = async () => {}
	const second = { ...asked, id: kept.newId() }
	engine.fails = new DriverError('not_connected', 'The driver has ended.')
	await expect(kept.apply(engine.session(), second, signal)).rejects.toThrow('has ended')
	expect((await kept.read('c1', second.id))?.rows).toMatchObject([{ outcome: 'unknown' }])
	const third = { ...asked, id: kept.newId() }
	engine.fails = new DriverError('invalid_argument', 'No such column.')
	await expect(kept.apply(engine.session(), third, signal)).rejects.toThrow('No such column')
	expect(await kept.read('c1', third.id)).toBeUndefined()
	engine.fails = undefined
	engine.before = () => engine.put('1', { name: 'Other' })
	const { id: fourth } = await make(update)
	expect(await kept.read('c1', fourth)).toBeUndefined()
})

test('a change that was made is no failure because old files cannot be removed', async () => {
	const files = new SealedFiles(folder, { secrets: secretStore, now: Date.now })
	files.sweep = () => Promise.reject(new Error('EACCES: permission denied'))
	const later = new KeptChanges({ files, isOn: () => true })
	const id = later.newId()
	const made = await later.apply(engine.session(), { id, connection, table: 't', changes: [update], maker }, signal)
	expect(made).toMatchObject({ outcomes: [{ status: 'applied' }], isKept: true })
	expect(await later.read('c1', id)).toBeDefined()
})

test('errors of the disk do not name its folders', async () => {
	const { id } = await make({ kind: 'delete', rowId: '2' })
	const change = await kept.read('c1', id)
	if (!change) throw new Error('It is not kept.')
	const plan = await kept.plan(engine.session(), change, signal)
	const full = { ...asked(), kept: change, plan }
	const files = new SealedFiles(folder, { secrets: secretStore, now: Date.now })
	files.write = () =>
		Promise.reject(
			Object.assign(new Error(`ENOSPC: no space left on device, open '${folder}'`), {
				code: 'ENOSPC',
				syscall: 'open',
			}),
		)
	const later = new KeptChanges({ files, isOn: () => true })
	const failure = await later.undo(engine.session(), full, signal).catch(error => error)
	expect(failure).toMatchObject({ code: 'undo/not_marked' })
	expect(failure.message).not.toContain(folder)
	expect(engine.rows.has('2')).toBe(false)
})
const asked = () => ({ id: kept.newId(), connection, maker })

test('an undo says that columns were hidden since its change, and not that the row was changed', async () => {
	const change = await make({ kind: 'update', rowId: '1', set: { data: { json: '{"a":2}' } } })
	engine.hidden = ['name']
	const found = await kept.read('c1', change.id)
	if (!found) throw new Error('It is not kept.')
	const plan = await kept.plan(engine.session(), found, signal)
	expect(plan.changes).toEqual([])
	expect(plan.stays).toMatchObject([
		{ isConflict: false, why: expect.stringMatching(/were hidden from clients since/) },
	])
	// A change that was made without those columns is undone without them.
	const later = await make({ kind: 'update', rowId: '1', set: { data: null } })
	const free = await kept.read('c1', later.id)
	if (!free) throw new Error('It is not kept.')
	expect((await kept.plan(engine.session(), free, signal)).changes).toHaveLength(1)
})
