import { z } from 'zod'
import type { ActivityLog } from '../../activity/activity-log.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import { undoErrors } from '../../undo/errors.ts'
import type { KeptChanges, RowThatStays, UndoPlan } from '../../undo/kept-changes.ts'
import { type KeptChangeView, viewOf } from '../../undo/kept-view.ts'
import { writeErrors } from '../errors.ts'
import { assertMayWrite } from '../safe-mode.ts'
import { method } from './method.ts'

/** What an undo would do now. */
export interface UndoView {
	readonly table: string
	readonly requests: readonly string[]
	/** Rows that come back, and rows that stay as they are. */
	readonly rows: number
	readonly stays: readonly RowThatStays[]
	/** Whether the undo deletes rows. On a production connection, the name of the table is typed then. */
	readonly isDestructive: boolean
	readonly review: string
}

interface UndoServices {
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly activity: ActivityLog
	readonly keptChanges: KeptChanges
}

const named = z.object({ connection: z.string(), change: z.string() })

/** Undo of what AI clients changed, by the person at the window. */
export function undoMethods({ connections, sessions, activity, keptChanges }: UndoServices) {
	return {
		/** Returns what a change replaced, or `null` if it is not kept any more. */
		'undo.change': method({
			params: named,
			run: async ({ connection, change }): Promise<KeptChangeView | null> => {
				const kept = await keptChanges.read(connection, change)
				return kept ? viewOf(kept) : null
			},
		}),
		/** Returns what an undo would do now. `review` proves to `undo.apply` that it was shown. */
		'undo.preview': method({
			params: named,
			run: async ({ connection, change }, context): Promise<UndoView> => {
				const saved = connections.get(connection)
				if (saved.safeMode === 'read-only') throw writeErrors.make('read_only', { name: saved.name })
				const kept = await keptChanges.open(saved, change)
				const { table } = kept
				const session = await sessions.open(connection, context)
				const plan = await keptChanges.plan(session, kept, context.signal)
				requireAny(plan)
				const { changes, stays } = plan
				const requests = await session.call('previewChanges', { table, changes }, context)
				const review = context.reviews.add([{ on: identityOf(saved), undo: change, changes, requests }])
				return { table, requests, rows: changes.length, stays, isDestructive: deletes(plan), review }
			},
		}),
		'undo.apply': method({
			params: named.extend({ review: z.string(), typed: z.string().optional() }),
			run: async ({ connection, change, review, typed }, context) => {
				const saved = connections.get(connection)
				const kept = await keptChanges.open(saved, change)
				const session = await sessions.open(connection, context)
				const plan = await keptChanges.plan(session, kept, context.signal)
				requireAny(plan)
				const { changes } = plan
				// What goes with a row is in them: others may have added rows that refer to it.
				const requests = await session.call('previewChanges', { table: kept.table, changes }, context)
				const isShown = context.reviews.take(review, { on: identityOf(saved), undo: change, changes, requests })
				if (!isShown) throw undoErrors.make('outdated')
				const access = deletes(plan) ? 'destructive' : 'write'
				assertMayWrite(saved, { access, name: kept.table, typed, wasShown: () => isShown })
				const id = keptChanges.newId()
				const asked = { id, connection: saved, maker: { kind: 'person' }, kept, plan } as const
				const { outcomes, lost, isKept } = await keptChanges.undo(session, asked, context.signal)
				const rows = outcomes.filter(({ status }) => status === 'applied').length
				const columns = [...new Set(lost.flatMap(one => one.columns))]
				void activity
					.record({
						action: 'change.undone',
						outcome: rows > 0 ? 'success' : 'error',
						connection,
						connectionName: saved.name,
						verdict: access,
						rows,
						agreed: 'window',
						...(columns.length > 0 && { detail: `Not as before: ${columns.join(', ')}` }),
						...(isKept && { change: id }),
					})
					.catch(() => {})
				return { outcomes, stays: plan.stays, lost, rows }
			},
		}),
	}
}

const deletes = ({ changes }: UndoPlan) => changes.some(({ kind }) => kind === 'delete')

/** @throws HostError `undo/nothing` */
function requireAny({ changes, stays }: UndoPlan): void {
	if (changes.length > 0) return
	throw undoErrors.make('nothing', { reason: stays[0]?.why ?? 'Everything is as it was before.' })
}
