import { Shapes } from '@roundhouse/sql'
import { parseName } from '../sql/names.ts'
import { errorNumbers } from '../wire/errors.ts'
import type { Sessions } from './sessions.ts'
import { readShape, readSignature, type Shape } from './shape.ts'

/** Errors that say that a table is no longer what it was. */
const changed: ReadonlySet<string> = new Set([errorNumbers.noSuchTable, 1054, 1412].map(String))

/** Returns the descriptions of the tables of a connection. */
export const shapesOf = (sessions: Sessions): Shapes<Shape> =>
	new Shapes({
		changed,
		read: (name, call) =>
			sessions.using(call, (session, signal) => readShape(session, parseName(name, sessions.main), signal)),
		signature: ({ place }, call) => sessions.using(call, (session, signal) => readSignature(session, place, signal)),
	})
