import { type Access, type ConsoleResult, DriverError, type Verdict } from '@roundhouse/kit'
import { columns, type Notes } from './notes.ts'

/** The language of the console: one statement a line, comments behind `#`. */

const accessOf: Readonly<Record<string, Access>> = {
	list: 'read',
	add: 'write',
	remove: 'destructive',
	clear: 'destructive',
}

/** Finds the statements of a text. What it does not know gets the most dangerous verdict. */
export function analyse(text: string): readonly Verdict[] {
	const verdicts: Verdict[] = []
	for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
		const statement = line.trim()
		if (statement === '' || statement.startsWith('#')) continue
		const start = index + line.indexOf(statement)
		const access = accessOf[wordOf(statement)] ?? 'destructive'
		verdicts.push({ start, end: start + statement.length, access, summary: statement.slice(0, 200) })
	}
	return verdicts
}

const wordOf = (statement: string) => (statement.split(/\s/, 1)[0] ?? '').toLowerCase()

/** Runs one statement. The host has allowed it by its verdict. */
export function run(notes: Notes, statement: string, maxRows: number): ConsoleResult {
	const argument = statement.slice(wordOf(statement).length).trim()
	switch (wordOf(statement)) {
		case 'list': {
			const rows = notes.all().map(({ id, text, stars }) => [id, text, stars])
			const isTruncated = rows.length > maxRows
			return result(rows.length, { view: 'rows', columns, rows: rows.slice(0, maxRows), isTruncated })
		}
		case 'add':
			return result(notes.add(argument).id)
		case 'remove':
			if (!notes.remove(Number(argument))) throw new DriverError('query_failed', `There is no note ${argument}.`)
			return result(1)
		case 'clear':
			notes.clear()
			return result(0)
		default:
			throw new DriverError('query_failed', `"${statement}" is no statement. Use list, add, remove or clear.`)
	}
}

function result(count: number, body: ConsoleResult['body'] = { view: 'text', text: 'Done.' }): ConsoleResult {
	return { status: `OK ${count}`, tookMs: 0, notices: [], body }
}
