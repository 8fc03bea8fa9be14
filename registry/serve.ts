import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface RegistryServer {
	readonly url: string
	close(): Promise<void>
}

/** Plain names alone: none begins with a dot, so that no path leads out of the folder or to a hidden file. */
const pathPattern = /^\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*)$/

/** Serves a built registry on loopback, with the conditional requests that clients ask for. */
export async function serveRegistry(folder: string, port = 0): Promise<RegistryServer> {
	const server = createServer(async (request, response) => {
		const name = pathPattern.exec(request.url ?? '')?.[1]
		const data = name && (await readFile(join(folder, name)).catch(() => undefined))
		if (!data) return response.writeHead(404).end()
		const etag = `"${createHash('sha256').update(data).digest('base64url')}"`
		if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
		response
			.writeHead(200, { etag, 'content-length': data.length, 'content-type': 'application/octet-stream' })
			.end(data)
	})
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		server.listen(port, '127.0.0.1', resolve)
	})
	// A TCP server that listens has a port.
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
