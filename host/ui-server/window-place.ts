import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../base/atomic-file.ts'
import { type LoopbackPort, listenOnLoopback } from './loopback.ts'

/** Where the window lives, and the key by which a window that was open comes back to the next launch (`returns.ts`). */
const placeSchema = z.object({
	port: z.int().min(1).max(65535),
	/** The name before `.localhost`. */
	name: z.string().regex(/^[0-9a-f]{20}$/),
	/** From slash to slash. */
	path: z.string().regex(/^\/[\w-]{43}\/$/),
	returnKey: z.string(),
})
export type WindowPlace = z.infer<typeof placeSchema>

/** So many ports a window asks beside its own, and a host tries when its own is taken. */
const mostBeside = 8

/** The ports that are tried, in this order, where one is taken. */
export function portsAfter(port: number): readonly number[] {
	return Array.from({ length: mostBeside }, (_, index) => port + 1 + index).filter(next => next <= 65535)
}

/** A window's address, as far as it can be told by its looks. */
const windowOrigin = /^http:\/\/(?:[0-9a-f]{20}\.localhost|127\.0\.0\.1):(\d{1,5})$/

/** Whether a window that was at one port looks for its host at the other. */
export function looksFor(origin: string | undefined, port: number): boolean {
	const own = windowOrigin.exec(origin ?? '')?.[1]
	return own !== undefined && portsAfter(Number(own)).includes(port)
}

/** Whether a window may have moved from the one address to the other. */
export function mayMove(from: string, to: string): boolean {
	const port = windowOrigin.exec(to)?.[1]
	return port !== undefined && looksFor(from, Number(port))
}

/**
 * Listens where the last launch did, if the port may be any and that one is still free: a window that was open then finds
 * its host again. Where it is somebody else's by now, name and path are new ones, for they may have been shown the old,
 * and the port is one of the next, where the window looks too. The key stays: it was shown to nobody.
 * @throws Error `EADDRINUSE` where the port was said and is not free
 */
export async function takeWindowPlace(
	file: string,
	wanted: number,
): Promise<{ readonly port: LoopbackPort; readonly place: WindowPlace }> {
	// A file that cannot be read costs a reload by hand, and is no reason not to start.
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
