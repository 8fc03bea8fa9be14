import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Apps } from './apps.ts'

/** What clients see is in tests/mcp/apps.test.ts. */

test('a tool whose app was removed is listed without it, and the fault is reported', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-apps-'))
	const faults: unknown[] = []
	const apps = new Apps(fault => faults.push(fault), folder)
	const tool = { name: 'query', title: 'Query', description: 'Runs a query.', inputSchema: {}, annotations: {} }
	const uri = 'ui://roundhouse/rows-0123456789ab.html'
	expect(apps.withApp(tool)).toBe(tool)
	expect(apps.read(uri)).toBeUndefined()
	expect(faults).toEqual([expect.objectContaining({ code: 'ENOENT' }), expect.objectContaining({ code: 'ENOENT' })])

	await writeFile(join(folder, 'rows.html'), '<!doctype html>')
	expect(apps.withApp(tool)._meta).toEqual({ ui: { resourceUri: expect.stringMatching(/rows-[0-9a-f]{12}/) } })
	expect(apps.read(uri)?.kind).toBe('complete')
	await rm(folder, { recursive: true })
	expect(apps.read(uri)?.kind).toBe('complete')
})
