import { readFile } from 'node:fs/promises'
import { kitVersion } from '@roundhouse/kit/version'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PackedRelease, readPackage } from '../../registry/publisher/package.ts'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'

/** A driver that was packed with the kit of commit a957262 (tests/data/README.md). */

let registry: TestRegistry
let roundhouse: Roundhouse

beforeEach(async () => {
	registry = await TestRegistry.make()
	roundhouse = await Roundhouse.make()
})

afterEach(async () => {
	await roundhouse[Symbol.asyncDispose]()
	await registry[Symbol.asyncDispose]()
})

/** Publishes the driver, and lets the host trust the registry. */
async function offer(change: (packed: PackedRelease) => PackedRelease = packed => packed): Promise<void> {
	const terms = { minHostVersion: '0.1.0', publishedAt: '2026-11-20T00:00:00.000Z' }
	const packed = await readPackage(await readFile('tests/data/ledger-of-a957262.tgz'), terms)
	await registry.publish(change(packed))
	const { url, fingerprint } = registry.source
	await roundhouse.json(['plugin', 'registries', 'add', url, '--fingerprint', fingerprint])
}

test('a driver of an older kit in the range of the driver API installs and runs', async () => {
	await offer()
	await roundhouse.json(['plugin', 'install', 'ledger'])
	const { id } = await roundhouse.json<{ id: string }>([
		'connection',
		'add',
		'--driver',
		'ledger',
		'--name',
		'Old',
		'--ai-policy',
		'allow',
	])
	const token = await roundhouse.addToken('read-only')
	const { mcp } = await roundhouse.serve()
	const client = await overHttp(mcp.url, token)
	const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
		const { content, isError } = await client.callTool({ name, arguments: { connection_id: id, ...args } })
		expect(isError, JSON.stringify(content)).toBeFalsy()
		return JSON.stringify(content)
	}
	expect(await call('describe_table', { table: 'accounts' })).toContain('balance')
	expect(await call('browse_table', { table: 'accounts' })).toContain('9223372036854775807')
	expect(await call('execute_query', { query: 'read accounts' })).toContain('9223372036854775807')
	const echoed = await client.callTool({ name: 'ledger_echo', arguments: { text: 'still here' } })
	expect(JSON.stringify(echoed.content)).toContain('still here')
	await client.close()

	await roundhouse.withHost(async host => {
		const changes = [{ kind: 'insert', values: { id: 'dora', balance: 3 } }] as const
		const outcomes = await host.call('changes.apply', { connection: id, table: 'accounts', changes })
		expect(outcomes).toMatchObject([{ status: 'applied' }])
		const asked = [{ text: 'put emil' }, { text: 'drop dora' }]
		const { statements } = await host.call('console.review', { connection: id, statements: asked })
		expect(statements.map(({ access }) => access)).toEqual(['write', 'destructive'])
	})
})

test('a driver for an older driver API is refused, and the sentence names both versions', async () => {
	await offer(packed => ({ ...packed, summary: { ...packed.summary, api: '^0.0.9' } }))
	const { code, stderr } = await roundhouse.run(['plugin', 'install', 'ledger'])
	expect([code, stderr]).toEqual([1, expect.stringContaining(`1.0.0 needs driver API ^0.0.9, this is ${kitVersion}`)])
	expect(await roundhouse.json(['plugin', 'list'])).toEqual([])
})
