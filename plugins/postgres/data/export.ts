import type { ExportOptions, GridQuery, RowExport } from '@roundhouse/kit'
import { ChunkedExport, type RowTarget } from '@roundhouse/sql'
import type { Shape } from '../catalog/shape.ts'
import { pathFor } from '../sql/conditions.ts'
import type { OnCopyData } from '../wire/copy-tap.ts'
import { driverPath, type Query, type Session } from '../wire/session.ts'
import { exportPlan } from './export-plan.ts'
import { mostBytes, type RowWriter } from './rows/text-row.ts'

/** Exports a table by COPY, on a separate session, which it closes. @throws DriverError `unsupported` */
export function exportTable(
	session: Session,
	parts: {
		readonly shape: Shape
		readonly query: GridQuery
		readonly options: ExportOptions
		readonly guard?: Query | undefined
	},
): RowExport {
	const { sql, header, writer } = exportPlan(parts)
	return new ChunkedExport({
		header,
		isArray: parts.options.format === 'json',
		send: async (to, signal) => {
			await session.begin(signal, { mode: 'transaction isolation level read committed read only' })
			const toPath = async (path: string) => {
				if (pathFor(parts.query) === 'user') await session.command(`set local search_path to ${path}`, signal)
			}
			await toPath('default')
			if (parts.guard) {
				// It locks what the guard then sees.
				await session.parse({ sql }, signal)
				await toPath(driverPath)
				await session.query(parts.guard, signal)
				await toPath('default')
			}
			await session.copyOut(`copy (${sql}) to stdout`, copyTo(to, writer), signal)
		},
		pause: () => session.pause(),
		resume: () => session.resume(),
		release: () => session.close(),
	})
}

/** Returns what passes on rows in the text format of COPY. */
export const copyTo =
	({ pieces, begin, end: endRow }: RowTarget, { write, fixedBytes }: RowWriter): OnCopyData =>
	(bytes, start, end) => {
		if (!begin()) return
		pieces.reserve(mostBytes(bytes, start, end) + fixedBytes)
		write(bytes, start, pieces)
		endRow()
	}
