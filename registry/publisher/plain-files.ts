import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readAtMost } from '../../base/regular-file.ts'
import { registryErrors } from '../format/errors.ts'
import { packageLimits } from '../format/format.ts'
import { type BudgetLimits, ReadingBudget } from '../format/reading-budget.ts'
import { openRealFile } from './real-file.ts'

const packedLimits: BudgetLimits = { files: packageLimits.files, bytes: packageLimits.unpackedBytes }

/**
 * Reads plain files of an author's folder. A link could lead out of the folder, to a private key for example. So a path
 * with a link in any part is refused, also inside of the folder. A file with a second name (a hard link) is refused too.
 */
export class PlainFiles {
	readonly #folder: string
	/** Paths of files that were left out, because they may be secrets. */
	readonly leftOut: string[] = []
	/** What the package may still have, so that a folder fills no disk before the package is refused. */
	readonly #budget: ReadingBudget

	private constructor(folder: string, limits: BudgetLimits) {
		this.#folder = folder
		this.#budget = new ReadingBudget(limits)
	}

	static async of(folder: string, limits: BudgetLimits = packedLimits): Promise<PlainFiles> {
		return new PlainFiles(await realpath(folder), limits)
	}

	/**
	 * Returns the files at a path, or below it if it is a folder, in order. Leaves out what may be a secret unless the
	 * path names it. @throws HostError `registry/file_not_plain`, Error `ENOENT`
	 */
	async *at(path: string): AsyncGenerator<{ readonly path: string; readonly data: Buffer }> {
		const plain = path.split('/').filter(isName).join('/')
		if ((await this.#stat(plain)).isDirectory()) yield* this.#below(plain)
		else yield { path: plain, data: await this.read(plain) }
	}

	/** @throws HostError `registry/file_not_plain`, Error `ENOENT` */
	async read(path: string): Promise<Buffer> {
		if (!(await this.#stat(path)).isFile()) throw this.#notPlain(path, 'it is no file')
		const place = join(this.#folder, path)
		await using opened = await openRealFile(place)
		if (opened.real !== place) throw this.#notPlain(path, 'it is below a link')
		const { nlink, size } = await opened.file.stat()
		if (nlink > 1) throw this.#notPlain(path, 'it has a second name elsewhere, a hard link')
		if (size > packageLimits.packageBytes || !this.#budget.take(1, size))
			throw this.#notPlain(path, 'it is too large, alone or with the files before it')
		const data = await readAtMost(opened.file, size)
		if (data.length !== size) throw this.#notPlain(path, 'it changed while it was read')
		return data
	}

	async *#below(folder: string): AsyncGenerator<{ readonly path: string; readonly data: Buffer }> {
		for (const name of (await readdir(join(this.#folder, folder))).sort()) {
			const path = `${folder}/${name}`
			if (secretNames.test(name)) {
				this.leftOut.push(path)
				continue
			}
			if ((await this.#stat(path)).isDirectory()) {
				yield* this.#below(path)
				continue
			}
			const data = await this.read(path)
			if (data.includes(privateKeyMark)) this.leftOut.push(path)
			else yield { path, data }
		}
	}

	async #stat(path: string) {
		const place = join(this.#folder, path)
		const stat = await lstat(place)
		if (stat.isSymbolicLink()) throw this.#notPlain(path, 'it is a link')
		if ((await realpath(place)) !== place) throw this.#notPlain(path, 'it is below a link')
		return stat
	}

	#notPlain(path: string, reason: string) {
		return registryErrors.make('file_not_plain', { file: path, reason })
	}
}

const isName = (part: string) => part !== '' && part !== '.'

/** Also in the middle of a file, for example in a settings file. */
const privateKeyMark = 'PRIVATE KEY-----'

/**
 * Names of files and folders that often have secrets, or that an author does not mean to publish. All hidden ones, such
 * as `.env`, `.npmrc` and `.git`, are among them.
 */
const secretNames = /^\.|^node_modules$|^id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk)$/i
