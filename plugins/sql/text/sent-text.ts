import { DriverError, isDriverError, parameterPlaces, withPlaceholders } from '@roundhouse/kit'

/** The text for the server, with a placeholder for each place in two braces. */
export interface SentText {
	readonly sql: string
	/** The name of each value, in the order in which values are sent. */
	readonly names: readonly string[]
}

/** Writes the placeholders of statements, and moves offsets between a statement and its sent text. */
export interface Sending {
	sentText(statement: string): SentText
	/** Returns the offset in the statement of an offset in the text that was sent for it. */
	statementOffset(statement: string, offset: number): number
	/** Runs work, and moves the place of its error from the sent text to the statement. */
	placed<T>(statement: string, work: () => Promise<T>): Promise<T>
}

/** @param placeholders `numbered`: one name is one value (`$1`). `question marks`: each place has its value (`?`) */
export function sendingBy(placeholders: 'numbered' | 'question marks'): Sending {
	const isNumbered = placeholders === 'numbered'
	const sentText = (statement: string): SentText => {
		const names: string[] = []
		const sql = withPlaceholders(statement, name => {
			if (!isNumbered) {
				names.push(name)
				return '?'
			}
			if (!names.includes(name)) names.push(name)
			return `$${names.indexOf(name) + 1}`
		})
		return { sql, names }
	}
	const statementOffset = (statement: string, offset: number): number => {
		const { names } = sentText(statement)
		let moved = 0
		for (const { start, end, name } of parameterPlaces(statement)) {
			const placeholder = isNumbered && name !== undefined ? `$${names.indexOf(name) + 1}` : '?'
			const sent = name === undefined ? 2 : placeholder.length
			if (start - moved >= offset) break
			if (start - moved + sent > offset) return start
			moved += end - start - sent
		}
		return Math.min(offset + moved, statement.length)
	}
	return {
		sentText,
		statementOffset,
		async placed(statement, work) {
			try {
				return await work()
			} catch (error) {
				if (!isDriverError(error) || error.at === undefined) throw error
				const { code, message, hint, engineCode, cause } = error
				throw new DriverError(code, message, {
					at: statementOffset(statement, error.at),
					...(hint !== undefined && { hint }),
					...(engineCode !== undefined && { engineCode }),
					cause,
				})
			}
		},
	}
}
