import { DriverError, type GridOpening } from '@roundhouse/kit'
import { type GridTable, type RawRow, selectionOf } from '@roundhouse/sql'
import { gridColumn, readSignature, type Shape } from '../catalog/shape.ts'
import { bind, conditionOf } from '../sql/conditions.ts'
import { qualified, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { cellsOf, selectedOf } from './cells.ts'
import { countExactly, estimateIn, estimateOf } from './count.ts'
import { bindPosition, orderOf } from './order.ts'
import { hasKey, identityIn, identityOf, row, textsIn } from './row-key.ts'

/** Returns what a grid reads of a table. */
export function gridTable({
	shape,
	query,
}: {
	readonly shape: Shape
	readonly query: GridOpening
}): GridTable<Session, RawRow> {
	const order = orderOf(shape, query.sort)
	return {
		columns: shape.columns.map(gridColumn),
		references: shape.references,
		referrers: shape.referrers,
		order,
		selection: selectionOf({
			cells: selectedOf(shape.columns),
			identity: identityOf(shape),
			position: order.terms.map(({ text }) => text),
			// All values arrive as text.
			same: new Map(),
		}),
		from: qualified(shape.place),
		alias: row,
		condition: () => conditionOf(shape, query),
		parameters: () => ({ bind: bindPosition(shape), values: [] }),
		inline: bind,
		quoted,
		idsMayRepeat: !hasKey(shape),
		cellsOf: values => cellsOf(shape.columns, values)[0],
		identityIn,
		positionIn: textsIn,
		read: (session, { sql }, signal) => session.read({ sql }, signal),
		async readFirst(session, asked, signal) {
			const found = asked && (await session.read({ sql: asked.sql }, signal))
			const plan = await session.read(estimateOf(session, { shape, query }), signal)
			if ((await readSignature(session, shape.place, signal)) !== shape.signature)
				throw new DriverError('query_failed', `The columns of ${shape.name} have changed. Reload.`)
			const value = estimateIn(plan)
			return { rows: found?.rows ?? [], estimate: { value, isExact: false, bound: 'about' } }
		},
		count: (session, signal) => countExactly(session, { shape, query }, signal),
	}
}
