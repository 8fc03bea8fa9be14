import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { makePrivateFolder, readJsonFile, writeJsonFile } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { keepLock, lockOf } from './lock-file.ts'

/**
 * Storage of installed drivers. `plugins/<id>/current.json` names the current and the previous version. Each version is
 * in `plugins/<id>/<folder>/`. An update takes effect when the new `current.json` is renamed into place.
 */

const installationSchema = z.object({
	release: z.object({
		publisher: z.string(),
		id: z.string(),
		version: z.string(),
		manifest: manifestSchema,
		package: z.object({ sizeBytes: z.int(), sha512: z.string() }),
	}),
	/** The release document, which lists the files. The registry signed its digest. */
	document: z.string(),
	folder: z.string().regex(/^[0-9A-Za-z.-]+$/),
	/** Fingerprint of the registry it came from. */
	registry: z.string(),
	/** Whether it came with the host, because its registry had never been read. */
	isSeeded: z.boolean().optional(),
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

export class InstalledDrivers {
	readonly #folder: string
	readonly #drivers = new Map<string, InstalledDriver>()

	readonly #lockPath: string
	readonly #log: Log

	private constructor(folder: string, lockPath: string, log: Log) {
		this.#folder = folder
		this.#lockPath = lockPath
		this.#log = log
	}

	/**
	 * Reads the installed drivers. A folder must have the id of its release as its name. Removes the remains of
	 * interrupted installations. Skips a driver whose `current.json` cannot be read; it can be installed again.
	 */
	static async open(folder: string, lockPath: string, log: Log): Promise<InstalledDrivers> {
		await makePrivateFolder(folder)
		await rm(join(folder, stagingName), { recursive: true, force: true })
		const installed = new InstalledDrivers(folder, lockPath, log)
		for (const entry of await readdir(folder, { withFileTypes: true })) {
			if (!entry.isDirectory()) continue
			const driver = await readJsonFile(installed.#currentFile(entry.name), currentSchema).catch(error => {
				log.warn(messageOf(error))
				return null
			})
			// An interrupted first installation or removal leaves a folder without this file.
			if (driver === undefined) await rm(join(folder, entry.name), { recursive: true, force: true })
			if (!driver) continue
			if (driver.current.release.id === entry.name) {
				installed.#drivers.set(entry.name, driver)
				await installed.#sweep(entry.name, driver)
			} else log.warn(`The folder ${entry.name} contains the driver ${driver.current.release.id}. It was ignored.`)
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

	folderOf(id: string, installation: Installation): string {
		return join(this.#folder, id, installation.folder)
	}

	/** The folder for downloads that are not installed yet. */
	get staging(): string {
		return join(this.#folder, stagingName)
	}

	async write(id: string, driver: InstalledDriver): Promise<void> {
		// Switched off in memory first, so that it takes effect even if the disk is full.
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
		await this.#keepLock()
	}

	/** Updates the lock file. A failure is logged only, because the next change or start updates it again. */
	async #keepLock(): Promise<void> {
		await keepLock(this.#lockPath, lockOf(this.list())).catch(error => this.#log.warn(messageOf(error)))
	}

	/**
	 * Removes versions that are neither the current nor the previous one. A failure is logged only, because the change is
	 * made, and the next change or start tries again.
	 */
	async #sweep(id: string, driver: InstalledDriver): Promise<void> {
		const kept = new Set([driver.current.folder, driver.previous?.folder, currentName])
		const folder = join(this.#folder, id)
		try {
			for (const name of await readdir(folder))
				if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true })
		} catch (error) {
			this.#log.warn(messageOf(error))
		}
	}

	#currentFile(id: string): string {
		return join(this.#folder, id, currentName)
	}
}

const stagingName = '.staging'
const currentName = 'current.json'
