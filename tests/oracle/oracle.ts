import type { Random } from './random.ts'
import type { RandomTable } from './random-table.ts'

/** An engine, and a driver that is compared with it. */
export interface Oracle extends AsyncDisposable {
	/** What a host needs to connect. */
	readonly driver: {
		readonly folder: string
		readonly id: string
		readonly settings: Readonly<Record<string, string | number>>
	}
	/** Number of questions about each table. A table costs as much as many of them. */
	readonly questionsOfTable: number
	/** Makes a table that all questions of a random source are about. */
	openTable(random: Random): Promise<RandomTable & AsyncDisposable>
}
