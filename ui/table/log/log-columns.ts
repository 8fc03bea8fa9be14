import { logTextNames } from '@roundhouse/kit/log-names'
import type { Column, Row } from '../../../host/api/api.ts'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { isLevelColumn } from '../histogram/part-colours.ts'

/** The columns by which a log is read. */
export interface LogColumns {
	readonly time: string
	readonly level: string | undefined
	readonly message: string
	/** What tells the sources of rows apart: a service and a host, for example. At most two. */
	readonly sources: readonly string[]
}

/** Names of what writes a log, the best of each kind first. */
const sourceNames = [
	['service.name', 'service', 'service_name', 'app', 'application', 'kubernetes.labels.app', 'container.name'],
	['host.name', 'host', 'hostname', 'host_name', 'host.hostname', 'kubernetes.pod.name', 'pod', 'instance'],
	['log.logger', 'logger', 'logger_name', 'logger.name', 'component', 'event.dataset', 'process.name'],
]
const mostSources = 2

/** A column with more values in the first rows tells rows apart, not their sources. */
const mostValues = 12

/**
 * Returns the columns by which the rows of a table are read as a log. `undefined` for a table without a time or a
 * message.
 *
 * @param rows the first rows, which decide between columns whose names say nothing
 */
export function logColumns(columns: readonly Column[], rows: readonly Row[]): LogColumns | undefined {
	const named = (names: readonly string[], kind: Column['kind']) => {
		const found = names.map(name => columns.find(column => column.name.toLowerCase() === name && column.kind === kind))
		return found.filter(column => column !== undefined).map(({ name }) => name)
	}
	const dates = columns.filter(({ kind, isSortable }) => kind === 'date' && isSortable)
	const time = dates.find(({ name }) => /^@?timestamp$/i.test(name)) ?? dates[0]
	const [message] = named(logTextNames, 'text')
	if (time === undefined || message === undefined) return undefined
	const level = columns.find(isLevelColumn)?.name
	const values = valuesOf(columns, rows)
	const isEmpty = (name: string) => rows.length > 0 && values.get(name)?.size === 0
	const byName = sourceNames.flatMap(names =>
		named(names, 'text')
			.filter(name => !isEmpty(name))
			.slice(0, 1),
	)
	const taken = new Set([message, level, ...sourceNames.flat()])
	const byValues = columns
		.filter(({ name, kind, isKey, isSortable }) => kind === 'text' && isSortable && !isKey && !taken.has(name))
		.map(({ name }) => ({ name, many: values.get(name)?.size ?? 0 }))
		.filter(({ many }) => many > 1 && many <= mostValues)
		.toSorted((one, other) => one.many - other.many)
	const sources = [...byName, ...byValues.map(({ name }) => name)].slice(0, mostSources)
	return { time: time.name, level, message, sources }
}

/** The different texts of each column in some rows. */
function valuesOf(columns: readonly Column[], rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
	return new Map(
		columns.map(({ name }, at) => [name, new Set(rows.map(row => copyText(cellOf(row, at))).filter(Boolean))]),
	)
}
