import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'
import type { Called, ForeignClient, Reach } from './client.ts'
import { type Program, programClient } from './programs.ts'
import { typescript } from './typescript.ts'

/**
 * The official clients, each over HTTP and by the bridge: connect, list, read, write with consent, cancel, restart.
 * Those of other languages run by `npm run test:clients`, which prepares them.
 */

const programs: readonly Program[] = JSON.parse(process.env.ROUNDHOUSE_TEST_CLIENTS ?? '[]')
const packages = [...typescript, ...programs.map(programClient)]

let roundhouse: Roundhouse
let token = ''
let port = ''
let url = ''
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
	token = await roundhouse.addToken('full')
	const { mcp } = await roundhouse.serve()
	port = String(mcp.port)
	url = mcp.url
})
afterAll(() => roundhouse[Symbol.asyncDispose]())

async function restart(): Promise<void> {
	await roundhouse.stop()
	await roundhouse.serve(['--mcp-port', port])
}

function reachBy(way: string): Reach {
	if (way === 'HTTP') return { url, token }
	const entries = Object.entries(roundhouse.environment).filter(([, value]) => value !== undefined)
	return { ...roundhouse.command('mcp'), env: Object.fromEntries(entries) as Record<string, string> }
}

const count = async (client: ForeignClient, index: string): Promise<number> => {
	const { text } = await client.call({ name: 'query', args: { query: `GET /${index}/_count` } })
	return JSON.parse(text).result.count
}
const put = (path: string) => ({ name: 'execute_query', args: { query: `PUT /${path}?refresh=true\n{"a": 1}` } })

/** crewai 1.15 under Python 3.11 fails over HTTP with every server, also that of the official SDK: `wait_for` enters the connection in one task and leaves it in another. */
const waysOf = (name: string) => (name === 'crewai (Python)' ? ['the bridge'] : ['HTTP', 'the bridge'])

/** crewai has no way to ask its user, and a client of an older revision is asked by the bridge only. */
const cannotAsk = (name: string, way: string) =>
	name === 'crewai (Python)' || (way === 'HTTP' && name === '@modelcontextprotocol/sdk')

describe.each(packages)('$name', ({ name, connect }) => {
	const index = name.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '')

	test.each(waysOf(name))('over %s lists, reads, writes, cancels and outlives the host', async way => {
		const documents = `${index}-${way === 'HTTP' ? 'http' : 'bridge'}`
		const reach = reachBy(way)
		let client = await connect(reach)
		try {
			expect(await client.list()).toContain('execute_query')
			expect(await count(client, 'books')).toBe(3_003)

			const written = await client.call(put(`${documents}/_doc/1`))
			// This host has no window.
			const canConsent = !written.text.startsWith(
				'denied: This needs the consent of the user, but no Roundhouse window',
			)
			expect(canConsent || cannotAsk(name, way), written.text).toBe(true)
			expect(written.isError).toBe(!canConsent)

			const cancelled = client.call({ ...put(`${documents}/_doc/2`), consents: false, seconds: 0.5 })
			const outcome: Called | Error = await cancelled.catch((error: Error) => error)
			expect(outcome instanceof Error || outcome.isError).toBe(true)
			if (canConsent) expect(await count(client, documents)).toBe(1)

			await restart()
			const read = await count(client, 'books').catch((error: Error) => error)
			if (read instanceof Error) {
				// A session of an older revision ends with its host, and the client connects again.
				expect([way, name], read.message).toEqual(['HTTP', '@modelcontextprotocol/sdk'])
				await client[Symbol.asyncDispose]()
				client = await connect(reach)
			}
			expect(await count(client, 'books')).toBe(3_003)
		} finally {
			await client[Symbol.asyncDispose]()
		}
	})
})
