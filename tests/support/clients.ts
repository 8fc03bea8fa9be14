import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Roundhouse } from './roundhouse.ts'

/** The official client, in the modern era, over HTTP and through the bridge. */

const makeClient = () =>
	new Client({ name: 'roundhouse-tests', version: '1' }, { versionNegotiation: { mode: 'auto' } })

export async function overHttp(url: string, token: string): Promise<Client> {
	const client = makeClient()
	const headers = { Authorization: `Bearer ${token}` }
	await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
	return client
}

export async function overStdio(roundhouse: Roundhouse): Promise<Client> {
	const client = makeClient()
	const env = Object.fromEntries(Object.entries(roundhouse.environment).filter(([, value]) => value !== undefined))
	await client.connect(new StdioClientTransport({ ...roundhouse.command('mcp'), env: env as Record<string, string> }))
	return client
}
