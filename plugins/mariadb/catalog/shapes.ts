import { Shapes } from '@roundhouse/sql'
import { parseName } from '../sql/names.ts'
import { errorNumbers } from '../wire/errors.ts'
import { SharedReferences } from './references.ts'
import type { Sessions } from './sessions.ts'
import { readSignature, readTable, type Shape } from './shape.ts'

/** Errors that say that a table is no longer what it was. */
const changed: ReadonlySet<string> = new Set([errorNumbers.noSuchTable, 1054, 1412].map(String))

/** Returns the descriptions of the tables of a connection. */
export function shapesOf(sessions: Sessions): Shapes<Shape> {
	const references = new SharedReferences()
	return new Shapes({
		changed,
		read: (name, call) => {
			const place = parseName(name, sessions.main)
			return references.during(() =>
				sessions.using(call, async (session, signal) => {
					const table = await readTable(session, place, signal)
					return { ...table, ...(await references.read(session, place, signal)) }
				}),
			)
		},
		signature: ({ place }, call) => sessions.using(call, (session, signal) => readSignature(session, place, signal)),
	})
}
