import { spawn } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { chained, type Link, linkOf, origin } from '../../host/activity/chain.ts'
import { writeBounds } from '../../host/activity/chain-bounds.ts'
import { temporarySupport } from '../support/support-directory.ts'

const most = 300_000

/** Writes a log in one file, as it was before segments existed. */
async function oneLargeFile(support: SupportDirectory): Promise<number> {
	const path = support.file('activity.jsonl')
	const time = new Date().toISOString()
	let last: Link = origin
	{
		await using file = await open(path, 'w', 0o600)
		for (let written = 0; written < most; ) {
			const lines: string[] = []
			for (let i = 0; i < 10_000; i++, written++) {
				const { entry, line } = chained(
					{ action: 'tool.list_tables', outcome: 'success', token: 'mine', client: 'c' },
					time,
					last,
				)
				last = linkOf(entry)
				lines.push(line)
			}
			await file.appendFile(lines.join(''))
		}
	}
	await writeBounds(support, { version: 1, before: origin, last })
	return (await stat(path)).size
}

/** Runs in a process whose heap cannot hold a fifth of such a log, and counts the bytes read from files. */
const work = (home: string) => {
	const at = (path: string) => JSON.stringify(pathToFileURL(new URL(path, import.meta.url).pathname).href)
	return `
		import { open } from 'node:fs/promises'
		import { ActivityLog } from ${at('../../host/activity/activity-log.ts')}
		import { openSupportDirectory } from ${at('../../base/support-directory.ts')}
		const handle = await open(process.execPath)
		const proto = Object.getPrototypeOf(handle)
		await handle.close()
		let bytes = 0
		const { read } = proto
		proto.read = async function (...args) {
			const done = await read.apply(this, args)
			bytes += done.bytesRead
			return done
		}
		proto.readFile = () => { throw new Error('a file was read whole') }
		const support = await openSupportDirectory(${JSON.stringify(home)})
		const log = await ActivityLog.open(support)
		const atStart = bytes
		const newest = await log.newest(2000)
		const toShow = bytes - atStart
		await log.record({ action: 'one.more', outcome: 'success' })
		const verdict = await log.verify()
		const [last] = await log.newest(1)
		console.log(JSON.stringify({ atStart, toShow, shown: newest.length, verdict, last: last.action }))`
}

test('the start reads only the end of a log with 300,000 entries, and no operation loads the whole log', async () => {
	await using support = await temporarySupport()
	const sizeBytes = await oneLargeFile(support)
	expect(sizeBytes).toBeGreaterThan(80_000_000)
	const child = spawn(process.execPath, ['--max-old-space-size=48', '--input-type=module', '-e', work(support.path)])
	const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
	expect(complaint).toBe('')
	const { atStart, toShow, ...rest } = JSON.parse(out)
	expect(rest).toEqual({ shown: 2000, verdict: { ok: true, entries: most + 1 }, last: 'one.more' })
	expect(atStart).toBeLessThan(1_000_000)
	expect(toShow).toBeLessThan(2_000_000)
	// The old file became the first segment.
	expect((await stat(support.file('activity.jsonl'))).size).toBeLessThan(1000)
	expect((await stat(support.file(`activity/${String(most).padStart(12, '0')}.jsonl`))).size).toBe(sizeBytes)
})
