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
	 * @returns its path @throws HostError `export/…`
	 */
	async keepAs(stem: string, extension: string): Promise<string> {
		const { handle, part, folder, requireInPlace } = this.#opened
		await handle.sync().catch(refuse)
		await requireInPlace()
		for (let number = 1; number <= maxSameName; number++) {
			const name = `${stem}${number === 1 ? '' : ` (${number})`}.${extension}`
			const path = join(folder, name)
			if (!(await claimName(part, path))) continue
			await requireAt(path, handle)
			this.#isPart = false
			await handle.close()
			await unlink(part).catch(() => {})
			return path
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
