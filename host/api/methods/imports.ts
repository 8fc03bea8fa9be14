import { type Column, DriverError, decode } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import type { ActivityLog } from '../../activity/activity-log.ts'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Session } from '../../connections/session.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { CallOptions } from '../../driver-runtime/driver-calls.ts'
import { importErrors } from '../../imports/errors.ts'
import { maxRowLength } from '../../imports/file-row.ts'
import { type ImportAccount, ImportJob } from '../../imports/import-job.ts'
import { type ImportPlan, importPlan } from '../../imports/import-plan.ts'
import { previewOf } from '../../imports/preview.ts'
import type { MappedColumn } from '../../imports/row-cells.ts'
import { openSink } from '../import-sinks.ts'
import { assertMayWrite } from '../safe-mode.ts'
import { method } from './method.ts'

/** Upper limit of a piece of a file as base64. */
const mostBase64 = 4 * 1024 * 1024
const piece = z.base64().max(mostBase64)
/** A preview needs a whole row. The check for base64 takes too much memory for one. */
const beginning = z.string().max(Math.ceil(maxRowLength / 3) * 4)

interface ImportServices {
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly activity: ActivityLog
	manifestOf(driverId: string): Promise<Manifest>
}

/** Imports of rows from a file that the user chose. The window reads the file, and the host does the rest. */
export function importMethods(services: ImportServices) {
	const { connections, sessions } = services
	return {
		/** Reads the beginning of a file: its fields and first rows, with columns of the table for the fields. `head`: base64. */
		'imports.preview': method({
			params: importPlan.pick({ connection: true, table: true, file: true, format: true }).extend({ head: beginning }),
			run: async ({ connection, table, file, format, head }, context) => {
				const session = await sessions.open(connection, context)
				const columns = await columnsOf(session, table, context)
				return { columns, ...previewOf({ format, columns, ...file, head: Buffer.from(head, 'base64') }) }
			},
		}),
		/** `review` proves to `imports.begin` that the user was shown the plan. */
		'imports.review': method({
			params: importPlan,
			run: async (plan, context) => ({ review: context.reviews.add([shown(connections.get(plan.connection), plan)]) }),
		}),
		/** The caller then writes the whole file in pieces. */
		'imports.begin': method({
			params: importPlan.extend({ review: z.string().optional(), typed: z.string().optional() }),
			run: async ({ review, typed, ...plan }, context) => {
				const session = await sessions.open(plan.connection, context)
				const saved = connections.get(plan.connection)
				assertMayWrite(saved, {
					// A row that is replaced is lost.
					access: accessOf(plan),
					name: plan.table,
					typed,
					wasShown: () => context.reviews.take(review, shown(saved, plan)),
				})
				const id = context.imports.add(await openJob(services, { saved, session, plan }, context))
				// The caller has gone and will end nothing.
				if (context.signal.aborted) await context.imports.end(id, 'cancel')
				return { id }
			},
		}),
		/** Sends the next piece of the file, as base64. Reports rows as progress. The import may end before the file. */
		'imports.write': method({
			params: z.object({ id: z.string(), bytes: piece }),
			run: async ({ id, bytes }, { imports, onProgress }) => {
				const onRows = (rows: number) => onProgress?.({ done: rows })
				const { faults: _, ...account } = await imports.get(id).write(Buffer.from(bytes, 'base64'), onRows)
				return account
			},
		}),
		/** Ends the import after the last piece. */
		'imports.end': method({
			params: z.object({ id: z.string() }),
			run: ({ id }, { imports }) => imports.end(id, 'end'),
		}),
		/** Ends the import after the rows that are on their way. */
		'imports.cancel': method({
			params: z.object({ id: z.string() }),
			run: ({ id }, { imports }) => imports.end(id, 'cancel'),
		}),
	}
}

const accessOf = ({ onConflict }: ImportPlan) => (onConflict === 'replace' ? 'destructive' : 'write')

const shown = (saved: SavedConnection, { connection: _, ...plan }: ImportPlan) => ({ on: identityOf(saved), ...plan })

interface Begun {
	readonly saved: SavedConnection
	readonly session: Session
	readonly plan: ImportPlan
}

async function openJob(
	{ activity, connections, manifestOf }: ImportServices,
	{ saved, session, plan }: Begun,
	call: CallOptions,
): Promise<ImportJob> {
	const { table, format, file, onConflict, skipsBad = false } = plan
	const { displayName: driver, imports, savesWhole, csvBytes } = await manifestOf(saved.driverId)
	if (imports === null) throw importErrors.make('not_offered', { driver })
	if (onConflict !== 'fail' && !imports.conflicts.includes(onConflict)) {
		throw importErrors.make('conflict_unknown', { driver, conflict: onConflict })
	}
	const mapping = mappedColumns(plan, await columnsOf(session, table, call))
	const columns = mapping.map(({ column }) => column.name)
	const sink = await openSink({ session, table, driver, savesWhole, options: { columns, onConflict } }, call)
	const startedAt = performance.now()
	const onEnd = (account: ImportAccount) =>
		activity.record({
			action: 'rows.imported',
			outcome: outcomeOf(account),
			verdict: accessOf(plan),
			rows: account.imported,
			connection: saved.id,
			connectionName: saved.name,
			durationMs: Math.round(performance.now() - startedAt),
			detail: `${file.name} into ${table}: ${account.failed} failed, ${account.unknown} unknown`,
		})
	const mayWrite = () => {
		const now = connections.get(saved.id)
		const wasShown = () => identityOf(now) === identityOf(saved)
		assertMayWrite(now, { access: accessOf(plan), name: table, typed: table, wasShown })
	}
	return new ImportJob({
		sink,
		format,
		mapping,
		csvBytes,
		onConflict,
		skipsBad,
		sizeBytes: file.sizeBytes,
		assertMayWrite: mayWrite,
		onEnd,
	})
}

function outcomeOf({ state, failed, unknown }: ImportAccount) {
	if (state === 'cancelled') return 'cancelled'
	return state === 'done' && failed + unknown === 0 ? 'success' : 'error'
}

/** Returns the columns that a new row takes. @throws DriverError `unsupported` if the table takes no new rows */
async function columnsOf(session: Session, table: string, call: CallOptions): Promise<readonly Column[]> {
	const listed = (await session.call('listTables', {}, call)).find(({ name }) => name === table)
	const refusal = listed?.cannot?.insert
	if (refusal !== undefined) throw new DriverError('unsupported', refusal)
	const { columns } = decode(await session.call('describeTable', { table }, call))
	return columns.filter(({ isReadOnly, generated }) => generated !== 'always' && isReadOnly !== true)
}

/** @throws HostError `import/column_unknown` */
function mappedColumns({ table, mapping }: ImportPlan, columns: readonly Column[]): readonly MappedColumn[] {
	return mapping.map(({ field, column: name }) => {
		const column = columns.find(column => column.name === name)
		if (!column) throw importErrors.make('column_unknown', { table, column: name })
		return { field, column }
	})
}
