import {
	type Cell,
	type ChangeOutcome,
	DriverError,
	fromCell,
	type ImportOptions,
	type RowImport,
} from '@roundhouse/kit'
import { BatchImport } from '@roundhouse/sql'
import type { Shape } from '../catalog/shape.ts'
import { storedAs } from '../edit/change-sql.ts'
import { qualified, quoted } from '../sql/names.ts'
import { errorNumbers } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'

const applied: ChangeOutcome = { status: 'applied' }
const exists: ChangeOutcome = { status: 'conflict', message: 'A row with this key exists.' }

/** Imports rows by INSERT, on a separate session, which it closes. @throws DriverError `unsupported` */
export function importTable(session: Session, shape: Shape, { columns, onConflict }: ImportOptions): RowImport {
	if (shape.cannot?.insert !== undefined) throw new DriverError('unsupported', shape.cannot.insert)
	if (onConflict === 'replace' && shape.key.length === 0)
		throw new DriverError('unsupported', `${shape.name} has no key by which rows could be replaced.`)
	const into = `insert into ${qualified(shape.place)} (${columns.map(quoted).join(', ')}) values `
	const conflict = conflictSql(shape, columns, onConflict)
	const valuesOf = (row: readonly Cell[]) =>
		`(${columns.map((name, at) => (fromCell(row[at] ?? null) === undefined ? 'default' : storedAs(shape, name, row[at] ?? null))).join(', ')})`
	const run = (sql: string, signal: AbortSignal) => session.query({ sql }, signal)
	return new BatchImport({
		begin: signal => session.begin(signal),
		savepoint: async signal => void (await run('savepoint roundhouse_rows', signal)),
		rollbackToSavepoint: async signal => void (await run('rollback to savepoint roundhouse_rows', signal)),
		async insertAll(rows, signal) {
			// The number of changed rows does not say which of them existed.
			if (onConflict !== 'fail' || rows.length === 0) return undefined
			await run(`${into}${rows.map(valuesOf).join(', ')}`, signal)
			return applied
		},
		async insertOne(row, signal) {
			const { affected = 0 } = await run(`${into}${valuesOf(row)}${conflict}`, signal)
			return onConflict === 'skip' && affected !== 1 ? exists : applied
		},
		isConflict: ({ engineCode }) => engineCode === String(errorNumbers.duplicateKey),
		commit: async signal => void (await run('commit', signal)),
		close: () => session.close(),
	})
}

/** `insert ignore` would also accept values that do not fit. */
function conflictSql({ key }: Shape, columns: readonly string[], onConflict: ImportOptions['onConflict']): string {
	if (onConflict === 'fail') return ''
	const others = onConflict === 'skip' ? [] : columns.filter(name => !key.includes(name))
	const [any = ''] = columns
	const set =
		others.length === 0
			? [`${quoted(any)} = ${quoted(any)}`]
			: others.map(name => `${quoted(name)} = values(${quoted(name)})`)
	return ` on duplicate key update ${set.join(', ')}`
}
