import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { faultOfFileName } from '../base/file-name.ts'
import { exportErrors } from './errors.ts'

/** Some file systems have room for 255 bytes of a name; a number and an ending come to it. */
const longestBytes = 200
/** What turns how the rest of a name reads, so that one that ends in `exe.csv` shows as ending in `vsc.exe`. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Zl}|\p{Zp}/u
const mostOfOneName = 1_000
/** What file systems without links say to one. */
const noLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

interface Opened {
	readonly handle: FileHandle
	/** Where it stands until it is whole. */
	readonly part: string
	readonly folder: string
	/** Throws where the folder is not the one in which the part was made. */
	isStillThere(): Promise<void>
}

/** A file on its way: it gets its name when it is whole, and leaves nothing behind where it is not. */
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
	 * Gives it its name, or with a number the next one that is free: what has a name already is never written over.
	 * @returns its path @throws HostError `export/…`
	 */
	async keepAs(stem: string, extension: string): Promise<string> {
		const { handle, part, folder, isStillThere } = this.#opened
		await handle.sync().catch(refuse)
		await isStillThere()
		for (let number = 1; number <= mostOfOneName; number++) {
			const name = `${stem}${number === 1 ? '' : ` (${number})`}.${extension}`
			const path = join(folder, name)
			if (!(await take(part, path))) continue
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
		// What stands there instead of it by now is somebody else's.
		const isOwn = await isAt(part, handle).catch(() => false)
		await handle.close().catch(() => {})
		if (isOwn) await unlink(part).catch(() => {})
	}
}

/** What a file is called without its ending. @throws HostError `export/name_invalid` */
export function stemOf(name: string, extension: string): string {
	const ending = `.${extension}`
	const stem = name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name
	const fault =
		faultOfFileName(stem) ??
		(turning.test(stem) ? 'holds a character that turns how it reads' : undefined) ??
		(Buffer.byteLength(stem) > longestBytes ? `has more than ${longestBytes} bytes` : undefined)
	if (fault !== undefined) throw exportErrors.make('name_invalid', { name: name.slice(0, 200), reason: fault })
	return stem
}

/** Whether the open file stands at the path. */
export async function isAt(path: string, handle: FileHandle): Promise<boolean> {
	const [there, own] = [await lstat(path, { bigint: true }).catch(() => undefined), await handle.stat({ bigint: true })]
	return there?.ino === own.ino && there.dev === own.dev
}

/** Gives the part a name that nothing has. @returns whether it was free @throws HostError */
async function take(part: string, path: string): Promise<boolean> {
	try {
		await link(part, path)
		return true
	} catch (error) {
		const code = codeOf(error)
		if (code === 'EEXIST') return false
		if (!noLinks.has(code)) return refuse(error)
	}
	// Where there are no links the name is taken by an empty file, which the part replaces at once.
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
	throw exportErrors.make('not_written', { reason: 'something else stands in its place' })
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

function refuse(error: unknown): never {
	if (noRoom.has(codeOf(error))) throw exportErrors.make('disk_full', {}, { cause: error })
	throw exportErrors.make('not_written', { reason: messageOf(error) }, { cause: error })
}
