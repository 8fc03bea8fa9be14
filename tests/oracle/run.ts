import { Difference } from './difference.ts'
import { openHost } from './host.ts'
import type { Oracle } from './oracle.ts'
import { Random } from './random.ts'
import type { RandomTable } from './random-table.ts'

/** Each so many questions, one is asked through a host. */
const questionsOfHost = 25
/** So many differences are enough to begin with. */
const mostDifferences = 10

interface Run {
	readonly cases: number
	/** Each table has its own, the next one. */
	readonly seed: number
	/** Called after each table. */
	readonly onProgress?: (cases: number) => void
	/** Called as soon as one is found: a run of hours may be stopped. */
	readonly onDifference?: (difference: string) => void
}

/**
 * Asks random questions, and returns how many, and each difference with the question and the command that repeats it. A difference ends
 * the questions about its table.
 */
export async function runOracle(
	oracle: Oracle,
	{ cases, seed, onProgress, onDifference }: Run,
): Promise<{ readonly asked: number; readonly differences: readonly string[] }> {
	await using host = await openHost(oracle)
	const differences: string[] = []
	let asked = 0
	for (let of = seed; asked < cases && differences.length < mostDifferences; of++) {
		const random = new Random(of)
		await using table = await oracle.openTable(random)
		const most = Math.min(oracle.questionsOfTable, cases - asked)
		for (let at = 1; at <= most; at++, asked++) {
			try {
				if (at % questionsOfHost === 0) await host.ask(table, random)
				else await table.ask()
			} catch (error) {
				const difference = textOf(error, table, `npm run fuzz -- oracle ${oracle.driver.id} ${at} ${of}`)
				differences.push(difference)
				onDifference?.(difference)
				break
			}
		}
		onProgress?.(asked)
	}
	return { asked, differences }
}

function textOf(error: unknown, { description, asked }: RandomTable, command: string): string {
	const reason = error instanceof Difference ? error.message : error instanceof Error ? error.stack : String(error)
	return [command, description.slice(0, 20_000), JSON.stringify(asked), reason].join('\n')
}
