import { createHash, type Hash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { TargetFile } from '@tufjs/models'
import { type ReadLimits, type ReadOptions, read, TooLongError } from './request.ts'

/** A file that metadata lists. Its length and digests are known before the request. */
export type Target = Pick<TargetFile, 'path' | 'length' | 'hashes'>

export interface DownloadOptions {
	readonly baseUrl: URL
	/** Destination. An existing file is replaced. */
	readonly path: string
	/** Whether the file names of targets begin with their digests. */
	readonly hasHashedName: boolean
	readonly signal?: AbortSignal | undefined
	readonly onBytes?: ((done: number) => void) | undefined
	readonly limits?: ReadLimits
	readonly agent?: ReadOptions['agent']
}

/** The downloaded bytes differ from the signed ones. */
export class TargetError extends Error {
	readonly fault: 'size' | 'digest'

	constructor(fault: 'size' | 'digest', message: string) {
		super(message)
		this.fault = fault
	}
}

/** Lowest accepted average rate. A slower download is aborted. */
const slowestBytesPerSecond = 16 * 1024
const limitsFor = (length: number): ReadLimits => ({
	stallMs: 30_000,
	totalMs: 120_000 + Math.ceil((length / slowestBytesPerSecond) * 1000),
})

/** @throws TargetError if the path or the digest would lead elsewhere */
function urlOf({ path, hashes }: Target, { baseUrl, hasHashedName }: DownloadOptions): URL {
	const folders = path.split('/').map(encodeURIComponent)
	const name = folders.pop()
	// Client workflow 5.7.3: with consistent snapshots, the file name begins with a digest
	const [digest] = Object.values(hashes)
	const url = new URL([...folders, hasHashedName ? `${digest}.${name}` : name].join('/'), baseUrl)
	// A path of a registry is signed, and may still begin with `//` or contain `..`.
	if (!url.href.startsWith(baseUrl.href)) throw new TargetError('digest', `${path} is not below the registry's targets`)
	return url
}

/**
 * Downloads a target, following redirects. Reads at most the signed length, and verifies every signed digest during the
 * download. An incomplete file is removed. @throws TargetError, or Error if the download fails
 */
export async function downloadTarget(target: Target, options: DownloadOptions): Promise<void> {
	const { length } = target
	const digests = Object.entries(target.hashes).map(([algorithm, expected]) => ({
		expected,
		hash: createHash(algorithm),
	}))
	if (digests.length === 0) throw new TargetError('digest', `${target.path} has no digest`)
	const { status, body } = await read(urlOf(target, options), {
		maxBytes: length,
		limits: options.limits ?? limitsFor(length),
		agent: options.agent,
		signal: options.signal,
		followsRedirects: true,
	})
	if (status !== 200) throw new Error(`the registry answered ${status}`)
	try {
		await receive(body, { target, options, digests })
	} catch (error) {
		await rm(options.path, { force: true })
		throw error instanceof TooLongError ? new TargetError('size', `${target.path}: ${error.message}`) : error
	}
}

/** The signed file, and the digests to compare. */
interface ReceivedTarget {
	readonly target: Target
	readonly options: DownloadOptions
	readonly digests: readonly { readonly expected: string; readonly hash: Hash }[]
}

async function receive(
	body: AsyncIterable<Buffer>,
	{ target: { path, length }, options, digests }: ReceivedTarget,
): Promise<void> {
	await using file = await open(options.path, 'w', 0o600)
	let done = 0
	for await (const chunk of body) {
		options.signal?.throwIfAborted()
		done += chunk.length
		for (const { hash } of digests) hash.update(chunk)
		await file.write(chunk)
		options.onBytes?.(done)
	}
	options.signal?.throwIfAborted()
	await file.sync()
	// Client workflow 5.7.3: the signed length and digests
	if (done !== length) throw new TargetError('size', `${path} has ${done} bytes instead of ${length}`)
	for (const { hash, expected } of digests) {
		if (hash.digest('hex') !== expected) throw new TargetError('digest', `${path} has another digest`)
	}
}
