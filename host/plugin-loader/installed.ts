import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseSchema } from '@roundhouse/registry/documents'
import { z } from 'zod'
import { makePrivateFolder, readJsonFile, writeJsonFile } from '../base/atomic-file.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'

/**
 * What is installed: `plugins/<id>/current.json` names the version in use and the one before it; each version lies in
 * `plugins/<id>/<folder>/`, beside the signed documents that vouch for it. The switch from one version to the next is
 * the rename of `current.json`.
 */

const installationSchema = z.object({
	release: releaseSchema,
	folder: z.string().regex(/^[0-9A-Za-z.-]+$/),
	/** Fingerprint of the registry it came from. */
	registry: z.string(),
	rootJws: z.string(),
	indexJws: z.string(),
	installedAt: z.iso.datetime(),
})
export type Installation = z.infer<typeof installationSchema>

const currentSchema = z.object({
	version: z.literal(1),
	current: installationSchema,
	previous: installationSchema.optional(),
	isEnabled: z.boolean(),
})
export type InstalledDriver = z.infer<typeof currentSchema>

export class InstalledDrivers {
	readonly #folder: string
	readonly #drivers = new Map<string, InstalledDriver>()

	private constructor(folder: string) {
		this.#folder = folder
	}

	/**
	 * Reads what is there. A folder is a driver only under the name of its release; what an installation left that was
	 * cut short is swept. A `current.json` that cannot be read costs its own driver, which can be installed again.
	 */
	static async open(folder: string, log: Log): Promise<InstalledDrivers> {
		await makePrivateFolder(folder)
		await rm(join(folder, stagingName), { recursive: true, force: true })
		const installed = new InstalledDrivers(folder)
		for (const entry of await readdir(folder, { withFileTypes: true })) {
			if (!entry.isDirectory()) continue
			const driver = await readJsonFile(installed.#currentFile(entry.name), currentSchema).catch(error => {
				log.warn(messageOf(error))
				return undefined
			})
			if (driver?.current.release.id === entry.name) {
				installed.#drivers.set(entry.name, driver)
				await installed.#sweep(entry.name, driver)
			} else if (driver) log.warn(`The folder ${entry.name} holds the driver ${driver.current.release.id}: left out.`)
		}
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
	}

	async remove(id: string): Promise<void> {
		await rm(this.#currentFile(id), { force: true })
		await rm(join(this.#folder, id), { recursive: true, force: true })
		this.#drivers.delete(id)
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
