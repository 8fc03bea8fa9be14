import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { ActivityLog, verifyActivity } from './activity-log.ts'

/** Size for a few entries. */
const segmentBytes = 1000

async function fill(support: SupportDirectory, count: number, from = 1, now?: () => Date): Promise<ActivityLog> {
	const log = await ActivityLog.open(support, { segmentBytes, ...(now && { now }) })
	for (let i = from; i < from + count; i++) await log.record({ action: `t${i}`, outcome: 'success' })
	await log.flush()
	return log
}

const archive = async (support: SupportDirectory) => (await readdir(support.file('activity'))).sort()
const pathOf = async (support: SupportDirectory, at: number) =>
	join(support.file('activity'), (await archive(support)).at(at) ?? '')

test('a full file is archived, and one chain covers all files', async () => {
	await using support = await temporarySupport()
	const log = await fill(support, 30)
	expect((await archive(support)).length).toBeGreaterThan(3)
	expect(await log.verify()).toEqual({ ok: true, entries: 30 })
	expect((await log.newest(25)).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 25 }, (_, i) => 30 - i))
	expect(await log.newest(100)).toHaveLength(30)
	// And across a restart.
	expect(await (await fill(support, 10, 31)).verify()).toEqual({ ok: true, entries: 40 })
})

test.each<[string, (support: SupportDirectory) => Promise<void>, RegExp]>([
	[
		'an altered line',
		async support => {
			const path = await pathOf(support, 1)
			await writeFile(path, (await readFile(path, 'utf8')).replace('"success"', '"denied"'))
		},
		/^line 1 of activity\/\d+\.jsonl was altered/,
	],
	['a missing oldest segment', async support => rm(await pathOf(support, 0)), /^line 1 of .* does not follow/],
	['a missing segment in the middle', async support => rm(await pathOf(support, 2)), /^line 1 of .* does not follow/],
	['a missing last segment', async support => rm(await pathOf(support, -1)), /^line 1 does not follow/],
	['a missing current file', support => rm(support.file('activity.jsonl')), /the last lines were removed/],
	['missing segments', support => rm(support.file('activity'), { recursive: true }), /^line 1 does not follow/],
	['missing bounds', support => rm(support.file('activity-ends.json')), /activity-ends.json, which records/],
	[
		'two swapped segments',
		async support => {
			const [a, b] = [await pathOf(support, 0), await pathOf(support, 1)]
			await rename(a, `${b}.0`)
			await rename(b, a)
			await rename(`${b}.0`, b)
		},
		/does not follow/,
	],
])('in segments: %s is found, also after a restart', async (_name, tamper, fault) => {
	await using support = await temporarySupport()
	await fill(support, 30)
	await tamper(support)
	expect(await verifyActivity(support)).toMatchObject({ ok: false, fault: expect.stringMatching(fault) })
	expect(await (await fill(support, 3, 31)).verify()).toMatchObject({ ok: false })
})

test('the log stays valid if the host is killed after a file was archived and before the next line', async () => {
	await using support = await temporarySupport()
	await fill(support, 30)
	await rename(support.file('activity.jsonl'), join(support.file('activity'), '000000000030.jsonl'))
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 30 })
	expect(await (await fill(support, 3, 31)).verify()).toEqual({ ok: true, entries: 33 })
})

test('lines after the recorded end are accepted across segments', async () => {
	await using support = await temporarySupport()
	await fill(support, 5)
	const noted = await readFile(support.file('activity-ends.json'))
	await fill(support, 25, 6)
	await writeFile(support.file('activity-ends.json'), noted)
	expect(await (await fill(support, 1, 31)).verify()).toEqual({ ok: true, entries: 31 })
})

test('entries older than 90 days are removed by files, and by lines in a partly old file', async () => {
	await using support = await temporarySupport()
	await fill(support, 30, 1, () => new Date('2026-01-01T00:00:00Z'))
	await fill(support, 30, 31, () => new Date('2026-03-01T00:00:00Z'))
	const before = (await archive(support)).length
	const log = await fill(support, 0, 0, () => new Date('2026-04-15T00:00:00Z'))
	expect((await archive(support)).length).toBeLessThan(before)
	expect((await log.newest(100)).map(({ action }) => action)).toEqual(
		Array.from({ length: 30 }, (_, i) => `t${60 - i}`),
	)
	expect(await log.verify()).toEqual({ ok: true, entries: 30 })
	// Later, all of them.
	const later = await fill(support, 1, 61, () => new Date('2026-08-01T00:00:00Z'))
	expect((await later.newest(100)).map(({ action }) => action)).toEqual(['t61'])
	expect(await archive(support)).toEqual([])
	expect(await later.verify()).toEqual({ ok: true, entries: 1 })
})

test('the log stays valid if the host is killed between the storage of the new beginning and the removal', async () => {
	await using support = await temporarySupport()
	await fill(support, 30, 1, () => new Date('2026-01-01T00:00:00Z'))
	await fill(support, 30, 31, () => new Date('2026-03-01T00:00:00Z'))
	const kept = new Map<string, Buffer>()
	for (const name of await archive(support)) kept.set(name, await readFile(join(support.file('activity'), name)))
	const april = () => new Date('2026-04-15T00:00:00Z')
	await fill(support, 0, 0, april)
	for (const [name, bytes] of kept) await writeFile(join(support.file('activity'), name), bytes)
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 30 })
	await expect((await fill(support, 0, 0, april)).newest(100)).resolves.toHaveLength(30)
	expect(await verifyActivity(support)).toEqual({ ok: true, entries: 30 })
})

test('an entry with a forged old time is not removed', async () => {
	await using support = await temporarySupport()
	const log = await fill(support, 30)
	const path = await pathOf(support, 0)
	await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/"time":"\d{4}/g, '"time":"2001'))
	await log.flush()
	await fill(support, 1, 31)
	expect(await verifyActivity(support)).toMatchObject({ ok: false, fault: expect.stringContaining('altered') })
	expect((await archive(support)).length).toBeGreaterThan(3)
})

test('the log can be written while it is verified and read', async () => {
	await using support = await temporarySupport()
	const log = await fill(support, 30)
	const writing = Promise.all(
		Array.from({ length: 200 }, (_, i) => log.record({ action: `w${i}`, outcome: 'success' })),
	)
	const verdicts: unknown[] = []
	for (let i = 0; i < 5; i++) {
		void log.record({ action: `v${i}`, outcome: 'success' })
		verdicts.push(await log.verify())
		expect((await log.newest(5)).length).toBe(5)
	}
	await writing
	for (const verdict of verdicts) expect(verdict).toMatchObject({ ok: true })
	expect(await log.verify()).toEqual({ ok: true, entries: 235 })
})
