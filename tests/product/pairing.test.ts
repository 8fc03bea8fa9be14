import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

const newVerifier = () => randomBytes(32).toString('base64url')
const linkFor = (verifier: string, more = '') =>
	`roundhouse://pair?client=My%20editor&challenge=${createHash('sha256').update(verifier).digest('base64url')}${more}`

test('a program opens a link, the user answers, and the program fetches a valid token', async () => {
	await using roundhouse = await Roundhouse.make()
	const connection = await roundhouse.addSample('--ai-policy', 'allow')
	const ready = await roundhouse.serve()
	const verifier = newVerifier()
	const asked = await roundhouse.json<{ id: string }>(['pair', 'link', linkFor(verifier)])
	expect(await roundhouse.json(['pair', 'list'])).toMatchObject([{ id: asked.id, client: 'My editor' }])
	const { code } = await roundhouse.json<{ code: string }>([
		'pair',
		'approve',
		asked.id,
		'--level',
		'read-only',
		'--connection',
		connection,
	])

	const wrong = await roundhouse.run(['pair', 'exchange'], JSON.stringify({ code, verifier: newVerifier() }))
	expect(wrong.code).toBe(1)
	const exchange = JSON.stringify({ code, verifier })
	const created = await roundhouse.json<{ token: string }>(['pair', 'exchange'], exchange)
	expect(created).toMatchObject({ connections: [connection] })
	const client = await overHttp(ready.mcp.url, created.token)
	expect((await client.listTools()).tools.length).toBeGreaterThan(0)
	await client.close()

	const again = await roundhouse.run(['pair', 'exchange'], exchange)
	expect(again.code).toBe(1)
})

test('the answer is sent to the loopback address in the link', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
	try {
		await once(server, 'listening')
		const { port } = server.address() as AddressInfo
		const verifier = newVerifier()
		const link = linkFor(verifier, `&redirect=${encodeURIComponent(`http://127.0.0.1:${port}/paired`)}`)
		const { id } = await roundhouse.json<{ id: string }>(['pair', 'link', link])
		const asked = once(server, 'request')
		expect(await roundhouse.json(['pair', 'approve', id])).toEqual({ id, code: null })
		const [request] = await asked
		const code = new URL(request.url, 'http://x').searchParams.get('code')
		expect(await roundhouse.json(['pair', 'exchange'], JSON.stringify({ code, verifier }))).toHaveProperty('token')
	} finally {
		server.close()
	}
})

test('a link with a redirect to another machine is refused', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const { code, stderr } = await roundhouse.run([
		'pair',
		'link',
		linkFor(newVerifier(), '&redirect=https://evil.example/'),
	])
	expect(code).toBe(1)
	expect(stderr).toMatch(/roundhouse: /)
	expect(await roundhouse.json(['pair', 'list'])).toEqual([])
})
