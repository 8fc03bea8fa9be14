import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { makePrivateFolder, readJsonFile, writeJsonFile } from '../base/atomic-file.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { keepLock, lockOf } from './lock-file.ts'

/**
 * What is installed: `plugins/<id>/current.json` names the version in use and the one before it; each version lies in
 * `plugins/<id>/<folder>/`. The switch from one version to the next is the rename of `current.json`.
 */

const installationSchema = z.object({
	release: z.object({
		publisher: z.string(),
		id: z.string(),
		version: z.string(),
		manifest: manifestSchema,
		package: z.object({ sizeBytes: z.int(), sha512: z.string() }),
	}),
	/** The text that says which files it has; its registry signed the digest. */
	document: z.string(),
	folder: z.string().regex(/^[0-9A-Za-z.-]+$/),
	/** Fingerprint of the registry it came from. */
	registry: z.string(),
	installedAt: z.iso.datetime(),
})
export type Installation = z.infer<typeof installationSchema>

const currentSchema = z.object({
	version: z.literal(2),
	current: installationSchema,
	previous: installationSchema.optional(),
	isEnabled: z.boolean(),
})
export type InstalledDriver = z.infer<typeof currentSchema>

/**
 * As it was written when registries had documents of another kind: nobody vouches for what it names any more. The driver
 * is installed anew, and what the person had set of it holds.
 */
const formerSchema = z.object({ version: z.literal(1), isEnabled: z.boolean() }).transform(({ isEnabled }) => ({
	wasEnabled: isEnabled,
}))

export class InstalledDrivers {
	readonly #folder: string
	readonly #former = new Map<string, { readonly wasEnabled: boolean }>()
	readonly #drivers = new Map<string, InstalledDriver>()

	readonly #lockPath: string
	readonly #log: Log

	private constructor(folder: string, lockPath: string, log: Log) {
		this.#folder = folder
		this.#lockPath = lockPath
		this.#log = log
	}

	/**
	 * Reads what is there. A folder is a driver only under the name of its release; what an installation left that was
	 * cut short is swept. A `current.json` that cannot be read costs its own driver, which can be installed again.
	 */
	static async open(folder: string, lockPath: string, log: Log): Promise<InstalledDrivers> {
		await makePrivateFolder(folder)
		await rm(join(folder, stagingName), { recursive: true, force: true })
		const installed = new InstalledDrivers(folder, lockPath, log)
		for (const entry of await readdir(folder, { withFileTypes: true })) {
			if (!entry.isDirectory()) continue
			const driver = await readJsonFile(
				installed.#currentFile(entry.name),
				z.union([currentSchema, formerSchema]),
			).catch(error => {
				log.warn(messageOf(error))
				return undefined
			})
			if (!driver) continue
			if ('wasEnabled' in driver) installed.#former.set(entry.name, driver)
			else if (driver.current.release.id === entry.name) {
				installed.#drivers.set(entry.name, driver)
				await installed.#sweep(entry.name, driver)
			} else log.warn(`The folder ${entry.name} holds the driver ${driver.current.release.id}: left out.`)
		}
		await installed.#keepLock()
		return installed
	}

	list(): readonly InstalledDriver[] {
		return [...this.#drivers.values()]
	}

	get(id: string): InstalledDriver | undefined {
		return this.#drivers.get(id)
	}

	/** Drivers that are to be installed anew. */
	former(): readonly string[] {
		return [...this.#former.keys()].filter(id => !this.#drivers.has(id))
	}

	/** Whether a driver that is to be installed anew was switched off. */
	wasOff(id: string): boolean {
		return this.#former.get(id)?.wasEnabled === false
	}

	folderOf(id: string, installation: Installation): string {
		return join(this.#folder, id, installation.folder)
	}

	/** Where a download is put together before it becomes a version. */
	get staging(): string {
		return join(this.#folder, stagingName)
	}

	async write(id: string, driver: InstalledDriver): Promise<void> {
		// What is switched off is off, also where the disk is too full to keep that.
		if (!driver.isEnabled) this.#drivers.set(id, driver)
		await writeJsonFile(this.#currentFile(id), driver)
		this.#drivers.set(id, driver)
		await this.#sweep(id, driver)
		await this.#keepLock()
	}

	async remove(id: string): Promise<void> {
		await rm(this.#currentFile(id), { force: true })
		await rm(join(this.#folder, id), { recursive: true, force: true })
		this.#drivers.delete(id)
		this.#former.delete(id)
		await this.#keepLock()
	}

	/** The lock file follows what is installed; where it cannot be written, the next change or start does. */
	async #keepLock(): Promise<void> {
		await keepLock(this.#lockPath, lockOf(this.list())).catch(error => this.#log.warn(messageOf(error)))
	}

	/** Removes versions that are neither the current nor the previous one. */
	async #sweep(id: string, driver: InstalledDriver): Promise<void> {
		const kept = new Set([driver.current.folder, driver.previous?.folder, currentName])
		for (const name of await readdir(join(this.#folder, id))) {
			if (!kept.has(name)) await rm(join(this.#folder, id, name), { recursive: true, force: true })
		}
	}

	#currentFile(id: string): string {
		return join(this.#folder, id, currentName)
	}
}

const stagingName = '.staging'
const currentName = 'current.json'
