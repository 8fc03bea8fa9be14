import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeFrame, FrameReader, frameLimits } from '../wire/frames.ts'
import { driverMessageSchema } from '../wire/message-schema.ts'
import { channelFd, type HostWatch } from '../wire/messages.ts'
import { type DriverMethod, driverMethods } from '../wire/methods.ts'

/** A driver that records what is closed, and reports it as the answer to `analyse`. */
const driver = `
const closed = []
const exportOf = (...texts) => {
	const pieces = texts.map(text => new TextEncoder().encode(text))
	return { read: async () => pieces.shift(), close: async () => {} }
}
export default {
	connect: async settings => ({
		info: () => ({ product: 'Test', version: '1', notices: [] }),
		openGrid: async () => ({
			page: async () => new TextEncoder().encode('{}'),
			close: async () => { closed.push('grid') },
		}),
		...(settings.canExport && {
			openExport: async (query, options) => {
				const pieces = [query.table, options.format].map(text => new TextEncoder().encode(text))
				return {
					read: async call => { call.progress({ done: 2 - pieces.length, total: 2 }); return pieces.shift() },
					close: async () => { closed.push('export') },
				}
			},
		}),
		console: {
			analyse: () => closed.map((text, start) => ({ start, end: start, access: 'read', summary: text })),
			...(settings.canExport && {
				assess: async ({ text }) => ({ affects: { value: text.length, isExact: true }, destroys: text }),
				openExport: async ({ text }, { format }) => exportOf(text, format, 'alone'),
			}),
		},
		...(settings.hasDatabases && {
			listDatabases: async () => ['own', 'other'],
			consoleOf: where => ({
				analyse: () => [{ start: 0, end: 0, access: 'read', summary: Object.values(where).filter(Boolean).join('.') }],
			}),
		}),
		openSession: async (call, { database = 'own', schema = '' }) => {
			let transaction
			let count = 0
			return {
				run: async ({ text }) => {
					transaction = text === 'begin' ? 'open' : undefined
					if (text === 'where') text = database + schema + ' ' + ++count
					return { status: text, tookMs: 1, notices: [], body: { view: 'text', text } }
				},
				transaction: () => transaction,
				...(settings.exportsInSession && {
					openExport: async ({ text }, { format }) => exportOf(text, format, transaction ?? 'session'),
				}),
				close: async () => {},
			}
		},
		close: async () => { closed.push('connection') },
	}),
}
`

let folder: string
let child: ChildProcess
let pipe: Duplex
const progress: unknown[] = []
/** Handles an answer like the host: the value that its method's schema checks, or the error's code. */
const waiting = new Map<number, (answer: { readonly value: unknown } | { readonly code: string }) => void>()
let lastId = 0

async function send(method: DriverMethod, params: object): Promise<unknown> {
	const id = ++lastId
	const answered = new Promise<Parameters<Parameters<typeof waiting.set>[1]>[0]>(resolve => waiting.set(id, resolve))
	for (const piece of encodeFrame({ kind: 'call', id, method, params })) pipe.write(piece)
	const answer = await answered
	return 'code' in answer ? answer.code : driverMethods[method].result.parse(answer.value)
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-kit-'))
	await writeFile(join(folder, 'driver.mjs'), driver)
	const program = fileURLToPath(import.meta.resolve('./process.ts'))
	const watched = JSON.stringify({ hostPid: process.pid, mostBytes: 1e9 } satisfies HostWatch)
	const flags = ['--permission', '--allow-fs-read=*', '--no-warnings']
	child = spawn(process.execPath, [...flags, program, join(folder, 'driver.mjs'), folder, watched], {
		stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
	})
	const opened = child.stdio[channelFd]
	if (!(opened instanceof Duplex)) throw new Error('no pipe')
	pipe = opened
	await new Promise<void>(resolve => {
		const reader = new FrameReader(frameLimits, (frame, attached) => {
			const message = driverMessageSchema.parse(frame)
			if (message.kind === 'hello') resolve()
			if (message.kind === 'progress') progress.push(message.progress)
			if (message.kind === 'result') waiting.get(message.id)?.({ value: message.value })
			if (message.kind === 'bytes') waiting.get(message.id)?.({ value: attached })
			if (message.kind === 'error') waiting.get(message.id)?.({ code: message.code })
		})
		pipe.on('data', chunk => reader.push(chunk))
	})
})
afterAll(async () => {
	pipe.destroy()
	await once(child, 'exit')
	await rm(folder, { recursive: true, force: true })
})

const query = { table: 'books', filters: [], match: 'all', sort: [] }
const connect = async (canExport: boolean) =>
	((await send('connect', { settings: { canExport } })) as { readonly connection: number }).connection

test('transfers an export in pieces, with progress, and ends it with null', async () => {
	const connection = await connect(true)
	const handle = await send('openExport', { connection, query, options: { format: 'csv' } })
	const read = async () => {
		const piece = await send('readExport', { export: handle })
		return piece instanceof Uint8Array ? new TextDecoder().decode(piece) : piece
	}
	expect([await read(), await read(), await read()]).toEqual(['books', 'csv', null])
	expect(progress).toContainEqual({ done: 1, total: 2 })
	expect(await send('closeExport', { export: handle })).toBe(null)
	expect(await send('readExport', { export: handle })).toBe('not_connected')
})

describe('the export of a statement', () => {
	const begun = async (settings: object) => {
		const { connection } = (await send('connect', { settings })) as { readonly connection: number }
		const session = connection + 100
		return {
			run: (text: string) => send('runConsole', { connection, statement: { text }, maxRows: 1, session }),
			exported: async (more: object) => {
				const options = { format: 'csv' }
				const handle = await send('openStatementExport', { connection, statement: { text: 'x' }, options, ...more })
				if (typeof handle !== 'number') return handle
				const pieces = [1, 2, 3].map(() => send('readExport', { export: handle }) as Promise<Uint8Array>)
				return (await Promise.all(pieces)).map(piece => new TextDecoder().decode(piece)).join(' ')
			},
			session,
		}
	}

	test('runs in the session of its console, also in its transaction', async () => {
		const { run, exported, session } = await begun({ canExport: true, exportsInSession: true })
		expect(await exported({})).toBe('x csv alone')
		expect(await exported({ session })).toBe('x csv session')
		await run('begin')
		expect(await exported({ session, inTransaction: true })).toBe('x csv open')
		await run('commit')
		// The user sees a transaction that was lost.
		expect(await exported({ session, inTransaction: true })).toBe('query_failed')
	})

	test('never runs apart from the session', async () => {
		const { exported, session } = await begun({ canExport: true })
		expect([await exported({}), await exported({ session })]).toEqual(['x csv alone', 'unsupported'])
	})

	test('is refused if the driver has none', async () => {
		const { exported, session } = await begun({})
		expect([await exported({}), await exported({ session })]).toEqual(['unsupported', 'unsupported'])
	})
})

test('assesses a statement', async () => {
	const connection = await connect(true)
	const assessed = await send('assess', { connection, statement: { text: 'drop' } })
	expect(assessed).toEqual({ affects: { value: 4, isExact: true }, destroys: 'drop' })
})

test('reports what a driver does not support', async () => {
	const connection = await connect(false)
	expect(await send('openExport', { connection, query, options: { format: 'json' } })).toBe('unsupported')
	expect(await send('assess', { connection, statement: { text: 'drop' } })).toEqual({})
})

test('closes grids and exports before their connection, and keeps other connections', async () => {
	const [mine, other] = [await connect(true), await connect(true)]
	await send('openGrid', { connection: mine, grid: 1, query, offset: 0, limit: 1 })
	await send('openExport', { connection: mine, query, options: { format: 'ndjson' } })
	await send('openGrid', { connection: other, grid: 2, query, offset: 0, limit: 1 })
	const closed = async () =>
		((await send('analyse', { connection: other, text: '' })) as readonly { readonly summary: string }[]).map(
			({ summary }) => summary,
		)
	const before = (await closed()).length
	await send('disconnect', { connection: mine })
	expect((await closed()).slice(before)).toEqual(['grid', 'export', 'connection'])
})

describe('consoles of other databases', () => {
	const open = async (settings: object) => ((await send('connect', { settings })) as { connection: number }).connection

	test('are analysed there, and a session belongs to one database', async () => {
		const connection = await open({ hasDatabases: true })
		expect(await send('listDatabases', { connection })).toEqual(['own', 'other'])
		const found = await send('analyse', { connection, text: '', database: 'other' })
		expect(found).toMatchObject([{ summary: 'other' }])
		const statement = { text: 'where' }
		const where = async (more: object) => {
			const answer = await send('runConsole', { connection, statement, maxRows: 1, session: 9_000, ...more })
			return (JSON.parse(new TextDecoder().decode(answer as Uint8Array)) as { status: string }).status
		}
		expect([await where({}), await where({})]).toEqual(['own 1', 'own 2'])
		expect([await where({ database: 'other' }), await where({ database: 'other' })]).toEqual(['other 1', 'other 2'])
		expect(await where({})).toBe('own 1')
	})

	test('are refused if the driver has none', async () => {
		const connection = await open({})
		expect(await send('listDatabases', { connection })).toEqual([])
		expect(await send('analyse', { connection, text: '', database: 'other' })).toBe('unsupported')
	})
})
