import { Emitter } from '../../base/emitter.ts'

export interface DevelopmentView {
	/** The folder of the driver. */
	readonly folder: string
	/** Why the last build did not start, with its stack. The build before it stays in use. */
	readonly fault?: string
}

/** The driver under development that this host runs, and why its last build or start failed. */
export class DriverUnderDevelopment {
	readonly folder: string
	/** Whether a debugger may attach to its processes. */
	readonly inspects: boolean
	#fault: string | undefined
	readonly #changed = new Emitter<DevelopmentView>()
	readonly onChange = this.#changed.on

	constructor(folder: string, { inspects }: { readonly inspects: boolean }) {
		this.folder = folder
		this.inspects = inspects
	}

	get view(): DevelopmentView {
		return { folder: this.folder, ...(this.#fault !== undefined && { fault: this.#fault }) }
	}

	/** Tells the windows how the last build and start ended. `undefined`: the new build runs. */
	report(fault: string | undefined): void {
		this.#fault = fault
		this.#changed.fire(this.view)
	}
}
