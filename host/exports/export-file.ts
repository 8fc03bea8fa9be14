import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { faultOfFileName } from '../../base/file-name.ts'
import { exportErrors } from './errors.ts'

/** Some file systems limit names to 255 bytes. The rest is for a number and an extension. */
const maxStemBytes = 200
/** Characters that change the direction of text. With them a name that ends in `exe.csv` can look like `vsc.exe`. */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Zl}|\p{Zp}/u
const maxSameName = 1_000
/** Error codes of file systems that do not support hard links. */
const linkUnsupported: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
const diskFull: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

interface Opened {
	readonly handle: FileHandle
	/** Its temporary path until it is complete. */
	readonly part: string
	readonly folder: string
	/** Throws if the folder is no longer the one in which the part was created. */
	requireInPlace(): Promise<void>
}

/** A complete export, as it was when it got its name. */
export interface KeptExport {
	readonly path: string
	/** Size in bytes. */
	readonly bytes: number
	/** Tells this file from another one at its path, and from later content. */
	readonly stamp: string
}

/** A part of a file: whole lines, where a line fits. */
export interface ExportPiece {
	readonly text: string
	/** Bytes before the next piece; equal to the size at the end. */
	readonly next: number
}

/** An unfinished export. It gets its name when it is complete; otherwise it is deleted on disposal. */
export class ExportFile implements AsyncDisposable {
	readonly #opened: Opened
	#bytes = 0
	#isPart = true

	constructor(opened: Opened) {
		this.#opened = opened
	}

	get bytes(): number {
		return this.#bytes
	}

	/** @throws HostError `export/disk_full`, `export/not_written` */
	async write(piece: Uint8Array): Promise<void> {
		await this.#opened.handle.writeFile(piece).catch(refuse)
		this.#bytes += piece.length
	}

	/**
	 * Renames the file to its final name, with a number if the name is taken. It never overwrites a file.
	 * @throws HostError `export/…`
	 */
	async keepAs(stem: string, extension: string): Promise<KeptExport> {
		const { handle, part, folder, requireInPlace } = this.#opened
		await handle.sync().catch(refuse)
		await requireInPlace()
		for (let number = 1; number <= maxSameName; number++) {
			const name = `${stem}${number === 1 ? '' : ` (${number})`}.${extension}`
			const path = join(folder, name)
			if (!(await claimName(part, path))) continue
			await requireAt(path, handle)
			this.#isPart = false
			const stamp = await stampOf(handle)
			await handle.close()
			await unlink(part).catch(() => {})
			return { path, bytes: this.#bytes, stamp }
		}
		throw exportErrors.make('name_taken', { name: `${stem}.${extension}` })
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (!this.#isPart) return
		this.#isPart = false
		const { handle, part } = this.#opened
		// Does not delete a file of another program that has replaced the part.
		const isOwn = await isAt(part, handle).catch(() => false)
		await handle.close().catch(() => {})
		if (isOwn) await unlink(part).catch(() => {})
	}
}

/** Returns the name without the extension. @throws HostError `export/name_invalid` */
export function stemOf(name: string, extension: string): string {
	const ending = `.${extension}`
	const stem = name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name
	const fault =
		faultOfFileName(stem) ??
		(directionControls.test(stem) ? 'contains a character that changes the text direction' : undefined) ??
		(Buffer.byteLength(stem) > maxStemBytes ? `has more than ${maxStemBytes} bytes` : undefined)
	if (fault !== undefined) throw exportErrors.make('name_invalid', { name: name.slice(0, 200), reason: fault })
	return stem
}

/**
 * Reads complete lines from `from` on, of at most `most` bytes together; a part of a line only if a line alone has more.
 * @throws HostError `export/changed` if the file is not what was exported, or `from` is within a character
 */
export async function readPiece({ path, bytes, stamp }: KeptExport, from: number, most: number): Promise<ExportPiece> {
	const refused = (cause?: unknown) => exportErrors.make('changed', { path }, { cause })
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
	await using handle = await open(path, flags).catch(error => {
		throw refused(error)
	})
	if ((await stampOf(handle)) !== stamp) throw refused()
	// One byte more shows whether the last character is whole.
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(most + 1), 0, most + 1, from)
	if ((await stampOf(handle)) !== stamp || isWithinCharacter(buffer[0])) throw refused()
	const end = from + bytesRead >= bytes && bytesRead <= most ? bytesRead : lastCut(buffer.subarray(0, bytesRead))
	return { text: buffer.toString('utf8', 0, end), next: from + end }
}

/** Returns the end of the last complete line, or of the last complete character if there is no complete line. */
function lastCut(buffer: Buffer): number {
	const line = buffer.lastIndexOf('\n', -2) + 1
	if (line > 0) return line
	let end = buffer.length - 1
	while (end > 0 && isWithinCharacter(buffer[end])) end--
	return end
}

/** Whether a byte of UTF-8 continues a character (RFC 3629). */
const isWithinCharacter = (byte = 0) => (byte & 0xc0) === 0x80

async function stampOf(handle: FileHandle): Promise<string> {
	const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true })
	return [dev, ino, size, mtimeNs].join('-')
}

/** Whether the path refers to the open file. */
export async function isAt(path: string, handle: FileHandle): Promise<boolean> {
	const [there, own] = [await lstat(path, { bigint: true }).catch(() => undefined), await handle.stat({ bigint: true })]
	return there?.ino === own.ino && there.dev === own.dev
}

/** Gives the part a final name atomically. @returns `false` if the name is taken @throws HostError */
async function claimName(part: string, path: string): Promise<boolean> {
	try {
		await link(part, path)
		return true
	} catch (error) {
		const code = codeOf(error)
		if (code === 'EEXIST') return false
		if (!linkUnsupported.has(code)) return refuse(error)
	}
	// Without hard links, an empty file reserves the name, and the part then replaces it.
	try {
		const { O_WRONLY, O_CREAT, O_EXCL } = constants
		await (await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)).close()
	} catch (error) {
		return codeOf(error) === 'EEXIST' ? false : refuse(error)
	}
	await rename(part, path).catch(async error => {
		await unlink(path).catch(() => {})
		refuse(error)
	})
	return true
}

async function requireAt(path: string, handle: FileHandle): Promise<void> {
	if (await isAt(path, handle)) return
	throw exportErrors.make('not_written', { reason: 'another file has replaced it' })
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

function refuse(error: unknown): never {
	if (diskFull.has(codeOf(error))) throw exportErrors.make('disk_full', {}, { cause: error })
	throw exportErrors.make('not_written', { reason: messageOf(error) }, { cause: error })
}
