import { createHash } from 'node:crypto'
import { type FileHandle, realpath } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openRealFile } from './real-file.ts'

export interface RegistryServer {
	readonly url: string
	close(): Promise<void>
}

/** Accepts plain names only. None begins with a dot, so no path can leave the folder or reach a hidden file. */
const pathPattern = /^\/((?:[A-Za-z0-9_-][A-Za-z0-9._@-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._@-]*)$/

/** Names that identify the content: a version that is written once, or a digest. */
const immutablePattern = /^(metadata\/\d+\.[^/]+|targets\/(.+\/)?[0-9a-f]{128}\.[^/]+)$/

/**
 * Serves a registry's folder on loopback, with the conditional requests and caching that a production server should
 * have.
 */
export async function serveRegistry(folder: string, port = 0): Promise<RegistryServer> {
	const server = createServer((request, response) => {
		answer(folder, request, response).catch(() => response.destroy())
	})
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		server.listen(port, '127.0.0.1', resolve)
	})
	// A listening TCP server has a port.
	const { port: bound } = server.address() as AddressInfo
	return {
		url: `http://127.0.0.1:${bound}/`,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve())
				server.closeAllConnections()
			}),
	}
}

async function answer(
	folder: string,
	{ method, url = '', headers }: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
	const path = pathPattern.exec(url)?.[1]
	await using file = path === undefined ? undefined : await openFile(folder, path)
	// A next root may be published here later, so clients must not cache that it is missing.
	if (!path || !file) return void response.writeHead(404, { 'cache-control': 'no-store' }).end()
	const isImmutable = immutablePattern.test(path)
	const etag = `"${isImmutable ? createHash('sha256').update(path).digest('base64url') : await digestOf(file)}"`
	const cacheControl = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'
	response.setHeader('etag', etag).setHeader('cache-control', cacheControl)
	if (headers['if-none-match'] === etag) return void response.writeHead(304).end()
	response.writeHead(200, {
		'content-length': (await file.stat()).size,
		'content-type': path.endsWith('.json') ? 'application/json' : 'application/octet-stream',
		'x-content-type-options': 'nosniff',
	})
	if (method === 'HEAD') return void response.end()
	await pipeline(file.createReadStream({ start: 0, autoClose: false }), response)
}

/**
 * Returns `undefined` if the file does not exist or is no plain file. Publishers may write into the folder: a link of
 * theirs could lead to a key of the keeper.
 */
async function openFile(folder: string, path: string): Promise<FileHandle | undefined> {
	const place = join(await realpath(folder), path)
	const opened = await openRealFile(place).catch(() => undefined)
	if (!opened || opened.real === place) return opened?.file
	await opened.file.close()
	return undefined
}

async function digestOf(file: FileHandle): Promise<string> {
	const hash = createHash('sha256')
	for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk)
	return hash.digest('base64url')
}
