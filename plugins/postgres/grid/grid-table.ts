import { DriverError, type GridOpening } from '@roundhouse/kit'
import { type GridTable, Parameters, selectionOf } from '@roundhouse/sql'
import { from, gridColumn, type Shape } from '../catalog/shape.ts'
import { signatureIn, signatureSql } from '../catalog/signature.ts'
import { inline, placeholder } from '../sql/binding.ts'
import { conditionOf, pathFor } from '../sql/conditions.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session } from '../wire/session.ts'
import { cellsOf, selectedOf } from './cells.ts'
import { countExactly, estimateIn, estimateQuery } from './count.ts'
import { orderOf } from './order.ts'
import { identityIn, identityOf, row, rowKeyOf } from './row-key.ts'

interface GridRead {
	readonly shape: Shape
	readonly query: GridOpening
	/** Run before each read, in its transaction. Absent for the user. */
	readonly guard: Query | undefined
}

export function gridTable({ shape, query, guard }: GridRead): GridTable<Session> {
	const order = orderOf(shape, query.sort)
	const options = { path: pathFor(query), guard }
	return {
		columns: shape.columns.map(gridColumn),
		references: shape.references,
		referrers: shape.referrers,
		order,
		selection: selectionOf({
			cells: selectedOf(shape.columns),
			identity: identityOf(shape),
			position: order.terms.map(({ text }) => text),
			// A number as text is the number as the server sends it. Other types differ: a boolean, `char(10)`, `inet`.
			same: new Map(
				shape.columns
					.filter(({ kind }) => kind === 'number')
					.map(({ name }) => [`${quoted(name)}::text`, quoted(name)]),
			),
		}),
		from: from(shape),
		alias: row,
		condition: bind => conditionOf(shape, query, bind),
		parameters: () => new Parameters(placeholder),
		inline,
		quoted,
		idsMayRepeat: rowKeyOf(shape).by === 'digest',
		cellsOf: values => cellsOf(shape.columns, values)[0],
		identityIn,
		positionIn: values => values,
		read: (session, asked, signal) => session.read(asked, signal, options),
		async readFirst(session, asked, signal) {
			const counting = { shape, query, guard }
			const queries = [...(asked ? [asked] : []), estimateQuery(counting)]
			// The columns as they are now come in the same round trip.
			const described = shape.signature === undefined ? undefined : { sql: signatureSql(shape.place) }
			const answers = await session.readAll(queries, signal, { ...options, described })
			if (described && signatureIn(answers.at(-1)?.fields ?? []) !== shape.signature)
				throw new DriverError('query_failed', `The columns of ${shape.name} have changed. Reload.`)
			const value = estimateIn(answers[queries.length - 1])
			return { rows: (asked && answers[0]?.rows) ?? [], estimate: { value, isExact: false, bound: 'about' } }
		},
		count: (session, signal) => countExactly(session, { shape, query, guard }, signal),
	}
}
