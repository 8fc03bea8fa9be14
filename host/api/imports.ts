import { randomUUID } from 'node:crypto'
import { importErrors } from '../imports/errors.ts'
import type { ImportAccount, ImportJob } from '../imports/import-job.ts'

/** The imports of one caller. They are cancelled with it. */
export class Imports {
	readonly #jobs = new Map<string, ImportJob>()

	/** @returns the id of the import */
	add(job: ImportJob): string {
		const id = randomUUID()
		this.#jobs.set(id, job)
		return id
	}

	/** @throws HostError `import/over` */
	get(id: string): ImportJob {
		const job = this.#jobs.get(id)
		if (!job) throw importErrors.make('over')
		return job
	}

	/** Ends an import, and forgets it. @throws HostError `import/over` */
	async end(id: string, how: 'end' | 'cancel'): Promise<ImportAccount> {
		const account = await this.get(id)[how]()
		this.#jobs.delete(id)
		return account
	}

	async closeAll(): Promise<void> {
		await Promise.allSettled([...this.#jobs.keys()].map(id => this.end(id, 'cancel')))
	}
}
