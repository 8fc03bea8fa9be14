import { Shapes } from '@roundhouse/sql'
import { parseName } from '../sql/names.ts'
import type { Databases } from './databases.ts'
import { readShape, type Shape } from './shape.ts'
import { readSignature } from './signature.ts'

/** Codes of SQLSTATE that say that a table is no longer what it was. */
const changed: ReadonlySet<string> = new Set(['42P01', '42703', '42704', '0A000'])

/** Returns the descriptions of the tables of a connection. */
export const shapesOf = (databases: Databases): Shapes<Shape> =>
	new Shapes({
		changed,
		read(name, call) {
			const place = parseName(name)
			return databases.using(call, (session, signal) => readShape(session, { place, name }, signal), place.database)
		},
		signature: ({ place }, call) =>
			databases.using(call, (session, signal) => readSignature(session, place, signal), place.database),
	})
