import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { rememberSecret } from '../../base/redaction.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { ActivityLog, statementDigest, verifyActivity } from './activity-log.ts'
import { ConnectedClients } from './connected-clients.ts'

async function withEntries(support: SupportDirectory, count: number): Promise<ActivityLog> {
	const log = await ActivityLog.open(support)
	for (let i = 1; i <= count; i++) await log.record({ action: `tool.t${i}`, outcome: 'success', token: 'mine' })
	await log.flush()
	return log
}

const actions = async (log: ActivityLog) => (await log.newest(100)).map(({ action }) => action)

const change = async (support: SupportDirectory, edit: (lines: string[]) => string[]) => {
	const path = support.file('activity.jsonl')
	const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
	await writeFile(
		path,
		edit(lines)
			.map(line => `${line}\n`)
			.join(''),
	)
}

test('an unchanged log is valid, also after a restart, and so is a missing log', async () => {
	await using support = await temporarySupport()
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 0 })
	await withEntries(support, 3)
	const log = await ActivityLog.open(support)
	await log.record({ action: 'server.started', outcome: 'success' })
	await log.flush()
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 4 })
})

test.each<[string, (lines: string[]) => string[], RegExp]>([
	['an altered line', ([a = '', b = '', c = '']) => [a, b.replace('"mine"', '"yours"'), c], /line 2 was altered/],
	['a removed line', ([a = '', , c = '']) => [a, c], /line 2 does not follow/],
	['two swapped lines', ([a = '', b = '', c = '']) => [a, c, b], /line 2 does not follow/],
	['a missing first line', ([, b = '', c = '']) => [b, c], /line 1 does not follow/],
	['a missing last line', ([a = '', b = '']) => [a, b], /the last lines were removed/],
	['an inserted line', ([a = '', b = '', c = '']) => [a, b, b, c], /line 3 does not follow/],
	['a line that is not an entry', ([a = '', b = '', c = '']) => [a, `${b}}`, c], /line 2 is not an entry/],
])('%s is found', async (_name, edit, fault) => {
	await using support = await temporarySupport()
	await withEntries(support, 3)
	await change(support, edit)
	expect(await verifyActivity(support)).toMatchObject({ ok: false, fault: expect.stringMatching(fault) })
})

test('a detail that is cut ends with an ellipsis', async () => {
	await using support = await temporarySupport()
	const log = await ActivityLog.open(support)
	await log.record({ action: 'tool.a', outcome: 'error', detail: 'a'.repeat(300) })
	await log.record({ action: 'tool.b', outcome: 'error', detail: 'b'.repeat(299) })
	await log.flush()
	expect((await log.newest(2)).map(({ detail }) => detail)).toEqual(['b'.repeat(299), `${'a'.repeat(299)}…`])
})

test('entries from before statements were stored are still valid and readable', async () => {
	await using support = await temporarySupport()
	const covered = {
		sequence: 1,
		time: '2026-11-01T00:00:00.000Z',
		action: 'tool.query',
		outcome: 'success',
		token: 'mine',
		statement: statementDigest('GET /'),
		durationMs: 3,
		previous: '0'.repeat(64),
	}
	const hash = createHash('sha256').update(JSON.stringify(covered)).digest('hex')
	await writeFile(support.file('activity.jsonl'), `${JSON.stringify({ ...covered, hash })}\n`)
	const ends = { version: 1, before: { sequence: 0, hash: '0'.repeat(64) }, last: { sequence: 1, hash } }
	await writeFile(support.file('activity-ends.json'), JSON.stringify(ends))
	const log = await ActivityLog.open(support, { now: () => new Date('2026-11-02T00:00:00Z') })
	await log.record({ action: 'tool.query', outcome: 'success', verdict: 'read', rows: 2, text: 'GET /_cat' })
	await log.flush()
	expect(await actions(log)).toEqual(['tool.query', 'tool.query'])
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 2 })
	await change(support, ([a = '', b = '']) => [a, b.replace('/_cat', '/_bat')])
	expect(await verifyActivity(support)).toMatchObject({ ok: false, fault: expect.stringMatching(/line 2 was altered/) })
})

test('entries older than 90 days are removed, and the rest is still valid', async () => {
	await using support = await temporarySupport()
	let now = new Date('2026-01-01T00:00:00Z')
	const log = await ActivityLog.open(support, { now: () => now })
	await log.record({ action: 'old', outcome: 'success' })
	now = new Date('2026-03-01T00:00:00Z')
	await log.record({ action: 'recent', outcome: 'success' })
	await log.flush()
	now = new Date('2026-04-15T00:00:00Z')
	expect(await actions(await ActivityLog.open(support, { now: () => now }))).toEqual(['recent'])
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 1 })
})

test('newlines in a detail are escaped and secrets are redacted', async () => {
	await using support = await temporarySupport()
	rememberSecret('correct horse battery')
	const log = await ActivityLog.open(support)
	await log.record({
		action: 'tool.x',
		outcome: 'error',
		client: 'evil\n{"action":"forged"}',
		detail: 'refused correct horse battery\nand more',
	})
	await log.flush()
	const text = await readFile(support.file('activity.jsonl'), 'utf8')
	expect(text.trim().split('\n')).toHaveLength(1)
	expect(text).not.toContain('correct horse')
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 1 })
})

test('concurrent entries form one chain', async () => {
	await using support = await temporarySupport()
	const log = await ActivityLog.open(support)
	await Promise.all(Array.from({ length: 20 }, (_, i) => log.record({ action: `a${i}`, outcome: 'success' })))
	await log.flush()
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 20 })
	expect((await log.newest(1))[0]?.action).toBe('a19')
})

describe('after a kill or a full disk', () => {
	const ends = (support: SupportDirectory) => readFile(support.file('activity-ends.json'), 'utf8')

	test('lines after the recorded end are accepted, and the chain continues', async () => {
		await using support = await temporarySupport()
		const log = await withEntries(support, 2)
		const noted = await ends(support)
		await log.record({ action: 'after', outcome: 'success' })
		await log.flush()
		await writeFile(support.file('activity-ends.json'), noted)
		await (await withEntries(support, 1)).flush()
		expect(await verifyActivity(support)).toEqual({ ok: true, entries: 4 })
	})

	test('an incomplete line is removed, and an entry records that', async () => {
		await using support = await temporarySupport()
		await withEntries(support, 2)
		await appendFile(support.file('activity.jsonl'), '{"sequence":3,"time":"20')
		const log = await withEntries(support, 1)
		expect(await actions(log)).toEqual(['tool.t1', 'log.recovered', 'tool.t2', 'tool.t1'])
		expect((await log.newest(2))[1]?.detail).toContain('24 bytes of an incomplete line')
		expect(await verifyActivity(support)).toEqual({ ok: true, entries: 4 })
	})

	test('a missing line before the recorded end is still reported', async () => {
		await using support = await temporarySupport()
		await withEntries(support, 3)
		await change(support, lines => lines.slice(0, 2))
		await appendFile(support.file('activity.jsonl'), '{"sequence":3')
		await withEntries(support, 1)
		expect(await verifyActivity(support)).toMatchObject({ ok: false })
	})

	test('a removed record of the ends is still reported after a restart', async () => {
		await using support = await temporarySupport()
		await withEntries(support, 3)
		await change(support, lines => lines.slice(0, 2))
		await rm(support.file('activity-ends.json'))
		expect(await verifyActivity(support)).toMatchObject({
			ok: false,
			fault: expect.stringContaining('activity-ends.json'),
		})
		await withEntries(support, 1)
		expect(await verifyActivity(support)).toMatchObject({
			ok: false,
			fault: expect.stringContaining('activity-ends.json'),
		})
	})

	test('a failed write is reported and leaves no partial line, and the next one succeeds', async () => {
		await using support = await temporarySupport()
		const log = await withEntries(support, 2)
		const path = support.file('activity.jsonl')
		await rename(path, `${path}.aside`)
		await mkdir(path)
		await expect(log.record({ action: 'lost', outcome: 'success' })).rejects.toThrow()
		await rmdir(path)
		await rename(`${path}.aside`, path)
		// The partial write on a full disk.
		await appendFile(path, '{"sequence":3,"time"')
		await log.record({ action: 'kept', outcome: 'success' })
		await log.flush()
		expect(await actions(log)).toEqual(['kept', 'tool.t2', 'tool.t1'])
		expect(await verifyActivity(support)).toEqual({ ok: true, entries: 3 })
	})
})

test('a log that another program removes while it is open is continued in a new file, and the loss is reported', async () => {
	await using support = await temporarySupport()
	const log = await ActivityLog.open(support)
	await log.record({ action: 'tool.t1', outcome: 'success' })
	await rm(support.file('activity.jsonl'))
	// The log looks for its file every 20 ms at most.
	await setTimeout(25)
	await log.record({ action: 'tool.t2', outcome: 'success' })
	expect(await actions(log)).toEqual(['tool.t2'])
	expect(await log.verify()).toMatchObject({ ok: false, fault: expect.stringMatching(/line 1 does not follow/) })
})

test('a statement is identified by its digest', () => {
	expect(statementDigest('GET /')).toMatch(/^[0-9a-f]{64}$/)
	expect(statementDigest('GET /')).not.toBe(statementDigest('GET /_cat'))
})

test('clients are listed for five minutes, most recent first', () => {
	let now = 0
	const clients = new ConnectedClients(() => now)
	clients.recordRequest({ name: 'a', token: 'one', tokenId: '1' })
	now = 60_000
	clients.recordRequest({ name: 'b', token: 'two', tokenId: '2' })
	clients.recordRequest({ name: 'a', token: 'one', tokenId: '1' })
	expect(clients.list().map(({ name, requests }) => [name, requests])).toEqual([
		['a', 2],
		['b', 1],
	])
	now = 60_000 + 5 * 60_000 + 1
	expect(clients.list()).toEqual([])
})
