import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../../base/atomic-file.ts'
import { type LoopbackPort, listenOnLoopback } from './loopback.ts'

/** The window's address, and the key by which an open window returns to the next launch (`returns.ts`). */
const placeSchema = z.object({
	port: z.int().min(1).max(65535),
	/** The host name before `.localhost`. */
	name: z.string().regex(/^[0-9a-f]{20}$/),
	/** With both slashes. */
	path: z.string().regex(/^\/[\w-]{43}\/$/),
	returnKey: z.string(),
})
export type WindowAddress = z.infer<typeof placeSchema>

/** Ports that a window tries beside its own, and a host if its own is taken. */
const mostBeside = 8

/** Returns the ports to try, in order, if one is taken. */
export function portsAfter(port: number): readonly number[] {
	return Array.from({ length: mostBeside }, (_, index) => port + 1 + index).filter(next => next <= 65535)
}

/** Matches a window's address by its form. */
const windowOrigin = /^http:\/\/(?:[0-9a-f]{20}\.localhost|127\.0\.0\.1):(\d{1,5})$/

/** Returns whether a window at one port looks for its host at the other. */
export function looksFor(origin: string | undefined, port: number): boolean {
	const own = windowOrigin.exec(origin ?? '')?.[1]
	return own !== undefined && portsAfter(Number(own)).includes(port)
}

/** Returns whether a window may have moved from one address to the other. */
export function mayMove(from: string, to: string): boolean {
	const port = windowOrigin.exec(to)?.[1]
	return port !== undefined && looksFor(from, Number(port))
}

/**
 * Listens at the port of the last launch if no port is required and that one is free, so that an open window finds its
 * host. If another program has the port, name and path are new, because that program may have seen the old ones, and
 * the port is one of the next, which windows try too. The key stays, because it was never sent.
 * @throws Error `EADDRINUSE` if a required port is not free
 */
export async function takeWindowAddress(
	file: string,
	wanted: number,
): Promise<{ readonly port: LoopbackPort; readonly place: WindowAddress }> {
	// A file that cannot be read costs a manual reload, but does not prevent the start.
	const last = await readJsonFile(file, placeSchema).catch(() => undefined)
	const again = last && (wanted === 0 || wanted === last.port) ? await tryPort(last.port) : undefined
	if (last && again) return { port: again, place: last }
	const port =
		(last && wanted === 0 ? await tryPorts(portsAfter(last.port)) : undefined) ?? (await listenOnLoopback(wanted))
	const place = {
		port: port.port,
		name: randomBytes(10).toString('hex'),
		path: `/${randomBytes(32).toString('base64url')}/`,
		returnKey: last?.returnKey ?? randomBytes(32).toString('base64url'),
	}
	await writeJsonFile(file, place).catch(() => {})
	return { port, place }
}

async function tryPorts(ports: readonly number[]): Promise<LoopbackPort | undefined> {
	for (const port of ports) {
		const free = await tryPort(port)
		if (free) return free
	}
	return undefined
}

const tryPort = (port: number) => listenOnLoopback(port).catch(() => undefined)
