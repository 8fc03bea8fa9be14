import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryServer, serveRegistry } from './serve.ts'

let root: string
let server: RegistryServer
const digest = 'a'.repeat(128)

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'roundhouse-serve-'))
	const files = {
		'outside.json': '{}',
		'registry/.hidden': 'no',
		'registry/metadata/timestamp.json': '{"version":1}',
		'registry/metadata/1.root.json': '{}',
		[`registry/targets/acme/tiny/${digest}.1.0.0.tgz`]: 'package',
	}
	for (const [path, text] of Object.entries(files)) {
		await mkdir(join(root, path, '..'), { recursive: true })
		await writeFile(join(root, path), text)
	}
	server = await serveRegistry(join(root, 'registry'))
})

afterEach(async () => {
	await server.close()
	await rm(root, { recursive: true, force: true })
})

test('allows caching of immutable files, and requires revalidation of the timestamp', async () => {
	const cached = async (path: string) => (await fetch(server.url + path)).headers.get('cache-control')
	expect(await cached('metadata/1.root.json')).toContain('immutable')
	expect(await cached(`targets/acme/tiny/${digest}.1.0.0.tgz`)).toContain('immutable')
	expect(await cached('metadata/timestamp.json')).toBe('no-cache')
	expect(await cached('metadata/2.root.json')).toBe('no-store')
})

test('does not send a file again until it changes', async () => {
	const url = `${server.url}metadata/timestamp.json`
	const etag = (await fetch(url)).headers.get('etag') ?? ''
	const again = () => fetch(url, { headers: { 'if-none-match': etag } })
	expect((await again()).status).toBe(304)
	await writeFile(join(root, 'registry/metadata/timestamp.json'), '{"version":2}')
	expect(await (await again()).json()).toEqual({ version: 2 })
})

test('sends complete packages, and their size for HEAD', async () => {
	const url = `${server.url}targets/acme/tiny/${digest}.1.0.0.tgz`
	expect(await (await fetch(url)).text()).toBe('package')
	const head = await fetch(url, { method: 'HEAD' })
	expect([head.headers.get('content-length'), await head.text()]).toEqual(['7', ''])
	expect((await fetch(url, { method: 'PUT', body: 'other' })).status).toBe(405)
})

test('no path reaches a file outside the folder, a hidden file or a folder', async () => {
	const paths = ['/../outside.json', '/metadata/../../outside.json', '/%2e%2e/outside.json', '/..%2foutside.json']
	for (const path of [...paths, '//outside.json', '/.hidden', '/metadata', '/metadata/', '/', '/metadata/\\..\\x', '*'])
		expect(await statusOf(path), path).toBe(404)
})

/** Sends the path unchanged, unlike `fetch`. */
const statusOf = (path: string) =>
	new Promise<number | undefined>((resolve, reject) => {
		const { hostname: host, port } = new URL(server.url)
		request({ host, port, path }, response => resolve(response.resume().statusCode))
			.on('error', reject)
			.end()
	})
