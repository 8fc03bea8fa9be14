import {
	type Change,
	type ChangeOutcome,
	type Column,
	cutText,
	DriverError,
	isJsonObject,
	type Json,
	type JsonObject,
} from '@roundhouse/kit'
import { z } from 'zod'
import type { KeptChange } from '../../../undo/kept-change.ts'
import type { KeptChanges, MadeChange } from '../../../undo/kept-changes.ts'
import type { ClientSession } from '../../access/client-session.ts'
import type { PendingStatement } from '../../consent/consent.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import { driverText, quotedInput } from '../../protocol/outgoing-text.ts'
import { namedInSentence } from '../../protocol/printable.ts'
import { readTable } from '../connections/schema-reading.ts'
import { type ConnectionCall, defineConnectionTool } from '../framework/define-tool.ts'
import { answerBytes, thatFit } from '../framework/fitted.ts'
import { groupedChanges } from './change-groups.ts'
import { asColumnsHave, toCells } from './change-values.ts'
import { rowsText } from './engine-text.ts'
import { estimate, inTime } from './estimate.ts'
import { noted } from './recent.ts'
import { readReplaced } from './replaced-rows.ts'
import { tableArgument } from './schema.ts'

const maxChanges = 1000
/** Values by column. A record of zod would drop a column `__proto__` without an error. */
const values = z
	.custom<Readonly<Record<string, Json>>>(
		value => isJsonObject(value as Json) && !Object.hasOwn(value as object, '__proto__'),
		'it must be an object of column to value. A column cannot have the name __proto__',
	)
	.meta({ type: 'object', additionalProperties: {} })
export const changesOutput = {
	table: z.string(),
	applied: z.number(),
	outcomes: z.array(
		z.object({
			/** Position in the arguments, from 0. */
			row: z.number(),
			status: z.string(),
			row_id: z.string().optional(),
			version: z.string().optional(),
			message: z.string().optional(),
		}),
	),
	outcomes_hint: z.string().optional(),
	/** For undo_change. */
	change_id: z.string().optional(),
}
const rowVersion = z.string().min(1).describe('From row_versions').optional()

export const insertRows = defineConnectionTool({
	name: 'insert_rows',
	title: 'Insert rows',
	description: 'Inserts rows. Asks the user.',
	access: 'write',
	group: 'write',
	effect: 'adds',
	input: {
		table: tableArgument,
		rows: z
			.array(values)
			.min(1)
			.max(maxChanges)
			.describe('Objects of column to value. is_read_only "after_insert" is allowed'),
	},
	output: changesOutput,
	run: ({ table, rows }, context) =>
		applyChanges(
			{
				table,
				changes: rows.map(row => ({ kind: 'insert', values: toCells(row) })),
				summary: `Insert ${rowsText(rows.length)} into ${namedInSentence(table)}`,
			},
			context,
		),
})

export const updateRows = defineConnectionTool({
	name: 'update_rows',
	title: 'Update rows',
	description: 'Changes columns of rows, addressed by the row_ids of browse_table. Asks the user.',
	access: 'write',
	group: 'write',
	effect: 'changes',
	input: {
		table: tableArgument,
		updates: z
			.array(
				z.strictObject({
					row_id: z.string(),
					version: rowVersion,
					set: values.describe('Values by column. is_read_only is not allowed'),
				}),
			)
			.min(1)
			.max(maxChanges)
			.describe('What to set in which row'),
	},
	output: changesOutput,
	run: ({ table, updates }, context) =>
		applyChanges(
			{
				table,
				changes: updates.map(({ row_id: rowId, version, set }) => ({
					kind: 'update',
					rowId,
					...(version !== undefined && { version }),
					set: toCells(set),
				})),
				summary: `Update ${rowsText(updates.length)} of ${namedInSentence(table)}`,
			},
			context,
		),
})

export const deleteRows = defineConnectionTool({
	name: 'delete_rows',
	title: 'Delete rows',
	description: 'Deletes rows, addressed by the row_ids of browse_table. Asks the user.',
	access: 'destructive',
	group: 'write',
	effect: 'changes',
	input: {
		table: tableArgument,
		rows: z
			.array(z.strictObject({ row_id: z.string(), version: rowVersion }))
			.min(1)
			.max(maxChanges)
			.describe('Which rows'),
	},
	output: changesOutput,
	run: ({ table, rows }, context) =>
		applyChanges(
			{
				table,
				changes: rows.map(({ row_id: rowId, version }) => ({
					kind: 'delete',
					rowId,
					...(version !== undefined && { version }),
				})),
				summary: `Delete ${rowsText(rows.length)} of ${namedInSentence(table)}`,
			},
			context,
		),
})

/** Changes of one table, with a sentence for the user. */
interface ProposedChanges {
	readonly table: string
	readonly changes: readonly Change[]
	readonly summary: string
}

/** Previews the changes, asks for consent, and applies them. Each row has its own outcome. */
async function applyChanges({ table, changes: proposed, summary }: ProposedChanges, context: ConnectionCall) {
	const session = await context.open()
	const isDeletion = proposed.some(({ kind }) => kind === 'delete')
	// If the columns cannot be read, this check is skipped, and the driver rejects invalid changes.
	const columns = isDeletion ? [] : await columnsOf(session, table, context.call.signal)
	requireWritable(proposed, columns)
	const changes = asColumnsHave(proposed, columns)
	const grant = { target: `${changes[0]?.kind ?? 'no'} rows in ${namedInSentence(table)}`, rows: changes.length }
	const asked = { session, table, changes, summary, ...(!isDeletion && { grant }) }
	const { connection, call } = context
	const asking = await askAndChange(asked, context, (keptChanges, as) =>
		keptChanges.apply(session, { ...as, connection, table, changes }, call.signal),
	)
	return 'made' in asking ? asking.answer : asking
}

/** Returns the columns of a table; none if they cannot be read. */
async function columnsOf(session: ClientSession, table: string, signal: AbortSignal): Promise<readonly Column[]> {
	const found = await readTable(session, table, signal).catch(() => undefined)
	return found?.columns ?? []
}

/** Changes to ask about. */
interface AskedChanges extends ProposedChanges {
	readonly session: ClientSession
	/** What a temporary consent covers. */
	readonly grant?: PendingStatement['grant']
}

/** What a change that was made is called afterwards. */
interface MadeAs {
	readonly id: string
	readonly maker: KeptChange['maker']
}

/** Asks for consent, and makes changes in the way that the caller gives. Each row has its own outcome. */
export async function askAndChange<Made extends MadeChange>(
	{ session, table, changes, summary, grant }: AskedChanges,
	context: ConnectionCall,
	make: (keptChanges: KeptChanges, as: MadeAs) => Promise<Made>,
): Promise<InputRequired | { readonly made: Made; readonly answer: JsonObject }> {
	const { call, connection, round, services } = context
	const isDeletion = changes.some(({ kind }) => kind === 'delete')
	const access = isDeletion ? 'destructive' : 'write'
	const readPreview = () => session.call('previewChanges', { table, changes }, { signal: call.signal })
	const preview = await readPreview()
	const columns = await columnsOf(session, table, call.signal)
	const question = await services.consent.settle(
		{
			connection,
			statement: preview.join('\n\n'),
			grouped: groupedChanges(changes, preview),
			summary,
			access,
			...(services.keptChanges.mayKeep(changes) && { mayUndo: true }),
			grant,
			estimate: async () => {
				const assess = (signal: AbortSignal) => session.call('assessChanges', { table, changes }, { signal })
				const { unrehearsed, ...assessed } = await estimate(assess, call, services)
				const reading = (signal: AbortSignal) => readReplaced(session, { table, changes, columns }, signal)
				const replaced = await inTime(reading, call, services)
				const untold =
					unrehearsed ?? (assessed.isUndetermined && session.console.canRehearse ? undetermined : undefined)
				if (untold !== undefined && !isDeletion) throw new DriverError('denied', `${untold} ${advice}`)
				const lost = `${rowsText(changes.length)} of ${namedInSentence(table)}`
				return {
					...(isDeletion && { destroys: untold === undefined ? lost : `${lost}, and more was not tried: ${untold}` }),
					...assessed,
					affects: { value: changes.length, isExact: true },
					...(replaced && { replaced }),
				}
			},
		},
		round,
	)
	if (question) return question
	// What goes with a deleted row is in its preview: others may have added rows that refer to it.
	if (isDeletion && String(await readPreview()) !== String(preview)) throw new DriverError('query_failed', otherEffect)
	const { keptChanges } = services
	const id = keptChanges.newId()
	// Before the change, so that the entry of a call that is cancelled during it has the id.
	call.note({ change: id })
	const made = await noted({ statement: preview.join('\n\n'), access }, context, async () => {
		const made = await make(keptChanges, { id, maker: { kind: 'client', grantee: call.caller.grantee } })
		requireApplied(made.outcomes, changes)
		return made
	})
	const { isKept, noUndo } = made
	if (!isKept) call.note({ change: undefined })
	const lasting = noUndo === undefined ? undefined : `It cannot be undone. ${noUndo}`
	if (lasting !== undefined) call.note({ reason: lasting })
	return {
		made,
		answer: {
			table,
			applied: made.outcomes.filter(({ status }) => status === 'applied').length,
			...withHint(describeOutcomes(made.outcomes, changes), lasting),
			...(isKept && noUndo === undefined && { change_id: id }),
		},
	}
}

/** Adds a sentence to that about the outcomes: a member for it would cost tokens in the schema of each tool. */
function withHint<T extends { readonly outcomes_hint?: string }>(outcomes: T, sentence: string | undefined): T {
	if (sentence === undefined) return outcomes
	const { outcomes_hint: hint } = outcomes
	return { ...outcomes, outcomes_hint: hint === undefined ? sentence : `${hint} ${sentence}` }
}

const otherEffect =
	'Nothing was changed: what goes with these rows has changed while the user was asked. Send the call again.'
const undetermined = 'What else it does could not be determined in time.'
const advice =
	'So this tool does not send it. Write a statement for execute_query or confirm_destructive_operation, which tries it first.'

/** @throws DriverError `invalid_argument` if a change sets a column that its row does not take */
function requireWritable(changes: readonly Change[], columns: readonly Column[]): void {
	const readOnly = new Map(columns.map(column => [column.name, column.isReadOnly]))
	for (const change of changes) {
		if (change.kind === 'delete') continue
		for (const name of Object.keys(change.kind === 'insert' ? change.values : change.set)) {
			const how = readOnly.get(name)
			if (how === true)
				throw new DriverError('invalid_argument', `${namedInSentence(name)} is read-only. Leave it out.`)
			if (how === 'after_insert' && change.kind === 'update') {
				throw new DriverError(
					'invalid_argument',
					`${namedInSentence(name)} can be set in a new row only. Insert a new row, or leave it out.`,
				)
			}
		}
	}
}

/** Upper limit of listed reasons, which usually repeat. */
const maxReasons = 5

/**
 * Throws if no row was changed, so that the model does not mistake the result for a success. @throws DriverError
 * `query_failed`
 */
function requireApplied(outcomes: readonly ChangeOutcome[], changes: readonly Change[]): void {
	if (outcomes.some(({ status }) => status === 'applied' || status === 'unknown')) return
	const reasons = outcomes.flatMap((outcome, row) => {
		const { row_id: id } = rowIdOf(changes[row])
		return 'message' in outcome
			? [`Row ${row}${id === undefined ? '' : ` (${quotedInput(id)})`}: ${outcome.message}`]
			: []
	})
	const others = reasons.length - maxReasons
	const said = [...reasons.slice(0, maxReasons), ...(others > 0 ? [`And ${others} more.`] : [])]
	// What a constraint refuses is refused again.
	const wasRead = outcomes.some(({ status }) => status === 'conflict')
	const next = wasRead ? ['Read the rows again first.'] : []
	throw new DriverError('query_failed', ['No row was changed.', ...said, ...next].join(' '))
}

/** Up to this many outcomes, the answer lists all. Beyond it, the answer lists only rows that were not changed. */
const maxListed = 20
const longestMessage = 1_000

/** Ids that the client cannot know get up to this many bytes, when their outcomes are not listed. */
const newIdBytes = 2_000

function describeOutcomes(outcomes: readonly ChangeOutcome[], changes: readonly Change[]) {
	const all = outcomes.map((outcome, row) => ({ row, ...rowIdOf(changes[row]), ...describe(outcome) }))
	return listedOutcomes(all, ({ row, row_id: id }) => id !== rowIdOf(changes[row]).row_id)
}

type DescribedOutcome = ReturnType<typeof describe> & { readonly row: number; readonly row_id?: string }

/**
 * Returns the outcomes that an answer has, and a sentence about the others. @param isNewId whether a row has an id that the
 * client does not know
 */
export function listedOutcomes(
	all: readonly DescribedOutcome[],
	isNewId: (outcome: DescribedOutcome) => boolean = () => false,
) {
	const isToSee = ({ status, message }: DescribedOutcome) => status !== 'applied' || message !== undefined
	const listed = all.length <= maxListed ? all : all.filter(isToSee)
	const others = all.filter(one => !listed.includes(one))
	const newIds = others.filter(isNewId).flatMap(({ row_id: id }) => id ?? [])
	const ids = thatFit(newIds, newIdBytes)
	const shown = thatFit(listed, answerBytes - (newIds.length > 0 ? newIdBytes : 0))
	const left = listed.slice(shown.length)
	const counts = [...new Set(left.map(({ status }) => status))].map(
		status => `${left.filter(other => other.status === status).length} ${status.replaceAll('_', ' ')}`,
	)
	const hints = [
		...(others.length > 0 ? [`Applied rows: ${rangesOf(others.map(({ row }) => row))}.`] : []),
		...(ids.length > 0 ? [`Their new ids in this order: ${JSON.stringify(ids)}.`] : []),
		...(ids.length < newIds.length ? [`${newIds.length - ids.length} more ids are not listed.`] : []),
		...(left.length > 0 ? [`${left.length} more rows are not listed: ${counts.join(', ')}.`] : []),
	]
	return { outcomes: [...shown], ...(hints.length > 0 && { outcomes_hint: hints.join(' ') }) }
}

/** Returns ascending numbers as ranges: `0-3, 5`. */
function rangesOf(numbers: readonly number[]): string {
	const ranges: { readonly from: number; to: number }[] = []
	for (const number of numbers) {
		const last = ranges.at(-1)
		if (last?.to === number - 1) last.to = number
		else ranges.push({ from: number, to: number })
	}
	return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

/** Returns the id of a changed row. A new row gets its id from the engine. */
function rowIdOf(change: Change | undefined): { readonly row_id?: string } {
	return change === undefined || change.kind === 'insert' ? {} : { row_id: change.rowId }
}

export function describe(outcome: ChangeOutcome): {
	readonly status: string
	readonly row_id?: string
	readonly version?: string
	readonly message?: string
} {
	if (outcome.status === 'not_sent') return { status: outcome.status }
	if (outcome.status !== 'applied')
		return { status: outcome.status, message: cutText(driverText(outcome.message), longestMessage) }
	const { status, rowId, version } = outcome
	return { status, ...(rowId !== undefined && { row_id: rowId }), ...(version !== undefined && { version }) }
}
